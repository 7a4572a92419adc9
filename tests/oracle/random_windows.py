"""random_windows.py -- one-sided communication for the runs of random_trace.py: fences, post and start, locks."""


def create(run):
    """Makes a window of some communicator, with everybody in it taking part."""
    number = len(run.windows)
    run.windows.append(run.random.randrange(len(run.communicators)))
    together(run, number, "MPI_Win_create", "CREATE_HANDLE")


def members(run, window):
    return [run.processes[rank] for rank in run.communicators[run.windows[window]]]


def together(run, window, name, operation, is_synchronising=True):
    """A collective operation on a window."""
    begins = []
    for process in members(run, window):
        run.enter(process, name)
        run.pass_time(process, run.random.choice([0, run.short()]))
        run.record(process, "rma_collective_begin")
        begins.append(process.clock[0])
    is_synchronising = is_synchronising or run.has_bad_clocks  # else who was last could not be told
    for process in members(run, window):
        run.wait_until(process, max(begins) if is_synchronising else 0)
        run.record(process, "rma_collective_end", operation, window)
        run.pass_time(process, run.random.choice([0, run.short()]))
        run.leave(process)


def access(run, window, process, target, not_before=0):
    """A put, get or atomic operation."""
    kind, name = run.random.choice([("put", "MPI_Put"), ("put", "MPI_Rput"), ("get", "MPI_Get"),
                                    ("atomic", "MPI_Accumulate"), ("atomic", "MPI_Fetch_and_op")])
    run.enter(process, name)
    run.pass_time(process, run.random.choice([0, run.short()]))
    size = run.random.choice([0, 8, 512])
    sizes = (size, run.random.choice([0, 8])) if kind == "atomic" else (size,)
    run.record(process, "rma_" + kind, window, run.local(run.windows[window], target.rank), *sizes)
    run.wait_until(process, not_before)
    run.leave(process)


def some(run, candidates, least=1):
    return run.random.sample(candidates, run.random.randint(least, len(candidates)))


def fence(run, window):
    for process in members(run, window):
        for _ in range(run.random.choice([0, 0, 1, 2])):
            access(run, window, process, run.random.choice(members(run, window)))
        run.pass_time(process, run.duration())
    together(run, window, "MPI_Win_fence", "BARRIER", run.random.random() < 0.8)


def group_call(run, window, process, name, group):
    enter = run.enter(process, name)
    run.record(process, "rma_group_sync", window, tuple(group))
    return enter


def post_and_start(run, window):
    """Some processes expose their memory, some access it; they may be both."""
    targets, groups = some(run, members(run, window)), {}
    for origin in some(run, members(run, window)):
        groups[origin.rank] = some(run, targets)
    origins_of = {t.rank: [rank for rank, chosen in groups.items() if t in chosen] for t in targets}
    posted, completed = {}, {}
    for target in targets:
        if origins_of[target.rank]:
            run.pass_time(target, run.duration())
            posted[target.rank] = group_call(run, window, target, "MPI_Win_post", origins_of[target.rank])
            run.pass_time(target, run.short())
            run.leave(target)
    for rank, group in groups.items():
        completed[rank] = one_epoch(run, window, run.processes[rank], group, posted)
    for target in targets:
        if origins_of[target.rank]:
            waits = run.random.random() < 0.8
            ends = [completed[rank] for rank in origins_of[target.rank]]
            if not waits:
                run.wait_until(target, max(ends))
            group_call(run, window, target, "MPI_Win_wait" if waits else "MPI_Win_test", origins_of[target.rank])
            run.wait_until(target, max(ends))
            run.leave(target)


def one_epoch(run, window, origin, group, posted):
    """From start to complete; the origin waits for the posts where it likes. Returns the Enter of the complete."""
    where = run.random.choice(["start", "access", "complete"])
    last = max(posted[target.rank] for target in group)
    ranks = [target.rank for target in group]
    group_call(run, window, origin, "MPI_Win_start", ranks)
    run.wait_until(origin, last if where == "start" else 0)
    run.leave(origin)
    for target in some(run, group, 0):
        if run.random.random() < 0.3:
            run.work(origin)
        access(run, window, origin, target, posted[target.rank] if where == "access" else 0)
    run.pass_time(origin, run.random.choice([0, run.duration()]))
    enter = group_call(run, window, origin, "MPI_Win_complete", ranks)
    run.wait_until(origin, last)
    run.leave(origin)
    return enter


def locks(run, window):
    """Some processes lock a part of the window one after another; the target may be away from MPI."""
    target = run.random.choice(members(run, window))
    users = [(origin, run.random.random() < 0.5) for origin in some(run, members(run, window)) if origin is not target]
    run.pass_time(target, run.duration())
    is_back = target.clock[0]
    run.enter(target, run.random.choice(["MPI_Wtime", "MPI_Iprobe"]))
    run.pass_time(target, run.duration())
    run.leave(target)
    released = {True: 0, False: 0}  # by whether the lock was shared
    for origin, is_shared in users:
        free = released[False] if is_shared else max(released.values())
        if run.random.random() < 0.6:
            free = max(free, is_back + 1)
        released[is_shared] = max(released[is_shared], lock_epoch(run, window, origin, target, is_shared, free))


def lock_epoch(run, window, origin, target, is_shared, free):
    where = run.random.choice(["lock", "access", "unlock"])
    remote = run.local(run.windows[window], target.rank)
    run.enter(origin, "MPI_Win_lock")
    run.record(origin, "rma_request_lock", window, remote, is_shared)
    run.wait_until(origin, free if where == "lock" else 0)
    run.leave(origin)
    for _ in range(run.random.choice([0, 1, 2]) or where == "access"):
        access(run, window, origin, target, free if where == "access" else 0)
    run.pass_time(origin, run.random.choice([0, run.duration()]))
    run.enter(origin, "MPI_Win_unlock")
    run.wait_until(origin, free)
    run.record(origin, "rma_release_lock", window, remote)
    at = origin.clock[0]
    run.pass_time(origin, run.random.choice([0, run.short()]))
    run.leave(origin)
    return at


def step(run):
    """Something on a window that is there."""
    if run.windows:
        # Where clocks are wrong, nobody can tell who had a lock first.
        operation = run.random.choice([fence, post_and_start] + [locks] * (not run.has_bad_clocks))
        operation(run, run.random.randrange(len(run.windows)))


def free(run):
    """All windows are freed."""
    for window in range(len(run.windows)):
        together(run, window, "MPI_Win_free", "DESTROY_HANDLE")
