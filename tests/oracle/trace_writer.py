"""trace_writer.py -- writes the runs of random_trace.py as OTF2."""
import otf2
from otf2.enums import (CartPeriodicity, CollectiveOp, CollectiveRoot, GroupType, LockType, ParameterType, Paradigm,
                        RegionRole, RmaAtomicType, RmaSyncLevel, Type)

import inter_comms  # for Definitions.define_two_groups

MPI_ROLES = {
    "BARRIER": ("Barrier",), "COLL_ONE2ALL": ("Bcast", "Scatter", "Scatterv"),
    "COLL_ALL2ONE": ("Gather", "Gatherv", "Reduce"),
    "COLL_ALL2ALL": ("Allgather", "Allgatherv", "Alltoall", "Alltoallv", "Alltoallw", "Allreduce", "Reduce_scatter",
                     "Reduce_scatter_block"),
    "COLL_OTHER": ("Scan", "Exscan"),
    "FUNCTION": ("Comm_rank", "Comm_dup", "Comm_split", "Comm_create", "Intercomm_merge", "Cart_create", "File_open",
                 "Wtime", "Finalize")}
OMP_ROLES = {"parallel": "PARALLEL", "for": "LOOP", "single": "SINGLE", "barrier": "BARRIER",
             "implicit barrier": "IMPLICIT_BARRIER", "critical": "CRITICAL", "critical sblock": "CRITICAL_SBLOCK",
             "master": "MASTER", "ordered": "ORDERED", "flush": "FLUSH"}


def role_of(name, init_role):
    if name.startswith("!$omp "):
        return OMP_ROLES[name[6:].split(" @")[0]]
    if name.startswith("MPI_Init"):
        return init_role
    if name.startswith("MPI_Win_") or name in ("MPI_Put", "MPI_Rput", "MPI_Get", "MPI_Accumulate", "MPI_Fetch_and_op"):
        return "RMA"
    if name.startswith(("MPI_Neighbor_", "MPI_Ineighbor_")):
        return "COLL_OTHER"
    if name.startswith("MPI_I") and name[5:].capitalize() in sum(map(list, MPI_ROLES.values()), []):
        name = "MPI_" + name[5:].capitalize()
    if name.startswith("MPI_"):
        return next((role for role, names in MPI_ROLES.items() if name[4:] in names), "POINT2POINT")
    return "FUNCTION"


def define_region(definitions, name, init_role):
    is_openmp = name.startswith(("!$omp", "omp_"))
    source = "MPI" if name.startswith("MPI_") else "OMP" if name.startswith("omp_") else "app.c"
    paradigm = Paradigm.MPI if source == "MPI" else Paradigm.OPENMP if is_openmp else \
        Paradigm.PTHREAD if name.startswith(("pthread_", "sem_")) else Paradigm.COMPILER
    return definitions.region(name, source_file=source, region_role=getattr(RegionRole, role_of(name, init_role)),
                              paradigm=paradigm)


