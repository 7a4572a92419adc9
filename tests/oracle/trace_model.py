"""trace_model.py -- a whole OTF2 trace in memory, for the reference analyser: records, regions, call paths, times.

Written for being checked by eye, not for speed. All times are ticks of the trace's clock, so that sums are exact. A
location's time is cut into pieces, each credited to a call path at the record that ends it; what fork and join take
belongs to the parallel region (METRICS.md 1.4, 8.3).
"""
import collections

import otf2
from otf2 import events as kinds
from otf2.enums import CartPeriodicity, GroupType, Paradigm

from inter_comms import InterComm
from polls import LastPoll


CALLS_ATTRIBUTE = 1  # the visit stands for so many calls
BLOCKED_ATTRIBUTE = 2  # so many ticks until now were blocked


def read_topologies(definitions):
    """{communicator: {rank: its sources}}; None is nobody."""
    sources = collections.defaultdict(dict)
    for grid in definitions.cart_topologies:
        sizes = [dimension.size for dimension in grid.dimensions]
        is_round = [dimension.cart_periodicity == CartPeriodicity.TRUE for dimension in grid.dimensions]
        places = {c.rank: tuple(c.coordinates) for c in definitions.cart_coordinates if c.topology is grid}
        rank_at = {place: rank for rank, place in places.items()}
        for rank, place in places.items():
            found = sources[grid.communicator._ref][rank] = []
            for d, size in enumerate(sizes):
                for at in (place[d] - 1, place[d] + 1):
                    is_inside = is_round[d] or 0 <= at < size
                    found.append(rank_at.get(place[:d] + (at % size,) + place[d + 1:]) if is_inside else None)
    for group_property in definitions.location_group_properties:
        name, _, communicator = str(group_property.name).rpartition(" ")
        if name == "tarry::neighborhood":
            rank, count, *ranks = map(int, str(group_property.value).split())
            sources[int(communicator)][rank] = ranks[:count]
    return sources


class CallPath:
    def __init__(self, parent, region):
        self.parent, self.region, self.children = parent, region, {}
        step = region.name.replace("\\", "\\\\").replace("/", "\\/")
        self.name = step if parent is None else parent.name + "/" + step

    def ancestors(self):
        """The call path itself and all above it."""
        path = self
        while path is not None:
            yield path
            path = path.parent


class Instance:
    """One visit of a region."""
    def __init__(self, path, enter, index):
        self.path, self.enter, self.leave, self.index = path, enter, None, index
        self.worked_until = None  # of a barrier in which the thread works
        self.fork = self.join = None
        self.leave_index = None
        self.calls = 1
        self.polled_until = None  # of a poll: with the time behind it, if that belongs to it

    @property
    def name(self):
        return self.path.region.name

    @property
    def total(self):
        return self.leave - self.enter


class Record:
    def __init__(self, location, index, time, event):
        self.location, self.index, self.time, self.event = location, index, time, event
        self.instance = None

    def is_a(self, *names):
        return type(self.event).__name__ in names

    def is_own(self, kind):
        """Of a kind that OTF2 does not have: its name is that of a parameter."""
        return self.is_a("ParameterUnsignedInt") and self.event.parameter.name == "tarry::" + kind

    def own_fields(self, *names):
        fields = {attribute.name: value for attribute, value in (self.event.attributes or {}).items()}
        return [fields["tarry::" + name] for name in names]

    @property
    def path(self):
        return self.instance.path


class OpenContexts:
    """The calling contexts a location is in: they become regions, entered and left where the path changes."""
    def __init__(self):
        self.open = []

    def _go_to(self, context, time):
        path = []
        while context is not None:
            path.insert(0, context)
            context = context.parent
        same = 0
        while same < min(len(path), len(self.open)) and path[same]._ref == self.open[same]._ref:
            same += 1
        yield from (kinds.Leave(time, each.region) for each in reversed(self.open[same:]))
        yield from (kinds.Enter(time, each.region) for each in path[same:])
        self.open = path

    def translated(self, event):
        """The events that stand for one event."""
        name = type(event).__name__
        if not name.startswith("CallingContext"):
            yield event
            return
        yield from self._go_to(event.calling_context, event.time)
        if name == "CallingContextLeave":
            yield kinds.Leave(event.time, self.open.pop().region)


