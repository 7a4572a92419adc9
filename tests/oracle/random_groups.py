"""random_groups.py -- inter-communicators for random_trace.py: messages and collectives between two groups.

A rank in a message is one in the other group. In operations with a root, the other group names it by its rank in its
own group; of the root's group, the root passes MPI_ROOT and the others MPI_PROC_NULL, which traces may tell apart.
"""

ROOTED = {"MPI_Bcast": "BCAST", "MPI_Scatter": "SCATTER", "MPI_Scatterv": "SCATTERV", "MPI_Gather": "GATHER",
          "MPI_Gatherv": "GATHERV", "MPI_Reduce": "REDUCE"}
MUTUAL = {"MPI_Barrier": "BARRIER", "MPI_Allgather": "ALLGATHER", "MPI_Allgatherv": "ALLGATHERV",
          "MPI_Alltoall": "ALLTOALL", "MPI_Alltoallv": "ALLTOALLV", "MPI_Alltoallw": "ALLTOALLW",
          "MPI_Allreduce": "ALLREDUCE", "MPI_Reduce_scatter": "REDUCE_SCATTER",
          "MPI_Reduce_scatter_block": "REDUCE_SCATTER_BLOCK"}
CREATIONS = ["MPI_Comm_dup", "MPI_Comm_split", "MPI_Comm_create", "MPI_Intercomm_merge"]


def create(run):
    """Pairs of groups that have no process in common; they are numbered behind all other communicators."""
    rng = run.random
    for _ in range(rng.randint(1, 2)):
        ranks = rng.sample(range(run.size), rng.randint(2, run.size))
        first = rng.randint(1, len(ranks) - 1)
        run.groups.append((ranks[:first], ranks[first:]))


def groups_of(run, communicator):
    """The two groups of an inter-communicator; None if it is none."""
    number = communicator - len(run.communicators)
    return run.groups[number] if number >= 0 else None


def between(run, ranks):
    """The inter-communicators over which two processes send to each other."""
    if len(ranks) != 2:
        return []
    return [len(run.communicators) + number for number, (first, second) in enumerate(run.groups)
            if any(a in first and b in second for a, b in (ranks, ranks[::-1]))]


def own_group(groups, rank):
    return groups[0] if rank in groups[0] else groups[1]


def other_group(groups, rank):
    return groups[1] if rank in groups[0] else groups[0]


def step(run):
    """A collective operation of two groups."""
    rng = run.random
    number = rng.randrange(len(run.groups))
    groups, communicator = run.groups[number], len(run.communicators) + number
    members = run.callers(groups[0] + groups[1])
    kind = rng.random()
    if kind < 0.1:
        return creation(run, groups, communicator, members)
    name = rng.choice(list(ROOTED if kind < 0.5 else MUTUAL))
    operation = ROOTED.get(name) or MUTUAL[name]
    parts = rooted_parts(rng, operation, groups) if name in ROOTED else mutual_parts(rng, operation, groups)
    needed = lambda i: needs(operation, groups, parts, i)
    if rng.random() < 0.7:
        run.play_collective(name, operation, communicator, members, None, parts, needed)
    else:
        run.start_collective("MPI_I" + name[4:].lower(), operation, communicator, members, None, parts, needed)


def creation(run, groups, communicator, members):
    nothing = [0] * len(members)
    parts = {"sent": nothing, "received": nothing, "rooted": False, "masks": [None] * len(members)}
    everybody = run.random.random() < 0.7
    run.play_collective(run.random.choice(CREATIONS), "CREATE_HANDLE", communicator, members, None, parts,
                        lambda i: others(groups, i) if everybody else [])


def others(groups, i):
    """Positions of the other group, behind which the first stands."""
    first, size = len(groups[0]), len(groups[0]) + len(groups[1])
    return range(first, size) if i < first else range(first)


def needs(operation, groups, parts, i):
    """The members whose BEGIN must come before the END of member i."""
    if operation == "BARRIER":
        return others(groups, i)
    if parts["masks"][i] is not None:
        return [others(groups, i)[rank] for rank in sorted(parts["masks"][i])]
    return [j for j in others(groups, i) if parts["sent"][j]] if parts["received"][i] else []


def rooted_parts(rng, operation, groups):
    """Bytes from or to a root; the group that it is in takes no other part."""
    size = len(groups[0]) + len(groups[1])
    root = rng.randrange(size)
    leaves = list(others(groups, root))
    amounts = [rng.choice([0, 8, 40]) for _ in leaves]
    if not operation.endswith("V"):
        amounts = [rng.choice([0, 8, 8])] * len(leaves)
    one, many = [0] * size, [0] * size
    one[root] = sum(amounts)
    for leaf, amount in zip(leaves, amounts):
        many[leaf] = amount
    to_root = operation in ("GATHER", "GATHERV", "REDUCE")
    return {"sent": many if to_root else one, "received": one if to_root else many, "rooted": True,
            "masks": [None] * size, "roots": recorded_roots(rng, groups, root)}


def recorded_roots(rng, groups, root):
    tells_who = rng.random() < 0.5
    rank = root - (len(groups[0]) if root >= len(groups[0]) else 0)
    names = {True: "SELF", False: "THIS_GROUP"} if tells_who else {True: None, False: None}
    leaves = others(groups, root)
    return [rank if i in leaves else names[i == root] for i in range(len(groups[0]) + len(groups[1]))]


def mutual_parts(rng, operation, groups):
    """Bytes that each group sends to the other one."""
    size = len(groups[0]) + len(groups[1])
    nothing = [None] * size
    if operation == "BARRIER":
        return {"sent": [0] * size, "received": [0] * size, "rooted": False, "masks": nothing}
    is_vector = operation in ("ALLTOALLV", "ALLTOALLW")
    data = [[0] * size for _ in range(size)]  # [receiver][sender]
    of_sender = [rng.choice([0, 8, 40]) for _ in range(size)]
    of_group = [rng.choice([0, 8, 8, 8]), rng.choice([0, 8, 8, 8])]
    for i in range(size):
        for j in others(groups, i):
            data[i][j] = rng.choice([0, 0, 16, 24]) if is_vector else of_sender[j] if operation == "ALLGATHERV" else \
                of_group[j >= len(groups[0])]
    rows = [[data[i][j] for j in others(groups, i)] for i in range(size)]
    tells = is_vector and rng.random() < 0.7
    masks = [None if not tells or all(row) or not any(row) else {k for k, amount in enumerate(row) if amount}
             for row in rows]
    return {"sent": [sum(row[j] for row in data) for j in range(size)], "received": [sum(row) for row in data],
            "rooted": False, "masks": masks}
