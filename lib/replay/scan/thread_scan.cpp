// thread_scan.cpp -- the events of one thread: its regions are followed here, its records go to the parts.
#include "replay/scan/thread_scan.hpp"

#include <algorithm>
#include <utility>

#include "replay/scan/counter_scan.hpp"

namespace tarry {

ThreadScan::ThreadScan(ProcessScan& process, LogicalThread& thread, ThreadIndex number)
    : thread_(process, thread, number) {
  if (process.keeps.retiming) other_times_ = process.keeps.retiming->of_thread(process.rank.rank, number);
}

bool ThreadScan::run() {
  LogicalThread& thread = thread_.logical;
  if (!reader_) start();
  // Whether visits of plain regions leave nothing but time and a count.
  const bool are_plain_usual =
      !other_times_ && !thread.selected && !thread_.process.keeps.barrier_seconds && !thread.visit_log;
  for (; !block_.empty(); block_ = reader_->next())
    for (std::size_t i = 0; i < block_.size(); ++i) {
      if (are_plain_usual && handle_plain(block_[i])) {
        ++thread.event_count;
        continue;
      }
      if (!thread_.is_master() && teams_.has_to_wait(block_[i])) {
        block_ = block_.subspan(i);
        return false;
      }
      other_times_ ? handle_retimed(block_[i]) : handle(block_[i]);
      ++thread.event_count;
    }
  finish();
  return true;
}

void ThreadScan::start() {
  reader_ = thread_.process.source.open(thread_.logical.location);
  block_ = reader_->next();
  if (block_.empty()) return;
  const Ticks first = block_.front().time;
  thread_.times.begin(first);
  if (thread_.logical.selected) thread_.times.cut_log(kNoPath, first + 1);
}

void ThreadScan::finish() {
  reader_.reset();
  leave_open_regions();
  thread_.times.finish();
  locks_.finish();
  if (thread_.logical.visit_log) thread_.logical.visit_log->finish();
  thread_.logical.barriers.finish();
  thread_.logical.parallels.finish();
  thread_.logical.starts.finish();
}

// Most events of a trace are visits of functions of the program.
inline bool ThreadScan::handle_plain(const Event& event) {
  if (thread_.open.is_counting() || thread_.open.is_empty()) [[unlikely]]
    return false;
  if (event.kind == EventKind::kEnter) return enter_plain(event.time, record_of<record::Enter>(event).region);
  return event.kind == EventKind::kLeave && leave_plain(event.time, record_of<record::Leave>(event).region);
}

// As enter().
inline bool ThreadScan::enter_plain(Ticks time, RegionId region) {
  ProcessScan& process = thread_.process;
  if (!process.regions.is_defined(region) || !process.regions[region].is_plain) return false;
  if (process.iterations.has(region)) return false;
  const PathIndex parent = thread_.open.innermost().path;
  thread_.times.credit_open(parent, time);
  const PathIndex path = thread_.rank.tree.child(parent, region);
  thread_.times.make_room(path);
  ++thread_.logical.visits[path];
  thread_.open.enter_uncounted(path, region, time);
  return true;
}

// As leave_innermost().
inline bool ThreadScan::leave_plain(Ticks time, RegionId region) {
  const OpenVisit& visit = thread_.open.innermost();
  if (!thread_.process.regions[visit.region].is_plain) return false;
  if (region.is_valid() && region != visit.region) return false;
  const OpenVisit* const around = thread_.open.around_innermost();
  if (around && around->barrier.is_valid()) return false;
  thread_.times.credit_open(visit.path, time);
  thread_.open.leave_uncounted();
  return true;
}

void ThreadScan::handle_retimed(const Event& event) {
  const Event moved = other_times_->move(event, thread_.open.path(), thread_.open.depth());
  if (thread_.logical.event_count == 0) thread_.times.begin(moved.time);
  handle(moved);
}

void ThreadScan::handle(const Event& event) {
  const Ticks time = event.time;
  switch (event.kind) {
    case EventKind::kEnter: return enter(time, known_region(record_of<record::Enter>(event).region));
    case EventKind::kLeave: return leave(time, record_of<record::Leave>(event).region);
    case EventKind::kProgramBegin:
      if (const RegionId region = record_of<record::ProgramBegin>(event).region; region.is_valid())
        enter(time, known_region(region));
      return;
    case EventKind::kProgramEnd:
      if (thread_.open.depth() == 1) leave_innermost(time);
      return;
    case EventKind::kBufferFlush: return buffer_flush(time, record_of<record::BufferFlush>(event));
    case EventKind::kMeasurementOnOff: return measurement_on_off(time, record_of<record::MeasurementOnOff>(event));
    case EventKind::kAttribute: return attribute(time, record_of<record::Attribute>(event));
    case EventKind::kMetric: return count_metric(thread_, time, record_of<record::Metric>(event));
    case EventKind::kLost: return;  // counted where the events are read
    default: return handle_mpi(event);
  }
}

void ThreadScan::handle_mpi(const Event& event) {
  const Ticks time = event.time;
  switch (event.kind) {
    case EventKind::kMpiSend: return messages_.send(time, record_of<record::MpiSend>(event));
    case EventKind::kMpiIsend: return messages_.start(time, record_of<record::MpiIsend>(event));
    case EventKind::kMpiIrecvRequest:
      polls_.end(true);
      return messages_.start(time, record_of<record::MpiIrecvRequest>(event));
    case EventKind::kMpiRecv: polls_.end(true); return messages_.receive(time, record_of<record::MpiRecv>(event));
    case EventKind::kMpiIrecv:
    case EventKind::kNonBlockingCollectiveComplete: polls_.end(false); [[fallthrough]];
    case EventKind::kMpiIsendComplete:
    case EventKind::kMpiRequestCancelled:
      return complete(event, thread_.is_in_mpi() ? thread_.current_call() : CallIndex());
    case EventKind::kMpiCollectiveBegin: return collectives_.begin(time);
    case EventKind::kMpiCollectivePartners:
      return collectives_.add_partners(record_of<record::MpiCollectivePartners>(event));
    case EventKind::kMpiCollectiveEnd: return collectives_.end(time, record_of<record::MpiCollectiveEnd>(event));
    case EventKind::kNonBlockingCollectiveRequest:
      return collectives_.start(time, record_of<record::NonBlockingCollectiveRequest>(event));
    case EventKind::kCommCreate: return collectives_.comm_created(record_of<record::CommCreate>(event));
    default: return handle_threads(event);
  }
}

void ThreadScan::handle_threads(const Event& event) {
  const Ticks time = event.time;
  switch (event.kind) {
    case EventKind::kThreadFork: polls_.forget(); return teams_.fork(time);
    case EventKind::kThreadJoin: polls_.forget(); return teams_.join(time);
    case EventKind::kThreadTeamBegin: return teams_.begin_team(time, record_of<record::ThreadTeamBegin>(event));
    case EventKind::kThreadTeamEnd: return teams_.end_team();
    case EventKind::kThreadAcquireLock:
      polls_.forget();
      return locks_.acquire(time, record_of<record::ThreadAcquireLock>(event));
    case EventKind::kThreadReleaseLock:
      polls_.forget();
      return locks_.release(time, record_of<record::ThreadReleaseLock>(event));
    case EventKind::kThreadCreate: polls_.forget(); return life_.create(time, record_of<record::ThreadCreate>(event));
    case EventKind::kThreadBegin: polls_.forget(); return life_.begin(time, record_of<record::ThreadBegin>(event));
    case EventKind::kThreadEnd:
      locks_.end_thread(time, record_of<record::ThreadEnd>(event));
      return life_.end(time, record_of<record::ThreadEnd>(event));
    case EventKind::kThreadWait:
      locks_.join_thread(time, record_of<record::ThreadWait>(event));
      return life_.join(time, record_of<record::ThreadWait>(event));
    default: return handle_files(event);
  }
}

void ThreadScan::handle_files(const Event& event) {
  const Ticks time = event.time;
  switch (event.kind) {
    case EventKind::kIoCreateHandle: return files_.open(time, record_of<record::IoCreateHandle>(event));
    case EventKind::kIoDestroyHandle: return files_.spend(time, record_of<record::IoDestroyHandle>(event).handle);
    case EventKind::kIoSeek: return files_.spend(time, record_of<record::IoSeek>(event).handle);
    case EventKind::kIoOperationIssued: return files_.spend(time, record_of<record::IoOperationIssued>(event).handle);
    case EventKind::kIoOperationBegin: return files_.begin(time, record_of<record::IoOperationBegin>(event));
    case EventKind::kIoOperationComplete: return files_.complete(time, record_of<record::IoOperationComplete>(event));
    default: return handle_window(event);
  }
}

void ThreadScan::handle_window(const Event& event) {
  if (!is_window_event(event.kind) || !thread_.is_in_mpi()) return;
  WindowScan& windows = thread_.process.windows;
  if (thread_.facts().is_shmem) {
    if (event.kind == EventKind::kRmaCollectiveBegin) return collectives_.begin(event.time);
    if (event.kind == EventKind::kRmaCollectiveEnd) {
      const auto end = record_of<record::RmaCollectiveEnd>(event);
      return collectives_.end_on_window(event.time, end, windows.comm_if_defined(end.window));
    }
  }
  if (!windows.record(event, thread_.current_call(), thread_.facts()))
    thread_.fault(Fault::kUndefinedReference, "window, group or rank of one-sided communication");
}

// `call`: the one that completes; none if the record is in none. Another thread may have started the request: then the
// completion is looked at again at the end.
void ThreadScan::complete(const Event& event, CallIndex call) {
  const bool may_come_late = !thread_.is_looking_again() && thread_.rank.threads.size() > 1;
  const auto finish = [&](auto& part, const auto& record) {
    if (may_come_late && !thread_.process.requests.find(record.request))
      thread_.process.late.push_back({event, call, thread_.number, thread_.logical.event_count});
    else part.finish(event.time, call, record);
  };
  switch (event.kind) {
    case EventKind::kMpiIrecv: return finish(messages_, record_of<record::MpiIrecv>(event));
    case EventKind::kMpiIsendComplete: return finish(messages_, record_of<record::MpiIsendComplete>(event));
    case EventKind::kMpiRequestCancelled: return finish(messages_, record_of<record::MpiRequestCancelled>(event));
    default: return finish(collectives_, record_of<record::NonBlockingCollectiveComplete>(event));
  }
}

void ThreadScan::complete_late(const LateCompletion& late) {
  thread_.event_number = late.number;
  complete(late.event, late.call);
}

// A visit of several coalesced calls counts as so many. It was blocked until now: no longer than the path has been the
// innermost one without a break.
void ThreadScan::attribute(Ticks time, const record::Attribute& attribute) {
  if (thread_.open.is_empty() || thread_.is_off()) return;
  OpenVisit& visit = thread_.open.innermost();
  if (attribute.attribute == kBlockedAttribute) {
    const auto longest = static_cast<std::uint64_t>(std::max<Ticks>(0, time - thread_.times.credited()));
    const Ticks begin = time - static_cast<Ticks>(std::min(attribute.value, longest));
    polls_.block(begin, time);
    thread_.times.add_blocked(visit.path, begin, time);
  } else if (attribute.attribute == kCallsAttribute && attribute.value != 0) {
    visit.calls = attribute.value;
    if (thread_.logical.counts(visit.enter)) thread_.logical.visits[visit.path] += attribute.value - 1;
  } else if (attribute.attribute == kPlaceAttribute) {
    thread_.process.windows.at_place(attribute.value);
  } else {
    devices_.attribute(attribute);
  }
}

RegionId ThreadScan::known_region(RegionId region) {
  if (thread_.process.regions.is_defined(region)) [[likely]]
    return region;
  thread_.fault(Fault::kUndefinedReference, "region");
  return thread_.process.regions.undefined();
}

// Of a visit that begins.
inline PathIndex ThreadScan::path_of(RegionId region, const RegionClass& facts) {
  const PathIndex parent = facts.thread == ThreadClass::kTask ? teams_.path_of_tasks()
                           : thread_.open.is_empty()          ? teams_.base_path()
                                                              : thread_.open.innermost().path;
  IterationScan& iterations = thread_.process.iterations;
  return iterations.has(region) ? iterations.enter(parent, region, iteration_visits_)
                                : thread_.rank.tree.child(parent, region);
}

// The last one counts.
static void end_main_part(LogicalThread& thread, Ticks time) {
  thread.main_part->has_end = true;
  thread.main_part->end = {time, thread.time, thread.management_time};
}

void ThreadScan::enter(Ticks time, RegionId region) {
  LogicalThread& thread = thread_.logical;
  const RegionClass& facts = thread_.process.regions[region];
  LogPosition position = facts.thread == ThreadClass::kParallel ? thread.log.mark() : 0;
  if (facts.is_mpi) polls_.enter(facts.call, time);
  thread_.credit(time);
  thread_.times.credit_seconds(thread_.open.path(), time);
  if (facts.is_mpi) position = thread.log.mark();
  if (facts.call == CallClass::kFinalize && thread.main_part) [[unlikely]]
    end_main_part(thread, time);
  const PathIndex path = path_of(region, facts);
  thread_.times.make_room(path);
  thread.visits[path] += thread.counts(time);
  OpenVisit& visit = thread_.open.enter(path, region, time);
  visit.position = position;
  if (thread.visit_log) [[unlikely]]
    thread.visit_log->enter(path, time);
  if (facts.thread != ThreadClass::kNone) enter_construct(visit, facts.thread);
  if (facts.condition == ConditionClass::kSignal) [[unlikely]]
    life_.signal();
  if (facts.accelerator != AcceleratorCall::kNone) [[unlikely]]
    devices_.enter(facts.accelerator, time);
}

void ThreadScan::enter_construct(OpenVisit& visit, ThreadClass construct) {
  polls_.forget();
  const bool is_explicit = construct == ThreadClass::kExplicitBarrier;
  if (construct == ThreadClass::kParallel) teams_.enter_parallel(visit);
  else if (is_explicit || construct == ThreadClass::kImplicitBarrier)
    barriers_.enter(visit, teams_.current_fork(), teams_.current_team(), is_explicit);
}

void ThreadScan::leave(Ticks time, RegionId region) {
  if (thread_.open.is_empty()) return thread_.fault(Fault::kLeaveWithoutEnter);
  if (thread_.is_off()) return leave_while_off(time, region);
  if (region.is_valid() && !thread_.process.regions.is_defined(region)) region = thread_.process.regions.undefined();
  if (region.is_valid() && region != thread_.open.innermost().region) {
    thread_.fault(Fault::kLeaveWithoutEnter, "innermost open region is another");
    if (!thread_.open.has(region)) return;
    while (thread_.open.innermost().region != region) leave_innermost(time);
  }
  leave_innermost(time);
}

void ThreadScan::leave_innermost(Ticks time) {
  OpenVisit visit = thread_.open.innermost();
  if (visit.barrier.is_valid()) barriers_.end_interval(visit.barrier);
  thread_.credit(time);
  thread_.times.credit_seconds(visit.path, time);
  thread_.open.leave();
  if (thread_.logical.visit_log) [[unlikely]]
    thread_.logical.visit_log->leave(time);
  const RegionClass& facts = thread_.process.regions[visit.region];
  if (facts.is_mpi) left_mpi(visit, facts.call, time);
  if (facts.accelerator != AcceleratorCall::kNone) [[unlikely]]
    devices_.leave(thread_.open.depth(), time);
  if (visit.barrier.is_valid()) barriers_.leave(visit.barrier, time);
  if (!thread_.open.is_empty() && thread_.open.innermost().barrier.is_valid())
    barriers_.work(thread_.open.innermost().barrier, visit.enter, time);
  if (facts.thread == ThreadClass::kParallel) teams_.leave_parallel(visit, time);
}

// The first one counts.
static void begin_main_part(LogicalThread& thread, Ticks time) {
  MainPart& part = *thread.main_part;
  if (!std::exchange(part.has_begin, true)) part.begin = {time, thread.time, thread.management_time};
}

// Calls are made by what has records, and then get their end here.
inline void ThreadScan::left_mpi(OpenVisit& visit, CallClass call, Ticks time) {
  if (call == CallClass::kProbe || call == CallClass::kMatchedProbe) messages_.probe(visit, call);
  polls_.leave(visit, call, time);
  if (visit.call.is_valid()) thread_.rank.calls[visit.call].set_leave(time);
  if (call == CallClass::kInit || call == CallClass::kFinalize) collectives_.synchronise_all(visit, call, time);
  if (call == CallClass::kInit && thread_.logical.main_part) [[unlikely]]
    begin_main_part(thread_.logical, time);
  if (WindowScan& windows = thread_.process.windows; windows.has_windows())
    windows.left_mpi({.enter = visit.enter, .leave = time, .path = visit.path, .thread = thread_.number});
}

void ThreadScan::leave_open_regions() {
  if (thread_.open.is_empty()) return;
  const std::string& innermost = thread_.process.regions.name(thread_.open.innermost().region);
  thread_.fault(Fault::kUnclosedRegion, innermost, thread_.open.depth());
  while (!thread_.open.is_empty()) leave_innermost(thread_.times.credited());
}

// Regions that were open before may end meanwhile; what is around them is not recorded either.
void ThreadScan::leave_while_off(Ticks time, RegionId region) {
  leave_innermost(time);
  leave(time, region);
  if (!thread_.open.is_empty()) enter(time, thread_.process.regions.measurement_off());
}

// A flush happens inside one record: it is left again after its duration.
void ThreadScan::buffer_flush(Ticks time, const record::BufferFlush& flush) {
  enter(time, thread_.process.regions.buffer_flush());
  leave(time + static_cast<Ticks>(flush.duration), RegionId());
}

void ThreadScan::measurement_on_off(Ticks time, const record::MeasurementOnOff& change) {
  if (!change.is_on) return enter(time, thread_.process.regions.measurement_off());
  if (thread_.is_off()) leave_innermost(time);
}

}  // namespace tarry
