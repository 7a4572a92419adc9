"""wait_states.py -- counts, wait states and synchronisation points, from the formulas of METRICS.md, sections 3, 4, 6.

Where the two modes of the tool differ, this is the default mode.
"""
import collections
import itertools

from one_sided import OneSided
from polls import ENDS_POLLS, PROBES, TESTS, ends_run, is_followed, is_vain, parts_of
from sync_points import Arrival, Polls, Release, SyncPoint, WaitInstance, ready_at

SENDS, RECEIVES = ("MpiSend", "MpiIsend"), ("MpiRecv", "MpiIrecv")
MULTI = ("MPI_Waitall", "MPI_Waitsome")
MAY_FIND_LATE_RECEIVER = ("MPI_Send", "MPI_Ssend", "MPI_Wait", "MPI_Waitany") + MULTI
ONE_TO_N = ("BCAST", "SCATTER", "SCATTERV")
N_TO_N = ("ALLGATHER", "ALLGATHERV", "ALLTOALL", "ALLREDUCE", "REDUCE_SCATTER", "REDUCE_SCATTER_BLOCK")
N_TO_ONE = ("GATHER", "GATHERV", "REDUCE")
PREFIX = ("SCAN", "EXSCAN")
SIGNALS = ("pthread_cond_signal", "pthread_cond_broadcast", "sem_post")
CONDITION_WAITS = ("pthread_cond_wait", "pthread_cond_timedwait", "pthread_cond_clockwait")
SEMAPHORE_WAITS = ("sem_wait", "sem_timedwait", "sem_clockwait")
LONGEST_GAP, LARGEST_GAP = 20e-6, 0.1  # between unsuccessful waits: in seconds, and as a part of the first one
VECTORS = ("ALLTOALLV", "ALLTOALLW")
PAIRWISE = {PREFIX: ("scan", "mpi_earlyscan"), ("CREATE_HANDLE",): ("creation", "mpi_mgmt_comm_wait"),
            ("BARRIER",): ("barrier", "mpi_barrier_wait"), ONE_TO_N: ("12n", "mpi_latebroadcast"),
            N_TO_ONE: ("n21", "mpi_earlyreduce")}  # where each waits for one other
OPERATIONS = ("BARRIER",) + ONE_TO_N + N_TO_N + N_TO_ONE + PREFIX + VECTORS


