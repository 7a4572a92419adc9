#!/usr/bin/env python3
"""Writes the OTF2 trace of two sampled ranks: calling contexts and samples, and the MPI calls between them.

usage: calling_contexts.py FOLDER

Microseconds of each rank:
  0 sample in main; 100 sample in main/solve/kernel; 200 sample in main/solve; 300 barrier in main/solve, until 400;
  450 sample in main/solve, whose call was another; 500 barrier in main, until 600; 700 the last sample, in main.
"""
import sys

import otf2
from otf2.enums import (CollectiveOp, GroupFlag, GroupType, InterruptGeneratorMode, Paradigm, RegionRole)

SAME_CALL = 1  # unwind distance: nothing was entered
NEW_CALL = 2   # the last region of the path was


def main():
    with otf2.writer.open(sys.argv[1], timer_resolution=1_000_000) as trace:
        define = trace.definitions
        root = define.system_tree_node("machine")
        ranks = [define.location_group(f"rank {rank}", system_tree_parent=root) for rank in range(2)]
        locations = [define.location("master", group=rank) for rank in ranks]
        writers = [trace.event_writer_from_location(location) for location in locations]
        define.group("", group_type=GroupType.COMM_LOCATIONS, paradigm=Paradigm.MPI, group_flags=GroupFlag.NONE,
                     members=locations)
        group = define.group("", group_type=GroupType.COMM_GROUP, paradigm=Paradigm.MPI, group_flags=GroupFlag.NONE,
                             members=locations)
        world = define.comm("MPI_COMM_WORLD", group=group)
        region = {name: define.region(name) for name in ("main", "solve", "kernel")}
        barrier = define.region("MPI_Barrier", paradigm=Paradigm.MPI, region_role=RegionRole.BARRIER)
        in_main = define.calling_context(region["main"], parent=None)
        in_solve = define.calling_context(region["solve"], parent=in_main)
        in_kernel = define.calling_context(region["kernel"], parent=in_solve)
        timer = define.interrupt_generator("timer", interrupt_generator_mode=InterruptGeneratorMode.TIME, period=100)
        for writer in writers:
            def wait_in(parent, begin, writer=writer):
                context = define.calling_context(barrier, parent=parent)
                writer.calling_context_enter(begin, context, NEW_CALL)
                writer.mpi_collective_begin(begin)
                writer.mpi_collective_end(begin + 100, CollectiveOp.BARRIER, world, 0xffffffff, 0, 0)
                writer.calling_context_leave(begin + 100, context)

            writer.calling_context_sample(0, in_main, 2, timer)
            writer.calling_context_sample(100, in_kernel, 3, timer)
            writer.calling_context_sample(200, in_solve, SAME_CALL, timer)
            wait_in(in_solve, 300)
            writer.calling_context_sample(450, in_solve, NEW_CALL, timer)
            wait_in(in_main, 500)
            writer.calling_context_sample(700, in_main, SAME_CALL, timer)


main()
