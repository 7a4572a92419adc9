#!/usr/bin/env python3
"""POP's efficiencies of traces, by `tarry report --efficiency` and computed again from docs/METRICS.md alone.

usage: compare_efficiencies.py [--region NAME] TRACES.otf2...

Needs tarry-report in PATH. Of programs without threads, the ideal network is simulated again, too; else the
tool's run time on it is taken, which is said. Prints for each trace how many values agree; status 1 if one differs.
"""
import argparse
import json
import math
import subprocess
import sys

from simulate import Collectives, Machine, Simulation, is_mpi
from trace_model import Trace

RUNTIME_ROLES = ("BARRIER", "IMPLICIT_BARRIER", "CRITICAL", "ATOMIC", "ORDERED", "TASK_WAIT", "FLUSH")


def is_openmp(region):
    return str(region.paradigm).endswith("OPENMP") or region.name.startswith("!$omp")


def is_of_runtime(region):
    """Of threads: what synchronises them."""
    role = str(region.region_role).split(".")[-1]
    return is_openmp(region) and (role in RUNTIME_ROLES or region.name.endswith("_lock"))


def is_parallel(path):
    return any(is_openmp(step.region) and str(step.region.region_role).endswith(".PARALLEL") for step in path.ancestors())


def intervals(location):
    """(begin, end, call path, whether a team is made or ends)"""
    teams = {region.leave_index: region for region in location.instances if region.fork is not None}
    forked = {region.index: region for region in location.instances if region.fork is not None}
    joining = None
    for index, path, duration in location.pieces:
        if joining is not None:
            yield joining.leave, joining.leave + duration, path, True
            joining = None
            continue
        end = location.records[index].time
        yield end - duration, end, path, index in forked
        joining = teams.get(index)


class Part:
    """The windows of a process that count."""
    def __init__(self, trace, rank, region):
        master = trace.masters[rank]
        inits = [i.leave for i in master.instances if i.name.startswith("MPI_Init") and i.name != "MPI_Initialized"]
        ends = [i.enter for i in master.instances if i.name == "MPI_Finalize"]
        begin = inits[0] if inits else master.records[0].time
        end = ends[-1] if ends else master.records[-1].time
        self.windows, last = [(begin, end)], begin
        if region:
            self.windows = []
            for visit in master.instances:
                if visit.name == region and visit.enter >= last:
                    last = visit.leave
                    self.windows.append((max(begin, visit.enter), min(end, visit.leave)))
        self.length = sum(max(0, b - a) for a, b in self.windows)

    def overlap(self, begin, end):
        return sum(max(0, min(end, b) - max(begin, a)) for a, b in self.windows)


class Process:
    def __init__(self, trace, rank, part):
        threads = [location for location in trace.threads_of(rank) if location.records]
        self.threads, self.useful = len(threads), []
        for number, location in enumerate(threads):
            useful = serial = mpi = parallel = known = 0
            for begin, end, path, is_managed in intervals(location):
                ticks = part.overlap(begin, end)
                known += ticks
                parallel += ticks if is_parallel(path) else 0
                if is_mpi(path):
                    mpi += ticks
                elif not is_managed and not is_of_runtime(path.region):
                    useful += ticks
                    serial += 0 if is_parallel(path) else ticks
            if number == 0:
                useful, serial = useful + part.length - known, serial + part.length - known
                self.outside_mpi, self.serial, self.parallel = part.length - mpi, serial, parallel
            self.useful.append(useful)


def bound_threads(process, runtime):
    """Others may compute while the first thread is in MPI, or alone: then the process is not, and it is not alone."""
    useful = sum(process.useful)
    process.outside_mpi = max([process.outside_mpi, *process.useful])
    longer = max(process.parallel, (useful - process.serial) / process.threads)
    if process.threads > 1 and process.serial + longer > runtime:
        longer = max(process.parallel, (useful - runtime) / (process.threads - 1))
        process.serial = min(process.serial, runtime - longer)
    process.parallel = longer


