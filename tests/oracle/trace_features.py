"""trace_features.py -- what the random traces hold that no metric of its own tells of."""
import collections

FEATURES = ("messages between two groups", "collectives between two groups", "waits between two groups",
            "messages within a process", "messages of other threads", "receives of delayed threads", "collectives of other threads",
            "requests completed by another thread", "MPI waits of other threads", "MPI waits for other threads",
            "MPI waits of workers in teams", "barriers with tasks", "waits of threads in several calls")
OF_THREADS = ("ompbarrier", "threadlock", "threadsignal")


def features_of(trace, states):
    """{feature: how often}"""
    seen = collections.Counter({"receives of delayed threads": states.delayed_receives})
    for receive, send in states.send_of.items():
        seen["messages between two groups"] += is_between_groups(trace, send)
        seen["messages within a process"] += send.location.rank == receive.location.rank and \
            send.location is not receive.location
        seen["messages of other threads"] += send.location.thread > 0 or receive.location.thread > 0
    for location in trace.locations:
        seen["barriers with tasks"] += sum(i.worked_until is not None for i in location.instances)
        for record in location.records:
            is_collective = record.is_a("MpiCollectiveEnd", "NonBlockingCollectiveComplete")
            seen["collectives between two groups"] += is_collective and is_between_groups(trace, record)
            seen["collectives of other threads"] += is_collective and location.thread > 0
            seen["requests completed by another thread"] += record.request.location is not location
            seen["waits of threads in several calls"] += bool(getattr(record, "failed", None))
    for instance in states.instances:
        for location, index, wait in instance.waiters if instance.kind not in OF_THREADS else []:
            if wait > 0:
                see_wait(trace, location, index, instance, seen)
    return seen


def see_wait(trace, location, index, instance, seen):
    seen["MPI waits of other threads"] += location.thread > 0
    seen["MPI waits for other threads"] += instance.cause[0].thread > 0
    seen["MPI waits of workers in teams"] += location.thread > 0 and bool(trace.teams)
    record = location.records[int(index)]
    if record.is_a("MpiRecv", "MpiIrecv", "MpiSend", "MpiCollectiveEnd", "NonBlockingCollectiveComplete"):
        seen["waits between two groups"] += is_between_groups(trace, record)


def is_between_groups(trace, record):
    return record.event.communicator._ref in trace.groups
