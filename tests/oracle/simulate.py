"""simulate.py -- predicts the run time of a recorded program on a changed machine, from docs/SIMULATION.md alone.

Every step has a formula that names other steps. All formulas are computed again and again, from zero on, until no time
changes: slow, but nothing depends on an order. For processes of one thread.
"""
import collections
import fnmatch
import functools
import math

from one_sided import OneSided
from root_causes import RootCauses, excess
from wait_states import RECEIVES, SENDS, WaitStates, needed_of_other_group, needs, is_neighborhood, operation_of
from wait_states import OPERATIONS, VECTORS

SYNCHRONOUS = ("MPI_Ssend", "MPI_Issend")
INIT, FINALIZE = ("MPI_Init", "MPI_Init_thread"), ("MPI_Finalize",)


class WindowCauses(OneSided):
    """Which calls of one-sided synchronisation need which others: `needs` are (call, calls)."""
    def __init__(self, states):
        self.needs = []
        super().__init__(states)

    def add(self, metric, record, value):
        pass

    def _collective(self, metric, instance):
        everybody = [record.instance for record, _ in instance]
        self.needs += [(call, everybody) for call in everybody]

    def _late_post(self, epoch):
        posts = [post.instance for post in epoch["post"].values()]
        is_first = epoch["start"].instance.leave >= max(post.enter for post in posts)
        self.needs.append((epoch["start" if is_first else "complete"].instance, posts))

    def _early_wait(self, epoch):
        self.needs.append((epoch["wait"].instance, [origin["complete"].instance for origin in epoch["origins"]]))

    def _lock(self, epoch):
        order = lambda e: (e["unlock"].time, e["unlock"].location.rank)
        earlier = sorted((e for e in self.locks if e["target"] is epoch["target"] and order(e) < order(epoch)), key=order)
        writers = [i for i, e in enumerate(earlier) if not e["is_shared"]]
        if epoch["is_shared"]:
            earlier = [earlier[i] for i in writers[-1:]]
        elif writers:
            earlier = earlier[writers[-1]:]
        for unlock in (e["unlock"] for e in earlier):
            if unlock.location is not epoch["lock"].location:
                is_first = epoch["lock"].instance.leave >= unlock.instance.enter
                self.needs.append((epoch["lock" if is_first else "unlock"].instance, [unlock.instance]))


class Machine:
    """What differs from the recorded run. network: (latency in seconds, bytes per second). alone: regions without what
    they call. delays: (call path, number of the delay there, how much of it is left)"""
    def __init__(self, network=None, is_linear=False, cpu=1.0, regions=(), ranks=(), balanced=None, eager_limit=None,
                 alone=(), delays=(), binds_windows=False):
        self.binds_windows = binds_windows
        self.network, self.is_linear, self.cpu, self.regions, self.ranks = network, is_linear, cpu, regions, ranks
        self.balanced, self.eager_limit, self.alone, self.delays = balanced, eager_limit, alone, delays

    def options(self):
        """As the tool has them."""
        words = []
        if self.network:
            latency, rate = self.network
            ideal = latency == 0 and math.isinf(rate)
            words += ["--network", "ideal" if ideal else f"{latency!r}s,{rate!r}B/s"]
        words += ["--collectives", "linear"] if self.is_linear else []
        words += ["--cpu", repr(self.cpu)] if self.cpu != 1 else []
        for name, factor in self.regions:
            words += ["--scale-region", f"{name}={factor!r}"]
        for name, factor in self.alone:
            words += ["--scale-self", f"{name}={factor!r}"]
        for _, number, left in self.delays:
            words += ["--without-delay", f"{number}={left!r}"]
        for rank, factor in self.ranks:
            words += ["--rank", f"{rank}={factor!r}"]
        if self.balanced is not None:
            words += ["--balance"] + ([self.balanced] if self.balanced else [])
        words += ["--eager-limit", str(self.eager_limit)] if self.eager_limit is not None else []
        words += ["--bind-windows"] if self.binds_windows else []
        return words


