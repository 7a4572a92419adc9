"""polls.py -- calls that ask in vain whether something is complete, and the time between them (METRICS.md, "Polled")."""
TESTS = ("MPI_Test", "MPI_Testany", "MPI_Testall", "MPI_Testsome")
PROBES = ("MPI_Iprobe", "MPI_Improbe")
POLLS = PROBES + TESTS + ("MPI_Request_get_status",)
ENDS_POLLS = ("MpiIrecv", "MpiRecv", "MpiIrecvRequest", "NonBlockingCollectiveComplete")
ENDS_RUN = ("ThreadFork", "ThreadJoin", "ThreadAcquireLock", "ThreadReleaseLock", "ThreadCreate", "ThreadBegin")
COMPLETIONS = ("MpiIrecv", "MpiIsendComplete", "MpiRequestCancelled", "NonBlockingCollectiveComplete")
BLOCKED_ATTRIBUTE = 2
LONGEST_GAP, SHORT_GAP = 20e-6, 2e-6  # seconds for each call


def is_vain(record):
    """Whether a record is the end of a poll."""
    call = record.instance
    return call.name in POLLS and not any(
        other.instance is call and other.is_a(*COMPLETIONS)
        for other in record.location.records[call.index:call.leave_index])


def ends_run(record):
    """Whether polls before this record have nothing to do with those behind it; of ends of MPI calls, if no poll."""
    return record.is_a(*ENDS_POLLS, *ENDS_RUN) or (record.is_a("Enter") and record.instance.name.startswith("!$omp")) or \
        (record.is_a("Leave") and record.instance.name.startswith("MPI_") and not is_vain(record))


def is_followed(poll, enter, ticks_per_second):
    """Whether a call that is entered then comes right behind the poll."""
    gap, unit = enter - poll.leave, ticks_per_second * poll.calls
    is_close = gap <= SHORT_GAP * unit or (gap <= poll.total and gap <= LONGEST_GAP * unit)
    return is_close and not poll.is_blocked


class LastPoll:
    """Follows the records of a thread."""
    def __init__(self, ticks_per_second):
        self.ticks_per_second, self.poll = ticks_per_second, None

    def gap_before(self, record, last):
        """The poll that the time before a record belongs to, since `last` when the record before was; or None."""
        poll = self.poll
        if record.is_own("ATTRIBUTE") and record.own_fields("attribute")[0] == BLOCKED_ATTRIBUTE and poll:
            poll.is_blocked = True
        if ends_run(record):
            self.poll = None
        elif record.is_a("Leave") and record.instance.name in POLLS:
            self.poll = record.instance
            self.poll.polled_until, self.poll.is_blocked = record.time, False
        if poll and record.is_a("Enter") and record.instance.name in POLLS and last == poll.leave and \
                is_followed(poll, record.time, self.ticks_per_second):
            poll.polled_until = record.time
            return poll
        return None
