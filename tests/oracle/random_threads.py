"""random_threads.py -- OpenMP parallel regions of the random runs of random_trace.py."""
import random_signals
from random_multiple import Caller

LINES = {"parallel": 10, "for": 12, "single": 14, "barrier": 16, "implicit barrier": 18, "critical": 20, "master": 22,
         "ordered": 24, "flush": 26, "critical sblock": 20}


def construct(kind, line=None):
    return f"!$omp {kind} @app.c:{line or LINES[kind]}"


def tasks_inside(run, process, thread):
    """What a thread does in a barrier that is not over."""
    for _ in range(run.random.randint(1, 3)):
        run.pass_time(process, run.random.choice([0, run.short()]), thread)
        run.work(process, thread)


def barrier(run, process, team, kind):
    """Nobody leaves before all have come and all tasks are over. At times several come last at the same moment."""
    if run.random.random() < 0.15:
        last = max(process.clock[t] for t in team)
        for t in run.random.sample(team, 2) if len(team) > 1 else []:
            process.clock[t] = last
    for t in team:
        run.enter(process, construct(kind), t)
    if run.random.random() < 0.3:
        for t in run.random.sample(team, run.random.randint(1, len(team))):
            tasks_inside(run, process, t)
    over = max(process.clock[t] for t in team)
    for t in team:
        process.clock[t] = over + run.short()
        run.leave(process, t)
        run.pass_time(process, run.random.choice([0, run.short()]), t)


def inside_lock(run, process, thread, lock):
    """What a thread does while others may wait for it: work, messages, or waiting for the next lock."""
    kind = run.random.random()
    if kind < 0.3 and (thread == 0 or run.is_multiple):
        communicate(run, process, thread)
    elif lock < 3 and kind > 0.8:
        run.pass_time(process, run.short(), thread)
        guarded(run, process, thread, False, lock + 1)
    if kind > 0.1:
        run.work(process, thread)


def guarded(run, process, thread, is_critical, lock):
    """A critical construct, or code between omp_set_lock and omp_unset_lock."""
    run.enter(process, construct("critical") if is_critical else "omp_set_lock", thread)
    run.pass_time(process, run.short(), thread)
    process.clock[thread] = max(process.clock[thread], process.lock_free_at.get(lock, 0) + 1)
    order = process.lock_order[lock] = process.lock_order.get(lock, 0) + 1
    run.record(process, "acquire_lock", lock, order, thread=thread)
    run.pass_time(process, run.short(), thread)
    if is_critical:
        run.enter(process, construct("critical sblock"), thread)
    else:
        run.leave(process, thread)
    run.pass_time(process, run.short(), thread)
    inside_lock(run, process, thread, lock)
    run.leave(process, thread) if is_critical else run.enter(process, "omp_unset_lock", thread)
    run.pass_time(process, run.short(), thread)
    run.record(process, "release_lock", lock, order, thread=thread)
    process.lock_free_at[lock] = process.clock[thread]
    run.pass_time(process, run.short(), thread)
    run.leave(process, thread)


def loop(run, process, team):
    for t in team:
        run.enter(process, construct("for"), t)
        if run.random.random() < 0.8:
            run.work(process, t)
        run.pass_time(process, run.short(), t)
    barrier(run, process, team, "implicit barrier")
    for t in team:
        run.leave(process, t)


def single(run, process, team):
    chosen = run.random.choice(team)
    for t in team:
        run.enter(process, construct("single"), t)
        if t == chosen:
            run.work(process, t)
        run.pass_time(process, run.short(), t)
    barrier(run, process, team, "implicit barrier")
    for t in team:
        run.leave(process, t)


def lone_construct(run, process, team):
    thread, kind = run.random.choice(team), run.random.choice(["ordered", "flush"])
    run.enter(process, construct(kind), thread)
    run.pass_time(process, run.duration(), thread)
    run.leave(process, thread)


def caller_of(process, thread):
    return Caller(process, thread) if thread else process


def communicate(run, process, thread):
    """Messages in the middle of a parallel region, by a thread that may."""
    caller = caller_of(process, thread)
    calls = [run.lone_send, run.lone_receive, run.start_send, run.complete]
    if run.is_multiple:
        calls += [run.start_receive]
    if thread == 0:
        run.enter(process, construct("master"))
    run.random.choice(calls)(caller)
    run.pass_time(caller, run.short())
    if thread == 0:
        run.leave(process)


def phase(run, process, team):
    kind = 5 if run.is_multiple and run.random.random() < 0.4 else run.random.randrange(9)
    if kind == 0:
        barrier(run, process, team, "barrier")
    elif kind == 1:
        is_critical = run.random.random() < 0.5
        lock = 1 if is_critical else run.random.choice([2, 3])
        for _ in range(run.random.randint(1, 3)):
            for t in run.random.sample(team, run.random.randint(1, len(team))):
                guarded(run, process, t, is_critical, lock)
                run.pass_time(process, run.short(), t)
    elif kind == 2:
        loop(run, process, team)
    elif kind == 3:
        single(run, process, team)
    elif kind == 4:
        lone_construct(run, process, team)
    elif kind in (5, 6):
        for thread in run.random.sample(team, run.random.randint(1, len(team))) if run.is_multiple else [0]:
            communicate(run, process, thread)
        if run.is_multiple and len(team) > 1 and run.random.random() < 0.5:
            run.message_pair(*(caller_of(process, thread) for thread in run.random.sample(team, 2)))
    else:
        for t in team:
            if run.random.random() < 0.7:
                run.work(process, t)


def parallel_region(run, process):
    """Fork, some phases, the implicit barrier at the end, join."""
    size = run.random.randint(1, process.threads) if run.varies_teams else process.threads
    team = list(range(size))
    name = construct("parallel", run.random.choice([10, 10, 30]))
    run.record(process, "fork", size)
    fork = process.clock[0]
    for t in team:
        process.clock[t] = fork + run.short()
        run.record(process, "team_begin", size, thread=t)
        run.pass_time(process, run.short() + (run.duration() // 16 if t else 0), t)
        run.enter(process, name, t)
        run.pass_time(process, run.short(), t)
    for _ in range(run.random.randint(1, 4)):
        phase(run, process, team)
        random_signals.step(run, process, team)
    barrier(run, process, team, "implicit barrier")
    for t in team:
        run.pass_time(process, run.short(), t)
        run.leave(process, t)
        run.pass_time(process, run.short(), t)
        run.record(process, "team_end", size, thread=t)
    process.clock[0] = max(process.clock[t] for t in team) + run.short()
    run.record(process, "join")
    run.pass_time(process, run.random.choice([0, run.short()]))