def is_wait_for_threads(instance):
    """Who waits for a condition or at a barrier lets go where the call is entered: that divides no time."""
    return instance.name.startswith(("pthread_cond_", "pthread_barrier_wait"))


class Location:
    def __init__(self, rank, thread):
        self.rank, self.thread = rank, thread
        self.records, self.instances, self.pieces = [], [], []
        self.blocked = collections.Counter()  # ticks by call path

    def times(self, begin=None, end=None):
        """Time per call path, credited by the records from `begin` (included) to `end` (not)."""
        result = collections.defaultdict(float)
        for index, path, duration in self.pieces:
            if (begin is None or index >= begin) and (end is None or index < end):
                result[path] += duration
        return result


class Team:
    """One execution of a parallel region: the master's fork and join, and the visits of its threads, master first."""
    def __init__(self, fork, join):
        self.fork, self.join, self.members = fork, join, []


class Trace:
    """`times`: {(rank, thread): times of its records}, if they are others than those in the file."""
    def __init__(self, anchor, times=None, counts_sleeps=True):
        """`counts_sleeps`: those between polls are part of the polls."""
        self.counts_sleeps = counts_sleeps
        self.roots, self.locations, self.teams = {}, [], []
        with otf2.reader.open(anchor) as reader:
            self._read(reader)
        for location in self.locations if times else []:
            for record, time in zip(location.records, times[location.rank, location.thread], strict=True):
                record.time = time
        self.masters = [location for location in self.locations if location.thread == 0]
        for location in self.masters:
            self._build(location, None)
        self._find_teams()
        for location in self.locations:
            if location.thread > 0:
                self._build(location, self._forks_of(location))
        self._join_teams()
        for location in self.locations:
            self._cut(location)

    def threads_of(self, rank):
        return [location for location in self.locations if location.rank == rank]

    def process_of(self, location):
        """The location that stands for a process: communicators have no other members."""
        return self.masters[location.rank]

    def records_of(self, rank):
        return [record for location in self.threads_of(rank) for record in location.records]

    def addressed(self, reference, location):
        """Whom the ranks in a communicator stand for, as a location uses them: in the other group, if there are two."""
        if reference not in self.groups:
            return self.members[reference]
        first, second = self.groups[reference]
        return second if self.process_of(location) in first else first

    def all_paths(self):
        pending, found = list(self.roots.values()), []
        while pending:
            path = pending.pop()
            found.append(path)
            pending.extend(path.children.values())
        return found

    # ---- reading

    def _read(self, reader):
        clock = reader.definitions.clock_properties
        self.ticks_per_second = clock.timer_resolution
        world = next((group.members for group in reader.definitions.groups if group.paradigm == Paradigm.MPI
                      and group.group_type == GroupType.COMM_LOCATIONS), None)
        by_reference, threads = {}, collections.Counter()
        self.by_reference = by_reference
        ranks = {location.group._ref: rank for rank, location in enumerate(world or [])}
        for location in sorted(reader.definitions.locations, key=lambda l: l._ref):
            rank = ranks.get(location.group._ref, 0)
            by_reference[location._ref] = Location(rank, threads[rank])
            threads[rank] += 1
        self.locations = sorted(by_reference.values(), key=lambda l: (l.rank, l.thread))
        contexts = collections.defaultdict(OpenContexts)
        for definition, recorded in reader.events:
            location = by_reference[definition._ref]
            for event in contexts[location].translated(recorded):
                time = event.time - clock.global_offset
                location.records.append(Record(location, len(location.records), time, event))
        self._find_creations()
        self.sources = read_topologies(reader.definitions)
        self.groups = {comm._ref: [[by_reference[member._ref] for member in group.members]
                                   for group in (comm.groupA, comm.groupB)]
                       for comm in reader.definitions.comms if isinstance(comm, InterComm)}
        self.members = {comm._ref: [by_reference[member._ref] for member in comm.group.members]
                        for comm in reader.definitions.comms if comm._ref not in self.groups and comm.group.members}
        self.members.update((reference, first + second) for reference, (first, second) in self.groups.items())

    def _find_creations(self):
        """{location: (its begin, where it was created)}"""
        created = {(r.location.rank, r.event.thread_contingent._ref, r.event.sequence_count): r
                   for location in self.locations for r in location.records if r.is_a("ThreadCreate")}
        self.creations = {r.location: (r, created[r.location.rank, r.event.thread_contingent._ref,
                                                  r.event.sequence_count])
                          for location in self.locations for r in location.records if r.is_a("ThreadBegin")}

    def _path(self, parent, region):
        siblings = self.roots if parent is None else parent.children
        if region.name not in siblings:
            siblings[region.name] = CallPath(parent, region)
        return siblings[region.name]

    def _build(self, location, forks):
        """Regions and call paths; `forks` are the call paths at which a worker's teams begin."""
        stack, base = [], None
        for record in location.records:
            event = record.event
            if isinstance(event, kinds.ThreadTeamBegin) and forks is not None:
                base = forks.pop(0)
            if isinstance(event, kinds.Enter):
                parent = stack[-1].path if stack else base
                stack.append(Instance(self._path(parent, event.region), record.time, record.index))
                location.instances.append(stack[-1])
            record.instance = stack[-1] if stack else None
            if record.is_own("ATTRIBUTE"):
                number, value = record.own_fields("attribute", "value")
                if number == CALLS_ATTRIBUTE:
                    record.instance.calls = value
            if isinstance(event, kinds.Leave):
                left = stack.pop()
                left.leave, left.leave_index = record.time, record.index
        if stack:
            raise ValueError(f"rank {location.rank} thread {location.thread} ends inside {stack[-1].name}")

    # ---- teams of threads

    def _find_teams(self):
        """Teams by the master's records; the k-th begin of a team on a worker belongs to the master's k-th."""
        for master in self.masters:
            fork, own, seen = None, None, collections.Counter()
            for record in master.records:
                if record.is_a("ThreadFork"):
                    fork = record
                elif record.is_a("ThreadTeamBegin"):
                    reference = record.event.thread_team._ref
                    own = Team(fork, None)
                    own.key = (reference, seen[reference])
                    seen[reference] += 1
                    self.teams.append(own)
                elif record.is_a("ThreadJoin"):
                    own.join = record

    def _teams_of(self, location):
        seen, found = collections.Counter(), []
        by_key = {team.key: team for team in self.teams}
        for record in location.records:
            if record.is_a("ThreadTeamBegin"):
                reference = record.event.thread_team._ref
                found.append((by_key[reference, seen[reference]], record))
                seen[reference] += 1
        return found

    def _forks_of(self, location):
        return [team.fork.path for team, _ in self._teams_of(location)]

    def _join_teams(self):
        for location in self.locations:
            for team, begin in self._teams_of(location):
                region = next(i for i in location.instances if i.index > begin.index)
                region.fork, region.join = team.fork.time, team.join.time
                team.members.append((location, region))

    # ---- time

    def _cut(self, location):
        stack, last, last_poll = [], None, LastPoll(self.ticks_per_second, self.counts_sleeps)
        parallel = {region.index: region for region in location.instances if region.fork is not None}
        instances = {region.index: region for region in location.instances}
        for record in location.records:
            gap_of = last_poll.gap_before(record, last)
            if record.is_a("ThreadFork"):
                location.pieces.append((record.index, stack[-1].path, record.time - last))
                last = record.time
            elif record.is_a("Enter"):
                entered = instances[record.index]
                if record.index in parallel:
                    location.pieces.append((record.index, entered.path, entered.enter - entered.fork))
                elif stack:
                    if gap_of and gap_of.slept:
                        location.blocked[stack[-1].path] -= gap_of.sleep
                        location.pieces.append((record.index - 0.5, stack[-1].path, gap_of.slept.enter - last))
                        last = gap_of.slept.enter
                    path = gap_of.path if gap_of else stack[-1].path
                    location.pieces.append((record.index, path, record.time - last))
                stack.append(entered)
                last = record.time
            elif record.is_own("ATTRIBUTE"):
                number, value = record.own_fields("attribute", "value")
                if number == BLOCKED_ATTRIBUTE:
                    location.blocked[stack[-1].path] += max(0, min(value, record.time - last))
            elif record.is_a("ThreadReleaseLock", "ThreadCreate", "ThreadEnd") and not is_wait_for_threads(stack[-1]):
                location.pieces.append((record.index, stack[-1].path, record.time - last))
                last = record.time
            elif record.is_a("Leave"):
                left = stack.pop()
                location.pieces.append((record.index, left.path, record.time - last))
                last = record.time
                if left.index in parallel:
                    location.pieces.append((record.index + 1, left.path, left.join - left.leave))
                    last = left.join