def efficiencies(trace, region, ideal):
    """{model: {name: value}}, and the run time. `ideal`: a run time in seconds."""
    ranks = range(len(trace.masters))
    parts = [Part(trace, rank, region) for rank in ranks]
    processes = [Process(trace, rank, parts[rank]) for rank in ranks]
    if region:
        runtime = max(part.length for part in parts)
    else:
        runtime = max(part.windows[0][1] for part in parts) - min(part.windows[0][0] for part in parts)
    has_regions = any(p.parallel for p in processes)
    for process in processes:
        bound_threads(process, runtime)
    least = max(max(p.outside_mpi, p.serial + p.parallel) for p in processes)
    ideal = min(max(ideal * trace.ticks_per_second, least), max(runtime, least))
    threads = sum(p.threads for p in processes)
    mean = sum(sum(p.useful) for p in processes) / threads
    longest = max(max(p.useful) for p in processes)
    found = {"standard": {"global": mean / runtime, "parallel": mean / runtime, "load_balance": mean / longest,
                          "communication": longest / runtime, "serialisation": longest / ideal,
                          "transfer": ideal / runtime, "computation_scaling": 1.0}}
    if threads == len(processes):
        return found, runtime / trace.ticks_per_second
    outside = [p.outside_mpi for p in processes]
    mpi_balance, mpi_communication = sum(outside) / len(outside) / max(outside), max(outside) / runtime
    found["multiplicative"] = {
        "parallel": mean / runtime, "mpi": mpi_balance * mpi_communication, "mpi_load_balance": mpi_balance,
        "mpi_communication": mpi_communication, "mpi_serialisation": max(outside) / ideal,
        "mpi_transfer": ideal / runtime, "thread": mean / runtime / (mpi_balance * mpi_communication),
        "thread_load_balance": mean / longest / mpi_balance,
        "thread_communication": longest / runtime / mpi_communication}
    of_both = found["multiplicative"]
    if of_both["thread_load_balance"] > 1:
        of_both["thread_load_balance"], of_both["thread_communication"] = 1, of_both["thread"]
    if not has_regions:
        return found, runtime / trace.ticks_per_second
    # What each of them loses, as a share of the run time of all threads.
    loss = {"process": runtime - sum(p.threads * (p.serial + p.parallel) for p in processes) / threads,
            "process_communication": runtime - max(p.serial + p.parallel for p in processes),
            "process_transfer": runtime - ideal,
            "serial_region": sum((p.threads - 1) * p.serial for p in processes) / threads,
            "parallel_region": sum(p.threads * p.parallel - (sum(p.useful) - p.serial) for p in processes) / threads}
    loss["process_load_balance"] = loss["process"] - loss["process_communication"]
    loss["process_serialisation"] = loss["process_communication"] - loss["process_transfer"]
    loss["thread"] = loss["serial_region"] + loss["parallel_region"]
    loss["parallel"] = loss["process"] + loss["thread"]
    found["additive"] = {name: 1 - ticks / runtime for name, ticks in loss.items()}
    return found, runtime / trace.ticks_per_second


def tool_finds(anchor, words):
    run = subprocess.run(["tarry-report", "--efficiency", "--json", *words, anchor], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{anchor}: {run.stderr}")
    return json.loads(run.stdout)["runs"][0]


def is_close(ours, theirs):
    return ours is not None and math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-9)


def simulated(trace):
    """Run time on an ideal network; None if the oracle cannot tell."""
    if len(trace.locations) != len(trace.masters):
        return None
    try:
        return Simulation(trace, Machine(network=(0.0, math.inf)), Collectives(trace)).predicted()
    except KeyError:  # requests that are started again and again
        return None


def compare(anchor, region):
    """(values, differences)"""
    tool = tool_finds(anchor, ["--region", region] if region else [])
    trace = Trace(anchor)
    problems, ideal = [], None if region else simulated(trace)
    if ideal is None:
        print(f"{anchor}: takes the run time on an ideal network from the tool")
        ideal = tool["ideal"]
    expected, runtime = efficiencies(trace, region, ideal)
    expected["times"] = {"runtime": runtime, "ideal": ideal}
    tool["times"] = {name: tool[name] for name in ("runtime", "ideal")}
    for model, values in expected.items():
        for name, value in values.items():
            if not is_close(tool.get(model, {}).get(name), value):
                problems.append(f"  {model} {name}: tool {tool.get(model, {}).get(name)}, oracle {value}")
    return sum(len(values) for values in expected.values()), problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("traces", nargs="+", metavar="TRACES.otf2")
    parser.add_argument("--region", default="")
    options = parser.parse_args()
    wrong = 0
    for anchor in options.traces:
        count, problems = compare(anchor, options.region)
        print(f"{anchor}: {count} values, {len(problems)} differ")
        print("".join(line + "\n" for line in problems), end="")
        wrong += bool(problems)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
