"""random_devices.py -- random runs whose threads give work to queues of accelerators, and their traces in OTF2.

A run is a list of processes. Each has the events of its threads, then those of its queues: tuples of time and kind.
Queues execute in order what they were given, as soon as they can. Calls tell their queue, the number of the work, or
neither, as recorders do. Some work is not recorded, and some seems to end after the call that waits for it.
"""
import random

import otf2
from otf2.enums import GroupType, LocationType, ParameterType, Paradigm, RegionRole, Type

CALLS = {"cuLaunchKernel": "launch", "cuMemcpyHtoDAsync": "copy", "cuMemcpyDtoHAsync": "copy", "cuMemcpyHtoD": "copy",
         "cuMemcpyDtoH": "copy", "cuGraphLaunch": "launch", "cuCtxSynchronize": "sync", "cuStreamSynchronize": "sync",
         "acc_wait@a.f90:7": "sync", "acc_compute@a.f90:3": "launch"}
MICROSECOND = 1000  # ticks


class Process:
    def __init__(self, rank, chance):
        self.rank, self.chance = rank, chance
        self.threads, self.queues = chance.randint(1, 2), chance.randint(1, 3)
        self.events = [[] for _ in range(self.threads + self.queues)]
        self.telling = chance.choice(["queue", "number", "nothing"])
        self.loses = chance.random() < 0.2
        self.tells_needs = self.telling == "number" and chance.random() < 0.7
        self.given = [[] for _ in range(self.queues)]  # numbers of their work
        self.free_at = [0] * self.queues
        self.numbers = self.overrun = 0
        self.now = [chance.randint(0, 9) * MICROSECOND for _ in range(self.threads)]
        for thread in range(self.threads):
            self.put(thread, "enter", "main")
        for _ in range(chance.randint(5, 40)):
            self.step(min(range(self.threads), key=lambda thread: self.now[thread]))
        for thread in range(self.threads):
            self.pass_time(thread, 5)
            self.put(thread, "leave", "main")
        for events in self.events[self.threads:]:
            events.sort(key=lambda event: event[0])

    def put(self, thread, *event):
        self.events[thread].append((self.now[thread], *event))

    def pass_time(self, thread, most):
        self.now[thread] += self.chance.randint(1, most * MICROSECOND)

    def step(self, thread):
        graphs = ["graph"] * (self.telling == "number")
        action = self.chance.choice(["compute", "launch", "launch", "copy", "copy", "sync", "sync"] + graphs)
        if action == "compute":
            self.put(thread, "enter", "solve")
            self.pass_time(thread, 400)
            self.put(thread, "leave", "solve")
        elif action == "launch":
            self.call(thread, self.launch, "acc_compute@a.f90:3")
        elif action == "graph":
            self.call(thread, self.launch_graph, "acc_compute@a.f90:3")
        elif action == "copy":
            self.copy(thread)
        else:
            self.call(thread, self.synchronise, "acc_wait@a.f90:7")
        self.pass_time(thread, 20)

    def call(self, thread, action, around):
        """Sometimes the directive around it is recorded, too."""
        is_nested = self.chance.random() < 0.3
        if is_nested:
            self.put(thread, "enter", around)
            self.pass_time(thread, 2)
        action(thread)
        if is_nested:
            self.pass_time(thread, 2)
            self.put(thread, "leave", around)

    def tell(self, thread, queue, number=None):
        if self.telling == "queue":
            self.put(thread, "queue", self.threads + queue)
        elif self.telling == "number" and number:
            self.put(thread, "work", number)

    def execute(self, queue, earliest, duration, name, *copy):
        """Returns when it begins and ends."""
        self.given[queue].append(self.numbers)
        begin = max(self.free_at[queue], earliest + self.chance.randint(1, 5 * MICROSECOND))
        self.free_at[queue] = end = begin + duration
        if self.loses and self.chance.random() < 0.1:
            return begin, end
        events = self.events[self.threads + queue]
        events.append((begin, "begin_copy", name, *copy) if copy else (begin, "enter", name))
        if self.telling == "number":
            events.append((begin, "work", self.numbers))
        if self.tells_needs and self.chance.random() < 0.8:
            events.append((begin, "needs", self.needed(queue)))
        events.append((end, "end_copy") if copy else (end, "leave", name))
        return begin, end

    def needed(self, queue):
        """Earlier work of the queue, which may not be recorded; or none, or what is not in the queue."""
        earlier = self.given[queue][:-1]
        kind = self.chance.random()
        if kind < 0.05:
            return self.numbers + 1000
        return 0 if kind < 0.4 or not earlier else self.chance.choice(earlier[-4:])

    def launch(self, thread):
        queue = self.chance.randrange(self.queues)
        self.numbers += 1
        self.put(thread, "enter", "cuLaunchKernel")
        self.execute(queue, self.now[thread], self.chance.randint(1, 300) * MICROSECOND, self.chance.choice("abc"))
        self.pass_time(thread, 8)
        self.tell(thread, queue, self.numbers)
        self.put(thread, "leave", "cuLaunchKernel")

    def launch_graph(self, thread):
        """Some of its work is that of other queues; some graphs are launched by the same place again."""
        is_again = self.numbers > 0 and self.chance.random() < 0.2
        self.numbers += not is_again
        self.put(thread, "enter", "cuGraphLaunch")
        for _ in range(self.chance.randint(0, 4)):
            queue, duration = self.chance.randrange(self.queues), self.chance.randint(1, 100) * MICROSECOND
            copy = ("cuMemcpyHtoDAsync", self.chance.randint(1, 1 << 20)) if self.chance.random() < 0.3 else ()
            self.execute(queue, self.now[thread], duration, *(copy or self.chance.choice("abc")))
        self.pass_time(thread, 8)
        self.tell(thread, 0, self.numbers)
        self.put(thread, "leave", "cuGraphLaunch")

    def copy(self, thread):
        queue = self.chance.randrange(self.queues)
        name = self.chance.choice([name for name, kind in CALLS.items() if kind == "copy"])
        self.numbers += 1
        self.put(thread, "enter", name)
        bytes_ = self.chance.randint(1, 1 << 20)
        end = self.execute(queue, self.now[thread], self.chance.randint(1, 100) * MICROSECOND, name, bytes_)[1]
        if not name.endswith("Async"):
            self.now[thread] = max(self.now[thread], end)
        self.pass_time(thread, 4)
        self.tell(thread, queue, self.numbers)
        self.put(thread, "leave", name)

    def synchronise(self, thread):
        """The clock of the accelerator may be ahead: then the call is left before the work ends."""
        of_all = self.chance.random() < 0.5
        queue = self.chance.randrange(self.queues)
        name = "cuCtxSynchronize" if of_all else "cuStreamSynchronize"
        self.put(thread, "enter", name)
        until = max(self.free_at) if of_all else self.free_at[queue]
        error = self.chance.choice([0, 0, 0, -1, -4, -15, -25, -60]) * MICROSECOND
        self.now[thread] = max(self.now[thread], until + error)
        self.pass_time(thread, 1 if error < 0 else 6)
        self.overrun += max(0, until - self.now[thread])
        if not of_all:
            self.tell(thread, queue)
        self.put(thread, "leave", name)


