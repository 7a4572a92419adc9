"""root_causes.py -- delay costs and the classes of point-to-point waits, from METRICS.md, section 8 (default mode)."""
import collections

KINDS = ("latesender", "latereceiver", "barrier", "n2n", "12n", "n21", "rma", "scan", "icoll", "creation", "neighbor", "finalize",
         "ompbarrier", "ompidle", "threadlock", "threadsignal")
MESSAGES = {"latesender": "ls", "latereceiver": "lr"}


class Interval:
    """What a location did between two of its synchronisation points, waits aside (METRICS.md 8.4)."""
    def __init__(self, states, location, begin, end):
        points = states.sync[location]
        self.begin = begin
        self.waits = sorted(index for index in points if begin < index < end and points[index].wait > 0)
        self.times = location.times(begin, end)
        for index in self.waits:
            self.times[points[index].path] -= points[index].wait
        for path in self.times:
            self.times[path] = max(0.0, self.times[path])
        first = points.get(begin)
        if first:
            self.times[first.path] = max(0.0, self.times[first.path] - max(0.0, first.total - first.completion))
        self.waiting = sum(points[index].wait for index in self.waits)


def excess(cause, waiter):
    """delta: what the cause spent more than the waiter, per call path."""
    found = {path: time - waiter.get(path, 0.0) for path, time in cause.items()}
    return {path: time for path, time in found.items() if time > 0}


