"""random_signals.py -- waits of POSIX threads for each other, in the parallel regions of random_threads.py."""
CONDITION, SEMAPHORE, BARRIER, MUTEX = 10, 11, 12, 13
NOTHING = 0  # for which a thread waited whose wait failed
UNSUCCESSFUL = 1  # the order in the release of what a thread waited for whose time was up


def ticks(run):
    return run.quantum * run.signals.randint(1, run.signals.choice([5, 300, 4000]))


def call(run, process, thread, region):
    run.pass_time(process, ticks(run), thread)
    run.enter(process, region, thread)


def end_call(run, process, thread):
    run.pass_time(process, run.signals.choice([0, ticks(run)]), thread)
    run.leave(process, thread)


def acquire(run, process, thread):
    """The mutex, when it is free."""
    process.clock[thread] = max(process.clock[thread], process.lock_free_at.get(MUTEX, 0) + 1)
    process.lock_order[MUTEX] = process.lock_order.get(MUTEX, 0) + 1
    run.record(process, "acquire_lock", MUTEX, process.lock_order[MUTEX], thread=thread)


def release(run, process, thread):
    run.record(process, "release_lock", MUTEX, process.lock_order[MUTEX], thread=thread)
    process.lock_free_at[MUTEX] = process.clock[thread]


def lock(run, process, thread):
    call(run, process, thread, "pthread_mutex_lock")
    run.pass_time(process, ticks(run), thread)
    acquire(run, process, thread)
    end_call(run, process, thread)


def unlock(run, process, thread):
    call(run, process, thread, "pthread_mutex_unlock")
    release(run, process, thread)
    end_call(run, process, thread)


def give(run, process, thread, region, thing):
    """A signal or a post; returns its time."""
    call(run, process, thread, region)
    order = process.lock_order[thing] = process.lock_order.get(thing, 0) + 1
    for kind in ("acquire_lock", "release_lock"):
        run.record(process, kind, thing, order, thread=thread)
    time = process.clock[thread]
    end_call(run, process, thread)
    return time


def has_waited(run, process, thread, thing, release_order=0):
    run.record(process, "acquire_lock", thing, 0, thread=thread)
    run.record(process, "release_lock", thing, release_order, thread=thread)


def waits_unsuccessfully(run, process, thread, region, thing):
    """Its time is up, perhaps several times. The thread works in between, or does not."""
    run.pass_time(process, ticks(run), thread)
    for _ in range(run.signals.choice([0, 0, 1, 3])):
        run.enter(process, region, thread)
        if thing == CONDITION:
            release(run, process, thread)
        wait = ticks(run)
        run.pass_time(process, wait, thread)
        if thing == CONDITION:
            process.clock[thread] = max(process.clock[thread], process.lock_free_at.get(MUTEX, 0) + 1)
        has_waited(run, process, thread, thing, UNSUCCESSFUL)
        if thing == CONDITION:
            acquire(run, process, thread)
        run.leave(process, thread)
        run.pass_time(process, run.signals.choice([0, wait // 20, wait]), thread)


def come_after(run, process, thread, time):
    process.clock[thread] = max(process.clock[thread], time) + run.signals.choice([1, ticks(run)])


def condition(run, process, giver, waiters):
    """Signals come in time, too early, or not at all; the giver holds the mutex or not."""
    for t in waiters:
        lock(run, process, t)
        region = run.signals.choice(["pthread_cond_wait", "pthread_cond_timedwait", "pthread_cond_clockwait"])
        waits_unsuccessfully(run, process, t, region, CONDITION)
        run.enter(process, region, t)
        release(run, process, t)
    times = []
    for _ in range(run.signals.randint(0, 3)):
        is_holder = run.signals.random() < 0.6
        if is_holder:
            lock(run, process, giver)
        times.append(give(run, process, giver, run.signals.choice(["pthread_cond_signal", "pthread_cond_broadcast"]),
                          CONDITION))
        if is_holder:
            unlock(run, process, giver)
    for t in waiters:
        come_after(run, process, t, run.signals.choice(times or [0]))
        process.clock[t] = max(process.clock[t], process.lock_free_at.get(MUTEX, 0) + 1)
        has_waited(run, process, t, CONDITION if times and run.signals.random() < 0.9 else NOTHING)
        acquire(run, process, t)
        end_call(run, process, t)
        unlock(run, process, t)


def semaphore(run, process, giver, waiters):
    for t in waiters:
        region = run.signals.choice(["sem_wait", "sem_timedwait", "sem_clockwait"])
        waits_unsuccessfully(run, process, t, region, SEMAPHORE)
        run.enter(process, region, t)
    for t in waiters:
        come_after(run, process, t, give(run, process, giver, "sem_post", SEMAPHORE))
        has_waited(run, process, t, SEMAPHORE)
        end_call(run, process, t)


def barrier(run, process, giver, waiters):
    """In a tenth of them two come last at the same moment."""
    team = [giver] + waiters
    for t in team:
        run.pass_time(process, ticks(run), t)
    if run.signals.random() < 0.1:
        process.clock[team[0]] = process.clock[team[1]] = max(process.clock[t] for t in team)
    last = max(run.enter(process, "pthread_barrier_wait", t) for t in team)
    for t in team:
        come_after(run, process, t, last)
        has_waited(run, process, t, BARRIER)
        end_call(run, process, t)


def step(run, process, team):
    if len(team) > 1 and run.signals.random() < 0.4:
        giver, *waiters = run.signals.sample(team, run.signals.randint(2, len(team)))
        run.signals.choice([condition, semaphore, barrier])(run, process, giver, waiters)
