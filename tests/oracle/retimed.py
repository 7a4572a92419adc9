"""retimed.py -- the times of all records of a trace on a changed machine, from docs/SIMULATION.md ("The predicted run,
analysed") and a simulation of its calls. For processes of one thread.
"""
import math

# What ends the wait of a call; other records of a call come before.
ENDS = """MpiRecv MpiIrecv MpiIsendComplete MpiRequestCancelled MpiCollectiveEnd NonBlockingCollectiveComplete
CommCreate RmaCollectiveEnd RmaGroupSync RmaAcquireLock RmaReleaseLock RmaSync RmaWaitChange RmaOpCompleteBlocking
RmaOpCompleteNonBlocking RmaOpCompleteRemote""".split()


class LocationTimes:
    """Those of one location; `simulation` has the times of its calls."""
    def __init__(self, simulation, location):
        self.simulation, self.location = simulation, location
        self.calls = {call.instance.index: call for call in simulation.rows[location]}

    def times(self):
        """Ticks since the origin, one for each record; not rounded."""
        found, call, last, worked_until, stack = [], None, self.simulation.start[self.location], None, []
        for record in self.location.records:
            if call is None and worked_until is not None:
                last += (record.time - worked_until) * self._factor(stack[-1] if stack else None, record.index)
            if call is None and record.index in self.calls:
                call = self.calls[record.index]
                last = call.new_enter
            elif call is not None:
                last = self._inside(call, record)
                if record.index == call.instance.leave_index:
                    call = None
            worked_until = record.time
            if record.is_a("Enter"):
                stack.append(record.path)
            elif record.is_a("Leave"):
                stack.pop()
            found.append(max([last] + found[-1:]))
        return found

    def _inside(self, call, record):
        if record.index == call.instance.leave_index:
            return call.new_leave
        is_end = record.is_a(*ENDS)
        if self.simulation.machine.network:
            return call.new_leave if is_end else call.new_enter
        span = call.new_leave - call.new_enter
        if is_end:
            return call.new_leave - min(call.instance.leave - record.time, span)
        return call.new_enter + min(record.time - call.instance.enter, span)

    def _factor(self, path, index):
        """Of work that the record ends."""
        simulation, location = self.simulation, self.location
        if path is None:
            return simulation.base[location] * (simulation.balance[location] if simulation.machine.balanced == "" else 1)
        return simulation.factor(location, path) * simulation.left_of(location, path, lambda b, e: b < index <= e)


def retimed(simulation):
    """{(rank, thread): time of each record in whole ticks}"""
    return {(location.rank, location.thread):
            [simulation.origin + math.floor(time + 0.5) for time in LocationTimes(simulation, location).times()]
            for location in simulation.trace.locations}
