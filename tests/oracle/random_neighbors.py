"""random_neighbors.py -- grids and graphs of processes, and neighbourhood collectives in them, for random_trace.py."""

NEIGHBORHOODS = {"allgather": "ALLGATHER", "allgatherv": "ALLGATHERV", "alltoall": "ALLTOALL", "alltoallv": "ALLTOALLV",
                 "alltoallw": "ALLTOALLW"}


class Topology:
    """Who receives from whom: sources[i] are ranks in the communicator, None where a grid ends."""
    def __init__(self, communicator, sources, dims=None, places=None):
        self.communicator, self.sources, self.dims, self.places = communicator, sources, dims, places

    def destinations(self, rank):
        return [i for i, sources in enumerate(self.sources) for source in sources if source == rank]


def random_grid(rng, communicator, size):
    rows = rng.choice([rows for rows in range(1, size + 1) if size % rows == 0])
    dims = [(length, rng.random() < 0.5) for length in ([rows, size // rows] if rng.random() < 0.7 else [size])]
    cells = [(row, column) for row in range(rows) for column in range(size // rows)] if len(dims) == 2 else \
        [(i,) for i in range(size)]
    if rng.random() < 0.3:
        rng.shuffle(cells)
    sources = []
    for cell in cells:
        sources.append([])
        for d, (length, is_round) in enumerate(dims):
            for step in (-1, 1):
                at = cell[d] + step
                there = cell[:d] + (at % length,) + cell[d + 1:]
                sources[-1].append(cells.index(there) if is_round or 0 <= at < length else None)
    return Topology(communicator, sources, dims, cells)


def random_graph(rng, communicator, size):
    return Topology(communicator, [[rng.randrange(size) for _ in range(rng.randint(0, 3))] for _ in range(size)])


def create(run):
    """Some communicators with a topology."""
    rng = run.random
    for _ in range(rng.randint(1, 2)):
        members = rng.sample(range(run.size), rng.randint(2, run.size))
        run.communicators.append(members)
        make = random_grid if rng.random() < 0.6 else random_graph
        run.topologies.append(make(rng, len(run.communicators) - 1, len(members)))


def mask_of(received):
    """From whom a process receives, as recorders tell it: None where it is from all or nobody."""
    return None if all(received) or not any(received) else {k for k, size in enumerate(received) if size}


def random_exchange(rng, operation, topology):
    """Bytes that each member receives from each of its sources."""
    uniform = rng.choice([0, 8, 8, 8])
    of_sender = [rng.choice([0, 8, 40]) for _ in topology.sources]
    size = {"ALLGATHER": lambda source: uniform, "ALLTOALL": lambda source: uniform,
            "ALLGATHERV": lambda source: of_sender[source]}.get(operation, lambda source: rng.choice([0, 8, 16]))
    return [[0 if source is None else size(source) for source in sources] for sources in topology.sources]


def step(run):
    rng = run.random
    topology = rng.choice(run.topologies)
    members = run.callers(run.communicators[topology.communicator])
    name = rng.choice(list(NEIGHBORHOODS) + ["alltoallv"] * 2)
    operation, is_blocking = NEIGHBORHOODS[name], rng.random() < 0.7
    data = random_exchange(rng, operation, topology)
    sent = [0] * len(members)
    for i, sources in enumerate(topology.sources):
        for k, source in enumerate(sources):
            if source is not None:
                sent[source] += data[i][k]
    masks = [mask_of(received) if operation in ("ALLTOALLV", "ALLTOALLW") else None for received in data]
    needed = [[source for k, source in enumerate(sources) if data[i][k]] for i, sources in enumerate(topology.sources)]
    parts = {"sent": sent, "received": [sum(received) for received in data], "rooted": False, "masks": masks}
    if is_blocking:
        run.play_collective("MPI_Neighbor_" + name, operation, topology.communicator, members, None, parts,
                            lambda i: needed[i])
    else:
        run.start_collective("MPI_Ineighbor_" + name, operation, topology.communicator, members, None, parts,
                             lambda i: needed[i])
