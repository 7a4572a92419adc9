// scan.cpp -- the one pass over the events: call paths, times, and the records of messages and collectives.
#include "replay/scan.hpp"

#include <algorithm>

namespace tarry {
namespace {

struct Frame {
  PathIndex path = kNoPath;
  RegionId region;
  Ticks enter = 0;
  std::uint32_t call = kNone32;     // index into LogicalRank::calls once a record asked for it
  std::uint32_t barrier = kNone32;  // index into LogicalThread::barriers
  LogPosition position = 0;         // in the time log, right after it was entered (MPI functions)
};

// A request that was started and has not completed.
struct PendingRequest {
  bool is_send = false;
  std::uint32_t send = kNone32;    // index of the send
  std::uint32_t call = kNone32;    // call that posted the receive
  std::uint32_t posted = 0;        // its order
};

// State that the threads of a process share while they are scanned one after another.
struct ProcessScan {
  Source& source;
  const RegionTable& regions;
  const CommunicatorTable& communicators;
  LogicalRank& rank;
  FlatMap<std::uint64_t, PendingRequest> requests;
  std::uint32_t posted = 0;        // receives posted so far
  std::size_t master_forks = 0;    // forks of the master thread, known once it has been scanned
};

class ThreadScan {
 public:
  ThreadScan(ProcessScan& process, LogicalThread& thread, std::uint16_t number)
      : process_(process), rank_(process.rank), thread_(thread), number_(number) {}

  void run() {
    const auto reader = process_.source.open(thread_.location);
    for (std::span<const Event> block = reader->next(); !block.empty(); block = reader->next()) {
      if (thread_.event_count == 0) {
        thread_.first_time = last_time_ = block.front().time;
        if (thread_.selected) cut_log(last_time_ + 1);
      }
      for (const Event& event : block) {
        handle(event);
        ++thread_.event_count;
      }
    }
    close_open_regions();
    if (thread_.selected) thread_.cuts.resize(2 * thread_.selected->all().size(), thread_.log.end());
    thread_.last_time = last_time_;
    thread_.log.finish();
  }

 private:
  void handle(const Event& event) {
    switch (event.kind) {
      case EventKind::kEnter: return enter(event.time, entered_region(event));
      case EventKind::kLeave: return leave(event.time, left_region(event));
      case EventKind::kProgramBegin:
        if (event.fields[0] != kNoField) enter(event.time, entered_region(event));
        return;
      case EventKind::kProgramEnd: return program_end(event.time);
      case EventKind::kMpiSend:
      case EventKind::kMpiIsend: return send(event);
      case EventKind::kMpiIsendComplete: return send_complete(event);
      case EventKind::kMpiIrecvRequest: return receive_request(event);
      case EventKind::kMpiRecv:
      case EventKind::kMpiIrecv: return receive(event);
      case EventKind::kMpiRequestCancelled: return cancelled(event);
      case EventKind::kMpiCollectiveBegin: collective_begin_ = event.time; return;
      case EventKind::kMpiCollectiveEnd: return collective_end(event);
      case EventKind::kBufferFlush: return buffer_flush(event);
      case EventKind::kMeasurementOnOff: return measurement_on_off(event);
      case EventKind::kThreadFork: return fork(event);
      case EventKind::kThreadJoin: return join(event);
      case EventKind::kThreadTeamBegin: return team_begin(event);
      case EventKind::kThreadTeamEnd: return team_end();
      case EventKind::kThreadAcquireLock: return acquire(event);
      case EventKind::kThreadReleaseLock: return release(event);
      case EventKind::kLost:
        return fault(Fault::kEventsLost, {}, event.fields[0]);
      default: return;
    }
  }

  // ---- regions ---------------------------------------------------------------------------------------------------

  // Time since the last enter or leave belongs to the call path that was current. A worker outside its parallel
  // regions has none.
  void credit(Ticks time) {
    if (time <= last_time_) return;
    if (thread_.selected) [[unlikely]] return credit_selected(time);
    if (!stack_.empty()) {
      thread_.time[stack_.back().path] += time - last_time_;
      thread_.log.add(stack_.back().path, time - last_time_);
    }
    last_time_ = time;
  }

