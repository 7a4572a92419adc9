"""sync_points.py -- where processes met, and who waited there for whom."""


class SyncPoint:
    def __init__(self, instance, wait, total, completion, partners, paradigm="MPI"):
        self.instance, self.path = instance, instance.path
        self.wait, self.total, self.completion = wait, total, completion
        self.partners, self.paradigm = set(partners), paradigm
        self.kind = self.team = None


class Release:
    """The moment at which a thread lets a lock go: an operation without duration."""
    total = 0.0

    def __init__(self, record):
        self.path, self.enter, self.leave = record.path, record.time, record.time


class Arrival(Release):
    """The moment at which the last thread comes to a barrier."""
    def __init__(self, record):
        self.path, self.enter, self.leave = record.path, record.instance.enter, record.instance.enter


class Polls:
    """Where a wait in several calls ends: the call in which its message is sent, the call path of the wait, and what is
    waited in that call."""
    def __init__(self, path, call, total):
        self.path, self.enter, self.leave, self.total = path, call.enter, call.leave, total


class WaitInstance:
    """Somebody waited for somebody: kind, [(location, index, waiting time)], (location, index) of the cause."""
    def __init__(self, kind, waiters, cause, members=()):
        self.kind, self.waiters, self.cause, self.members = kind, waiters, cause, list(members)


def ready_at(operation):
    """When its thread has nothing more to do but to wait."""
    worked_until = getattr(operation, "worked_until", None)
    return operation.enter if worked_until is None else worked_until