class WaitStates:
    def __init__(self, trace):
        self.trace = trace
        self.values = collections.defaultdict(lambda: collections.defaultdict(float))
        self.waits = collections.defaultdict(list)  # single values of each metric, of wait states one for each wait
        self.sync = {location: {} for location in trace.locations}
        self.instances = []
        self.init, self.finalize = {}, {}
        self._links()
        self._visits()
        self._messages()
        self._late_senders()
        self._late_probes()
        self._late_polls()
        self._late_receivers()
        self._collectives()
        self._completing_calls()
        self._init_finalize()
        self._teams()
        self._signals()
        self._locks()
        OneSided(self).add_sync_points()

    def add(self, metric, path, location, value):
        if value:
            self.values[metric][path, location] += value
            self.waits[metric].append(value)

    def add_sync(self, location, index, point):
        """Of two at one record that which waited stands."""
        there = self.sync[location].get(index)
        if there is None or there.wait == 0 < point.wait:
            self.sync[location][index] = point
        return self.sync[location][index]

    def _visits(self):
        for location in self.trace.locations:
            for instance in location.instances:
                self.add("visits", instance.path, location, instance.calls)
                if instance.name.startswith("MPI_File_"):
                    for metric in ("mpi_file_ops", "mpi_file_cops"):
                        self.add(metric, instance.path, location, 1)

    # ---- messages

    def _links(self):
        """request and completion of every message record; they may be of two threads."""
        for process in self.trace.masters:
            records, started = self.trace.records_of(process.rank), {}
            for record in records:
                record.request = record.completion = record
                if record.is_a("MpiIsend", "MpiIrecvRequest", "NonBlockingCollectiveRequest"):
                    started[record.event.request_id] = record
            for record in records:
                if record.is_a("MpiIsendComplete", "MpiIrecv", "NonBlockingCollectiveComplete"):
                    record.request = started.pop(record.event.request_id)
                    record.request.completion = record
        for location in self.trace.locations:
            partners = None
            for record in location.records:
                if record.is_own("MPI_COLLECTIVE_PARTNERS"):
                    partners = (partners or set()) | partners_of(record)
                elif record.is_a("MpiCollectiveEnd", "NonBlockingCollectiveRequest"):
                    record.partners, partners = partners, None

    def _messages(self):
        """The k-th send of a channel goes to its k-th posted receive."""
        sends, receives = collections.defaultdict(list), collections.defaultdict(list)
        for location in self.trace.locations:
            for record in location.records:
                if not record.is_a(*SENDS, *RECEIVES):
                    continue
                members = self.trace.addressed(record.event.communicator._ref, location)
                channel = record.event.communicator._ref, record.event.msg_tag
                process = self.trace.process_of(location)
                if record.is_a(*SENDS):
                    sends[channel + (process, members[record.event.receiver])].append(record)
                else:
                    receives[channel + (members[record.event.sender], process)].append(record)
        self.send_of, self.delayed_receives = {}, 0
        for channel, sent in sends.items():
            sent.sort(key=in_time)
            received = sorted(receives[channel], key=lambda r: posted_at(r.request))
            if len(sent) != len(received):
                raise ValueError(f"{len(sent)} sends, {len(received)} receives on a channel")
            taken = in_possible_order(received, sent)
            self.delayed_receives += taken != received
            self.send_of.update(zip(taken, sent))
        self.receive_of = {s: r for r, s in self.send_of.items()}
        for receive, send in self.send_of.items():
            size = send.event.msg_length
            self.add("comms_send" if size else "syncs_send", send.path, send.location, 1)
            self.add("comms_recv" if size else "syncs_recv", receive.path, receive.location, 1)
            self.add("bytes_sent", send.path, send.location, size)
            self.add("bytes_rcvd", receive.path, receive.location, size)

    def _late_senders(self):
        """Messages are received, of whatever thread, in the order in which their calls are left."""
        self.has_late_sender = set()
        for process in self.trace.masters:
            received = [r for r in self.trace.records_of(process.rank) if r.is_a(*RECEIVES)]
            received.sort(key=lambda r: (r.instance.leave, r.location.thread, r.index))
            remembered = []
            for call, records in itertools.groupby(received, lambda r: r.instance):
                self._late_senders_of_call(call, list(records), remembered)

    def _late_senders_of_call(self, call, records, remembered):
        candidates = []
        for record in records:
            send = self.send_of[record]
            idle = min(send.instance.enter, call.leave) - call.enter
            if idle > 0 and call.name not in TESTS:
                if call.name in MULTI:
                    candidates.append((idle, send, record))
                else:
                    self._late_sender(idle, send, record, remembered)
            self._wrong_order(send, remembered)
        if candidates:
            longest = max(idle for idle, _, _ in candidates)
            self._late_sender(*next(c for c in candidates if c[0] == longest), remembered)

    def _late_probes(self):
        """A probe waits for the message of the next receive of its thread, a matched one for that of its own."""
        for location in self.trace.locations:
            probes, matched = [], []
            for record in location.records:
                if record.is_a("Leave") and record.instance.name in ("MPI_Probe", "MPI_Mprobe"):
                    (probes if record.instance.name == "MPI_Probe" else matched).append(record.instance)
                elif record.is_a("MpiRecv", "MpiIrecvRequest"):
                    is_matched = record.instance.name in ("MPI_Mrecv", "MPI_Imrecv")
                    claimed = matched[:1] if is_matched else probes
                    receive = record if record.is_a("MpiRecv") else record.completion
                    for probe in claimed if receive.is_a(*RECEIVES) else []:
                        self._late_probe(location, probe, receive)
                    del claimed[:]
                    matched = matched[1:] if is_matched else matched

    def _late_probe(self, location, probe, receive):
        send = self.send_of[receive]
        s, idle = send.instance, min(send.instance.enter, probe.leave) - probe.enter
        if idle <= 0:
            return
        self.add("mpi_latesender", probe.path, location, idle)
        self.add("mpi_cls_count" if send.event.msg_length else "mpi_sls_count", probe.path, location, 1)
        point = self.add_sync(location, probe.leave_index, SyncPoint(
            probe, idle, probe.total, max(0.0, probe.leave - s.leave), [send.location.rank]))
        point.kind = "latesender"
        self.add_sync(*start_of(send), SyncPoint(
            s, 0.0, s.total, max(0.0, s.leave - receive.instance.leave), [location.rank]))
        self.instances.append(WaitInstance("latesender", [(location, probe.leave_index, idle)],
                                           start_of(send)))

    def _late_polls(self):
        """Calls that find nothing wait, if others come right before or behind them."""
        self.polled = {}  # by completing call: polls that did not wait for a message, and their times
        for location in self.trace.locations:
            polls = []
            for record in location.records:
                if record.is_a(*ENDS_POLLS):
                    self._end_polls(location, polls, record.instance, record.is_a("MpiRecv", "MpiIrecvRequest"))
                if ends_run(record):
                    polls = []
                elif record.is_a("Leave") and is_vain(record):
                    call = record.instance
                    call.follows = bool(polls) and self._is_followed(polls[-1], call)
                    polls = self._settled(polls, call) + [call]

    def _is_followed(self, poll, call):
        return is_followed(poll, call.enter, self.trace.ticks_per_second)

    def _settled(self, polls, call):
        """Without the last one, if nothing came right before it or behind it."""
        return polls if polls and (polls[-1].follows or self._is_followed(polls[-1], call)) else polls[:-1]

    def _end_polls(self, location, polls, call, is_probe):
        polls = [poll for poll in self._settled(polls, call) if (poll.name in PROBES) == is_probe]
        polls = [poll for poll in polls if poll.path is polls[-1].path]
        if not polls or not (is_probe or call.name in TESTS + MULTI + ("MPI_Wait", "MPI_Waitany")):
            return
        is_test = call.name in TESTS
        waits = [(part.enter, part.until) for part in parts_of(polls)]
        if is_test and call.path is polls[-1].path:
            waits.append((call.enter, call.leave))
        found = []
        for receive, send in self.send_of.items():
            sent = send.instance.enter
            if (receive.request if is_probe else receive).instance is not call or (sent > call.enter and not is_test):
                continue
            idle = sum(max(0, min(end, sent) - begin) for begin, end in waits)
            found.append((idle, -receive.instance.leave, -receive.index, receive))
        idle, _, _, receive = max(found, key=lambda entry: entry[:3], default=(0, 0, 0, None))
        if idle > 0:
            self._late_poll(location, idle, polls, call, receive)
        if not is_probe:
            self.polled[call] = polls, waits, idle > 0

    def _late_poll(self, location, idle, polls, call, receive):
        send, path = self.send_of[receive], polls[-1].path
        s = send.instance
        for metric in ("mpi_latesender", "mpi_latesender_polled"):
            self.add(metric, path, location, idle)
        self.add("mpi_cls_count" if send.event.msg_length else "mpi_sls_count", path, location, 1)
        self._polled_point("latesender", location, idle, polls, call, s.enter, start_of(send))
        self.add_sync(*start_of(send), SyncPoint(
            s, 0.0, s.total, max(0.0, s.leave - receive.instance.leave), [location.rank]))

    def _polled_point(self, kind, location, idle, polls, call, ready, cause):
        """Where the polls end that wait until then: in one of them, or in the call behind them."""
        path = polls[-1].path
        later = [part for part in parts_of(polls) if part.until > ready]
        index = later[0].index if later else call.leave_index - 0.5  # behind all else of the call
        is_part = call.name in TESTS and call.path is path
        in_last = max(0, ready - later[0].enter) if later else min(ready, call.leave) - call.enter if is_part else 0
        point = self.add_sync(location, index, SyncPoint(
            Polls(path, later[0] if later else call, in_last), idle, in_last, 0.0, [cause[0].rank]))
        point.kind = kind
        self.instances.append(WaitInstance(kind, [(location, index, idle)], cause))

    def _late_sender(self, idle, send, receive, remembered):
        r, s = receive.instance, send.instance
        self.has_late_sender.add(r)
        self.add("mpi_latesender", r.path, receive.location, idle)
        self.add("mpi_cls_count" if send.event.msg_length else "mpi_sls_count", r.path, receive.location, 1)
        remembered.append((send, receive, idle))
        point = self.add_sync(receive.location, receive.index, SyncPoint(
            r, idle, r.total, max(0.0, r.leave - s.leave), [send.location.rank]))
        point.kind = "latesender"
        self.add_sync(*start_of(send), SyncPoint(
            s, 0.0, s.total, max(0.0, s.leave - r.leave), [receive.location.rank]))
        self.instances.append(WaitInstance("latesender", [(receive.location, receive.index, idle)],
                                           start_of(send)))

    def _wrong_order(self, send, remembered):
        for entry in list(remembered):
            delayed_send, delayed, idle = entry
            if delayed_send.time > send.time:
                remembered.remove(entry)
                is_same = delayed_send.location.rank == send.location.rank
                self.add("mpi_latesender_wo", delayed.path, delayed.location, idle)
                self.add("mpi_lswo_same" if is_same else "mpi_lswo_different", delayed.path, delayed.location, idle)
                count = "mpi_clswo_count" if delayed_send.event.msg_length else "mpi_slswo_count"
                self.add(count, delayed.path, delayed.location, 1)

    def _late_receivers(self):
        for process in self.trace.masters:
            found = collections.defaultdict(list)
            for send in sorted(self.trace.records_of(process.rank), key=in_time):
                if not send.is_a(*SENDS) or send.completion.instance.name not in MAY_FIND_LATE_RECEIVER:
                    continue
                if send.is_a("MpiIsend") and send.completion is send:
                    continue
                call, posted = send.completion.instance, self.receive_of[send].request.instance
                idle = 0.0 if call.leave <= posted.enter else posted.enter - call.enter
                if idle > 0:
                    found[call].append((idle, send))
            for call, waits in found.items():
                if call.name in MULTI:
                    longest = max(idle for idle, _ in waits)
                    waits = [] if call in self.has_late_sender else [[w for w in waits if w[0] == longest][-1]]
                for idle, send in waits:
                    self._late_receiver(idle, send)

    def _late_receiver(self, idle, send):
        request, completion, location = self.receive_of[send].request, send.completion, send.completion.location
        c, q = completion.instance, request.instance
        self.add("mpi_latereceiver", c.path, location, idle)
        self.add("mpi_clr_count" if send.event.msg_length else "mpi_slr_count", c.path, location, 1)
        point = self.add_sync(location, completion.index, SyncPoint(
            c, idle, c.total, max(0.0, c.leave - q.leave), [request.location.rank]))
        point.kind = "latereceiver"
        self.add_sync(request.location, request.index, SyncPoint(
            q, 0.0, q.total, max(0.0, q.leave - c.leave), [location.rank]))
        self.instances.append(WaitInstance("latereceiver", [(location, completion.index, idle)],
                                           (request.location, request.index)))

    # ---- collectives

    def _collectives(self):
        of_communicator = collections.defaultdict(lambda: collections.defaultdict(list))
        for location in self.trace.locations:
            begin = None
            for record in location.records:
                if record.is_a("MpiCollectiveBegin"):
                    begin = record
                elif record.is_a("MpiCollectiveEnd"):
                    record.begin = record.started = begin.time
                    of_communicator[key_of(record)][self.trace.process_of(location)].append((in_time(begin), record))
                    self._count_collective(record)
                elif record.is_a("NonBlockingCollectiveComplete"):
                    is_test = record.instance.name in TESTS
                    record.begin, record.started = record.time if is_test else record.instance.enter, record.request.time
                    of_communicator[key_of(record)][self.trace.process_of(location)].append(
                        (in_time(record.request), record))
                    self._count_collective(record)
        self.unsettled = collections.defaultdict(list)  # waits for non-blocking collectives, by completing call
        for (reference, _), parts in of_communicator.items():
            members = self.trace.members[reference]
            # Operations of a communicator match in the order in which they were started.
            ends = {member: [end for _, end in sorted(parts[member], key=lambda part: part[0])] for member in members}
            for instance in zip(*(ends[member] for member in members)):
                if len(members) > 1:
                    self._collective(instance)

    def _count_collective(self, end):
        sent, received = end.event.size_sent, end.event.size_received
        if operation_of(end) not in OPERATIONS:
            return
        name = {(False, False): "syncs_coll", (True, True): "comms_cxch", (True, False): "comms_csrc",
                (False, True): "comms_cdst"}[sent > 0, received > 0]
        self.add(name, end.path, end.location, 1)
        self.add("bytes_cout", end.path, end.location, sent)
        self.add("bytes_cin", end.path, end.location, received)

    def _collective(self, ends):
        operation = operation_of(ends[0])
        if operation in VECTORS + PREFIX + ("CREATE_HANDLE",) or is_neighborhood(ends[0]) or \
                ends[0].request is not ends[0] or ends[0].event.communicator._ref in self.trace.groups:
            self._pairwise(ends, operation)
            return
        begin, end = [e.begin for e in ends], [e.time for e in ends]
        sent, received = [e.event.size_sent for e in ends], [e.event.size_received for e in ends]
        everybody = range(len(ends))
        latest = lambda ranks: max(ranks, key=lambda i: (begin[i], -i))
        if operation == "BARRIER":
            self._frame(ends, "barrier", everybody, latest(everybody), "mpi_barrier_wait", "mpi_barrier_completion")
        elif operation in ONE_TO_N:
            root = ends[0].event.root
            waiting = [i for i in everybody if received[i] > 0 and begin[i] < begin[root]]
            if sent[root] > 0 and waiting:
                self._frame(ends, "12n", sorted(waiting + [root]), root, "mpi_latebroadcast", None,
                            earliest=min(end[i] for i in waiting))
        elif operation in N_TO_N:
            if all(sent[i] == 0 and received[i] == 0 for i in everybody):
                return
            if min(end) > max(begin):
                self._frame(ends, "n2n", everybody, latest(everybody), "mpi_wait_nxn", "mpi_nxn_completion")
                return
            senders = [i for i in everybody if sent[i] > 0]
            if senders:
                cause = latest(senders)
                ranks = [i for i in everybody if i == cause or (received[i] > 0 and begin[i] < begin[cause])]
                self._frame(ends, "n2n", ranks, cause, "mpi_wait_nxn", "mpi_nxn_completion")
        elif operation in N_TO_ONE:
            root = ends[0].event.root
            senders = [i for i in everybody if sent[i] > 0]
            if received[root] > 0 and senders and begin[root] < begin[latest(senders)]:
                self._frame(ends, "n21", sorted([root, latest(senders)]), latest(senders), "mpi_earlyreduce", None)

    def _pairwise(self, ends, operation):
        """Each member waits for the last of those it needs that started before its own end."""
        everybody, waits = range(len(ends)), collections.defaultdict(list)
        for i in everybody:
            if ends[0].event.communicator._ref in self.trace.groups:
                needed = needed_of_other_group(ends, i, len(self.trace.groups[ends[0].event.communicator._ref][0]))
            elif is_neighborhood(ends[0]):
                needed = self._sources(ends, i)
            else:
                needed = [j for j in everybody if needs(operation, ends, i, j)]
            if operation not in PREFIX:
                needed = [j for j in needed if ends[j].started < ends[i].time]
            if needed:
                last = max(needed, key=lambda j: (ends[j].started, -j))
                idle = min(ends[last].started, ends[i].time) - self._waits_from(ends[i])
                if idle > 0:
                    waits[last].append((i, idle))
        is_request = ends[0].request is not ends[0]
        for cause, waiters in waits.items():
            members = [ends[i].location.rank for i in everybody if i != cause]
            if is_request:
                self._request_waits(ends, cause, waiters)
            else:
                self._pairwise_waits(ends, operation, cause, waiters, waits, members)

    def _waits_from(self, end):
        """The Enter of the first poll, or what the member waits from in its call."""
        polls = self.polled.get(end.instance) if end.request is not end else None
        return min(end.begin, polls[0][0].enter) if polls else end.begin

    def _sources(self, ends, i):
        """The neighbours that send something to member i."""
        sources = self.trace.sources[ends[0].event.communicator._ref].get(i, [])
        told = ends[i].request.partners
        return [source for place, source in enumerate(sources)
                if source is not None and (told is None or place in told)
                and ends[i].event.size_received > 0 and ends[source].event.size_sent > 0]

    def _pairwise_waits(self, ends, operation, cause, waiters, waits, members):
        kind, metric = next((found for operations, found in PAIRWISE.items() if operation in operations),
                            ("n2n", "mpi_wait_nxn"))
        if is_neighborhood(ends[0]):
            kind, metric = "neighbor", "mpi_neighbor_wait"
        if ends[cause].instance.name.startswith("MPI_File_"):
            metric = "mpi_mgmt_file_wait"
        for i, idle in waiters:
            self.add(metric, ends[i].path, ends[i].location, idle)
        for i in [cause] + [i for i, _ in waiters]:
            own = [(c, idle) for c, those in waits.items() for j, idle in those if j == i]
            idle = own[0][1] if own else 0.0
            partners = [ends[c].location.rank for c, _ in own] + [ends[j].location.rank for j, _ in waits.get(i, [])]
            point = self.add_sync(ends[i].location, ends[i].index, SyncPoint(
                ends[i].instance, idle, ends[i].instance.total, ends[i].time - ends[i].begin - idle, partners))
            point.kind = kind
        self.instances.append(WaitInstance(kind, [(ends[i].location, ends[i].index, idle) for i, idle in waiters],
                                           (ends[cause].location, ends[cause].index), members))

    def _request_waits(self, ends, cause, waiters):
        start = ends[cause].request
        self.add_sync(start.location, start.index, SyncPoint(
            start.instance, 0.0, start.instance.total, start.instance.leave - start.time,
            [ends[i].location.rank for i, _ in waiters]))
        for i, idle in waiters:
            self.unsettled[ends[i].instance].append((idle, ends[i], start))

    def _completing_calls(self):
        """One wait in a call that completes many: a message's, or that of the longest collective."""
        message_calls = {location.records[int(index)].instance for instance in self.instances
                         if instance.kind in ("latesender", "latereceiver") for location, index, _ in instance.waiters
                         if not isinstance(self.sync[location][index].instance, Polls)}
        for call, waits in self.unsettled.items():
            if call in self.polled:
                waits = self._polled_collectives(call, waits)
            if call.name in MULTI and waits:
                longest = max(idle for idle, _, _ in waits)
                first = min((w for w in waits if w[0] == longest), key=lambda w: in_time(w[1].request))
                waits = [] if call in message_calls else [first]
            for idle, end, start in waits:
                self.add("mpi_icoll_wait", call.path, end.location, idle)
                point = self.add_sync(end.location, end.index, SyncPoint(
                    call, idle, call.total, end.time - end.begin - idle, [start.location.rank]))
                point.kind = "icoll"
                self.instances.append(WaitInstance("icoll", [(end.location, end.index, idle)],
                                                   (start.location, start.index)))

    def _polled_collectives(self, call, waits):
        """One wait in the polls before a call. Returns the waits of the call itself."""
        polls, times, has_message = self.polled[call]
        own, in_polls = [], []
        for idle, end, start in waits:
            ready = self._waits_from(end) + idle
            if call.name not in TESTS and ready > call.enter:
                own.append((ready - end.begin, end, start))
            elif not has_message:
                idle = sum(max(0, min(until, ready) - begin) for begin, until in times)
                in_polls.append((-idle, in_time(end.request), ready, end, start))
        idle, _, ready, end, start = min(in_polls, key=lambda wait: wait[:2], default=(0, None, 0, None, None))
        if idle < 0:
            for metric in ("mpi_icoll_wait", "mpi_icoll_wait_polled"):
                self.add(metric, polls[-1].path, end.location, -idle)
            self._polled_point("icoll", end.location, -idle, polls, call, ready, (start.location, start.index))
        return own

    def _frame(self, ends, kind, ranks, cause, wait_metric, completion_metric, earliest=None):
        """METRICS.md 4.1: waits and completion of the sync ranks, and their sync points."""
        if earliest is None:
            earliest = min(ends[i].time for i in ranks)
        world = [e.location.rank for e in ends]
        waiters = []
        for i in ranks:
            bound = min(ends[cause].begin, ends[i].time)
            idle = max(0.0, bound - ends[i].begin)
            completion = max(0.0, ends[i].time - max(earliest, bound))
            self.add(wait_metric, ends[i].path, ends[i].location, idle)
            if completion_metric:
                self.add(completion_metric, ends[i].path, ends[i].location, completion)
            if kind == "barrier":
                partners = world
            elif kind == "12n":
                partners = [world[j] for j in ranks if j != cause] if i == cause else [world[cause]]
            elif kind == "n2n":
                partners = [world[j] for j in ranks]
            else:
                partners = [world[j] for j in ranks if j != i]
            point = self.add_sync(ends[i].location, ends[i].index, SyncPoint(
                ends[i].instance, idle, ends[i].instance.total, completion, partners))
            point.kind = kind
            if i != cause:
                waiters.append((ends[i].location, ends[i].index, idle))
        members = [world[i] for i in range(len(ends)) if i != cause]
        self.instances.append(WaitInstance(kind, waiters, (ends[cause].location, ends[cause].index), members))

    def _init_finalize(self):
        everybody = [location.rank for location in self.trace.masters]
        for names, found in ((("MPI_Init", "MPI_Init_thread"), self.init), (("MPI_Finalize",), self.finalize)):
            calls = [next((i for i in location.instances if i.name in names), None) for location in self.trace.masters]
            if None in calls:
                continue
            latest, earliest = max(call.enter for call in calls), min(call.leave for call in calls)
            for location, call in zip(self.trace.masters, calls):
                bound = min(latest, call.leave)
                idle, completion = max(0.0, bound - call.enter), max(0.0, call.leave - max(earliest, bound))
                is_init = found is self.init
                if len(calls) > 1:
                    metric = "mpi_init_completion" if is_init else "mpi_finalize_wait"
                    self.add(metric, call.path, location, completion if is_init else idle)
                point = self.add_sync(location, call.leave_index, SyncPoint(
                    call, 0.0 if is_init else idle, call.total, completion, everybody))
                point.kind = "init" if is_init else "finalize"
                found[location] = call
            if found is self.finalize and len(calls) > 1:
                last = next(i for i, call in enumerate(calls) if call.enter == latest)
                points = [(location, call.leave_index) for location, call in zip(self.trace.masters, calls)]
                waiters = [point + (self.sync[point[0]][point[1]].wait,) for i, point in enumerate(points) if i != last]
                self.instances.append(WaitInstance("finalize", waiters, points[last],
                                                   [rank for i, rank in enumerate(everybody) if i != last]))

    # ---- threads

    def _teams(self):
        self.barriers = []
        for team in self.trace.teams:
            earliest = min(region.enter for _, region in team.members)
            barriers = collections.defaultdict(list)
            for location, region in team.members:
                fork, join = max(0.0, region.enter - region.fork), max(0.0, region.join - region.leave)
                self.add("omp_fork", region.path, location, fork)
                self.add("omp_management", region.path, location, fork + join)
                point = self.add_sync(location, region.index, SyncPoint(
                    region, 0.0, region.enter - region.fork, region.enter - earliest, [], "OpenMP"))
                point.kind, point.team = "fork", team
                inside = (i for i in location.instances
                          if region.index < i.index and i.leave_index < region.leave_index)
                for k, call in enumerate(i for i in inside if is_barrier(i)):
                    barriers[k].append((location, call))
            for calls in barriers.values():
                self._team_barrier(calls)

    def _team_barrier(self, calls):
        work = [self._work_inside(location, call) for location, call in calls]
        latest = max(ready_at(call) for _, call in calls)
        last = next(i for i, (_, call) in enumerate(calls) if ready_at(call) == latest)
        cause = calls[last][0], calls[last][1].leave_index
        waiters = []
        for i, (location, call) in enumerate(calls):
            wait = 0.0 if i == last else latest - call.enter - work[i]
            name = "omp_ibarrier_wait" if "implicit" in call.name else "omp_ebarrier_wait"
            self.add(name, call.path, location, wait)
            point = self.add_sync(location, call.leave_index,
                                  SyncPoint(call, wait, call.leave - ready_at(call), 0.0, [], "OpenMP"))
            point.kind, point.cause = "ompbarrier", cause
            if i != last:
                waiters.append((location, call.leave_index, wait))
        self.instances.append(WaitInstance("ompbarrier", waiters, cause))

    @staticmethod
    def _work_inside(location, call):
        """What a thread does in a barrier, in visits that are not inside of each other; then it is ready."""
        work = 0.0
        for inner in sorted(location.instances, key=lambda instance: instance.index):
            if call.index < inner.index and inner.leave_index < call.leave_index and inner.enter >= ready_at(call):
                work += inner.leave - inner.enter
                call.worked_until = inner.leave
        return work

    def _signals(self):
        """Waits of threads for signals of conditions, for semaphores and at barriers."""
        self.wait_for_mutex = {}  # since when, by instance of a wait for a condition
        for process in self.trace.masters:
            self._ends_of_threads(process)
            things = collections.defaultdict(list)
            for location in self.trace.threads_of(process.rank):
                records = [r for r in location.records if r.is_a("ThreadAcquireLock") and is_signal(r)]
                for record in self._without_unsuccessful(records):
                    things[record.event.lock_id].append(record)
            for records in things.values():
                self._barriers([r for r in records if r.instance.name == "pthread_barrier_wait"])
                self._conditions([r for r in records if r.instance.name != "pthread_barrier_wait"])

    def _without_unsuccessful(self, records):
        """What of a thread gave signals, or waited until one came; with the unsuccessful waits right before it."""
        failed = []
        for record in records:
            record.failed = []
            if record.instance.name not in CONDITION_WAITS + SEMAPHORE_WAITS:
                yield record
                continue
            failed = failed if failed and self._is_continued(failed[-1], record) else []
            if is_unsuccessful_wait(record):
                failed = failed + [record]
                self.wait_for_mutex[record.instance] = record.time
            else:
                record.failed, failed = failed, []
                yield record

    def _is_continued(self, failed, wait):
        is_same = failed.event.lock_id == wait.event.lock_id and failed.path is wait.path
        gap, unit = wait.instance.enter - failed.time, self.trace.ticks_per_second
        return is_same and gap <= max(LONGEST_GAP * unit, LARGEST_GAP * (failed.time - failed.instance.enter))

    def _ends_of_threads(self, process):
        """Who joins a thread waits until it ends."""
        ends = {r.event.sequence_count: r for location in self.trace.threads_of(process.rank)
                for r in location.records if r.is_a("ThreadEnd")}
        for location in self.trace.threads_of(process.rank):
            for wait in (r for r in location.records if r.is_a("ThreadWait")):
                end = ends[wait.event.sequence_count]
                idle = end.time - wait.instance.enter
                if idle > 0:
                    self.add("pthread_wait_for_end", wait.path, wait.location, idle)
                    self._hand_over(Release(end), end, wait, idle, "threadsignal", end.time)

    def _conditions(self, records):
        """A wait ends with the latest signal or post before its end."""
        given = [r for r in records if r.instance.name in SIGNALS]
        for wait in (r for r in records if r.instance.name not in SIGNALS):
            before = [r for r in given if r.time <= wait.time]
            signal = max(before, key=in_time) if before else None
            may_be_before = wait.failed and wait.instance.name in SEMAPHORE_WAITS
            begin = wait.failed[0].instance.enter if may_be_before else wait.instance.enter
            is_ended = signal is not None and signal.time > begin
            self.wait_for_mutex[wait.instance] = signal.time if is_ended else wait.time
            if is_ended:
                idle = sum(max(0, min(part.time, signal.time) - part.instance.enter) for part in wait.failed + [wait])
                self.add("pthread_wait_for_semaphore" if wait.instance.name in SEMAPHORE_WAITS else
                         "pthread_wait_for_signal", wait.path, wait.location, idle)
                self._hand_over(Release(signal), signal, wait, idle, "threadsignal", signal.time)

    def _barriers(self, records):
        """Those that come before the first one leaves wait for the last of them."""
        records.sort(key=lambda r: (r.instance.enter, r.location.thread))
        while records:
            together = [records[0]]
            while len(together) < len(records) and \
                    records[len(together)].instance.enter < min(r.time for r in together):
                together.append(records[len(together)])
            last = together[-1]
            for wait in together:
                idle = last.instance.enter - wait.instance.enter
                self.add("pthread_wait_at_barrier", wait.path, wait.location, idle)
                if idle > 0:
                    self._hand_over(Arrival(last), last, wait, idle, "threadsignal", last.instance.enter)
            records = records[len(together):]

    def _locks(self):
        for process in self.trace.masters:
            events = [record for location in self.trace.threads_of(process.rank) for record in location.records
                      if record.is_a("ThreadAcquireLock", "ThreadReleaseLock") and record.event.acquisition_order > 0
                      and not is_signal(record)]
            for acquire in (r for r in events if r.is_a("ThreadAcquireLock")):
                before = [r for r in events if r.is_a("ThreadReleaseLock") and r.event.lock_id == acquire.event.lock_id
                          and r.event.acquisition_order < acquire.event.acquisition_order]
                if before:
                    release = max(before, key=lambda r: r.event.acquisition_order)
                    begin = self.wait_for_mutex.get(acquire.instance, acquire.instance.enter)
                    idle = max(0.0, release.time - begin)
                    self.add(lock_metric(acquire.instance.name), acquire.path, acquire.location, idle)
                    if idle > 0:
                        self._hand_over(Release(release), release, acquire, idle, "threadlock", release.time)

    def _hand_over(self, let_go, release, acquire, idle, kind, until):
        """Who waited is there from the Enter to the acquisition; the other's interval ends where it let the lock go.
        `until`: when the wait ends."""
        there = (release.location, release.index + 0.5)
        threads = lambda record: [("thread", record.location.thread)]
        duration = acquire.time - acquire.instance.enter
        point = self.add_sync(acquire.location, acquire.index, SyncPoint(
            acquire.instance, idle, duration, min(duration, max(0.0, acquire.time - until)), threads(release), "Lock"))
        point.kind = kind
        point = self.add_sync(*there, SyncPoint(let_go, 0.0, 0.0, 0.0, threads(acquire), "Lock"))
        point.partners |= set(threads(acquire))
        point.kind = point.kind or kind
        self.instances.append(WaitInstance(kind, [(acquire.location, acquire.index, idle)], there))


