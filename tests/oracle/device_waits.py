"""device_waits.py -- times and waits of accelerators, computed from the definitions in docs/METRICS.md, slowly.

Takes a process of random_devices.py; returns {metric: {(call path, location): ticks, bytes or visits}}.
"""
import collections

from random_devices import CALLS, MICROSECOND


class Call:
    def __init__(self, thread, path, enter):
        self.thread, self.path, self.enter, self.leave = thread, path, enter, None
        self.kind, self.queue, self.number = CALLS[path.split("/")[-1]], None, None


class Work:
    def __init__(self, queue, name, begin, bytes_=None):
        self.queue, self.name, self.begin, self.end, self.bytes = queue, name, begin, None, bytes_
        self.number, self.call, self.needs = None, None, None

    @property
    def path(self):
        if self.bytes is None:
            return f"{self.call.path}/{self.name}" if self.call else self.name
        return self.call.path if self.call else "UNDEFINED REGION"


def calls_of(thread, events):
    """Those inside which there is no other one."""
    calls, path, open_ = [], [], []
    for time, kind, *fields in events:
        if kind == "enter":
            path.append(fields[0])
            if fields[0] in CALLS:
                if open_:
                    open_[-1].kind = None
                open_.append(Call(thread, "/".join(path), time))
                calls.append(open_[-1])
        elif kind == "leave":
            if path.pop() in CALLS:
                open_.pop().leave = time
        elif kind == "queue":
            open_[-1].queue = fields[0]
        elif kind == "work":
            open_[-1].number = fields[0]
    return [call for call in calls if call.kind]


def work_of(queue, events):
    kernels, copies, done = [], [], []
    for time, kind, *fields in events:
        if kind == "enter":
            kernels.append(Work(queue, fields[0], time))
        elif kind == "begin_copy":
            copies.append(Work(queue, fields[0], time, fields[1]))
        elif kind == "work":
            (kernels or copies)[-1].number = fields[0]
        elif kind == "needs":
            (kernels or copies)[-1].needs = fields[0]
        else:
            done.append((kernels if kind == "leave" else copies).pop(0))
            done[-1].end = time
    return sorted(done, key=lambda work: work.begin)


def match_in_order(calls, work):
    calls = sorted(calls, key=lambda call: call.enter)
    work = sorted(work, key=lambda each: each.begin)
    are_all = len(calls) == len(work) and all(call.enter <= each.begin + 20 * MICROSECOND
                                              for call, each in zip(calls, work))
    for each in work:
        if calls and (are_all or calls[0].enter <= each.begin):
            each.call = calls.pop(0)


def match_by_number(number, calls, work):
    """Calls of the kind of the work go first; those with the same number have equal parts, or one each."""
    for kind, other in (("launch", "copy"), ("copy", "launch")):
        own = sorted((each for each in work if each.number == number and (each.bytes is None) == (kind == "launch")),
                     key=lambda each: each.begin)
        same = [call for call in calls if call.number == number]
        givers = sorted([call for call in same if call.kind == kind] or [call for call in same if call.kind == other],
                        key=lambda call: call.enter)
        if givers and len(own) % len(givers) == 0:
            givers = [call for call in givers for _ in range(len(own) // len(givers))]
        for call, each in zip(givers, own):
            each.call = call


def match(calls, work, queues):
    for number in {each.number for each in work if each.number}:
        match_by_number(number, calls, work)
    for kind in ("launch", "copy"):
        of_kind = [call for call in calls if call.kind == kind]
        own = [each for each in work if (each.bytes is None) == (kind == "launch")]
        unnumbered = [call for call in of_kind if not call.number]
        for queue in queues:
            match_in_order([call for call in unnumbered if call.queue == queue],
                           [each for each in own if not each.call and each.queue == queue])
        match_in_order([call for call in unnumbered if call.queue is None], [each for each in own if not each.call])


def covered(begin, end, ranges):
    """How much of [begin, end) the ranges cover."""
    marks = sorted({begin, end} | {mark for pair in ranges for mark in pair if begin < mark < end})
    return sum(right - left for left, right in zip(marks, marks[1:])
               if any(first <= left and right <= last for first, last in ranges))


def late_kernel(call, until, work):
    """The wait of a call for what ends last in it, up to `until`."""
    ends = [each.end for each in work if call.enter < each.end <= until and call.queue in (None, each.queue) and
            (each.call is None or each.call.enter <= call.enter)]
    return max(0, min(max(ends, default=0), call.leave) - call.enter)


def order_wait(each, same_queue):
    """From when on it could have executed, until it does; None if that is not known, or it began at once."""
    if each.needs is None or not each.call:
        return None
    if each.needs and each.needs not in [other.number for other in same_queue]:
        return None
    ends = [other.end for other in same_queue if other.number and other.number <= each.needs]
    begin = max([each.call.enter] + ends)
    return (begin, each.begin) if begin < each.begin else None


def add_order_waits(same_queue, values):
    """Nothing overlaps in queues of random_devices.py."""
    executed = [(each.begin, each.end) for each in same_queue]
    waits = [(each, order_wait(each, same_queue)) for each in same_queue]
    waits = [(each, wait) for each, wait in waits if wait]
    for each, wait in waits:
        values["queue_order"][each.path, each.queue] += covered(*wait, executed)
    for each in same_queue:
        values["queue_holding"][each.path, each.queue] += covered(each.begin, each.end, [wait for _, wait in waits])


def device_values(process):
    calls = [call for thread in range(process.threads) for call in calls_of(thread, process.events[thread])]
    queues = range(process.threads, len(process.events))
    work = [each for queue in queues for each in work_of(queue, process.events[queue])]
    match(calls, work, queues)
    values = collections.defaultdict(lambda: collections.defaultdict(int))
    for call in calls:
        latest = call.leave + min(20 * MICROSECOND, int(0.05 * (call.leave - call.enter)))
        if call.kind == "sync":
            values["late_kernel"][call.path, call.thread] += late_kernel(call, latest, work)
        copies = [each for each in work if each.call is call and each.bytes is not None]
        if call.kind == "copy" and copies and max(each.end for each in copies) <= latest:
            begin = min(each.begin for each in copies)
            values["late_kernel_before_copy"][call.path, call.thread] += late_kernel(call, begin, work)
    kernels = [(each.begin, each.end) for each in work if each.bytes is None]
    for queue in queues:
        add_order_waits([each for each in work if each.queue == queue], values)
        busy = None
        for each in (each for each in work if each.queue == queue):
            def add(metric, value):
                values[metric][each.path, queue] += value
            add("visits", 1)
            if busy is not None and each.begin > busy:
                add("device_idle", each.begin - busy)
                if each.call:
                    add("late_launch", max(0, min(each.call.enter, each.begin) - busy))
            begin = each.begin if busy is None else max(busy, each.begin)
            end = max(begin, each.end)
            add("device_time", end - begin + (max(0, each.begin - busy) if busy is not None else 0))
            busy = end
            if each.bytes is None:
                add("device_kernels", end - begin)
                continue
            side = "in" if "HtoD" in each.name else "out"
            add("device_copies", end - begin)
            add("device_copies_" + side, end - begin)
            add("device_copies_exposed", end - begin - covered(begin, end, kernels))
            add("device_bytes", each.bytes)
            add("device_bytes_" + side, each.bytes)
    return values