class RootCauses:
    def __init__(self, states):
        self.states = states
        self.cost = collections.defaultdict(lambda: collections.defaultdict(float))
        self.propagated = collections.defaultdict(float)
        self._idleness()
        compared = [self._comparisons(instance) for instance in states.instances]
        self.comparisons_of = dict(zip(states.instances, compared)).__getitem__
        for number in self._order(compared):
            self._charge(states.instances[number], compared[number])
        for (location, index), value in self.propagated.items():
            point = states.sync[location][index]
            if point.kind in MESSAGES:
                states.add("mpi_wait_propagating_" + MESSAGES[point.kind], point.path, location, value)

    # ---- intervals

    def _start(self, location, end, rank):
        """The latest MPI sync point of the thread before `end` with that rank among its partners. No worker looks back
        beyond the fork of its team, and one that met nobody beyond its own begin."""
        points = self.states.sync[location]
        return max((i for i in points if i < end and ((points[i].paradigm == "MPI" and rank in points[i].partners)
                                                      or self._is_own_begin(location, points[i]))), default=-1)

    def _is_own_begin(self, location, point):
        return location.thread > 0 and point.kind == "fork"

    def _thread_start(self, location, end):
        points = self.states.sync[location]
        return max(i for i in points if i < end and points[i].paradigm == "OpenMP")

    def _lock_start(self, location, end, other):
        """The latest fork or barrier before `end`, hand-over of a lock between the thread and the other, or creation of
        the other by the thread."""
        points = self.states.sync[location]
        creation = self.states.trace.creations.get(other, (None, None))[1]
        met = max((i for i in points if i < end and (points[i].paradigm == "OpenMP" or points[i].paradigm == "Lock"
                                                     and ("thread", other.thread) in points[i].partners)), default=-1)
        return max(met, creation.index) if creation and creation.location is location else met

    def _group_starts(self, location, end, members):
        """METRICS.md 8.6, step 1: where the cause's comparison with each member begins."""
        points, remaining, starts = self.states.sync[location], set(members), collections.defaultdict(lambda: -1)
        for index in sorted((i for i in points if i < end and (points[i].paradigm == "MPI" or
                                                               self._is_own_begin(location, points[i]))), reverse=True):
            if remaining <= points[index].partners or self._is_own_begin(location, points[index]):
                starts.update((rank, index) for rank in remaining)
                break
            for rank in remaining & points[index].partners:
                starts[rank] = index
            remaining -= points[index].partners
        return starts

    def _comparisons(self, instance):
        """[(waiter, waiting time, the cause's interval, the waiter's interval)]"""
        cause, end = instance.cause
        found = []
        starts = self._group_starts(cause, end, instance.members) if instance.members else None
        for location, index, wait in instance.waiters:
            if instance.kind == "ompbarrier":
                own, other = self._thread_start(cause, end), self._thread_start(location, index)
            elif instance.kind in ("threadlock", "threadsignal"):
                own, other = self._lock_start(cause, end, location), self._lock_start(location, index, cause)
            else:
                own = starts[location.rank] if starts else self._start(cause, end, location.rank)
                other = self._start(location, index, cause.rank)
            found.append(((location, index), wait, Interval(self.states, cause, own, end),
                          Interval(self.states, location, other, index)))
        return found

    # ---- costs

    def _order(self, compared):
        """Instances such that the costs of a wait are complete when they are read."""
        instance_of = {(location, index): number for number, instance in enumerate(self.states.instances)
                       for location, index, _ in instance.waiters}
        later, missing = collections.defaultdict(set), collections.Counter()
        for number, comparisons in enumerate(compared):
            cause = self.states.instances[number].cause[0]
            for _, _, interval, _ in comparisons:
                for index in interval.waits:
                    if (cause, index) in instance_of and instance_of[cause, index] not in later[number]:
                        later[number].add(instance_of[cause, index])
                        missing[instance_of[cause, index]] += 1
        ready = [number for number in range(len(compared)) if not missing[number]]
        order = []
        while ready:
            order.append(ready.pop())
            for number in later[order[-1]]:
                missing[number] -= 1
                if not missing[number]:
                    ready.append(number)
        if len(order) < len(compared):
            raise ValueError("waits cause each other in a circle")
        return order

    def _charge(self, instance, comparisons):
        """METRICS.md 8.5, 8.6: costs are not clipped; what has no delay behind it stays at the cause's operation."""
        states, (cause, end) = self.states, instance.cause
        for waiter, wait, own, other in comparisons:
            delta = excess(own.times, other.times)
            whole = sum(delta.values()) + own.waiting
            inputs = [(instance.kind, f"delay_{instance.kind}", wait)]
            inputs += [(kind, f"delay_{kind}_longterm", self.cost[waiter][kind]) for kind in KINDS]
            for kind, metric, amount in inputs:
                if not amount:
                    continue
                if whole == 0:
                    states.add(metric, states.sync[cause][end].path, cause, amount)
                    continue
                for path, time in delta.items():
                    states.add(metric, path, cause, amount / whole * time)
                for index in own.waits:
                    self.cost[cause, index][kind] += amount / whole * states.sync[cause][index].wait
            if instance.kind in MESSAGES and whole > 0:
                states.add("mpi_wait_indirect_" + instance.kind, states.sync[waiter[0]][waiter[1]].path, waiter[0],
                           wait / whole * own.waiting)
            if whole > 0 and instance.kind != "finalize":  # Boehme 4.2.6: into waits of every other kind
                for index in own.waits:
                    share = min(1.0, wait / whole) * states.sync[cause][index].wait
                    self.propagated[cause, index] = max(self.propagated[cause, index], share)

    def _idleness(self):
        """METRICS.md 8.7: serial segments of a master keep its other threads idle."""
        for master in self.states.trace.masters:
            idle_threads = len(self.states.trace.threads_of(master.rank)) - 1
            teams = [team for team in self.states.trace.teams if team.fork.location is master]
            begins = [0] + [team.join.index + 1 for team in teams]
            ends = [team.fork.index + 1 for team in teams] + [len(master.records)]
            for begin, end in zip(begins, ends) if idle_threads and teams else []:
                times = master.times(begin, end)
                for index, point in self.states.sync[master].items():
                    if begin <= index < end and point.wait > 0:
                        times[point.path] -= point.wait
                        self.cost[master, index]["ompidle"] += idle_threads * point.wait
                for path, time in times.items():
                    self.states.add("delay_ompidle", path, master, idle_threads * max(0.0, time))
