#!/usr/bin/env python3
"""A random but possible run of a parallel program, written as an OTF2 trace.

usage: random_trace.py SEED OUT      OUT is a folder that does not exist yet; the trace is OUT/traces.otf2

The same seed gives the same trace. Messages are matched as MPI matches them (a receive takes the oldest message that
fits, a message the oldest posted receive), and nothing ends before what it waits for has begun, unless clocks are
wrong, as they are in some traces; how long things take is random. Most clocks tick in powers of two, so that sums of
times are exact and a tie is a tie for whoever computes it.
"""
import os
import random
import sys

from trace_writer import write_trace
from random_threads import parallel_region
import random_groups
import random_multiple
import random_neighbors
import random_windows

ANY = None
COLLECTIVES = {
    "MPI_Barrier": "BARRIER", "MPI_Bcast": "BCAST", "MPI_Scatter": "SCATTER", "MPI_Scatterv": "SCATTERV",
    "MPI_Gather": "GATHER", "MPI_Gatherv": "GATHERV", "MPI_Reduce": "REDUCE", "MPI_Allgather": "ALLGATHER",
    "MPI_Allgatherv": "ALLGATHERV", "MPI_Alltoall": "ALLTOALL", "MPI_Alltoallv": "ALLTOALLV",
    "MPI_Alltoallw": "ALLTOALLW", "MPI_Allreduce": "ALLREDUCE", "MPI_Reduce_scatter": "REDUCE_SCATTER",
    "MPI_Reduce_scatter_block": "REDUCE_SCATTER_BLOCK", "MPI_Scan": "SCAN", "MPI_Exscan": "EXSCAN"}

OFTEN_VECTORS = list(COLLECTIVES) + ["MPI_Alltoallv", "MPI_Alltoallw"] * 2


class Message:
    """A send and, once it is matched, the receive that takes it."""
    def __init__(self, source, communicator, tag, size, send_enter, send_time):
        self.source, self.communicator, self.tag, self.size = source, communicator, tag, size
        self.send_enter, self.send_time = send_enter, send_time
        self.receive = None


class Receive:
    """A posted receive; `source` and `tag` may be ANY."""
    def __init__(self, communicator, source, tag, post_enter):
        self.communicator, self.source, self.tag, self.post_enter = communicator, source, tag, post_enter
        self.message = None

    def fits(self, message):
        return (self.communicator == message.communicator and self.source in (ANY, message.source)
                and self.tag in (ANY, message.tag))


class Request:
    """A send, a receive or a part in a collective that was started and not completed yet."""
    def __init__(self, identifier, message=None, receive=None, is_rendezvous=False, collective=None, ready_at=0):
        self.identifier, self.message, self.receive, self.is_rendezvous = identifier, message, receive, is_rendezvous
        self.collective, self.ready_at = collective, ready_at

    def earliest_end(self):
        """When it can complete at the earliest; None if that is not known yet."""
        if self.collective is not None:
            return self.ready_at
        if self.receive is not None:
            matched = self.receive.message
            return matched and max(matched.send_enter, matched.send_time) + 1
        if not self.is_rendezvous:
            return 0
        return self.message.receive and self.message.receive.post_enter + 1


class Process:
    def __init__(self, rank, threads, start):
        self.rank, self.threads, self.start = rank, 0, start
        self.clock, self.events, self.open_regions = [], [], []
        self.add_threads(threads)
        self.callers = [self]  # of MPI, outside parallel regions
        self.last_start, self.busy_until = 0, {}
        self.requests, self.next_request = [], 1
        self.posted, self.unexpected = [], []
        self.lock_order, self.lock_free_at = {}, {}
        self.clock_error = 0

    def add_threads(self, count):
        for _ in range(count):
            self.threads += 1
            self.clock.append(self.start)
            self.events.append([])
            self.open_regions.append([])


