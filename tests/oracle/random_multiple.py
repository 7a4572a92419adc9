"""random_multiple.py -- MPI_THREAD_MULTIPLE for random_trace.py: threads of a process that call MPI at the same time.

Receives are posted, messages sent and collectives started one after the other in each process, at moments that all
differ, for a trace tells their order by time alone (RandomRun.delayed_receives is an exception). What follows in the
calls overlaps. Two threads are never in collectives of one communicator at once: MPI forbids it.
"""


class Shifted:
    """A list that begins at a later element."""
    def __init__(self, whole, first):
        self.whole, self.first = whole, first

    def __getitem__(self, i):
        return self.whole[self.first + i]

    def __setitem__(self, i, value):
        self.whole[self.first + i] = value


class Caller:
    """A thread that stands for its process: its own clock, records and regions, the messages and requests of all."""
    def __init__(self, process, thread):
        self.__dict__.update(process=process, thread=thread, **{
            name: Shifted(getattr(process, name), thread) for name in ("clock", "events", "open_regions")})

    def __getattr__(self, name):
        return getattr(self.process, name)

    def __setattr__(self, name, value):
        setattr(self.process, name, value)


def create(run):
    """Threads that are there from MPI_Init to MPI_Finalize; where there is OpenMP, its threads call MPI instead."""
    for process in run.processes if not run.uses_threads else []:
        process.add_threads(run.random.choice([0, 1, 1, 2]))
        process.created = set()
        process.callers += [Caller(process, thread) for thread in range(1, process.threads)]


def begin_threads(run):
    for process in run.processes:
        tells_creation = run.random.random() < 0.6
        for caller in process.callers[1:]:
            if tells_creation:
                create_thread(run, process, caller)
            else:
                caller.clock[0] = process.clock[0] + run.duration()
            run.enter(caller, "worker")


def create_thread(run, process, caller):
    """The thread begins before or after the one that creates it goes on."""
    process.created.add(caller.thread)
    run.enter(process, "pthread_create")
    run.pass_time(process, run.short())
    run.record(process, "thread_create", caller.thread)
    caller.clock[0] = process.clock[0] + run.duration() // 4
    run.record(caller, "thread_begin", caller.thread)
    run.pass_time(caller, run.random.choice([0, run.short()]))
    run.pass_time(process, run.short())
    run.leave(process)


def end_threads(run):
    """Before the end of the run, which comes after all of them."""
    for process in run.processes:
        joined = [caller for caller in process.callers[1:] if caller.thread in process.created and run.joins.random() < 0.8]
        for caller in process.callers[1:]:
            if caller in joined:
                run.pass_time(caller, run.quantum * run.joins.choice([0, 200]))
                run.record(caller, "thread_end", caller.thread)
            while caller.open_regions[0]:
                run.pass_time(caller, run.random.choice([0, run.short()]))
                run.leave(caller)
        for caller in joined:
            join_thread(run, process, caller)
        for caller in process.callers[1:]:
            process.clock[0] = max(process.clock[0], caller.clock[0] + run.short())


def join_thread(run, process, caller):
    run.enter(process, "pthread_join")
    process.clock[0] = max(process.clock[0], caller.clock[0]) + run.quantum * run.joins.choice([1, 30])
    run.record(process, "thread_wait", caller.thread)
    run.pass_time(process, run.quantum * run.joins.choice([0, 1]))
    run.leave(process)
    run.pass_time(process, run.quantum * run.joins.choice([0, 100]))


def take_turn(process, region):
    """Before a call of MPI: it comes after all that other threads have started."""
    if region.startswith("MPI_"):
        process.clock[0] = process.last_start = max(process.clock[0], process.last_start + 1)


def started(process, kind, time):
    if kind in ("send", "isend", "irecv_request", "collective_begin", "collective_request"):
        process.last_start = max(process.last_start, time)


def await_communicator(process, communicator):
    process.clock[0] = max(process.clock[0], process.busy_until.get(communicator, 0))


def leave_communicator(process, communicator):
    process.busy_until[communicator] = process.clock[0]
