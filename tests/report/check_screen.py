#!/usr/bin/env python3
"""Recomputes the numbers that `tarry report` prints first, from the values in the report.

usage: check_screen.py SCREEN.txt FINDINGS.json DUMP.csv

SCREEN.txt: what `tarry report REPORT` prints; FINDINGS.json: `tarry report --json REPORT`; DUMP.csv: `tarry cube dump
--csv REPORT`. A number of the screen may differ by its rounding. Prints what differs; status 1 if something does.
"""
import collections
import csv
import json
import pathlib
import re
import sys

# Wait states of threads that are no part of another one.
KINDS = (pathlib.Path(__file__).resolve().parents[2] / "lib/report/metrics/wait_kinds.def").read_text()
WAITS = {row[1] for row in re.finditer(r'^WAIT\(\w+, \w+, "(\w+)".*?\)$', KINDS, re.M | re.S)
         if re.search(r"\bk(Wait|WorkToReference),", row[0]) and "kHost" not in row[0]}
ON_PATH = {"seconds": "critical_path", "imbalance": "critical_path_imbalance",
           "intra_partition": "intra_partition_imbalance", "inter_partition": "inter_partition_imbalance"}
UNITS = {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "min": 60, "h": 3600}
TIME = r"([0-9.]+) (s|ms|us|ns|min|h)"
# Metrics whose sum is a line of "Where the time goes"; what is left of MPI is its management.
CLASSES = {"Computation": "comp", "MPI point-to-point": "mpi_point2point", "MPI collective": "mpi_collective",
           "MPI synchronization": "mpi_synchronization", "MPI one-sided": "mpi_rma_communication",
           "MPI file I/O": "mpi_io", "OpenSHMEM": "shmem", "OpenMP": "omp_time", "POSIX threads": "pthread_time", "File I/O": "io_time",
           "Accelerators": "accelerator", "Blocked": "blocked", "Idle threads": "omp_idle_threads", "Overhead of measuring": "overhead"}
MANAGEMENT = "MPI management"
FUNCTIONS = (pathlib.Path(__file__).resolve().parents[2] / "lib/measure/io/file_functions.def").read_text()
FILE_METADATA = set(re.findall(r'^FILE_FUNCTION\(\w+, *"(\w+)", *"[^"]*", *kFileIoMetadata', FUNCTIONS, re.M))


def read_dump(path):
    """{metric: {call path: seconds}}, {(call path, rank or None, thread or None): seconds}, and of queues {metric: {(rank,
    thread, call path): seconds}}; exclusive."""
    values, times = collections.defaultdict(collections.Counter), collections.Counter()
    queues = collections.defaultdict(collections.Counter)
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            values[row["metric"]][row["callpath"]] += float(row["value"])
            if row["metric"] == "time":
                times[row["callpath"], row["rank"], None] += float(row["value"])
                times[row["callpath"], None, row["thread"]] += float(row["value"])
                times[None, row["rank"], row["thread"]] += float(row["value"])
            if row["metric"].startswith(("device_", "queue_")) and float(row["value"]) > 0:
                queues[row["metric"]][row["rank"], row["thread"], row["callpath"]] += float(row["value"])
    return values, times, queues


def seconds(number, unit):
    return float(number) * UNITS[unit]


def is_near(shown, value):
    """Four digits are printed, or three places behind the point."""
    return abs(shown - value) <= 6e-4 * abs(value) + 1e-9


def is_share(shown, part, whole):
    if shown.startswith("<"):
        return 0 <= 100 * part / whole < float(shown[1:])
    return abs(float(shown) - 100 * part / whole) <= 0.0501


