"""simulate_devices.py -- predicts the run time of processes with accelerators, from docs/SIMULATION.md alone, slowly.

Takes processes of random_devices.py, whose queues execute in order. Each moment has a formula that names other moments.
"""
import math

from device_waits import calls_of, match, work_of
from random_devices import MICROSECOND

RATE = 10 ** 9  # ticks in a second


class DeviceMachine:
    """kernels: {name: factor}; copies: bytes per second, math.inf: they take no time, None: as recorded."""
    def __init__(self, kernels=(), copies=None, overlaps=False, cpu=1.0):
        self.kernels, self.copies, self.overlaps, self.cpu = dict(kernels), copies, overlaps, cpu

    def options(self):
        words = [word for name, factor in self.kernels.items() for word in ("--scale-region", f"{name}={factor!r}")]
        if self.copies is not None:
            words += ["--copy-bandwidth", "ideal" if math.isinf(self.copies) else f"{self.copies!r}B/s"]
        words += ["--overlap-copies"] if self.overlaps else []
        return words + (["--cpu", repr(self.cpu)] if self.cpu != 1 else [])

    def duration(self, work):
        if work.bytes is None:
            return (work.end - work.begin) * self.kernels.get(work.name, 1)
        return work.end - work.begin if self.copies is None else work.bytes / self.copies * RATE

    def stream(self, work):
        """Work of a stream is in order; it needs the streams up to its own."""
        if not self.overlaps or work.bytes is None:
            return 1
        return 0 if "HtoD" in work.name else 2


class Effect:
    """What comes after the moment before it, and after its causes; those that are past made it wait in the recorded run.
    A moment is a function that gives its new time."""
    def __init__(self, recorded, before, causes, past=()):
        self.recorded, self.before, self.causes = recorded, before, causes
        self.cause = max([time for time, _ in causes] + list(past), default=None)
        latest = max([time for time in (self.cause, before and before[0]) if time is not None], default=recorded)
        self.rest = max(0, recorded - latest)

    def time(self):
        if self.before is None and not self.causes:
            return self.recorded
        early = max(0, (self.cause or 0) - self.recorded)
        return max([moment() - early for _, moment in self.causes] +
                   ([self.before[1]()] if self.before else [])) + self.rest


class ProcessSimulation:
    def __init__(self, process, machine):
        self.process, self.machine, self.known = process, machine, {}
        self.calls = [calls_of(thread, process.events[thread]) for thread in range(process.threads)]
        queues = range(process.threads, len(process.events))
        self.work = [each for queue in queues for each in work_of(queue, process.events[queue])]
        match([call for calls in self.calls for call in calls], self.work, queues)
        self.begins = {each: self.begin_of(each) for each in self.work}
        self.steps = [self.steps_of(thread) for thread in range(process.threads)]

    def once(self, key, compute):
        if key not in self.known:
            self.known[key] = compute()
        return self.known[key]

    def end(self, work):
        return self.once(work, lambda: self.begins[work].time() + self.machine.duration(work))

    def enter(self, call):
        return self.once(call, lambda: self.time_of(call.thread, call.enter, call))

    def before(self, work, stream):
        """What ended last of a stream before it."""
        earlier = [each for each in self.work if each.queue == work.queue and each.end <= work.begin and
                   each is not work and self.machine.stream(each) == stream]
        return max(earlier, key=lambda each: each.end, default=None)

    def needs(self, work):
        streams = range(3) if work.call is None else range(self.machine.stream(work) + 1)
        return [each for each in (self.before(work, stream) for stream in streams) if each]

    def launched(self, work):
        """It, and all that it needs."""
        own = [work.call.enter] if work.call else []
        return self.once(("launched", work), lambda: max(own + [self.launched(each) for each in self.needs(work)],
                                                         default=-math.inf))

    def begin_of(self, work):
        own = self.before(work, self.machine.stream(work))
        causes = [(each.end, lambda each=each: self.end(each)) for each in self.needs(work) if each is not own]
        if work.call:
            causes.append((work.call.enter, lambda: self.enter(work.call)))
        past = [each.end for each in (self.before(work, stream) for stream in range(3)) if each]
        return Effect(work.begin, own and (own.end, lambda: self.end(own)), causes, past)

    def steps_of(self, thread):
        """(recorded time, call, its Effect if it waits): what a thread does one after another."""
        steps, awaited = [], set()
        for call in self.calls[thread]:
            steps.append((call.enter, call, None))
            latest = call.leave + min(20 * MICROSECOND, int(0.05 * (call.leave - call.enter)))
            ended = [each for each in self.work if each.end <= latest and self.launched(each) <= call.enter]
            past = []
            if call.kind == "sync":
                waits = [each for each in ended if call.queue in (None, each.queue) and each not in awaited]
                awaited |= set(waits)
            else:
                waits = [each for each in ended if each.call is call and each.bytes is not None]
                if not waits:
                    continue
                if self.machine.overlaps and "HtoD" in waits[0].name:
                    past, waits = [min(waits[0].end, call.leave)], []
            causes = [(each.end, lambda each=each: self.end(each)) for each in waits]
            steps.append((call.leave, call, Effect(call.leave, (call.enter, lambda call=call: self.enter(call)), causes,
                                                   past)))
        return steps

    def time_of(self, thread, recorded, call):
        """Of the enter of a call, or of a later moment if there is none."""
        steps = self.steps[thread]
        number = next((i for i, step in enumerate(steps) if step[1] is call and step[2] is None), len(steps))
        if number == 0:
            begin = self.process.events[thread][0][0]
            return begin + (recorded - begin) / self.machine.cpu
        time, before, effect = steps[number - 1]
        after = self.once((before, "left"), effect.time) if effect else self.enter(before)
        return after + (recorded - time) / self.machine.cpu

    def last(self):
        return max(self.time_of(thread, self.process.events[thread][-1][0], None) for thread in range(self.process.threads))


def predicted(run, machine):
    """Seconds from the first event of a thread to the last one."""
    first = min(process.events[thread][0][0] for process in run for thread in range(process.threads))
    return (max(ProcessSimulation(process, machine).last() for process in run) - first) / RATE