class Definitions:
    """What the events refer to."""
    def __init__(self, run, trace):
        known = trace.definitions
        node = known.system_tree_node("node", class_name="node")
        self.locations = {}
        for process in run.processes:
            group = known.location_group(f"MPI Rank {process.rank}", system_tree_parent=node)
            for thread in range(process.threads):
                self.locations[process.rank, thread] = known.location(f"thread {thread}", group=group)
        masters = [self.locations[process.rank, 0] for process in run.processes]
        known.group("MPI", group_type=GroupType.COMM_LOCATIONS, paradigm=Paradigm.MPI, members=masters)
        self.communicators = []
        for number, members in enumerate(run.communicators):
            group = known.group(f"members {number}", group_type=GroupType.COMM_GROUP, paradigm=Paradigm.MPI,
                                members=[masters[rank] for rank in members])
            self.communicators.append(known.comm("MPI_COMM_WORLD" if number == 0 else f"comm {number}", group=group))
        for number, groups in enumerate(run.groups):
            self.define_two_groups(known, masters, number, groups)
        for topology in run.topologies:
            self.define_topology(known, run, topology)
        self.partners = known.parameter("tarry::MPI_COLLECTIVE_PARTNERS", parameter_type=ParameterType.UINT64)
        self.attribute_record = known.parameter("tarry::ATTRIBUTE", parameter_type=ParameterType.UINT64)
        self.attribute, self.value = (known.attribute("tarry::" + name, "", Type.UINT64) for name in ("attribute", "value"))
        self.first, self.mask = (known.attribute("tarry::" + name, "", Type.UINT64) for name in ("first", "mask"))
        self.windows = [known.rma_win(f"window {number}", comm=self.communicators[communicator])
                        for number, communicator in enumerate(run.windows)]
        self.groups = {}
        for ranks in sorted({event[3] for process in run.processes for event in process.events[0]
                             if event[1] == "rma_group_sync"}):
            self.groups[ranks] = known.group(f"ranks {ranks}", group_type=GroupType.COMM_GROUP, paradigm=Paradigm.MPI,
                                             members=[masters[rank] for rank in ranks])
        self.teams = {}
        if run.uses_threads:
            known.group("OpenMP", group_type=GroupType.COMM_LOCATIONS, paradigm=Paradigm.OPENMP,
                        members=list(self.locations.values()))
        for process in run.processes if run.uses_threads else []:
            for size in range(1, process.threads + 1):
                members = [self.locations[process.rank, thread] for thread in range(size)]
                group = known.group(f"team {process.rank} {size}", group_type=GroupType.COMM_GROUP,
                                    paradigm=Paradigm.OPENMP, members=members)
                self.teams[process.rank, size] = known.comm(f"team {process.rank} {size}", group=group)
        self.define_contingents(known, run)
        names = {event[2] for process in run.processes for events in process.events for event in events
                 if event[1] == "enter"}
        self.regions = {name: define_region(known, name, run.init_role) for name in sorted(names)}


    def define_contingents(self, known, run):
        """Of threads that are created one by one."""
        self.contingents = {}
        if any(event[1] == "thread_create" for process in run.processes for event in process.events[0]):
            known.group("POSIX threads", group_type=GroupType.COMM_LOCATIONS, paradigm=Paradigm.PTHREAD,
                        members=list(self.locations.values()))
            for process in run.processes:
                members = [self.locations[process.rank, thread] for thread in range(process.threads)]
                group = known.group(f"threads {process.rank}", group_type=GroupType.COMM_GROUP,
                                    paradigm=Paradigm.PTHREAD, members=members)
                self.contingents[process.rank] = known.comm(f"threads {process.rank}", group=group)

    def define_two_groups(self, known, masters, number, groups):
        sides = [known.group(f"group {number}.{side}", group_type=GroupType.COMM_GROUP, paradigm=Paradigm.MPI,
                             members=[masters[rank] for rank in ranks]) for side, ranks in enumerate(groups)]
        self.communicators.append(known.inter_comm(f"inter {number}", groupA=sides[0], groupB=sides[1],
                                                   parent=self.communicators[0]))

    def define_topology(self, known, run, topology):
        comm = self.communicators[topology.communicator]
        if topology.dims is None:
            for rank, sources in enumerate(topology.sources):
                process = run.communicators[topology.communicator][rank]
                numbers = [rank, len(sources), *sources, *topology.destinations(rank)]
                known.location_group_property(self.locations[process, 0].group, f"tarry::neighborhood {comm._ref}",
                                              Type.STRING, " ".join(map(str, numbers)))
            return
        dims = tuple(known.cart_dimension(f"dim {d} of {length}", length,
                                          CartPeriodicity.TRUE if is_round else CartPeriodicity.FALSE)
                     for d, (length, is_round) in enumerate(topology.dims))
        grid = known.cart_topology(f"grid {topology.communicator}", comm, dims)
        for rank, place in enumerate(topology.places):
            known.cart_coordinate(grid, rank, place)