class Collectives(WaitStates):
    """Finds the operations, and which members each needs."""
    def __init__(self, trace):
        self.operations, self._causes = [], None
        super().__init__(trace)
        self.windows = WindowCauses(self).needs

    def root_causes(self):
        self._causes = self._causes or RootCauses(self)
        return self._causes

    def _collective(self, ends):
        super()._collective(ends)
        operation = operation_of(ends[0])
        if operation not in OPERATIONS + ("CREATE_HANDLE",):
            return
        everybody = range(len(ends))
        groups = self.trace.groups.get(ends[0].event.communicator._ref)
        for i in everybody:
            if groups:
                needed = needed_of_other_group(ends, i, len(groups[0]))
            elif is_neighborhood(ends[0]):
                needed = self._sources(ends, i)
            else:
                needed = [j for j in everybody if needs(operation, ends, i, j)]
            requests = [ends[j].request for j in needed]
            is_told = is_neighborhood(ends[0]) or ends[i].request.partners is not None
            if operation == "CREATE_HANDLE" or (operation in VECTORS and not is_told):
                requests = [start for start in requests if start.instance.enter <= ends[i].instance.leave]
            self.operations.append((ends[i], requests, len(ends)))


@functools.cache
def is_mpi(path):
    return any(str(step.region.paradigm).endswith("MPI") for step in path.ancestors())


class Call:
    """A visit of MPI: `causes` are (call, cost in ticks, whether the machine alone wants it)."""
    def __init__(self, instance, location):
        self.instance, self.location, self.causes, self.finishes = instance, location, [], []
        self.new_enter = self.new_leave = 0.0