class Screen:
    def __init__(self, text, found, values, times, queues):
        self.text, self.found, self.values, self.times, self.queues = text, found, values, times, queues
        self.waits = {metric: sum(values[metric].values()) for metric in values if metric in WAITS}
        self.waiting = sum(self.waits.values())
        self.allocation = sum(values["time"].values())
        self.wrong = []
        # All delay costs by call path. Idle threads are no wait state, and idle accelerators no time of the run.
        self.costs = collections.Counter()
        for metric, paths in values.items():
            if re.fullmatch(r"delay_\w+_aggregate", metric) and metric not in ("delay_ompidle_aggregate", "delay_latelaunch_aggregate"):
                self.costs.update(paths)
        self.below = collections.defaultdict(set)
        self.own = {cause["callpath"] for cause in found["causes"]}
        self.on_files = {cause["callpath"] for cause in found["causes"] if cause["nature"] in ("files", "file_metadata")}
        for path in {path for paths in values.values() for path in paths}:
            self.below[path.rpartition("/")[0]].add(path)

    def expect(self, holds, what):
        if not holds:
            self.wrong.append(what)

    def costs_of_files(self, path):
        """Operations on files count for the function that calls them: those have no cause of their own."""
        return sum(self.costs[each] for each in self.below[path] - self.own) if path in self.on_files else 0

    def check_totals(self):
        head = re.search(rf"^Waiting: {TIME}(?: of CPU time)?, (<?[0-9.]+)% of the allocation time; by wait state$", self.text, re.M)
        self.expect(head, "the screen has no line of all waiting")
        if head:
            self.expect(is_near(seconds(*head.group(1, 2)), self.waiting), f"waiting is {self.waiting}: {head[0]}")
            self.expect(is_share(head[3], self.waiting, self.allocation), f"of {self.allocation}: {head[0]}")
        listed = {total["metric"]: total for total in self.found["wait_totals"]}
        for metric, value in self.waits.items():
            self.expect(value <= 0 or abs(listed[metric]["seconds"] - value) < 1e-9, f"{metric} is {value}")
            if value <= 0:
                continue
            # Calls from several lines of a function are call paths of one name; the dump adds them up.
            names = sum(1 for each in self.values[metric].values() if each > 0)
            self.expect(listed[metric]["callpaths"] >= names, f"{metric} has {names} call paths")
        self.expect(abs(sum(total["seconds"] for total in listed.values()) - self.waiting) < 1e-9, "totals are not all")

    def check_lines(self):
        """The lines of the wait states, and how much of the waiting the call paths below them have."""
        block = self.text.split("\nWaiting: ", 1)[1].split("\n\n", 1)[0].split("\n")[1:] + [""]
        totals = listed = 0
        for line, below in zip(block, block[1:]):
            amount = re.match(rf" *{TIME} +(<?[0-9.]+)%  (  )?\S", line)
            if not amount:
                continue
            value, is_part = seconds(*amount.group(1, 2)), bool(amount[4])
            share = 100 * value / self.allocation
            is_right = share < 0.1 if amount[3].startswith("<") else abs(float(amount[3]) - share) < 0.051 + 6e-4 * share
            self.expect(is_right, f"share of allocation: {line}")
            totals += 0 if is_part else value
            same = [each["seconds"] for each in self.found["waits" if is_part else "wait_totals"]]
            is_sum = " more call path" in line or " more wait state" in line
            self.expect(is_sum or any(is_near(value, each) for each in same), f"nothing has so much: {line}")
            if re.match(r" {20}\S", below) and "the call paths above" not in below:
                listed += value
        told = re.search(r"the call paths above have ([0-9.]+)% of the waiting", self.text)
        share = listed / self.waiting
        self.expect(abs(totals - self.waiting) < 1e-3 * self.waiting, f"the totals are {totals}, not {self.waiting}")
        self.expect(told or share > 0.79, f"the call paths have {share:.3f} of the waiting, and the screen does not say so")
        self.expect(not told or abs(float(told[1]) - 100 * share) < 0.15, f"it is {share:.4f}: {told and told[0]}")

    def check_causes(self):
        told = collections.Counter()
        for cause in self.found["causes"]:
            told[cause["callpath"]] += cause["seconds"]
        for cause in self.found["causes"]:
            same = told[cause["callpath"]]
            costs = self.costs[cause["callpath"]] + self.costs_of_files(cause["callpath"])
            self.expect(abs(same - costs) < 1e-9 + 1e-9 * costs, f"{cause['callpath']} costs {costs}, it says {same}")
            self.expect(abs(cause["share"] - cause["seconds"] / self.waiting) < 1e-9, f"share of {cause['callpath']}")
        all_costs = sum(self.costs.values())
        self.expect(abs(self.found["explained"] - all_costs) < 1e-6, f"all costs are {all_costs}")
        self.expect(all_costs <= self.waiting * (1 + 1e-6), f"{all_costs} is more than all waiting, {self.waiting}")

    def check_sentences(self):
        numbered = {cause["number"]: cause for cause in self.found["causes"]}
        told = 0
        shown = re.sub(r"\s+", " ", self.text)
        for advice in self.found["advice"]:
            match = re.search(rf"that causes ([0-9.]+)% of the waiting, {TIME}$", advice["sentence"])
            if not match:
                continue
            costs = sum(numbered[number]["seconds"] for number in advice["causes"])
            self.expect(is_near(seconds(*match.group(2, 3)), costs), f"costs {costs}: {advice['sentence']}")
            self.expect(is_share(match[1], costs, self.waiting), f"of {self.waiting}: {advice['sentence']}")
            self.expect(abs(advice["share"] - costs / self.waiting) < 1e-9, "share in the list")
            # A name may be shorter on the screen.
            if match[0].strip() in shown:
                told += costs
        little = re.search(r"^  no cause to look for: (all waiting together|the largest) is (<?[0-9.]+)% of the allocation time$",
                           self.text, re.M)
        if little:
            largest = max((cause["seconds"] for cause in self.found["causes"]), default=0)
            share = (self.waiting if little[1] == "all waiting together" else largest) / self.allocation
            is_right = is_share(little[2], share, 1)
            # A sentence may be on several causes in one function.
            is_sum = little[1] == "the largest" and not little[2].startswith("<") and float(little[2]) > 100 * share
            self.expect((is_right or is_sum) and not told, f"it is {share:.5f}: {little[0]}")
            return
        self.expect(told, "no sentence tells a cause")
        together = re.search(r"^  together ([0-9.]+)% of the waiting; all causes: tarry cube topn -m delay ", self.text, re.M)
        if together:
            self.expect(is_share(together[1], told, self.waiting), f"it is {told} of {self.waiting}: {together[0]}")
        else:
            self.expect(told >= 0.79 * self.waiting, f"the sentences tell {told} of {self.waiting}, and do not say so")

    def check_path(self):
        """The critical path, its largest call paths, and who waits for it."""
        sums = {key: sum(self.values[metric].values()) for key, metric in ON_PATH.items()}
        path = self.found.get("critical_path")
        self.expect(path or not sums["seconds"], "nothing is told of the critical path")
        if not path:
            return
        for key, value in sums.items():
            self.expect(abs(path[key] - value) < 1e-9 + 1e-9 * abs(value), f"{key} of the path is {value}, not {path[key]}")
        for part in path["callpaths"]:
            same = [each for each in path["callpaths"] if each["callpath"] == part["callpath"]]
            for key in ("seconds", "imbalance", "inter_partition"):
                whole = self.values[ON_PATH[key]][part["callpath"]]
                self.expect(sum(each[key] for each in same) <= whole * (1 + 1e-9) + 1e-9, f"{key} of {part} is {whole}")
        block = self.text.split("\nCritical path: ", 1)[1:]
        head = re.match(rf"the {TIME} that decide", block[0]) if block else None
        # Where nobody waits, the screen has none.
        self.expect(head or self.waiting <= 0, "the screen has no critical path")
        self.expect(not head or is_near(seconds(*head.group(1, 2)), path["seconds"]), "length of the critical path")
        for line in block[0].split("\n\n", 1)[0].split("\n") if block else []:
            amount = re.match(rf" *{TIME} +(<?[0-9.]+)%  ", line)
            if amount:
                value = seconds(*amount.group(1, 2))
                same = [part for part in path["callpaths"] if is_near(value, part["seconds"])]
                self.expect(same, f"no such part: {line}")
                self.expect(any(is_share(amount[3], part["seconds"], path["seconds"]) for part in same),
                            f"share of the path: {line}")
            saved = re.search(rf"balance would save {TIME}", line)
            if saved:
                value = seconds(*saved.group(1, 2))
                self.expect(any(is_near(value, part["imbalance"]) for part in path["callpaths"]), f"no such imbalance: {line}")
        waits = re.search(rf"others wait for it: {TIME}(?: of CPU time)? at call paths that they have, too"
                          rf"(?: \\(intra-partition imbalance\\), {TIME}(?: of CPU time)? at call)?", self.text.replace("\n      ", " "))
        self.expect(waits or path["intra_partition"] + path["inter_partition"] <= 0, "nobody waits for the path")
        if waits:
            self.expect(is_near(seconds(*waits.group(1, 2)), path["intra_partition"]), waits[0])
            self.expect(not waits[3] or is_near(seconds(*waits.group(3, 4)), path["inter_partition"]), waits[0])

    def block(self, heading):
        """The lines below one that begins so, up to an empty one."""
        parts = ("\n" + self.text).split("\n" + heading, 1)[1:]
        return parts[0].split("\n\n", 1)[0].split("\n")[1:] if parts else []

    def check_head(self):
        head = re.search(rf"^  wall time {TIME}, allocation time {TIME}", self.text, re.M)
        self.expect(head, "the screen does not say how long the run took")
        if not head:
            return
        self.expect(is_near(seconds(*head.group(3, 4)), self.allocation), f"the time is {self.allocation}: {head[0]}")
        longest = max(time for (path, _, _), time in self.times.items() if path is None)
        self.expect(seconds(*head.group(1, 2)) >= longest * (1 - 6e-4), f"a thread takes {longest}: {head[0]}")

    def check_processors(self):
        """How long processes were there without a processor, from what the kernel has told of each."""
        ranks = [rank for rank in self.found["processors"] if rank["delay"] is not None]
        for line in re.findall(r"^  PREEMPTED: .*(?:\n      .*)*", self.text, re.M):
            worst = max(ranks, key=lambda rank: rank["delay"] / rank["threads_time"])
            self.expect(len(self.found["processors"]) == 1 or f"rank {worst['rank']} " in line, f"the worst is {worst}: {line}")
            pairs = [(worst["delay"], worst["threads_time"]), (worst.get("worst_delay", 0), worst.get("worst_time", 0))]
            told = re.findall(rf"{TIME}\s+of\s+{TIME}", line)
            self.expect(told, f"nothing is told: {line}")
            for (waited, its_unit, time, unit), (delay, present) in zip(told, pairs):
                self.expect(is_near(seconds(waited, its_unit), min(delay, present)), f"of {worst}: {line}")
                self.expect(is_near(seconds(time, unit), present), f"of {worst}: {line}")
                self.expect(present <= self.allocation * 1.05, f"of {self.allocation}: {line}")
        for line in re.findall(r"^  OVERSUBSCRIBED: .*(?:\n      .*)*", self.text, re.M):
            told = re.search(rf"for one (<?[0-9.]+)% of the time that they are there, {TIME}", re.sub(r"\s+", " ", line))
            if not told or len(self.found["oversubscription"]) > 1:
                continue
            delay = sum(rank["delay"] for rank in ranks)
            self.expect(is_share(told[1], delay, sum(rank["threads_time"] for rank in ranks)), f"{delay}: {line}")
            self.expect(is_near(seconds(*told.group(2, 3)), delay), f"it is {delay}: {line}")

    def check_parts(self):
        """What is told of a class of time: how much of it is at the begin and end, on metadata of files, or unknown."""
        ends = sum(self.values["mpi_init_exit"].values()) - sum(self.values["mpi_finalize_wait"].values())
        on_metadata = {path for path in self.values["time"] if path.rpartition("/")[2] in FILE_METADATA}
        metadata = sum(self.values["time"][path] - self.values["blocked"][path] for path in on_metadata)
        off = {path for path in self.values["time"] if path.rpartition("/")[2] == "MEASUREMENT OFF"}
        unknown = sum(self.values["time"][path] - self.values["blocked"][path] for path in off)
        block = "\n".join(self.block("Where the time goes"))
        for value, words in ((ends, "MPI_Init and MPI_Finalize"), (metadata, "metadata of files"),
                             (unknown, "while the program had the recording")):
            told = re.search(rf"^ *{TIME}(?: of CPU time)? of it {words}", block, re.M)
            self.expect(told or value <= 1e-9 * self.allocation, f"nothing is told of {words}, {value}")
            self.expect(not told or is_near(seconds(*told.group(1, 2)), value), f"it is {value}: {told and told[0]}")

    def check_classes(self):
        """Where the time goes: each line, and that none is missing."""
        sums = {label: sum(self.values[metric].values()) for label, metric in CLASSES.items()}
        sums[MANAGEMENT] = sum(self.values["mpi"].values()) - sum(
            sums[label] for label in sums if label.startswith("MPI"))
        told = set()
        for line in self.block("Where the time goes"):
            amount = re.match(rf" *{TIME} +(<?[0-9.]+)%  ([A-Z][^#\u2588-\u258f]*?) *(?:[#\u2588-\u258f].*)?$", line)
            if not amount:
                continue
            label, value = amount[4], seconds(*amount.group(1, 2))
            told.add(label)
            self.expect(label in sums, f"no such class: {line}")
            self.expect(abs(value - sums.get(label, 0)) <= 6e-4 * value + 1e-9, f"it is {sums.get(label)}: {line}")
            share = sums.get(label, 0) / self.allocation
            self.expect(is_share(amount[3], share, 1), f"it is {share:.5f} of the time: {line}")
        for label, value in sums.items():
            self.expect(label in told or value <= 1e-9 * self.allocation, f"nothing is told of {label}, {value}")

    def check_paths(self):
        """Where most is spent. Call paths of one name, from several lines, are one in the dump: a line may have less."""
        paths = self.found["callpaths"]
        for line in self.block("Where most of it is spent"):
            amount = re.match(rf" *{TIME} +(<?[0-9.]+)%  ([0-9]+) visits?(?:; {TIME} per (process|thread), most on (?:rank|thread) "
                              rf"(\d+): {TIME})?", line)
            if not amount:
                continue
            value, visits = seconds(*amount.group(1, 2)), int(amount[4])
            same = [each for each in paths if is_near(value, each["seconds"]) and round(each["visits"]) == visits]
            self.expect(same, f"no call path has so much: {line}")
            self.expect(not same or any(is_share(amount[3], each["seconds"], self.allocation) for each in same),
                        f"of {self.allocation}: {line}")
            self.expect(not same or any(self.is_path(each, visits, value, amount) for each in same), f"not so in the dump: {line}")

    def is_path(self, found, visits, value, amount):
        name = found["callpath"]
        time, all_visits = self.values["time"][name], self.values["visits"][name]
        if visits != round(all_visits):
            return visits < all_visits and value <= time * (1 + 6e-4)
        if not is_near(value, time):
            return False
        if not amount[7]:
            return True
        place = (name, None, amount[8]) if amount[7] == "thread" else (name, amount[8], None)
        kind = 2 if amount[7] == "thread" else 1
        most = max(each for key, each in self.times.items() if key[0] == name and key[kind] is not None)
        number = len({key[kind] for key in self.times if key[0] is None})
        return (is_near(seconds(*amount.group(9, 10)), self.times[place]) and is_near(self.times[place], most)
                and is_near(seconds(*amount.group(5, 6)), time / number))

    def device_efficiencies(self):
        """As docs/METRICS.md defines them, over the processes that have queues."""
        wall = self.found["wall"]
        ranks = {rank for rank, _, _ in self.queues["device_time"]}
        busy, active = collections.Counter(), collections.Counter()
        for metric, into in ("device_busy", (busy, active)), ("device_copies_exposed", (active,)):
            for (rank, _, _), value in self.queues[metric].items():
                for each in into:
                    each[rank] += value
        longest, longest_active = max(busy.values(), default=0), max(active.values(), default=0)
        computation, calls = sum(self.values["comp"].values()), sum(self.values["accelerator"].values())
        mean = sum(busy.values()) / len(ranks)
        return {"devices": mean / wall, "load balance": mean / longest if longest else 0,
                "communication": longest / longest_active if longest_active else 0, "orchestration": longest_active / wall,
                "offload": computation / (computation + calls) if computation + calls else 0}

    def check_devices(self):
        """What the queues of accelerators did."""
        lines = self.block("Accelerators: ")
        self.expect(bool(lines) == bool(self.queues["device_time"]), "queues are told of where there are none, or are not")
        if not lines:
            return
        of = {metric: sum(values.values()) for metric, values in self.queues.items()}
        whole = of["device_time"]
        head = re.search(rf"^Accelerators: (\d+) queues?, {TIME} from their first work to their last$", self.text, re.M)
        self.expect(head and is_near(seconds(*head.group(2, 3)), whole), f"the queues take {whole}: {head and head[0]}")
        number = len({(rank, thread) for rank, thread, _ in self.queues["device_time"]})
        self.expect(head and int(head[1]) == number, f"{number} queues: {head and head[0]}")
        kernels = collections.Counter()
        for (_, _, path), value in self.queues["device_kernels"].items():
            kernels[path] += value
        late = sum(self.values["late_launch"].values())
        bound = {"kernels": of.get("device_kernels", 0), "copies of": of.get("device_copies", 0), "idle": of.get("device_idle", 0)}
        # Told where it is much; it overlaps with the others.
        holding = of.get("queue_holding", 0)
        if holding >= 0.05 * whole:
            bound["while work waits"] = holding
            self.check_queue_order()
        parts = {"while no kernel runs": of.get("device_copies_exposed", 0), "until a thread": late}
        told = set()
        for line in lines:
            amount = re.match(rf" *{TIME} +(<?[0-9.]+)%  (  )?(.*)$", line)
            if not amount:
                continue
            value, words = seconds(*amount.group(1, 2)), amount[5]
            if amount[4]:
                executions = int(re.search(r": (\d+) execution", words)[1])
                same = [each for each in self.found["devices"]["longest_kernels"]
                        if is_near(value, each["seconds"]) and is_share(amount[3], each["seconds"], whole)]
                self.expect(any(self.is_kernel(each["callpath"], executions, value, kernels) for each in same),
                            f"no such kernel: {line}")
                self.check_spread(line, [each["callpath"] for each in same
                                         if round(self.values["visits"][each["callpath"]]) == executions])
                continue
            name = next((each for each in bound if words.startswith(each)), None)
            self.expect(name and is_near(value, bound[name]) and is_share(amount[3], bound[name], whole), f"{bound}: {line}")
            told.add(name)
            part = re.search(rf", {TIME} of it (while no kernel runs|until a thread)", words)
            if part:
                self.expect(is_near(seconds(*part.group(1, 2)), parts.pop(part[3])), f"a part is not so: {line}")
        self.expect(all(value <= 1e-12 for value in parts.values()), f"nothing is told of {parts}")
        self.expect({name for name, value in bound.items() if value > 0} <= told, f"lines of {bound} are missing")
        efficiencies = self.device_efficiencies()
        shown = re.search(r"efficiency of the devices (<?[0-9.]+)%: load balance (<?[0-9.]+)%, communication "
                          r"(<?[0-9.]+)%, orchestration (<?[0-9.]+)%; of the host's offloading (<?[0-9.]+)%", re.sub(r"\s+", " ", self.text))
        self.expect(shown, "no efficiencies of devices")
        for number, (name, value) in enumerate(efficiencies.items(), 1):
            self.expect(shown and is_share(shown[number], value, 1), f"{name} is {value}: {shown and shown[0]}")

    def check_queue_order(self):
        """What waits for work which it does not need, and what holds up others, in the queue that is held up longest."""
        told = re.search(rf"\(Queue order\) (.+?) waits {TIME} in its queue for what it does not need\. (.+?) holds up others "
                         rf"for {TIME}\. Another queue would let them overlap", re.sub(r"\s+", " ", self.text))
        self.expect(told, "nothing is told of the order of queues")
        if not told:
            return
        held = collections.Counter()
        for (rank, thread, _), value in self.queues["queue_holding"].items():
            held[rank, thread] += value
        queue = max(held, key=held.get)
        found = self.found["devices"]["queue_order"]
        for metric, key, name, shown in (("queue_order", "waits", told[1], told.group(2, 3)),
                                         ("queue_holding", "holds", told[4], told.group(5, 6))):
            paths = {path: value for (*where, path), value in self.queues[metric].items() if tuple(where) == queue}
            path = found[key]["callpath"]
            self.expect(path.split("/")[-1].startswith(re.split(r"\.\.\.| \(", name)[0]), f"{path}: {told[0]}")
            self.expect(is_near(seconds(*shown), max(paths.values())) and is_near(paths[path], max(paths.values())),
                        f"{metric} of {queue}: {paths}, and not {told[0]}")

    def is_kernel(self, path, executions, value, kernels):
        """Launches from several lines of a function are call paths of one name: a line has one of them."""
        all_executions = round(self.values["visits"][path])
        if executions != all_executions:
            return executions < all_executions and value <= kernels[path] * (1 + 6e-4)
        return is_near(value, kernels[path])

    def check_spread(self, line, paths):
        """Which process has most of a kernel, and the average over those that have queues."""
        told = re.search(rf", most on rank (\d+): {TIME}, average {TIME}$", line)
        ranks = {rank for rank, _, _ in self.queues["device_time"]}
        for path in paths:
            by_rank = collections.Counter()
            for (rank, _, each), value in self.queues["device_kernels"].items():
                by_rank[rank] += value if each == path else 0
            mean, largest = sum(by_rank.values()) / len(ranks), max(by_rank.values())
            if not told and largest < 1.1 * mean * (1 + 1e-9):
                return
            if told and is_near(seconds(*told.group(2, 3)), by_rank[told[1]]) and is_near(by_rank[told[1]], largest) and \
                    is_near(seconds(*told.group(4, 5)), mean):
                return
        self.expect(not paths, f"it is spread otherwise: {line}")

    def check_all(self):
        self.check_head()
        self.check_processors()
        self.check_classes()
        self.check_parts()
        self.check_paths()
        self.check_devices()
        if self.waiting > 0:
            self.check_totals()
            self.check_lines()
            self.check_causes()
            self.check_sentences()
        self.check_path()
        return self.wrong


def main():
    text = open(sys.argv[1]).read()
    wrong = Screen(text, json.load(open(sys.argv[2])), *read_dump(sys.argv[3])).check_all()
    for line in wrong:
        print("WRONG:", line)
    if wrong:
        print(text)
    return 1 if wrong else 0


sys.exit(main())