def write_window_event(writer, known, time, kind, *fields):
    if kind == "rma_collective_begin":
        writer.rma_collective_begin(time)
    elif kind == "rma_collective_end":
        operation, window = fields
        writer.rma_collective_end(time, getattr(CollectiveOp, operation), RmaSyncLevel.PROCESS, known.windows[window],
                                  CollectiveRoot.NONE, 0, 0)
    elif kind == "rma_group_sync":
        writer.rma_group_sync(time, RmaSyncLevel.PROCESS, known.windows[fields[0]], known.groups[fields[1]])
    elif kind == "rma_request_lock":
        window, remote, is_shared = fields
        kind = LockType.SHARED if is_shared else LockType.EXCLUSIVE
        writer.rma_request_lock(time, known.windows[window], remote, 0, kind)
    elif kind == "rma_release_lock":
        writer.rma_release_lock(time, known.windows[fields[0]], fields[1], 0)
    elif kind == "rma_atomic":
        window, remote, sent, received = fields
        writer.rma_atomic(time, known.windows[window], remote, RmaAtomicType.ACCUMULATE, sent, received, 0)
    else:
        window, remote, size = fields
        getattr(writer, kind)(time, known.windows[window], remote, size, 0)


def root_field(root):
    return root if isinstance(root, int) else getattr(CollectiveRoot, root or "NONE")


def write_event(writer, known, rank, event):
    time, kind, *fields = event
    if kind in ("enter", "leave"):
        getattr(writer, kind)(time, known.regions[fields[0]])
    elif kind in ("send", "recv", "isend", "irecv"):
        peer, communicator, *rest = fields
        getattr(writer, "mpi_" + kind)(time, peer, known.communicators[communicator], *rest)
    elif kind in ("isend_complete", "irecv_request", "request_test", "collective_begin"):
        getattr(writer, "mpi_" + kind)(time, *fields)
    elif kind == "collective_end":
        operation, communicator, root, sent, received = fields
        writer.mpi_collective_end(time, getattr(CollectiveOp, operation), known.communicators[communicator],
                                  root_field(root), sent, received)
    elif kind == "partners":
        writer.parameter_unsigned_int(time, known.partners, 0, attributes={known.first: fields[0], known.mask: fields[1]})
    elif kind == "attribute":
        writer.parameter_unsigned_int(time, known.attribute_record, 0,
                                      attributes={known.attribute: fields[0], known.value: fields[1]})
    elif kind.startswith("rma_"):
        write_window_event(writer, known, time, kind, *fields)
    elif kind == "collective_request":
        writer.non_blocking_collective_request(time, *fields)
    elif kind == "collective_complete":
        operation, communicator, root, sent, received, request = fields
        writer.non_blocking_collective_complete(
            time, getattr(CollectiveOp, operation), known.communicators[communicator],
            root_field(root), sent, received, request)
    elif kind in ("fork", "join"):
        getattr(writer, "thread_" + kind)(time, Paradigm.OPENMP, *fields)
    elif kind in ("thread_create", "thread_begin", "thread_end", "thread_wait"):
        getattr(writer, kind)(time, known.contingents[rank], *fields)
    elif kind in ("team_begin", "team_end"):
        getattr(writer, "thread_" + kind)(time, known.teams[rank, fields[0]])
    else:
        getattr(writer, "thread_" + kind)(time, Paradigm.OPENMP, *fields)


def write_trace(run, folder):
    """Writes folder/traces.otf2 and what belongs to it."""
    with otf2.writer.open(folder, timer_resolution=run.ticks_per_second) as trace:
        known = Definitions(run, trace)
        for process in run.processes:
            for thread in range(process.threads):
                writer = trace.event_writer_from_location(known.locations[process.rank, thread])
                for time, *event in process.events[thread]:
                    write_event(writer, known, process.rank, (time + process.clock_error, *event))