class Simulation:
    def __init__(self, trace, machine, states=None):
        self.trace, self.machine = trace, machine
        self.states = states or Collectives(trace)
        self.calls, self.rows = {}, {}
        for location in trace.locations:
            visits = [i for i in location.instances
                      if is_mpi(i.path) and (i.path.parent is None or not is_mpi(i.path.parent))]
            self.rows[location] = [Call(instance, location) for instance in visits]
            self.calls.update((call.instance, call) for call in self.rows[location])
        self.origin = min(location.records[0].time for location in trace.locations if location.records)
        self.delay_spans = [(path, left, self._spans_of(path)) for path, _, left in machine.delays]
        self._factors()
        self._messages()
        self._collectives()
        self._gaps()
        self.end = self._solve()

    # ---- delays

    def _spans_of(self, path):
        """docs/SIMULATION.md, "Without a delay": {location: [(begin, end, share of the path in these records)]}"""
        spans = collections.defaultdict(list)
        causes = self.states.root_causes()
        for instance in self.states.instances:
            cause, end = instance.cause
            for _, _, own, other in causes.comparisons_of(instance):
                delay = excess(own.times, other.times).get(path, 0.0)
                if delay > 0:
                    spans[cause].append((own.begin, end, min(1.0, delay / own.times[path])))
        return spans

    def left_of(self, location, path, is_inside):
        """What is left of something on a call path without the delays."""
        for removed, left, spans in self.delay_spans:
            if removed is path:
                return 1 - (1 - left) * max((s for b, e, s in spans[location] if is_inside(b, e)), default=0.0)
        return 1.0

    # ---- computation

    def _matches(self, path, pattern):
        return any(step.region.name == pattern or fnmatch.fnmatchcase(step.region.name, pattern)
                   for step in path.ancestors())

    def _factors(self):
        machine = self.machine
        self.base = {}
        for location in self.trace.locations:
            self.base[location] = 1 / machine.cpu
            for rank, factor in machine.ranks:
                self.base[location] *= factor if rank == location.rank else 1
        self.balance = collections.defaultdict(lambda: 1.0)
        if machine.balanced is None:
            return
        work = {location: sum(duration * self.factor(location, path) for _, path, duration in location.pieces
                              if self._is_balanced(path)) for location in self.trace.locations}
        mean = sum(work.values()) / len(work)
        self.balance.update((location, mean / own if own > 0 else 1.0) for location, own in work.items())

    def _is_balanced(self, path):
        wanted = self.machine.balanced
        return wanted is not None and not is_mpi(path) and (wanted == "" or self._matches(path, wanted))

    def factor(self, location, path):
        if is_mpi(path):
            return 0.0 if self.machine.network else 1.0
        result = self.base[location]
        for name, factor in self.machine.regions:
            matching = [step for step in path.ancestors()
                        if step.region.name == name or fnmatch.fnmatchcase(step.region.name, name)]
            result *= factor ** len(matching)
        for name, factor in self.machine.alone:
            result *= factor if path.region.name == name else 1
        return result * (self.balance[location] if self._is_balanced(path) else 1)

    def work(self, location, begin, end):
        """What lies between two records, of the thread itself: in regions, and in none."""
        first, last = location.records[begin], location.records[end]
        pieces = [(index, path, duration) for index, path, duration in location.pieces if begin < index <= end]
        elsewhere = last.time - first.time - sum(duration for _, _, duration in pieces)
        base = self.base[location] * (self.balance[location] if self.machine.balanced == "" else 1)
        return elsewhere * base + sum(
            duration * self.factor(location, path) * self.left_of(location, path, lambda b, e: b <= index < e)
            for index, path, duration in pieces)

    # ---- causes

    def ticks(self, seconds):
        return seconds * self.trace.ticks_per_second

    def cost(self, latencies, size):
        if not self.machine.network:
            return 0.0
        latency, rate = self.machine.network
        return self.ticks(latencies * latency + size / rate)

    def _messages(self):
        sent = self.states.receive_of
        eager = [send for send, receive in sent.items()
                 if send.instance.name not in SYNCHRONOUS and self._is_done(send) and
                 send.completion.instance.leave < receive.request.instance.enter]
        least_waiting = max((send.event.msg_length for send in eager), default=-1) + 1
        spans = [send.completion.instance.leave - send.completion.instance.enter for send in eager]
        self.eager_time = sum(spans) // len(spans) if spans else None
        for send, receive in sent.items():
            is_own = send.location.rank == receive.location.rank
            cost = 0.0 if is_own else self.cost(1, send.event.msg_length)
            wait = self._wait_of(send, receive, least_waiting)
            causes = [send.instance] + ([receive.request.instance] if wait and self.machine.network else [])
            self.calls[receive.instance].causes.append((send.instance, causes, cost, False))
            for probe in self.probes_of.get(receive, []):
                self.calls[probe].causes.append((send.instance, [send.instance], cost, False))
            if wait and self._is_done(send):
                post = receive.request.instance
                self.calls[send.completion.instance].causes.append((post, [post], cost, wait == "imposed"))

    def _is_done(self, send):
        return send.is_a("MpiSend") or send.completion is not send

    @property
    def probes_of(self):
        """{receive: probes that waited for its message}"""
        if not hasattr(self, "_probes_of"):
            self._probes_of = collections.defaultdict(list)
            states = self.states
            original = states._late_probe
            states._late_probe = lambda location, probe, receive: self._probes_of[receive].append(probe)
            states._late_probes()
            states._late_probe = original
        return self._probes_of

    def _wait_of(self, send, receive, least_waiting):
        limit, size = self.machine.eager_limit, send.event.msg_length
        if limit is not None and (limit == 0 or size > limit):
            return "imposed"
        if not self._is_done(send) or send.completion.instance.leave < receive.request.instance.enter:
            return None
        if send.instance.name in SYNCHRONOUS:
            return "recorded"
        if self.machine.network or limit is not None:
            return None
        return "recorded" if size >= least_waiting or self._is_held_up(send, receive) else None

    def _is_held_up(self, send, receive):
        call, posted = send.completion.instance, receive.request.instance.enter
        if self.eager_time is None or call is not send.instance:
            return False
        before = posted - call.enter
        return before > 9 * (call.leave - posted) and before > 10 * self.eager_time

    def _collectives(self):
        for end, needed, members in self.states.operations:
            hops = members - 1 if self.machine.is_linear else math.ceil(math.log2(members))
            cost = self.cost(hops, end.event.size_sent + end.event.size_received)
            self.calls[end.instance].finishes.append(([start.instance for start in needed], cost))
        for names in (INIT, FINALIZE):
            calls = [next((i for i in location.instances if i.name in names), None) for location in self.trace.masters]
            if None in calls or len(calls) < 2:
                continue
            for call in calls:
                self.calls[call].finishes.append((calls, 0.0))
        if not self.machine.network or self.machine.binds_windows:
            for call, needed in self.states.windows:
                self.calls[call].finishes.append((needed, 0.0))

    # ---- times

    def _gaps(self):
        self.start = {location: float(location.records[0].time - self.origin) for location in self.trace.locations}
        self.gaps = {}
        for location, row in self.rows.items():
            at = 0
            for call in row:
                self.gaps[call] = self.work(location, at, call.instance.index)
                at = call.instance.leave_index
            self.gaps[location] = self.work(location, at, len(location.records) - 1)

    def _solve(self, extra=0.0):
        """The end of each location; None if the times grow without end. `extra`: what each call takes longer."""
        in_time = sorted((call for row in self.rows.values() for call in row), key=lambda call: call.instance.enter)
        before = {call: None if i == 0 else row[i - 1] for row in self.rows.values() for i, call in enumerate(row)}
        for _ in range(len(in_time) + 2):  # none depends on more than all others
            changed = False
            for call in in_time:
                last = before[call]
                enter = (last.new_leave if last else self.start[call.location]) + self.gaps[call]
                leave = self._leave(call, enter) + extra
                changed |= enter != call.new_enter or leave != call.new_leave
                call.new_enter, call.new_leave = enter, leave
            if not changed:
                return {location: (row[-1].new_leave if row else self.start[location]) + self.gaps[location]
                        for location, row in self.rows.items()}
        return None

    def has_circle(self):
        """Whether calls wait for each other in a circle, be it one that takes no time. To be asked last."""
        return self.end is None or self._solve(1.0) is None

    def _leave(self, call, enter):
        """docs/SIMULATION.md, "Steps and causes"."""
        recorded = call.instance.leave
        ready, latest, skewed = enter, call.instance.enter, -math.inf
        for cause, all_causes, cost, is_imposed in call.causes:
            time = max(self.calls[each].new_enter for each in all_causes) + cost
            if is_imposed:
                ready = max(ready, time)
            elif cause.enter > recorded:
                skewed = max(skewed, time - cost - (cause.enter - recorded))
            else:
                ready, latest = max(ready, time), max(latest, cause.enter)
        for needed, cost in call.finishes:
            met = enter
            if needed:
                last, time = max(i.enter for i in needed), max(self.calls[i].new_enter for i in needed)
                if last > recorded:
                    skewed = max(skewed, time - (last - recorded))
                else:
                    met, latest = max(enter, time), max(latest, last)
            ready = max(ready, met + cost)
        rest = 0.0 if self.machine.network else (recorded - latest) * self.left_of(
            call.location, call.instance.path, lambda b, e: b < call.instance.leave_index <= e)
        return max(ready + rest, skewed)

    # ---- results

    def predicted(self):
        """Seconds between MPI_Init and MPI_Finalize; None if the program never ends."""
        if self.end is None:
            return None
        begins, ends = [], []
        for location, row in self.rows.items():
            init = next((c.new_leave for c in row if c.instance.name in INIT), self.start[location])
            finalize = [c.new_enter for c in row if c.instance.name in FINALIZE]
            begins.append(init)
            ends.append(finalize[-1] if finalize else self.end[location])
        return (max(ends) - min(begins)) / self.trace.ticks_per_second

    def whole(self):
        if self.end is None:
            return None
        return (max(self.end.values()) - min(self.start.values())) / self.trace.ticks_per_second