def is_signal(record):
    """Whether a record of a lock is of a condition, a semaphore or a barrier: none is held."""
    name = record.instance.name
    return name in SIGNALS + SEMAPHORE_WAITS + ("pthread_barrier_wait",) or \
        (name in CONDITION_WAITS and record.event.acquisition_order == 0)


def is_unsuccessful_wait(record):
    """Whether its time was up: the release right behind it has an order."""
    behind = record.location.records[record.index + 1]
    return behind.is_a("ThreadReleaseLock") and behind.event.acquisition_order > 0


def lock_metric(name):
    if name.startswith("pthread_"):
        return "pthread_lock_contention_" + ("conditional" if name in CONDITION_WAITS else "mutex_lock")
    return "omp_lock_contention_critical" if name.startswith("!$omp critical") else "omp_lock_contention_api"


def in_time(record):
    """The order of records of a process: of one thread as they stand, of several by time."""
    return record.time, record.location.thread, record.index


def posted_at(request):
    """When a receive is posted: where a blocking call is entered, where the record of another one stands."""
    time = request.instance.enter if request.is_a("MpiRecv") else request.time
    return time, request.location.thread, request.index


def in_possible_order(received, sent):
    """Receives of a channel in the order of posting. Calls of several threads that overlap may have reached MPI in
    another order: taken if some receive ends before its message is sent, and no receive does so in that order."""
    if all(receive.instance.leave >= send.time for receive, send in zip(received, sent)):
        return received
    left, order = list(received), []
    for send in reversed(sent):
        possible = [receive for i, receive in enumerate(left) if receive.instance.leave >= send.time and
                    not any(must_be_first(receive, later) for later in left[i + 1:])]
        if not possible:
            return received
        order.insert(0, possible[-1])
        left.remove(possible[-1])
    return order