class RandomRun:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.blocked = random.Random(seed)  # of its own: all else is as without
        self.polls, self.signals = random.Random(seed + 1), random.Random(seed + 2)  # the same
        self.joins = random.Random(seed + 3)
        choice = self.random.choice
        self.size = choice([2, 2, 3, 3, 4, 4, 5, 6])
        self.uses_threads = self.random.random() < 0.35
        self.is_mpmd = self.random.random() < 0.3
        self.varies_teams = self.random.random() < 0.15
        self.ticks_per_second = choice([1 << 20, 1 << 20, 1 << 20, 10**9])
        self.quantum = choice([1, 1, 1, 64]) if self.ticks_per_second == 1 << 20 else 1000
        self.steps = self.random.randint(6, 45)
        self.functions = ["f", "g", "h", "solve", "pack"][:self.random.randint(1, 5)]
        self.init_role = choice(["FUNCTION", "POINT2POINT"])
        has_bad_clocks = self.random.random() < 0.15
        everyone_threads = choice([2, 2, 3, 4])
        self.processes = []
        for rank in range(self.size):
            threads = everyone_threads if self.uses_threads and self.random.random() < 0.9 else 1
            self.processes.append(Process(rank, threads, 1000 + self.duration()))
            if has_bad_clocks:
                self.processes[-1].clock_error = choice([0, 50, 2000, 30000])
        self.communicators = [list(range(self.size))]
        for _ in range(self.random.randint(0, 3)):
            members = self.random.sample(range(self.size), self.random.randint(1, self.size))
            self.communicators.append(members)
        self.fresh_tag = 100
        self.has_bad_clocks = has_bad_clocks
        self.windows = []  # the communicator of each
        self.uses_windows = self.random.random() < 0.4
        self.topologies = []
        if self.random.random() < 0.5:
            random_neighbors.create(self)
        self.is_multiple = self.random.random() < 0.35
        if self.is_multiple:
            random_multiple.create(self)
        self.groups = []
        if self.random.random() < 0.4:
            random_groups.create(self)

    # ---- time and regions of one thread

    def duration(self):
        longest = self.random.choice([20, 300, 300, 4000, 40000])
        return self.quantum * self.random.randint(1, longest)

    def short(self):
        return 1 if self.quantum == 64 else self.random.randint(1, 12)

    def record(self, process, kind, *fields, thread=0):
        process.events[thread].append((process.clock[thread], kind) + fields)
        random_multiple.started(process, kind, process.clock[thread])

    def pass_time(self, process, ticks, thread=0):
        process.clock[thread] += ticks

    def enter(self, process, region, thread=0):
        if self.is_multiple:
            random_multiple.take_turn(process, region)
        self.record(process, "enter", region, thread=thread)
        process.open_regions[thread].append(region)
        return process.clock[thread]

    def leave(self, process, thread=0):
        self.record(process, "leave", process.open_regions[thread].pop(), thread=thread)

    def work(self, process, thread=0, depth=0):
        """Some time in functions that call each other, at times themselves."""
        if depth > 3 or self.random.random() < 0.25:
            ticks = self.duration()
            self.pass_time(process, ticks, thread)
            if process.open_regions[thread] and self.blocked.random() < 0.2:
                self.record(process, "attribute", 2, self.blocked.randint(1, 2 * ticks), thread=thread)
            return None
        suffix = f"_{process.rank}" if self.is_mpmd and process.rank % 2 else ""
        self.enter(process, self.random.choice(self.functions) + suffix, thread)
        for _ in range(self.random.randint(1, 2)):
            self.pass_time(process, self.duration(), thread)
            if self.random.random() < 0.4:
                self.work(process, thread, depth + 1)
        self.pass_time(process, self.random.choice([0, self.short()]), thread)
        self.leave(process, thread)
        self.pass_time(process, self.random.choice([0, self.short()]), thread)

    def wait_until(self, process, time):
        process.clock[0] = max(process.clock[0], time) + self.short()

    # ---- who takes part

    def caller(self, rank=None):
        """A thread that calls MPI, of some process or of the given one."""
        process = self.random.choice(self.processes) if rank is None else self.processes[rank]
        return self.random.choice(process.callers) if self.is_multiple else process

    def callers(self, ranks):
        return [self.caller(rank) for rank in ranks]

    def two_callers(self):
        source, target = self.callers(self.random.sample(range(self.size), 2))
        if len(source.callers) > 1 and self.random.random() < 0.2:
            source, target = self.random.sample(source.callers, 2)
        return source, target

    # ---- messages

    def communicator_of(self, *ranks):
        return self.random.choice([i for i, members in enumerate(self.communicators) if set(ranks) <= set(members)] +
                                  random_groups.between(self, ranks) * 2)

    def local(self, communicator, rank):
        groups = random_groups.groups_of(self, communicator)
        return (random_groups.own_group(groups, rank) if groups else self.communicators[communicator]).index(rank)

    def senders_to(self, process, communicator):
        groups = random_groups.groups_of(self, communicator)
        return random_groups.other_group(groups, process.rank) if groups else self.communicators[communicator]

    def message_size(self):
        return self.random.choice([0, 8, 100, 4096])

    def start_message(self, process, target, communicator, tag, enter):
        message = Message(process.rank, communicator, tag, self.message_size(), enter, process.clock[0])
        for receive in target.posted:
            if receive.fits(message):
                target.posted.remove(receive)
                receive.message, message.receive = message, receive
                return message
        target.unexpected.append(message)
        return message

    def post_receive(self, process, receive):
        for message in process.unexpected:
            if receive.fits(message):
                process.unexpected.remove(message)
                receive.message, message.receive = message, receive
                return
        process.posted.append(receive)

    def takes_any_tag(self, target, source, communicator):
        """Whether a receive waits at the target that takes whatever the source sends."""
        return any(receive.fits(Message(source, communicator, receive.tag, 0, 0, 0)) and receive.tag is ANY
                   for receive in target.posted)

    def free_tag(self, target, source, communicator):
        """A tag that no receive waiting at the target would take and no earlier message carries."""
        tag = self.random.choice([0, 1, 2])
        probe = Message(source, communicator, tag, 0, 0, 0)
        if any(receive.fits(probe) for receive in target.posted) or \
           any((m.source, m.communicator, m.tag) == (source, communicator, tag) for m in target.unexpected):
            self.fresh_tag += 1
            return self.fresh_tag
        return tag

    def message_fields(self, message, peer):
        return self.local(message.communicator, peer), message.communicator, message.tag, message.size

    def blocking_send(self, process, target, communicator, tag, enters_first=None):
        """Returns the message; the call is left open when `enters_first` is a receive that it has to meet."""
        name = self.random.choice(["MPI_Send", "MPI_Send", "MPI_Ssend" if enters_first else "MPI_Bsend", "MPI_Rsend"])
        enter = self.enter(process, name)
        self.pass_time(process, self.short())
        message = self.start_message(process, target, communicator, tag, enter)
        self.record(process, "send", *self.message_fields(message, target.rank))
        return message

    def finish_receive(self, process, message):
        self.wait_until(process, max(message.send_enter, message.send_time) + 1)
        self.record(process, "recv", *self.message_fields(message, message.source))
        self.pass_time(process, self.random.choice([0, self.short()]))

    def message_pair(self, source=None, target=None):
        """Send and receive, both blocking; half of them synchronous."""
        if source is None:
            source, target = self.two_callers()
        communicator = self.communicator_of(source.rank, target.rank)
        if self.takes_any_tag(target, source.rank, communicator):
            return
        tag = self.free_tag(target, source.rank, communicator)
        message = self.blocking_send(source, target, communicator, tag, enters_first=True)
        receive = Receive(communicator, self.random.choice([ANY, source.rank]), tag, self.enter(target, "MPI_Recv"))
        if message in target.unexpected and all(m is message or not receive.fits(m) for m in target.unexpected):
            self.post_receive(target, receive)
        else:
            receive.source = source.rank
            self.post_receive(target, receive)
        self.finish_receive(target, receive.message)
        if self.random.random() < 0.5 or source.open_regions[0][-1] == "MPI_Ssend":
            self.wait_until(source, receive.post_enter + 1)
        else:
            self.pass_time(source, self.short())
        self.leave(source)
        self.leave(target)

    def lone_send(self, process=None):
        """A send that does not wait for its receive."""
        process = process or self.caller()
        target = self.random.choice([p for p in self.processes if p.rank != process.rank])
        self.blocking_send(process, target, self.communicator_of(process.rank, target.rank), self.random.choice([0, 1]))
        self.pass_time(process, self.short())
        self.leave(process)

    def lone_receive(self, process=None):
        """A blocking receive of a message that was sent before, at times of any."""
        process = process or self.caller()
        if not process.unexpected:
            return
        wanted = self.random.choice(process.unexpected)
        source = self.random.choice([ANY, wanted.source])
        receive = Receive(wanted.communicator, source, self.random.choice([ANY, wanted.tag]), process.clock[0])
        name = self.probe(process, receive) if self.random.random() < 0.4 else "MPI_Recv"
        receive.post_enter = self.enter(process, name)
        self.post_receive(process, receive)
        self.finish_receive(process, receive.message)
        self.leave(process)

    def delayed_receives(self):
        """Threads receive from one process. MPI gets the receives in another order than the threads have entered."""
        able = [process for process in self.processes if len(process.callers) > 1]
        if not able or self.size == 1:
            return
        target = self.random.choice(able)
        source = self.caller(self.random.choice([rank for rank in range(self.size) if rank != target.rank]))
        communicator = self.communicator_of(source.rank, target.rank)
        if self.takes_any_tag(target, source.rank, communicator):
            return
        tag = self.free_tag(target, source.rank, communicator)
        receives = [(caller, Receive(communicator, source.rank, tag, self.enter(caller, "MPI_Recv")))
                    for caller in self.random.sample(target.callers, self.random.randint(2, len(target.callers)))]
        self.random.shuffle(receives)
        for _, receive in receives:
            self.post_receive(target, receive)
        for caller, receive in receives:
            self.blocking_send(source, target, communicator, tag)
            self.finish_receive(caller, receive.message)
            self.leave(caller)
            self.wait_until(source, self.random.choice([0, caller.clock[0]]))
            self.leave(source)

    def probe(self, process, receive):
        """Waits for the message that the receive will take. Returns the function to receive it with."""
        found = next(message for message in process.unexpected if receive.fits(message))
        receive.source, receive.tag = found.source, found.tag
        name = self.random.choice(["MPI_Probe", "MPI_Mprobe"])
        if self.polls.random() < 0.4:
            name = self.polls.choice(["MPI_Iprobe", "MPI_Improbe"])
            self.poll(process, name, max(found.send_enter, found.send_time) + 1)
        for _ in range(1 if name in ("MPI_Mprobe", "MPI_Improbe") else self.random.randint(1, 2)):
            self.enter(process, name)
            self.wait_until(process, max(found.send_enter, found.send_time) + 1)
            self.leave(process)
        if self.polls.random() < 0.4:
            self.inquire(process)
        if self.random.random() < 0.5:
            self.work(process)
        return "MPI_Recv" if name in ("MPI_Probe", "MPI_Iprobe") else "MPI_Mrecv"

    def start_send(self, process=None, target=None, communicator=None, tag=None):
        process = process or self.caller()
        target = target or self.random.choice(self.processes)
        if communicator is None:
            communicator = self.communicator_of(process.rank, target.rank)
        enter = self.enter(process, self.random.choice(["MPI_Isend", "MPI_Isend", "MPI_Issend"]))
        self.pass_time(process, self.short())
        message = self.start_message(process, target, communicator, self.random.choice([0, 1]) if tag is None else tag,
                                     enter)
        request = Request(process.next_request, message=message, is_rendezvous=self.random.random() < 0.5)
        process.next_request += 1
        process.requests.append(request)
        self.record(process, "isend", *self.message_fields(message, target.rank), request.identifier)
        self.pass_time(process, self.short())
        self.leave(process)

    def start_receive(self, process=None):
        process = process or self.caller()
        source = self.random.choice(self.processes)
        communicator = self.communicator_of(process.rank, source.rank)
        enter = self.enter(process, "MPI_Irecv")
        receive = Receive(communicator, self.random.choice([ANY, source.rank, source.rank]),
                          self.random.choice([ANY, 0, 1, 1]), enter)
        self.pass_time(process, self.short())
        request = Request(process.next_request, receive=receive)
        process.next_request += 1
        process.requests.append(request)
        self.record(process, "irecv_request", request.identifier)
        self.post_receive(process, receive)
        self.pass_time(process, self.short())
        self.leave(process)

    def complete(self, process=None, everything=False):
        """Waits for or tests some requests."""
        process = process or self.caller()
        ready = [r for r in process.requests if r.earliest_end() is not None]
        idle = [r for r in process.requests if r.earliest_end() is None]
        if not ready:
            if idle:
                self.unsuccessful_test(process, self.random.choice(idle))
            return
        many = self.random.random() < 0.5
        chosen = self.random.sample(ready, self.random.randint(2, len(ready))) if many and len(ready) > 1 else \
            [self.random.choice(ready)]
        if everything:
            chosen = ready
        if self.random.random() < 0.25:
            name = "MPI_Test" if len(chosen) == 1 else self.random.choice(["MPI_Testall", "MPI_Testsome"])
        elif len(chosen) == 1:
            name = self.random.choice(["MPI_Wait", "MPI_Wait", "MPI_Waitany", "MPI_Waitall", "MPI_Waitsome"])
        else:
            name = self.random.choice(["MPI_Waitall", "MPI_Waitall", "MPI_Waitsome"])
        end = max(r.earliest_end() for r in chosen)
        if "Test" in name:
            if self.random.random() < 0.4:
                self.unsuccessful_test(process, chosen[0])
            self.poll(process, name, end)
            process.clock[0] = max(process.clock[0], end)
        elif self.polls.random() < 0.3:
            self.poll(process, "MPI_Test", end)
        self.enter(process, name)
        self.wait_until(process, end)
        for request in chosen:
            process.requests.remove(request)
            if request.collective is not None:
                self.record(process, "collective_complete", *request.collective, request.identifier)
            elif request.receive is None:
                self.record(process, "isend_complete", request.identifier)
            else:
                message = request.receive.message
                self.record(process, "irecv", *self.message_fields(message, message.source), request.identifier)
            self.pass_time(process, self.random.choice([0, 1]))
        self.pass_time(process, self.random.choice([0, self.short()]))
        self.leave(process)

    def unsuccessful_test(self, process, request):
        self.enter(process, "MPI_Test")
        self.pass_time(process, self.short())
        self.record(process, "request_test", request.identifier)
        self.pass_time(process, self.short())
        self.leave(process)
        if self.random.random() < 0.4:
            self.several_calls(process, "MPI_Test")

    def poll(self, process, name, end):
        """Calls in vain up to a time, some of them one right behind the other."""
        while process.clock[0] < end and self.polls.random() < 0.9:
            time = self.polls.randint(1, end - process.clock[0])
            self.enter(process, self.polls.choice([name, name, "MPI_Request_get_status"]) if "Test" in name else name)
            self.pass_time(process, time)
            self.leave(process)
            gap = self.polls.choice([0, time, time // 2, time + 1])
            self.pass_time(process, gap)
            if process.open_regions[0] and self.blocked.random() < 0.3:
                self.record(process, "attribute", 2, self.blocked.randint(0, 2 * gap))
            if self.polls.random() < 0.2:
                self.inquire(process)

    def inquire(self, process):
        """Looks something up, which is no part of the polls around it."""
        self.enter(process, self.polls.choice(["MPI_Get_count", "MPI_Comm_rank", "MPI_Error_class"]))
        self.pass_time(process, self.polls.choice([0, self.polls.randint(0, 50)]))
        self.leave(process)

    def several_calls(self, process, name):
        """In vain, recorded as one."""
        self.enter(process, name)
        self.pass_time(process, self.short())
        self.record(process, "attribute", 1, self.random.randint(2, 1000))
        self.pass_time(process, self.random.choice([0, self.short()]))
        self.leave(process)

    def ring(self):
        """MPI_Sendrecv around a circle of processes."""
        members = self.callers(self.random.sample(range(self.size), self.random.randint(2, self.size)))
        communicator = self.communicator_of(*(p.rank for p in members))
        circle = list(zip(members, members[1:] + members[:1]))
        if any(self.takes_any_tag(target, process.rank, communicator) for process, target in circle):
            return
        name = self.random.choice(["MPI_Sendrecv", "MPI_Sendrecv", "MPI_Sendrecv_replace"])
        messages, receives = [], []
        for process, target in circle:
            enter = self.enter(process, name)
            self.pass_time(process, self.short())
            tag = self.free_tag(target, process.rank, communicator)
            messages.append(self.start_message(process, target, communicator, tag, enter))
            self.record(process, "send", *self.message_fields(messages[-1], target.rank))
            receives.append(Receive(communicator, process.rank, tag, None))
        for process, source_index in zip(members, range(-1, len(members) - 1)):
            receive = receives[source_index]
            receive.post_enter = process.events[0][-2][0]
            self.post_receive(process, receive)
            self.finish_receive(process, receive.message)
            self.leave(process)

    # ---- collectives

    def collective(self):
        communicator = self.random.randrange(len(self.communicators))
        members = self.callers(self.communicators[communicator])
        name = self.random.choice(OFTEN_VECTORS)
        root = self.random.randrange(len(members))
        parts = collective_bytes(self.random, COLLECTIVES[name], len(members), root)
        self.play_collective(name, COLLECTIVES[name], communicator, members, root, parts,
                             lambda i: collective_needs(COLLECTIVES[name], i, root, parts))

    def play_collective(self, name, operation, communicator, members, root, parts, needs):
        """Nobody ends before those it needs have begun; at times everybody needs everybody."""
        for process in members:
            random_multiple.await_communicator(process, communicator)
            self.enter(process, name)
            self.pass_time(process, self.short())
            self.record(process, "collective_begin")
        begins = [process.clock[0] for process in members]
        is_synchronising = self.random.random() < 0.4
        for i, process in enumerate(members):
            waits_for = range(len(members)) if is_synchronising and not parts["rooted"] else needs(i)
            self.wait_until(process, max([begins[j] for j in waits_for], default=0))
            if self.random.random() < 0.3:
                self.pass_time(process, self.duration() // 8)
            self.partners(process, parts["masks"][i])
            self.record(process, "collective_end", operation, communicator, recorded_root(parts, root, i),
                        parts["sent"][i], parts["received"][i])
            self.pass_time(process, self.short())
            self.leave(process)
            random_multiple.leave_communicator(process, communicator)

    def partners(self, process, mask):
        for first in sorted({partner // 64 * 64 for partner in mask or ()}):
            bits = sum(1 << (partner - first) for partner in mask if first <= partner < first + 64)
            self.record(process, "partners", first, bits)

    def nonblocking_collective(self):
        """All members start it now; each completes its part when it likes, but not before those it needs have started."""
        communicator = self.random.randrange(len(self.communicators))
        members = self.callers(self.communicators[communicator])
        name = self.random.choice(OFTEN_VECTORS)
        operation, root = COLLECTIVES[name], self.random.randrange(len(members))
        parts = collective_bytes(self.random, operation, len(members), root)
        self.start_collective("MPI_I" + name[4:].lower(), operation, communicator, members, root, parts,
                              lambda i: collective_needs(operation, i, root, parts))

    def start_collective(self, name, operation, communicator, members, root, parts, needs):
        starts = []
        for i, process in enumerate(members):
            if self.random.random() < 0.5:
                self.work(process)
            random_multiple.await_communicator(process, communicator)
            self.enter(process, name)
            self.pass_time(process, self.short())
            starts.append(process.clock[0])
            self.partners(process, parts["masks"][i])
            self.record(process, "collective_request", process.next_request)
            self.pass_time(process, self.short())
            self.leave(process)
        for i, process in enumerate(members):
            needed = needs(i)
            fields = (operation, communicator, recorded_root(parts, root, i), parts["sent"][i],
                      parts["received"][i])
            process.requests.append(Request(process.next_request, collective=fields,
                                            ready_at=max([starts[j] for j in needed], default=0) + 1))
            process.next_request += 1

    def creation(self):
        """Of a communicator or a file; often nobody is done before all have come."""
        communicator = self.random.randrange(len(self.communicators))
        members = self.callers(self.communicators[communicator])
        name = self.random.choice(["MPI_Comm_dup", "MPI_Comm_split", "MPI_Cart_create", "MPI_File_open"])
        for process in members:
            random_multiple.await_communicator(process, communicator)
            self.enter(process, name)
            self.pass_time(process, self.short())
            self.record(process, "collective_begin")
        begins = [process.clock[0] for process in members]
        waits_for = max(begins) if self.random.random() < 0.7 else 0
        for process in members:
            self.wait_until(process, waits_for)
            self.record(process, "collective_end", "CREATE_HANDLE", communicator, None, 0, 0)
            self.pass_time(process, self.short())
            self.leave(process)
            random_multiple.leave_communicator(process, communicator)

    # ---- the run

    def local_call(self):
        process = self.caller()
        if self.random.random() < 0.1:
            return self.several_calls(process, "MPI_Iprobe")
        self.enter(process, self.random.choice(["MPI_Comm_rank", "MPI_Wtime", "MPI_Iprobe", "MPI_Get_count"]))
        self.pass_time(process, self.short())
        self.leave(process)

    def threads(self):
        able = [p for p in self.processes if p.threads > 1]
        if able:
            for process in self.random.sample(able, self.random.randint(1, len(able))):
                parallel_region(self, process)

    def everyone(self, name):
        """MPI_Init and MPI_Finalize: nobody leaves before all have come."""
        enters = [self.enter(process, name) for process in self.processes]
        for process in self.processes:
            self.wait_until(process, max(enters))
            self.leave(process)

    def drain(self):
        """Everything that was begun comes to its end."""
        for process in self.processes:
            while process.posted:
                receive = process.posted[0]
                senders = self.senders_to(process, receive.communicator)
                source = self.random.choice(senders) if receive.source is ANY else receive.source
                self.start_send(self.caller(source), process, receive.communicator,
                                self.random.choice([0, 1]) if receive.tag is ANY else receive.tag)
        for process in self.processes:
            while process.unexpected:
                self.lone_receive(self.caller(process.rank))
            if self.random.random() < 0.5:
                self.work(process)
        for process in self.processes:
            while process.requests:
                self.complete(self.caller(process.rank), everything=self.random.random() < 0.3)

    def one_sided(self):
        random_windows.step(self)

    def neighborhood(self):
        random_neighbors.step(self)

    def two_groups(self):
        random_groups.step(self)

    def nested_calls(self):
        """A process calls a function or returns from one: what follows has another call path."""
        process = self.caller()
        self.pass_time(process, self.random.choice([0, self.short()]))
        if len(process.open_regions[0]) > 1 and self.random.random() < 0.5:
            self.leave(process)
        elif len(process.open_regions[0]) < 6:
            self.enter(process, self.random.choice(self.functions))

    def run(self):
        operations = [self.message_pair] * 4 + [self.lone_send] * 3 + [self.lone_receive] * 4 + \
            [self.start_send] * 4 + [self.start_receive] * 4 + [self.complete] * 6 + [self.ring] * 2 + \
            [self.collective] * 5 + [self.nonblocking_collective] * 3 + [self.creation] * 2 + [self.local_call] + \
            [self.nested_calls] * 3 + [self.threads] * (10 * self.uses_threads) + \
            [self.one_sided] * (12 * self.uses_windows) + [self.neighborhood] * (4 * bool(self.topologies)) + \
            [self.two_groups] * (6 * bool(self.groups)) + [self.delayed_receives] * (6 * self.is_multiple)
        for process in self.processes:
            is_other = self.is_mpmd and process.rank % 2 == 1
            self.enter(process, "server" if is_other else "main")
            self.pass_time(process, self.duration())
            if self.random.random() < 0.4:
                self.work(process)
        self.everyone("MPI_Init_thread" if self.uses_threads or self.is_multiple else "MPI_Init")
        random_multiple.begin_threads(self)
        for _ in range(self.random.randint(1, 2) * self.uses_windows):
            random_windows.create(self)
        for _ in range(self.steps):
            for process in (caller for process in self.processes for caller in process.callers):
                if self.random.random() < 0.5:
                    self.work(process)
                self.pass_time(process, self.random.choice([0, self.short()]))
            self.random.choice(operations)()
        self.drain()
        random_windows.free(self)
        for process in self.processes:
            self.pass_time(process, self.random.choice([0, self.duration()]))
            while len(process.open_regions[0]) > 1:
                self.leave(process)
        random_multiple.end_threads(self)
        self.everyone("MPI_Finalize")
        for process in self.processes:
            self.pass_time(process, self.short())
            if self.random.random() < 0.3:
                self.work(process)
            self.leave(process)
            process.threads = sum(map(bool, process.events))


def recorded_root(parts, root, i):
    """What member i says about the root; in inter-communicators not all say the same."""
    return parts["roots"][i] if "roots" in parts else root if parts["rooted"] else None


def collective_bytes(rng, operation, n, root):
    """What each member sends and receives, and whether the operation has a root."""
    s = rng.choice([0, 8, 8, 1024])
    v = [rng.choice([0, 0, 8, 40]) for _ in range(n)]
    only_root = lambda amount: [amount if i == root else 0 for i in range(n)]
    same = lambda amount: [amount] * n
    sent, received, rooted = same(n * s), same(n * s), False
    if operation == "BARRIER":
        sent, received = same(0), same(0)
    elif operation in ("BCAST", "SCATTER"):
        sent, received, rooted = only_root(n * s), same(s), True
    elif operation == "SCATTERV":
        sent, received, rooted = only_root(sum(v)), v, True
    elif operation in ("GATHER", "REDUCE"):
        sent, received, rooted = same(s), only_root(n * s), True
        if rng.random() < 0.3:
            sent, received = [0 if i == root else s for i in range(n)], only_root((n - 1) * s)
    elif operation == "GATHERV":
        sent, received, rooted = v, only_root(sum(v)), True
    elif operation == "ALLGATHERV":
        sent, received = [n * part for part in v], same(sum(v))
    elif operation == "REDUCE_SCATTER":
        sent, received = same(sum(v)), [n * part for part in v]
    elif operation in ("ALLTOALLV", "ALLTOALLW"):
        return vector_bytes(rng, n) if rng.random() < 0.7 else \
            {"sent": v, "received": [rng.choice([0, 16]) for _ in range(n)], "rooted": False, "masks": [None] * n}
    elif operation == "SCAN":
        sent, received = [(n - i) * s for i in range(n)], [(i + 1) * s for i in range(n)]
    elif operation == "EXSCAN":
        sent, received = [(n - i - 1) * s for i in range(n)], [i * s for i in range(n)]
    return {"sent": sent, "received": received, "rooted": rooted, "masks": [None] * n}


def vector_bytes(rng, n):
    """The same of an exchange in which it is known who sends to whom."""
    data = [[rng.choice([0, 0, 16, 24]) for _ in range(n)] for _ in range(n)]  # [receiver][sender]
    others = [[size or (i == j) for j, size in enumerate(row)] for i, row in enumerate(data)]
    masks = [None if all(others[i]) or not any(data[i]) else {j for j in range(n) if data[i][j]} for i in range(n)]
    return {"sent": [sum(row[j] for row in data) for j in range(n)], "received": [sum(row) for row in data],
            "rooted": False, "masks": masks}


def collective_needs(operation, i, root, parts):
    """The members whose BEGIN must come before the END of member i."""
    sent, received = parts["sent"], parts["received"]
    senders = [j for j in range(len(sent)) if sent[j]]
    if operation == "BARRIER":
        return range(len(sent))
    if operation in ("BCAST", "SCATTER", "SCATTERV"):
        return [root] if received[i] else []
    if operation in ("GATHER", "GATHERV", "REDUCE"):
        return senders if i == root else []
    if operation in ("SCAN", "EXSCAN"):
        return [j for j in senders if j <= i]
    if parts["masks"][i] is not None:
        return sorted(parts["masks"][i])
    return senders if received[i] else []


def write_random_trace(seed, folder):
    run = RandomRun(seed)
    run.run()
    write_trace(run, folder)


if __name__ == "__main__":
    if len(sys.argv) != 3 or os.path.exists(sys.argv[2]):
        sys.exit(__doc__)
    write_random_trace(int(sys.argv[1]), sys.argv[2])
