"""critical_walk.py -- the critical path and performance impact, from METRICS.md, section 9 (default mode)."""
import collections

from sync_points import ready_at

INIT = ("MPI_Init", "MPI_Init_thread")


class CriticalPath:
    def __init__(self, states):
        self.states, self.trace = states, states.trace
        self.on_path = collections.defaultdict(lambda: collections.defaultdict(float))
        self.cause_of = {(location, index): instance for instance in states.instances
                         for location, index, wait in instance.waiters if wait > 0}
        if (states.finalize and states.init) or len(self.trace.masters) == 1:
            self._walk()
            for location, times in self.on_path.items():
                for path, time in times.items():
                    states.add("critical_path", path, location, time)
            self._impact()

    def _close(self, owner, begin, end):
        for path, time in owner.times(begin, end).items():
            self.on_path[owner][path] += time

    def _walk(self):
        """From the last Finalize back to MPI_Init; without MPI from the end of the trace to its begin."""
        finalize = self.states.finalize
        owner = max(finalize or self.trace.masters,
                    key=lambda location: (finalize[location].enter if finalize else 0, -location.rank))
        end = index = finalize[owner].leave_index if finalize else len(owner.records)
        while True:
            earlier = [i for i in self.states.sync[owner] if i < index]
            if not earlier:
                self._close(owner, 0, end)
                if owner not in self.trace.creations:
                    return
                owner, index = self._move_to_creator(owner)
                end = index
                continue
            index = max(earlier)
            point = self.states.sync[owner][index]
            if point.instance is self.states.init.get(owner):
                self._close(owner, index, end)
                return
            if point.kind == "fork":
                self._close(owner, index, end)
                owner, region = point.team.members[0]
                end = index = region.index
            elif point.kind == "ompbarrier":
                owner, index = self._move(owner, index, end, point.cause)
                end = index
            elif (owner, index) in self.cause_of:
                owner, index = self._move(owner, index, end, self.cause_of[owner, index].cause)
                end = index

    def _move(self, owner, index, end, cause):
        """Closes a segment at a wait. From the owner's Enter to that of the cause, the path was elsewhere; the bound
        matters where clocks are wrong."""
        self._close(owner, index, end)
        own, other = self.states.sync[owner][index].instance, self.states.sync[cause[0]][cause[1]].instance
        self.on_path[owner][own.path] -= min(ready_at(other) - ready_at(own), owner.times(index, end)[own.path])
        return cause

    def _move_to_creator(self, thread):
        """Until a thread begins, the time is that of the call that creates it."""
        begin, creation = self.trace.creations[thread]
        self.on_path[creation.location][creation.path] += begin.time - creation.time
        return creation.location, creation.index + 1

    # ---- impact

    def _impact(self):
        add, whole = self.states.add, collections.defaultdict(float)
        for times in self.on_path.values():
            for path, time in times.items():
                whole[path] += time
        imbalance, inter = collections.defaultdict(float), collections.defaultdict(float)
        for location in self.trace.locations:
            own = self._own_times(location)
            for path in set(own) | set(whole):
                g, l = whole.get(path, 0.0), own.get(path, 0.0)
                if g > 0:
                    add("critical_path_activities", path, location, min(g, l))
                add("non_critical_path_activities", path, location, max(0.0, l - g))
            surplus = {path: max(0.0, g - own.get(path, 0.0)) for path, g in whole.items()}
            starts = [path for path in surplus if path.region.name in INIT]
            of_path, of_own = sum(map(whole.get, starts)), sum(t for path, t in own.items() if path.region.name in INIT)
            for path in starts:
                surplus[path] = max(0.0, of_path - of_own) * whole[path] / of_path if of_path else 0.0
            waiting = sum(self.states.values["time"].get((path, location), 0.0) for path in self.trace.all_paths()) - sum(own.values())
            self._share(imbalance, surplus, waiting)
            # Boehme 5.2.4: the same costs, of the call paths that the location lacks.
            lacking = {path: part for path, part in surplus.items()
                       if (of_own if path in starts else own.get(path, 0.0)) <= 0}
            if lacking and sum(surplus.values()):
                self._share(inter, lacking, waiting * sum(lacking.values()) / sum(surplus.values()))
        for metric, costs in (("critical_imbalance_impact", imbalance), ("inter_partition_imbalance", inter)):
            for location, times in self.on_path.items():
                for path, time in times.items():
                    if whole[path] > 0 and time / whole[path] * costs[path] > 0:
                        add(metric, path, location, time / whole[path] * costs[path])

    def _own_times(self, location):
        """l(c): the location's time at each call path, waits aside."""
        waits = collections.defaultdict(float)
        for point in self.states.sync[location].values():
            waits[point.path] += point.wait
        return {path: time - min(time, waits[path]) for path, time in location.times().items()}

    def _share(self, costs, weights, amount):
        whole = sum(weights.values())
        for path, weight in weights.items() if whole else []:
            costs[path] += weight * amount / whole