def must_be_first(receive, later):
    """Of two receives, in the order of posting: whether MPI got them in that order, too."""
    post, later_post = receive.request, later.request
    return post.location is later_post.location or post.instance.leave < later_post.instance.enter


def start_of(send):
    """Where a receive or probe waited for a send: right before the send itself may wait for its receive."""
    return send.location, send.index - 0.25


def operation_of(end):
    return str(end.event.collective_op).rpartition(".")[2]


def is_neighborhood(end):
    return end.request.instance.name.startswith(("MPI_Neighbor_", "MPI_Ineighbor_"))


def partners_of(record):
    """The partners that a record of ours names."""
    first, mask = record.own_fields("first", "mask")
    return {first + bit for bit in range(64) if mask >> bit & 1}


def key_of(end):
    """Creations are a series of their own on each communicator."""
    return end.event.communicator._ref, operation_of(end) == "CREATE_HANDLE"


def needs(operation, ends, i, j):
    """Whether member i can end only after j has started (METRICS.md, "Who needs whom")."""
    sends, receives = ends[j].event.size_sent > 0, ends[i].event.size_received > 0
    root = ends[0].event.root
    if operation in ("BARRIER", "CREATE_HANDLE"):
        return True
    if operation in PREFIX:
        return j <= i and sends and (receives or ends[i].event.size_sent > 0)
    if operation in ONE_TO_N:
        return j == root and sends and receives
    if operation in N_TO_ONE:
        return i == root and sends and receives
    if ends[i].request.partners is not None:
        return sends and j in ends[i].request.partners
    return sends and receives


def needed_of_other_group(ends, i, first):
    """The same between two groups, of which the first has so many members: positions in the other one."""
    operation, is_first = operation_of(ends[0]), i < first
    others = range(first, len(ends)) if is_first else range(first)
    sends, receives = [ends[j].event.size_sent > 0 for j in range(len(ends))], ends[i].event.size_received > 0
    if operation in ("BARRIER", "CREATE_HANDLE"):
        return list(others)
    # Who names a rank names one of the other group: the root. Those of its own group name nobody.
    if operation in ONE_TO_N:
        root = int(ends[i].event.root)
        return [others[root]] if root < len(others) and sends[others[root]] and receives else []
    if operation in N_TO_ONE:
        is_root = any(int(ends[j].event.root) == i - (0 if is_first else first) for j in others)
        return [j for j in others if sends[j]] if is_root and receives else []
    told = ends[i].request.partners
    return [j for rank, j in enumerate(others) if sends[j] and receives and (told is None or rank in told)]


def is_barrier(instance):
    return instance.name.startswith(("!$omp barrier", "!$omp implicit barrier"))
