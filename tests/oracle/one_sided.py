"""one_sided.py -- wait states, pairs and bytes of one-sided communication, from the formulas of docs/METRICS.md."""
import collections

from otf2.enums import LockType
from sync_points import SyncPoint, WaitInstance

COLLECTIVES = {"MPI_Win_create": "mpi_rma_wait_at_create", "MPI_Win_free": "mpi_rma_wait_at_free",
               "MPI_Win_fence": "mpi_rma_wait_at_fence"}
ACCESSES = ("RmaPut", "RmaGet", "RmaAtomic")


class OneSided:
    def __init__(self, states):
        self.states, self.trace = states, states.trace
        self.waits = []  # (record that waited, how long until the Leave afterwards, waiting time, call of the cause)
        self.visits = {location: merged((i.enter, i.leave) for thread in self.trace.threads_of(location.rank)
                                        for i in thread.instances if i.name.startswith("MPI_"))
                       for location in self.trace.masters}
        of_window = collections.defaultdict(lambda: collections.defaultdict(list))
        members = {}
        for location in self.trace.locations:
            begin = None
            for record in location.records:
                if record.is_a("RmaCollectiveBegin"):
                    begin = record.time
                elif hasattr(record.event, "win"):
                    record.begin = begin
                    window = record.event.win._ref
                    members[window] = self.trace.members[record.event.win.comm._ref]
                    of_window[window][location].append(record)
        for window, records in of_window.items():
            self._window(members[window], records)

    def add(self, metric, record, value):
        self.states.add(metric, record.path, record.location, value)

    # ---- one window

    def _window(self, members, records):
        self.members, self.starts, self.posts, self.locks = members, [], [], []
        fences = [self._walk(location, records[location]) for location in members]
        if len(members) > 1:
            for name in COLLECTIVES:
                calls = [[(r, a) for r, a in found if r.instance.name == name] for found in fences]
                for instance in zip(*calls):
                    self._collective(COLLECTIVES[name], instance)
        self._match_groups()
        for epoch in self.starts:
            self._late_post(epoch)
        for epoch in self.posts:
            self._early_wait(epoch)
        for epoch in self.locks:
            self._lock(epoch)

    def _walk(self, location, records):
        """Puts the records of one process into epochs; returns its collectives, each with the accesses before it."""
        found, loose, start, post, held = [], [], None, None, {}
        for record in records:
            event, name = record.event, record.instance.name
            if record.is_a(*ACCESSES):
                record.target = self.members[event.remote]
                self._count(record)
                if event.remote in held:
                    held[event.remote]["accesses"].append(record)
                else:
                    (start["accesses"] if start else loose).append(record)
            elif record.is_a("RmaCollectiveEnd"):
                found.append((record, loose if name == "MPI_Win_fence" else []))
                loose = [] if name == "MPI_Win_fence" else loose
            elif record.is_a("RmaGroupSync"):
                group = [self._location(member) for member in event.group.members]
                if name == "MPI_Win_start":
                    start = {"start": record, "group": group, "accesses": [], "post": {}}
                    self.starts.append(start)
                elif name == "MPI_Win_complete":
                    start["complete"], start = record, None
                elif name == "MPI_Win_post":
                    post = {"post": record, "group": group, "origins": []}
                    self.posts.append(post)
                else:
                    post["wait"] = record
            elif record.is_a("RmaRequestLock"):
                held[event.remote] = {"lock": record, "accesses": [], "target": self.members[event.remote],
                                      "is_shared": event.lock_type == LockType.SHARED}
            elif record.is_a("RmaReleaseLock"):
                held[event.remote]["unlock"] = record
                self.locks.append(held.pop(event.remote))
        return found

    def _location(self, member):
        return self.trace.by_reference[member._ref]

    def _count(self, record):
        event = record.event
        if record.is_a("RmaAtomic"):
            self.add("bytes_put", record, event.bytes_sent)
            self.add("bytes_get", record, event.bytes_received)
        else:
            self.add("bytes_put" if record.is_a("RmaPut") else "bytes_get", record, event.bytes)

    # ---- waits

    def _collective(self, metric, instance):
        last, earliest = max(r.begin for r, _ in instance), min(r.time for r, _ in instance)
        cause = next(r for r, _ in instance if r.begin == last)
        for record, own in instance:
            here = record.location
            others = [access for r, accesses in instance for access in accesses if access.target is here]
            if earliest > last:
                self._wait(metric, record, record.begin, last, cause)
                ends = [access.instance.leave for access in others]
                if metric == "mpi_rma_wait_at_fence" and ends and record.begin < max(ends) <= record.time:
                    self.add("mpi_rma_early_fence", record, min(max(ends), last) - record.begin)
            if metric == "mpi_rma_wait_at_fence":
                partners = {access.target for access in own} | {access.location for access in others}
                self.add("mpi_rma_pairsync_count", record, len(instance))
                self.add("mpi_rma_pairsync_unneeded_count", record, len(instance) - len(partners | {here}))

    def _match_groups(self):
        """The k-th start that names a target belongs to the target's k-th post that names the origin."""
        for origin in self.members:
            for target in self.members:
                starts = [e for e in self.starts if e["start"].location is origin and target in e["group"]]
                posts = [e for e in self.posts if e["post"].location is target and origin in e["group"]]
                for start, post in zip(starts, posts):
                    start["post"][target] = post["post"]
                    post["origins"].append(start)

    def _wait(self, metric, record, begin, until, cause):
        if until > begin:
            self.add(metric, record, until - begin)
            if cause is not None:
                self.waits.append((record, begin, until, cause))

    def _inside(self, metric, record, begin, until, cause):
        """A wait in a call, if what it waits for happens there; whether it does."""
        if not begin < until < record.instance.leave:
            return False
        self._wait(metric, record, begin, until, cause)
        return True

    def _late_post(self, epoch):
        last = next(epoch["post"][target] for target in epoch["group"] if epoch["post"][target].instance.enter
                    == max(post.instance.enter for post in epoch["post"].values()))
        for record in (epoch["complete"], epoch["start"]):
            if self._inside("mpi_rma_sync_late_post", record, record.instance.enter, last.instance.enter, last):
                break
        for access in epoch["accesses"]:
            post = epoch["post"][access.target]
            self._inside("mpi_rma_comm_late_post", access, access.time, post.instance.enter, post)
        idle = set(epoch["group"]) - {access.target for access in epoch["accesses"]}
        self.add("mpi_rma_pairsync_count", epoch["complete"], len(epoch["group"]))
        self.add("mpi_rma_pairsync_unneeded_count", epoch["complete"], len(idle))

    def _early_wait(self, epoch):
        record = epoch["wait"]
        call = record.instance
        accesses = [a for origin in epoch["origins"] for a in origin["accesses"] if a.target is record.location]
        self.add("mpi_rma_pairsync_count", record, len(epoch["group"]))
        self.add("mpi_rma_pairsync_unneeded_count", record, len(set(epoch["group"]) - {a.location for a in accesses}))
        if call.name == "MPI_Win_test":
            return
        last_enter = max(origin["complete"].instance.enter for origin in epoch["origins"])
        cause = next(origin["complete"] for origin in epoch["origins"]
                     if origin["complete"].instance.enter == last_enter)
        until = min(last_enter, call.leave)
        self._wait("mpi_rma_early_wait", record, call.enter, until, cause)
        last = max([call.enter] + [a.instance.leave for a in accesses])
        self.add("mpi_rma_late_complete", record, max(0, until - last))

    # ---- synchronisation points

    def add_sync_points(self):
        """One for each wait; one for each call that was waited for, which stands before what happens in the call."""
        causes = collections.defaultdict(list)
        for record, begin, until, cause in self.waits:
            call = record.instance
            point = self.states.add_sync(record.location, call.index + 0.5, SyncPoint(
                call, until - begin, call.total, max(0, call.leave - until), [cause.location.rank]))
            point.kind = "rma"
            causes[cause].append((record.location, call.index + 0.5, until - begin))
        for cause, waiters in causes.items():
            call = cause.instance
            self.states.add_sync(cause.location, call.index + 0.25, SyncPoint(
                call, 0.0, call.total, call.total, [location.rank for location, _, _ in waiters]))
            self.states.instances += [WaitInstance("rma", [waiter], (cause.location, call.index + 0.25))
                                      for waiter in waiters]

    def _lock(self, epoch):
        order = lambda e: (e["unlock"].time, e["unlock"].location.rank)
        earlier = [e for e in self.locks if e["target"] is epoch["target"] and order(e) < order(epoch)
                   and not (e["is_shared"] and epoch["is_shared"])]
        calls = [(epoch["lock"], epoch["lock"].instance.enter, "sync"),
                 (epoch["unlock"], epoch["unlock"].instance.enter, "sync")]
        calls += [(access, access.time, "comm") for access in epoch["accesses"]]
        holder = max(earlier, key=order)["unlock"] if earlier else None
        for record, begin, where in calls:
            if earlier and self._inside(f"mpi_rma_{where}_lock_competition", record, begin, holder.time, holder):
                begin = holder.time
            if epoch["target"] is not record.location:
                back = next((max(enter, begin) for enter, leave in self.visits[epoch["target"]] if leave > begin), None)
                if back is not None:
                    self._inside(f"mpi_rma_{where}_wait_for_progress", record, begin, back, None)


def merged(intervals):
    """Overlapping intervals united, in order."""
    found = []
    for enter, leave in sorted(intervals):
        if found and enter <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], leave)
        else:
            found.append((enter, leave))
    return found