  // The log holds all time, only the selected part of it counts.
  void credit_selected(Ticks time) {
    if (!stack_.empty()) thread_.time[stack_.back().path] += counted(last_time_, time);
    cut_log(time);
    if (!stack_.empty()) thread_.log.add(stack_.back().path, time - last_time_);
    last_time_ = time;
  }

  // What of [begin, end) is in the selected part of the trace.
  Ticks counted(Ticks begin, Ticks end) const {
    return thread_.selected ? thread_.selected->overlap(begin, end) : end - begin;
  }
  bool counts(Ticks time) const { return !thread_.selected || thread_.selected->contains(time); }

  // Borders of the selected part before `time` become positions of the log. Not between a fork and its parallel region,
  // or the region and its join, whose time moves to another call path: there the border comes a little later.
  void cut_log(Ticks time) {
    if (is_forking_ || last_parallel_fork_ != kNone32) return;
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

  void make_room(PathIndex path) {
    if (path < thread_.time.size()) [[likely]] return;
    thread_.time.resize(path + 1, 0);
    thread_.visits.resize(path + 1, 0);
  }

  RegionId entered_region(const Event& event) {
    const RegionId region = event.region();
    if (process_.regions.is_defined(region)) [[likely]] return region;
    fault(Fault::kUndefinedReference, "region");
    return process_.regions.undefined();
  }

  RegionId left_region(const Event& event) const {
    const RegionId region = event.region();
    return process_.regions.is_defined(region) || !region.is_valid() ? region : process_.regions.undefined();
  }

  void enter(Ticks time, RegionId region) {
    const RegionClass& facts = process_.regions[region];
    LogPosition position = facts.thread == ThreadClass::kParallel ? thread_.log.mark() : 0;
    credit(time);
    if (facts.is_mpi) position = thread_.log.mark();
    const PathIndex path = rank_.tree.child(stack_.empty() ? base_path() : stack_.back().path, region);
    make_room(path);
    thread_.visits[path] += counts(time);
    Frame& frame = stack_.emplace_back();
    frame.path = path;
    frame.region = region;
    frame.enter = time;
    frame.position = position;
    if (facts.thread != ThreadClass::kNone) enter_construct(frame, facts.thread);
  }

  void leave(Ticks time, RegionId region) {
    if (stack_.empty()) return fault(Fault::kLeaveWithoutEnter);
    if (region.is_valid() && region != stack_.back().region) {
      fault(Fault::kLeaveWithoutEnter, "innermost open region is another");
      const auto is_it = [&](const Frame& frame) { return frame.region == region; };
      if (std::none_of(stack_.begin(), stack_.end(), is_it)) return;
      while (stack_.back().region != region) close_innermost(time);
    }
    close_innermost(time);
  }

  void close_innermost(Ticks time) {
    const Frame frame = stack_.back();
    if (frame.barrier != kNone32) thread_.barriers[frame.barrier].position = thread_.log.mark();
    credit(time);
    stack_.pop_back();
    if (frame.call != kNone32) rank_.calls[frame.call].set_leave(time);
    const RegionClass& facts = process_.regions[frame.region];
    if (facts.is_mpi && (facts.call == CallClass::kInit || facts.call == CallClass::kFinalize))
      synchronise_all(frame, facts.call, time);
    if (frame.barrier != kNone32) thread_.barriers[frame.barrier].leave = time;
    if (facts.thread == ThreadClass::kParallel) leave_parallel(frame, time);
  }

  void program_end(Ticks time) {
    if (stack_.size() == 1) close_innermost(time);
  }

  void close_open_regions() {
    if (stack_.empty()) return;
    fault(Fault::kUnclosedRegion, process_.regions.name(stack_.back().region), stack_.size());
    while (!stack_.empty()) close_innermost(last_time_);
  }

  // A flush happens inside one record: it is left again after its duration.
  void buffer_flush(const Event& event) {
    enter(event.time, process_.regions.buffer_flush());
    leave(event.time + static_cast<Ticks>(event.fields[0]), RegionId());
  }

  void measurement_on_off(const Event& event) {
    if (!event.fields[0]) return enter(event.time, process_.regions.measurement_off());
    if (!stack_.empty() && stack_.back().region == process_.regions.measurement_off()) leave(event.time, RegionId());
  }

  // ---- messages --------------------------------------------------------------------------------------------------

  bool is_in_mpi() const { return !stack_.empty() && process_.regions[stack_.back().region].is_mpi; }

  // The call that the innermost region is; made when its first record is met.
  std::uint32_t current_call() {
    Frame& frame = stack_.back();
    if (frame.call == kNone32) frame.call = add_call(frame);
    return frame.call;
  }

  std::uint32_t add_call(const Frame& frame) {
    MpiCall call;
    call.enter = frame.enter;
    call.path = frame.path;
    call.position = frame.position;
    call.thread = number_;
    call.call = process_.regions[frame.region].call;
    rank_.calls.push_back(call);
    return static_cast<std::uint32_t>(rank_.calls.size() - 1);
  }

  // The channel of a message with `peer` (rank in `comm`), or kNone32 and a fault.
  std::uint32_t channel(ChannelTable& table, const Event& event) {
    const std::uint64_t comm = event.fields[1];
    const std::uint32_t peer = process_.communicators.is_valid(comm)
                                   ? process_.communicators.world_rank(static_cast<std::uint32_t>(comm),
                                                                       event.fields[0], rank_.rank)
                                   : kNone32;
    if (peer == kNone32) {
      fault(Fault::kUndefinedReference, "communicator or rank of a message");
      return kNone32;
    }
    const ChannelKey key{static_cast<std::uint32_t>(comm), peer, static_cast<std::uint32_t>(event.fields[2])};
    return table.find_or_add(key);
  }

  void send(const Event& event) {
    if (!is_in_mpi()) return;
    Send send;
    send.channel = channel(rank_.send_channels, event);
    if (send.channel == kNone32) return;
    send.time = event.time;
    send.bytes = event.fields[3];
    send.call = current_call();
    if (event.kind == EventKind::kMpiSend)
      send.completion_call = send.call;
    else
      process_.requests.insert(event.fields[4]) = {.is_send = true, .send = static_cast<std::uint32_t>(rank_.sends.size())};
    rank_.sends.push_back(send);
  }

  void send_complete(const Event& event) {
    const PendingRequest* request = process_.requests.find(event.fields[0]);
    if (!request || !request->is_send) return fault(Fault::kUnknownRequest, "send completion");
    if (is_in_mpi()) rank_.sends[request->send].completion_call = current_call();
    process_.requests.erase(event.fields[0]);
  }

  void receive_request(const Event& event) {
    if (!is_in_mpi()) return;
    process_.requests.insert(event.fields[0]) = {.call = current_call(), .posted = process_.posted++};
  }

  void receive(const Event& event) {
    Receive receive;
    if (event.kind == EventKind::kMpiIrecv) {
      const PendingRequest* request = process_.requests.find(event.fields[4]);
      if (!request || request->is_send) return fault(Fault::kUnknownRequest, "receive completion");
      receive.request_call = request->call;
      receive.posted = request->posted;
      process_.requests.erase(event.fields[4]);
    }
    if (!is_in_mpi()) return;
    receive.call = current_call();
    if (receive.request_call == kNone32) {
      receive.request_call = receive.call;
      receive.posted = process_.posted++;
    }
    const std::uint32_t found = channel(rank_.receive_channels, event);
    if (found == kNone32) return;
    receive.channel = found;
    rank_.receives.push_back(receive);
  }

  void cancelled(const Event& event) {
    const PendingRequest* request = process_.requests.find(event.fields[0]);
    if (!request) return fault(Fault::kUnknownRequest, "cancellation");
    if (request->is_send) rank_.sends[request->send].is_cancelled = true;
    process_.requests.erase(event.fields[0]);
  }

  // ---- collectives -----------------------------------------------------------------------------------------------

  static CollectiveKind kind_of(CollectiveOp operation) {
    switch (operation) {
      case CollectiveOp::kBarrier: return CollectiveKind::kBarrier;
      case CollectiveOp::kBcast:
      case CollectiveOp::kScatter:
      case CollectiveOp::kScatterv: return CollectiveKind::kOneToAll;
      case CollectiveOp::kAllgather:
      case CollectiveOp::kAllgatherv:
      case CollectiveOp::kAlltoall:
      case CollectiveOp::kAllreduce:
      case CollectiveOp::kReduceScatter:
      case CollectiveOp::kReduceScatterBlock: return CollectiveKind::kAllToAll;
      case CollectiveOp::kGather:
      case CollectiveOp::kGatherv:
      case CollectiveOp::kReduce: return CollectiveKind::kAllToOne;
      case CollectiveOp::kScan:
      case CollectiveOp::kExscan: return CollectiveKind::kPrefix;
      default: return CollectiveKind::kUnanalysed;
    }
  }

  void collective_end(const Event& event) {
    const auto operation = static_cast<CollectiveOp>(event.fields[0]);
    // Making and freeing handles moves no data and is no operation of the application's.
    if (!is_in_mpi() || operation >= CollectiveOp::kCreateHandle) return;
    if (!process_.communicators.is_valid(event.fields[1])) return fault(Fault::kUndefinedReference, "communicator");
    Collective collective;
    // Where the BEGIN record is missing, the latest one is that of an operation before.
    collective.begin = std::max(collective_begin_, stack_.back().enter);
    collective.end = event.time;
    collective.call = current_call();
    collective.comm = static_cast<std::uint32_t>(event.fields[1]);
    collective.root = static_cast<std::uint32_t>(event.fields[2]);
    collective.sent = event.fields[3];
    collective.received = event.fields[4];
    collective.operation = operation;
    const bool is_neighborhood = process_.regions[stack_.back().region].is_neighborhood;
    collective.kind = is_neighborhood ? CollectiveKind::kUnanalysed : kind_of(operation);
    rank_.collectives.push_back(collective);
  }

  // Init and finalize synchronise all processes; only the first of each counts.
  void synchronise_all(const Frame& frame, CallClass call, Ticks time) {
    const CollectiveKind kind = call == CallClass::kInit ? CollectiveKind::kInit : CollectiveKind::kFinalize;
    for (const Collective& other : rank_.collectives)
      if (other.kind == kind) return;
    const std::uint32_t index = frame.call != kNone32 ? frame.call : add_call(frame);
    rank_.calls[index].set_leave(time);
    Collective collective;
    collective.begin = frame.enter;
    collective.end = time;
    collective.call = index;
    collective.kind = kind;
    collective.comm = kind == CollectiveKind::kInit ? kInitComm : kFinalizeComm;
    rank_.collectives.push_back(collective);
  }

  // ---- threads ---------------------------------------------------------------------------------------------------

  // Time before the fork stays with the serial part.
  void fork(const Event& event) {
    credit(event.time);
    fork_position_ = thread_.log.mark();
    is_forking_ = is_master();
    open_forks_.push_back(static_cast<std::uint32_t>(rank_.forks.size()));
    rank_.forks.push_back({.fork_time = event.time, .join_time = event.time, .path = stack_.empty() ? kNoPath : stack_.back().path});
  }

  // The time from the end of the parallel region to the join belongs to the region's call path.
  void join(const Event& event) {
    if (open_forks_.empty()) return;
    Fork& fork = rank_.forks[open_forks_.back()];
    fork.join_time = event.time;
    if (last_parallel_fork_ == open_forks_.back()) charge_join(event.time);
    fork.join_position = thread_.log.mark();
    is_forking_ = false;
    open_forks_.pop_back();
  }

  void charge_join(Ticks join_time) {
    const Ticks join = std::max<Ticks>(0, join_time - last_parallel_leave_);
    const Ticks counted_join = counted(last_parallel_leave_, last_parallel_leave_ + join);
    add(thread_.management_time, last_parallel_path_, counted_join);
    make_room(last_parallel_path_);
    if (is_master()) {
      // The clock runs on at the master, where this time would go to the surrounding region.
      credit(join_time);
      if (!stack_.empty()) move_time(stack_.back().path, last_parallel_path_, join, counted_join);
    } else {
      move_time(kNoPath, last_parallel_path_, join, counted_join);
    }
    last_parallel_fork_ = kNone32;
  }

  bool is_master() const { return number_ == 0; }

  // A worker's team belongs to the latest fork of the master before it.
  void team_begin(const Event& event) {
    if (is_master()) return teams_.push_back(open_forks_.empty() ? kNone32 : open_forks_.back());
    const auto later = [](Ticks time, const Fork& fork) { return time < fork.fork_time; };
    const auto begin = rank_.forks.begin();
    const auto after = std::upper_bound(begin, begin + static_cast<std::ptrdiff_t>(process_.master_forks), event.time, later);
    teams_.push_back(after == begin ? kNone32 : static_cast<std::uint32_t>(after - begin - 1));
  }

  void team_end() {
    if (teams_.empty()) return;
    if (!is_master() && last_parallel_fork_ != kNone32) charge_join(rank_.forks[last_parallel_fork_].join_time);
    teams_.pop_back();
  }

  // Where a worker's regions hang: the place of the master at the fork.
  PathIndex base_path() const {
    return is_master() || teams_.empty() || teams_.back() == kNone32 ? kNoPath : rank_.forks[teams_.back()].path;
  }

  void enter_construct(Frame& frame, ThreadClass construct) {
    const std::uint32_t fork = teams_.empty() ? kNone32 : teams_.back();
    if (construct == ThreadClass::kParallel && fork != kNone32) charge_fork(frame, fork);
    if (construct == ThreadClass::kExplicitBarrier || construct == ThreadClass::kImplicitBarrier) {
      frame.barrier = static_cast<std::uint32_t>(thread_.barriers.size());
      thread_.barriers.push_back({.enter = frame.enter,
                                  .leave = frame.enter,
                                  .path = frame.path,
                                  .calls_before = static_cast<std::uint32_t>(rank_.calls.size()),
                                  .fork = fork,
                                  .is_explicit = construct == ThreadClass::kExplicitBarrier});
    }
  }

  // The time from the fork to the start of the parallel region belongs to the region's call path. At the master it has
  // been credited to the surrounding region.
  void charge_fork(const Frame& frame, std::uint32_t fork) {
    const Ticks time = std::max<Ticks>(0, frame.enter - rank_.forks[fork].fork_time);
    const Ticks counted_time = counted(frame.enter - time, frame.enter);
    add(thread_.fork_time, frame.path, counted_time);
    add(thread_.management_time, frame.path, counted_time);
    move_time(is_master() ? rank_.tree[frame.path].parent : kNoPath, frame.path, time, counted_time);
    is_forking_ = false;
    thread_.parallels.push_back({.enter = frame.enter,
                                 .path = frame.path,
                                 .fork = fork,
                                 .position = is_master() ? fork_position_ : frame.position,
                                 .calls_before = static_cast<std::uint32_t>(rank_.calls.size())});
  }

  // Time of `from` (kNoPath: of nobody) belongs to `to` after all.
  void move_time(PathIndex from, PathIndex to, Ticks time, Ticks counted_time) {
    thread_.time[to] += counted_time;
    thread_.log.add(to, time);
    if (from == kNoPath) return;
    thread_.time[from] -= counted_time;
    thread_.log.take_back(from, time);
  }

  void leave_parallel(const Frame& frame, Ticks time) {
    if (teams_.empty()) return;
    last_parallel_fork_ = teams_.back();
    last_parallel_leave_ = time;
    last_parallel_path_ = frame.path;
  }

  static void add(std::vector<Ticks>& times, PathIndex path, Ticks time) {
    if (path >= times.size()) times.resize(path + 1, 0);
    times[path] += time;
  }

  void acquire(const Event& event) {
    if (stack_.empty() || event.fields[2] == 0) return;
    held_locks_.insert(event.fields[1]) = static_cast<std::uint32_t>(thread_.locks.size());
    thread_.locks.push_back({.lock = event.fields[1],
                             .order = event.fields[2],
                             .enter = stack_.back().enter,
                             .release = event.time,
                             .path = stack_.back().path});
  }

  void release(const Event& event) {
    if (const std::uint32_t* held = held_locks_.find(event.fields[1])) thread_.locks[*held].release = event.time;
  }

  // ---- faults ----------------------------------------------------------------------------------------------------

  void fault(Fault kind, std::string detail = {}, std::uint64_t count = 1) {
    process_.source.faults().add(kind, location_name(process_.source.definitions(), thread_.location),
                                 thread_.event_count, std::move(detail), count);
  }

  ProcessScan& process_;
  LogicalRank& rank_;
  LogicalThread& thread_;
  const std::uint16_t number_;
  std::vector<Frame> stack_;
  Ticks last_time_ = 0;
  Ticks collective_begin_ = 0;
  std::vector<std::uint32_t> open_forks_;  // of this thread, indices into LogicalRank::forks
  std::vector<std::uint32_t> teams_;       // forks whose teams this thread is in
  LogPosition fork_position_ = 0;          // of the latest fork
  bool is_forking_ = false;                // the master has forked, its parallel region has not begun
  std::uint32_t last_parallel_fork_ = kNone32;
  Ticks last_parallel_leave_ = 0;
  PathIndex last_parallel_path_ = kNoPath;
  FlatMap<std::uint64_t, std::uint32_t> held_locks_;
};

// With several threads calling MPI, records follow one another thread by thread; bring them into time order.
template <class Record, class Time>
void sort_by_time(Rows<Record>& records, Time time) {
  const auto earlier = [&](const Record& a, const Record& b) { return time(a) < time(b); };
  if (!std::is_sorted(records.begin(), records.end(), earlier)) std::stable_sort(records.begin(), records.end(), earlier);
}

}  // namespace

std::string location_name(const Definitions& definitions, LocationId location) {
  const Location& facts = definitions.locations[location.value];
  std::string name = "rank " + std::to_string(definitions.processes[facts.process.value].rank);
  if (facts.thread > 0) name += " thread " + std::to_string(facts.thread);
  return name;
}

LogicalRank scan_process(Source& source, std::span<const LocationId> locations, const RegionTable& regions,
                         const CommunicatorTable& communicators, std::span<const TimeRanges> selected) {
  const Definitions& definitions = source.definitions();
  LogicalRank rank;
  if (locations.empty()) return rank;
  rank.rank = definitions.processes[definitions.locations[locations[0].value].process.value].rank;
  rank.threads.resize(locations.size());
  ProcessScan scan{source, regions, communicators, rank, {}, 0, 0};
  for (std::size_t i = 0; i < locations.size(); ++i) {
    rank.threads[i].location = locations[i];
    if (!selected.empty()) rank.threads[i].selected = &selected[i];
    ThreadScan(scan, rank.threads[i], static_cast<std::uint16_t>(i)).run();
    if (i == 0) scan.master_forks = rank.forks.size();
  }
  if (locations.size() > 1) {
    sort_by_time(rank.sends, [](const Send& s) { return s.time; });
    sort_by_time(rank.receives, [&](const Receive& r) { return rank.calls[r.call].leave(); });
    sort_by_time(rank.collectives, [](const Collective& c) { return c.end; });
  }
  rank.calls.finish();
  rank.sends.finish();
  rank.receives.finish();
  rank.collectives.finish();
  return rank;
}

}  // namespace tarry
