#!/usr/bin/env python3
"""Writes the OTF2 trace of one sampled thread, without any record of a function that is entered or left.

usage: only_samples.py FOLDER

Microseconds: main from 0, main/solve/kernel from 100, main/solve from 300, kernel again from 400, main from 500 to 700.
"""
import sys

import otf2
from otf2.enums import InterruptGeneratorMode


def main():
    with otf2.writer.open(sys.argv[1], timer_resolution=1_000_000) as trace:
        define = trace.definitions
        process = define.location_group("rank 0", system_tree_parent=define.system_tree_node("machine"))
        writer = trace.event_writer_from_location(define.location("master", group=process))
        in_main = define.calling_context(define.region("main"), parent=None)
        in_solve = define.calling_context(define.region("solve"), parent=in_main)
        in_kernel = define.calling_context(define.region("kernel"), parent=in_solve)
        timer = define.interrupt_generator("timer", interrupt_generator_mode=InterruptGeneratorMode.TIME, period=100)
        # The last number is the unwind distance: 1, and the functions that are new at the end of the path.
        for sample in ((0, in_main, 2), (100, in_kernel, 3), (200, in_kernel, 1), (300, in_solve, 1),
                       (400, in_kernel, 2), (500, in_main, 1), (700, in_main, 1)):
            writer.calling_context_sample(*sample, timer)


main()