def random_run(seed):
    chance = random.Random(seed)
    return [Process(rank, chance) for rank in range(chance.randint(1, 3))]


def write_events(writer, events, known, window, locations):
    """An attribute belongs to the record that follows."""
    told = {}
    for time, kind, *fields in events:
        if kind == "queue":
            told = {known["stream"]: locations[fields[0]]}
        elif kind in ("work", "needs"):
            number = 4 if kind == "work" else 6
            writer.parameter_unsigned_int(time, known["work"], 0,
                                          attributes={known["attribute"]: number, known["value"]: fields[0]})
        elif kind == "begin_copy":
            getattr(writer, "rma_get" if "HtoD" in fields[0] else "rma_put")(time, window, 0, fields[1], 42)
        elif kind == "end_copy":
            writer.rma_op_complete_blocking(time, window, 42)
        else:
            getattr(writer, kind)(time, known[fields[0]], attributes=told)
            told = {}


def define(definitions, run):
    known = {"stream": definitions.attribute("CUDA_STREAM_REF", "", Type.LOCATION),
             "work": definitions.parameter("tarry::ATTRIBUTE", parameter_type=ParameterType.UINT64),
             "attribute": definitions.attribute("tarry::attribute", "", Type.UINT64),
             "value": definitions.attribute("tarry::value", "", Type.UINT64)}
    names = {event[2] for process in run for events in process.events for event in events if event[1] == "enter"}
    for name in sorted(names | {"main"}):
        known[name] = definitions.region(name, source_file="a.f90", region_role=RegionRole.FUNCTION,
                                         paradigm=Paradigm.OPENACC if name.startswith("acc_") else
                                         Paradigm.COMPILER if name in ("main", "solve") else Paradigm.CUDA)
    return known


def write_devices(run, folder):
    """Writes folder/traces.otf2 and what belongs to it."""
    with otf2.writer.open(folder, timer_resolution=10 ** 9) as trace:
        definitions = trace.definitions
        known = define(definitions, run)
        node = definitions.system_tree_node("node", class_name="node")
        locations = []
        for process in run:
            group = definitions.location_group(f"MPI Rank {process.rank}", system_tree_parent=node)
            locations.append([definitions.location(f"thread {number}", group=group) if number < process.threads else
                              definitions.location(f"CUDA[0:{number}]", type=LocationType.ACCELERATOR_STREAM, group=group)
                              for number in range(len(process.events))])
        masters = [of_process[0] for of_process in locations]
        everywhere = [location for of_process in locations for location in of_process]
        definitions.group("MPI", group_type=GroupType.COMM_LOCATIONS, paradigm=Paradigm.MPI, members=masters)
        definitions.group("CUDA", group_type=GroupType.COMM_LOCATIONS, paradigm=Paradigm.CUDA, members=everywhere)
        world = definitions.group("world", group_type=GroupType.COMM_GROUP, paradigm=Paradigm.MPI, members=masters)
        definitions.comm("MPI_COMM_WORLD", group=world)
        for process, own in zip(run, locations):
            group = definitions.group(f"CUDA {process.rank}", group_type=GroupType.COMM_GROUP, paradigm=Paradigm.CUDA,
                                      members=own)
            window = definitions.rma_win("CUDA_WINDOW", comm=definitions.comm(f"CUDA {process.rank}", group=group))
            for events, location in zip(process.events, own):
                write_events(trace.event_writer_from_location(location), events, known, window, own)
