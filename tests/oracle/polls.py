"""polls.py -- calls that ask in vain whether something is complete, and the time between them (METRICS.md, "Polled")."""
TESTS = ("MPI_Test", "MPI_Testany", "MPI_Testall", "MPI_Testsome")
PROBES = ("MPI_Iprobe", "MPI_Improbe")
POLLS = PROBES + TESTS + ("MPI_Request_get_status",)
INQUIRIES = ("MPI_Get_count", "MPI_Get_count_c", "MPI_Get_elements", "MPI_Get_elements_c", "MPI_Get_elements_x", "MPI_Test_cancelled",
             "MPI_Type_size", "MPI_Comm_rank", "MPI_Comm_size")
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
        (record.is_a("Leave") and record.instance.name.startswith("MPI_") and record.instance.name not in INQUIRIES and
         not is_vain(record))


class Poll:
    """Time of polls: a call, or a sleep behind one. `index`: what of the location's pieces is before it."""
    def __init__(self, enter, until, index):
        self.enter, self.leave, self.until, self.index = enter, until, until, index


def parts_of(calls):
    """The calls with the time behind each that belongs to it, and the sleeps."""
    for call in calls:
        yield Poll(call.enter, call.polled_until, call.leave_index)
        if call.slept:
            yield call.slept


def is_followed(poll, enter, ticks_per_second):
    """Whether a call that is entered then comes right behind the poll."""
    gap, unit = enter - poll.leave, ticks_per_second * poll.calls
    if poll.sleep > 0:
        return poll.wakes == enter and not poll.is_blocked and poll.sleep >= gap - poll.sleep
    is_close = gap <= SHORT_GAP * unit or (gap <= poll.total and gap <= LONGEST_GAP * unit)
    return is_close and not poll.is_blocked


class LastPoll:
    """Follows the records of a thread."""
    def __init__(self, ticks_per_second, counts_sleeps):
        self.ticks_per_second, self.counts_sleeps, self.poll = ticks_per_second, counts_sleeps, None

    def gap_before(self, record, last):
        """The poll that the time before a record belongs to, since `last` when the record before was; or None. Where the
        thread slept, that is only the end of this time."""
        poll = self.poll
        if record.is_own("ATTRIBUTE") and record.own_fields("attribute")[0] == BLOCKED_ATTRIBUTE and poll:
            poll.is_blocked |= not self.counts_sleeps or last != poll.leave or poll.sleep > 0
            poll.sleep, poll.wakes = max(0, min(record.own_fields("value")[0], record.time - last)), record.time
        if ends_run(record):
            self.poll = None
        elif record.is_a("Leave") and record.instance.name in POLLS:
            self.poll = record.instance
            self.poll.polled_until, self.poll.is_blocked = record.time, False
            self.poll.sleep, self.poll.wakes, self.poll.slept = 0, None, None
        if poll and record.is_a("Enter") and record.instance.name in POLLS and last == poll.leave and \
                is_followed(poll, record.time, self.ticks_per_second):
            if poll.sleep > 0:
                poll.slept = Poll(record.time - poll.sleep, record.time, record.index - 0.25)
            else:
                poll.polled_until = record.time
            return poll
        return None
