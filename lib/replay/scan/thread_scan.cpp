// thread_scan.cpp -- the events of one thread: regions, call paths and times.
#include "replay/scan/thread_scan.hpp"

#include <algorithm>
#include <utility>

namespace tarry {

bool ThreadScan::run() {
  if (!reader_) {
    reader_ = process_.source.open(thread_.location);
    block_ = reader_->next();
    if (!block_.empty()) thread_.first_time = last_time_ = block_.front().time;
    if (!block_.empty() && thread_.selected) cut_log(last_time_ + 1);
  }
  const bool are_plain_usual = is_usual();
  for (; !block_.empty(); block_ = reader_->next())
    for (std::size_t i = 0; i < block_.size(); ++i) {
      if (are_plain_usual && handle_plain(block_[i])) {
        ++thread_.event_count;
        continue;
      }
      if (!is_master() && has_to_wait(block_[i])) {
        block_ = block_.subspan(i);
        return false;
      }
      times_ ? handle_elsewhen(block_[i]) : handle(block_[i]);
      ++thread_.event_count;
    }
  reader_.reset();
  close_open_regions();
  if (thread_.selected) thread_.cuts.resize(2 * thread_.selected->all().size(), thread_.log.end());
  thread_.last_time = last_time_;
  thread_.time.shrink_to_fit();
  thread_.visits.shrink_to_fit();
  thread_.log.finish();
  if (thread_.barrier_seconds) thread_.barrier_seconds->finish();
  if (thread_.visit_log) thread_.visit_log->finish();
  locks_.finish();
  thread_.barriers.finish();
  thread_.parallels.finish();
  thread_.starts.finish();
  return true;
}

// Whether visits of plain regions leave nothing but time and a count.
bool ThreadScan::is_usual() const {
  return !times_ && !thread_.selected && !process_.keeps.barrier_seconds && !thread_.visit_log;
}

// Most events of a trace are visits of functions of the program. False: handle() has to look at the event.
inline bool ThreadScan::handle_plain(const Event& event) {
  if (counts_open_ || stack_.empty()) [[unlikely]]
    return false;
  if (event.kind == EventKind::kEnter) return enter_plain(event.time, record_of<record::Enter>(event).region);
  return event.kind == EventKind::kLeave && leave_plain(event.time, record_of<record::Leave>(event).region);
}

// As enter().
inline bool ThreadScan::enter_plain(Ticks time, RegionId region) {
  if (!process_.regions.is_defined(region) || !process_.regions[region].is_plain) return false;
  if (process_.iterations.has(region)) return false;
  credit_open(time);
  const PathIndex path = rank_.tree.child(stack_.back().path, region);
  make_room(path);
  ++thread_.visits[path];
  open_frame(path, region, time);
  return true;
}

// As close_innermost().
inline bool ThreadScan::leave_plain(Ticks time, RegionId region) {
  const Frame& frame = stack_.back();
  if (!process_.regions[frame.region].is_plain || frame.call.is_valid()) return false;
  if (region.is_valid() && region != frame.region) return false;
  if (stack_.size() > 1 && stack_[stack_.size() - 2].barrier.is_valid()) return false;
  credit_open(time);
  stack_.pop_back();
  return true;
}

void ThreadScan::handle_elsewhen(const Event& event) {
  const Event moved = times_->move(event, stack_.empty() ? kNoPath : stack_.back().path, stack_.size());
  if (thread_.event_count == 0) thread_.first_time = last_time_ = moved.time;
  handle(moved);
}

void ThreadScan::handle(const Event& event) {
  const Ticks time = event.time;
  switch (event.kind) {
    case EventKind::kEnter: return enter(time, known_region(record_of<record::Enter>(event).region));
    case EventKind::kLeave: return leave(time, left_region(record_of<record::Leave>(event).region));
    case EventKind::kProgramBegin:
      if (const RegionId region = record_of<record::ProgramBegin>(event).region; region.is_valid())
        enter(time, known_region(region));
      return;
    case EventKind::kProgramEnd: return program_end(time);
    case EventKind::kMpiSend: return send(time, record_of<record::MpiSend>(event));
    case EventKind::kMpiIsend: return isend(time, record_of<record::MpiIsend>(event));
    case EventKind::kMpiIrecvRequest:
      end_polls(true);
      return receive_request(time, record_of<record::MpiIrecvRequest>(event));
    case EventKind::kMpiRecv: end_polls(true); return blocking_receive(time, record_of<record::MpiRecv>(event));
    case EventKind::kMpiIrecv:
    case EventKind::kNonBlockingCollectiveComplete: end_polls(false); [[fallthrough]];
    case EventKind::kMpiIsendComplete:
    case EventKind::kMpiRequestCancelled: return complete(event, is_in_mpi() ? current_call() : CallIndex());
    case EventKind::kMpiCollectiveBegin: collective_begin_ = time; return;
    case EventKind::kMpiCollectivePartners: return collective_partners(record_of<record::MpiCollectivePartners>(event));
    case EventKind::kMpiCollectiveEnd: return collective_end(time, record_of<record::MpiCollectiveEnd>(event));
    case EventKind::kCommCreate: return comm_created(record_of<record::CommCreate>(event));
    case EventKind::kNonBlockingCollectiveRequest:
      return collective_request(time, record_of<record::NonBlockingCollectiveRequest>(event));
    case EventKind::kBufferFlush: return buffer_flush(time, record_of<record::BufferFlush>(event));
    case EventKind::kMeasurementOnOff: return measurement_on_off(time, record_of<record::MeasurementOnOff>(event));
    case EventKind::kThreadFork: return fork(time);
    case EventKind::kThreadJoin: return join(time);
    case EventKind::kThreadTeamBegin: return team_begin(time, record_of<record::ThreadTeamBegin>(event));
    case EventKind::kThreadTeamEnd: return team_end();
    case EventKind::kThreadAcquireLock: return acquire(time, record_of<record::ThreadAcquireLock>(event));
    case EventKind::kThreadReleaseLock: return release(time, record_of<record::ThreadReleaseLock>(event));
    case EventKind::kThreadCreate: return start_thread(time, record_of<record::ThreadCreate>(event));
    case EventKind::kThreadBegin: return start_thread(time, record_of<record::ThreadBegin>(event));
    case EventKind::kThreadEnd: return end_thread(time, record_of<record::ThreadEnd>(event));
    case EventKind::kThreadWait: return join_thread(time, record_of<record::ThreadWait>(event));
    case EventKind::kMetric: return metric(time, record_of<record::Metric>(event));
    case EventKind::kIoCreateHandle: return open_file(time, record_of<record::IoCreateHandle>(event));
    case EventKind::kIoDestroyHandle: return spend_on_file(time, record_of<record::IoDestroyHandle>(event).handle);
    case EventKind::kIoSeek: return spend_on_file(time, record_of<record::IoSeek>(event).handle);
    case EventKind::kIoOperationIssued: return spend_on_file(time, record_of<record::IoOperationIssued>(event).handle);
    case EventKind::kIoOperationBegin: return begin_file_operation(time, record_of<record::IoOperationBegin>(event));
    case EventKind::kIoOperationComplete:
      return complete_file_operation(time, record_of<record::IoOperationComplete>(event));
    case EventKind::kAttribute: return attribute(time, record_of<record::Attribute>(event));
    case EventKind::kLost: return;  // counted where the events are read
    default:
      if (is_window_event(event.kind) && is_in_mpi()) window_record(event);
      return;
  }
}

// Until now: no longer than the path has been the innermost one without a break.
void ThreadScan::blocked(Ticks time, std::uint64_t recorded) {
  if (stack_.empty() || is_off()) return;
  const auto longest = static_cast<std::uint64_t>(std::max<Ticks>(0, time - last_time_));
  const auto ticks = static_cast<Ticks>(std::min(recorded, longest));
  if (!polls_.empty()) blocked_after_poll(time - ticks, time);
  const PathIndex path = stack_.back().path;
  if (path >= thread_.blocked_time.size()) thread_.blocked_time.resize(path + 1, 0);
  thread_.blocked_time[path] += thread_.counted(time - ticks, time);
}

// A visit of several coalesced calls counts as so many.
void ThreadScan::attribute(Ticks time, const record::Attribute& attribute) {
  if (attribute.attribute == kBlockedAttribute) return blocked(time, attribute.value);
  if (attribute.attribute != kCallsAttribute || attribute.value == 0 || stack_.empty() || is_off()) return;
  Frame& frame = stack_.back();
  frame.calls = attribute.value;
  if (thread_.counts(frame.enter)) thread_.visits[frame.path] += attribute.value - 1;
}

// What a counter has gone up by since the record before happened in the call path that has been open since. A level was
// there both times.
void ThreadScan::metric(Ticks time, const record::Metric& metric) {
  const std::vector<Counter>& counters = process_.source.definitions().counters;
  const std::uint32_t number = metric.metric.value;
  if (number >= counters.size()) return fault(Fault::kUndefinedReference, "metric");
  const Counter& counter = counters[number];
  if (number >= thread_.counters.size()) thread_.counters.resize(number + 1);
  CounterSums& sums = thread_.counters[number];
  const std::uint64_t before = std::exchange(sums.last, metric.value);
  const bool is_first = !std::exchange(sums.is_recorded, true);
  if (stack_.empty() || !thread_.counts(time)) return;
  const PathIndex path = stack_.back().path;
  if (path >= sums.of_path.size()) sums.of_path.resize(path + 1, is_summed(counter.mode) ? 0 : kNoLevel);
  double& value = sums.of_path[path];
  if (counter.mode == CounterMode::kSinceStart)
    value += is_first ? 0 : counter_difference(counter.type, before, metric.value);
  else if (is_summed(counter.mode)) value += counter_value(counter.type, metric.value);
  else
    value = std::max(
        {value, counter_value(counter.type, metric.value), is_first ? kNoLevel : counter_value(counter.type, before)});
}

static std::uint64_t key_of_operation(IoHandleId file, std::uint64_t matching) {
  return mix_bits(file.value) ^ matching;
}

FileCount& ThreadScan::file_of(IoHandleId file) { return rank_.file_counts.insert(file.value, {.file = file.value}); }

// The time until a record of it, from the begin of the call or from the record before, is the file's.
void ThreadScan::spend_on_file(Ticks time, IoHandleId file) {
  if (stack_.empty() || is_off()) return;
  file_of(file).time += thread_.counted(std::max(stack_.back().enter, last_file_record_), time);
  last_file_record_ = time;
}

void ThreadScan::open_file(Ticks time, const record::IoCreateHandle& open) {
  if (!stack_.empty() && !is_off()) file_of(open.handle).opens += thread_.counts(time);
  spend_on_file(time, open.handle);
}

namespace {

constexpr std::uint8_t kReads = 0, kWrites = 1, kIsPart = 0xff;  // modes of operations; the last one is none of OTF2's

}  // namespace

// A trace may hold the layers of an operation: a read of MPI, and inside it one of the system from the same file.
bool ThreadScan::is_part_of_operation(IoHandleId file) const {
  const std::vector<IoHandle>& files = process_.source.definitions().io_handles;
  return std::ranges::any_of(open_operations_, [&](const FileOperation& open) {
    return open.depth < stack_.size() && open.file != file && std::max(open.file, file).value < files.size() &&
           files[open.file.value].name == files[file.value].name;
  });
}

// One that blocks ends with its call at the latest, whatever became of it.
void ThreadScan::open_file_operation(IoHandleId file, std::uint64_t matching) {
  constexpr std::size_t kMostLayers = 8;
  if (stack_.empty() || open_operations_.size() == kMostLayers) return;
  open_operations_.push_back({file, matching, stack_.size(), stack_.back().enter});
}

void ThreadScan::begin_file_operation(Ticks time, const record::IoOperationBegin& begin) {
  spend_on_file(time, begin.handle);
  std::erase_if(open_operations_, [this](const FileOperation& open) {
    return open.depth > stack_.size() || stack_[open.depth - 1].enter != open.enter;
  });
  process_.file_operations.insert(key_of_operation(begin.handle, begin.matching)) =
      is_part_of_operation(begin.handle) ? kIsPart : static_cast<std::uint8_t>(begin.mode);
  constexpr std::uint64_t kNonBlocking = 1;
  if (!(begin.flags & kNonBlocking)) open_file_operation(begin.handle, begin.matching);
}

// Reads and writes count where they complete.
void ThreadScan::complete_file_operation(Ticks time, const record::IoOperationComplete& end) {
  spend_on_file(time, end.handle);
  std::erase_if(open_operations_,
                [&end](const FileOperation& open) { return open.file == end.handle && open.matching == end.matching; });
  const std::uint64_t key = key_of_operation(end.handle, end.matching);
  const std::uint8_t* const begun = process_.file_operations.find(key);
  if (!begun) return;
  const std::uint8_t mode = *begun;
  process_.file_operations.erase(key);
  if (mode > kWrites || stack_.empty() || !thread_.counts(time)) return;
  const PathIndex path = stack_.back().path;
  if (path >= thread_.files.size()) thread_.files.resize(path + 1);
  const Bytes bytes = end.bytes == kNoField ? 0 : end.bytes;  // it has failed
  file_of(end.handle).add_operation(mode == kWrites, bytes);
  FileCounts& counts = thread_.files[path];
  (mode == kReads ? counts.read : counts.written) += bytes;
  ++counts.operations;
}

// The log holds all time, only the selected part of it counts.
void ThreadScan::credit_selected(Ticks time) {
  if (!stack_.empty()) thread_.time[stack_.back().path] += thread_.counted(last_time_, time);
  cut_log(time);
  if (!stack_.empty()) thread_.log.add(stack_.back().path, time - last_time_);
  last_time_ = time;
}

// Borders of the selected part before `time` become positions of the log. Time between a fork and its parallel region,
// or the region and its join, moves to another call path. There the border comes a little later.
void ThreadScan::cut_log(Ticks time) {
  if (is_moving_time()) return;
  const std::vector<TimeRanges::Range>& ranges = thread_.selected->all();
  while (thread_.cuts.size() < 2 * ranges.size()) {
    const TimeRanges::Range& range = ranges[thread_.cuts.size() / 2];
    const Ticks border = thread_.cuts.size() % 2 == 0 ? range.begin : range.end;
    if (border >= time) return;
    if (border > last_time_) {
      if (!stack_.empty()) thread_.log.add(stack_.back().path, border - last_time_);
      last_time_ = border;
    }
    thread_.cuts.push_back(thread_.log.mark());
  }
}

RegionId ThreadScan::known_region(RegionId region) {
  if (process_.regions.is_defined(region)) [[likely]]
    return region;
  fault(Fault::kUndefinedReference, "region");
  return process_.regions.undefined();
}

RegionId ThreadScan::left_region(RegionId region) const {
  return process_.regions.is_defined(region) || !region.is_valid() ? region : process_.regions.undefined();
}

void ThreadScan::enter(Ticks time, RegionId region) {
  const RegionClass& facts = process_.regions[region];
  LogPosition position = facts.thread == ThreadClass::kParallel ? thread_.log.mark() : 0;
  if (!polls_.empty() && facts.is_mpi) credit_gap(facts.call, time);
  credit(time);
  credit_seconds(time);
  if (facts.is_mpi) position = thread_.log.mark();
  if (facts.call == CallClass::kFinalize && thread_.main_part) [[unlikely]]
    end_main_part(time);
  const PathIndex parent = facts.thread == ThreadClass::kTask ? path_of_tasks()
                           : stack_.empty()                   ? base_path()
                                                              : stack_.back().path;
  const PathIndex path = process_.iterations.has(region) ? process_.iterations.enter(parent, region, iteration_visits_)
                                                         : rank_.tree.child(parent, region);
  make_room(path);
  thread_.visits[path] += thread_.counts(time);
  Frame& frame = open_frame(path, region, time);
  frame.position = position;
  if (thread_.visit_log) [[unlikely]]
    thread_.visit_log->enter(path, time);
  if (counts_open_) [[unlikely]]
    ++open_count_.insert(region, 0);
  if (facts.thread == ThreadClass::kParallel) open_parallels_.push_back(stack_.size() - 1);
  if (facts.thread != ThreadClass::kNone) enter_construct(frame, facts.thread);
  if (facts.condition == ConditionClass::kSignal) [[unlikely]]
    signal_condition();
}

void ThreadScan::leave(Ticks time, RegionId region) {
  if (stack_.empty()) return fault(Fault::kLeaveWithoutEnter);
  if (is_off()) return leave_while_off(time, region);
  if (region.is_valid() && region != stack_.back().region) {
    fault(Fault::kLeaveWithoutEnter, "innermost open region is another");
    if (!is_open(region)) return;
    while (stack_.back().region != region) close_innermost(time);
  }
  close_innermost(time);
}

// In damaged traces this is asked for each of many leaves: counts instead of a look at the whole stack each time.
bool ThreadScan::is_open(RegionId region) {
  if (!counts_open_)
    for (const Frame& frame : stack_) ++open_count_.insert(frame.region, 0);
  counts_open_ = true;
  const std::uint32_t* count = open_count_.find(region);
  return count && *count > 0;
}

void ThreadScan::close_innermost(Ticks time) {
  Frame frame = stack_.back();
  if (frame.barrier.is_valid()) {
    thread_.barriers[frame.barrier].position = thread_.log.mark();
    if (thread_.barrier_seconds) thread_.barrier_seconds->end_interval(frame.barrier);
  }
  credit(time);
  credit_seconds(time);
  stack_.pop_back();
  if (!open_parallels_.empty() && open_parallels_.back() == stack_.size()) open_parallels_.pop_back();
  if (thread_.visit_log) [[unlikely]]
    thread_.visit_log->leave(time);
  if (counts_open_) [[unlikely]]
    --open_count_.insert(frame.region, 0);
  const RegionClass& facts = process_.regions[frame.region];
  if (facts.call == CallClass::kProbe || facts.call == CallClass::kMatchedProbe) probe(frame, facts.call);
  if (facts.is_mpi) polled(frame, facts.call, time);
  if (frame.call.is_valid()) rank_.calls[frame.call].set_leave(time);
  if (facts.is_mpi && (facts.call == CallClass::kInit || facts.call == CallClass::kFinalize))
    synchronise_all(frame, facts.call, time);
  if (facts.call == CallClass::kInit && thread_.main_part) [[unlikely]]
    begin_main_part(time);
  if (facts.is_mpi && process_.windows.has_windows())
    process_.windows.left_mpi({.enter = frame.enter, .leave = time, .path = frame.path, .thread = number_});
  if (frame.barrier.is_valid()) {
    thread_.barriers[frame.barrier].leave = time;
    thread_.barriers[frame.barrier].event = ordinal();
  }
  if (!stack_.empty() && stack_.back().barrier.is_valid())
    thread_.barriers[stack_.back().barrier].worked(frame.enter, time);
  if (facts.thread == ThreadClass::kParallel) leave_parallel(frame, time);
}

// The first one counts.
void ThreadScan::begin_main_part(Ticks time) {
  MainPart& part = *thread_.main_part;
  if (!std::exchange(part.has_begin, true)) part.begin = {time, thread_.time, thread_.management_time};
}

// The last one counts.
void ThreadScan::end_main_part(Ticks time) {
  MainPart& part = *thread_.main_part;
  part.has_end = true;
  part.end = {time, thread_.time, thread_.management_time};
}

void ThreadScan::program_end(Ticks time) {
  if (stack_.size() == 1) close_innermost(time);
}

void ThreadScan::close_open_regions() {
  if (stack_.empty()) return;
  fault(Fault::kUnclosedRegion, process_.regions.name(stack_.back().region), stack_.size());
  while (!stack_.empty()) close_innermost(last_time_);
}

// A flush happens inside one record: it is left again after its duration.
void ThreadScan::buffer_flush(Ticks time, const record::BufferFlush& flush) {
  enter(time, process_.regions.buffer_flush());
  leave(time + static_cast<Ticks>(flush.duration), RegionId());
}

void ThreadScan::measurement_on_off(Ticks time, const record::MeasurementOnOff& change) {
  if (!change.is_on) return enter(time, process_.regions.measurement_off());
  if (is_off()) close_innermost(time);
}

bool ThreadScan::is_off() const {
  return !stack_.empty() && stack_.back().region == process_.regions.measurement_off();
}

// Regions that were open before may end meanwhile; what is around them is not recorded either.
void ThreadScan::leave_while_off(Ticks time, RegionId region) {
  close_innermost(time);
  leave(time, region);
  if (!stack_.empty()) enter(time, process_.regions.measurement_off());
}

CallIndex ThreadScan::add_call(const Frame& frame) {
  const CallIndex index = rank_.calls.next_id();
  MpiCall call;
  call.enter = frame.enter;
  call.path = frame.path;
  call.position = frame.position;
  call.thread = number_;
  call.call = process_.regions[frame.region].call;
  rank_.calls.push_back(call);
  return index;
}

void ThreadScan::fault(Fault kind, std::string detail, std::uint64_t count) {
  process_.source.faults().add(kind, location_name(process_.source.definitions(), thread_.location), record_number(),
                               std::move(detail), count);
}

}  // namespace tarry
