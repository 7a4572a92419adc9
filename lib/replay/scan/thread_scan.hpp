// thread_scan.hpp -- the state of one thread while its events are read; only for the files of scan_process().
#pragma once

#include <algorithm>
#include <optional>

#include "replay/scan/process_scan.hpp"
#include "trace/record.hpp"

namespace tarry {

/// Reads the events of one thread into its LogicalThread and the records of its process. Hidden: in
/// position-independent code the compiler inlines nothing that another library could replace.
class [[gnu::visibility("hidden")]] ThreadScan {
 public:
  ThreadScan(ProcessScan & process, LogicalThread & thread, ThreadIndex number)
      : process_(process), rank_(process.rank), thread_(thread), number_(number), locks_(thread.locks) {
    if (process.keeps.retiming) times_ = process.keeps.retiming->of_thread(rank_.rank, number);
  }

  /// Reads on. False if a team has to be forked or joined first, by a thread that is read later: to be called again.
  bool run();

  /// No thread does that: from now on it does without.
  void stop_waiting() { waits_ = false; }

  /// The same completion once more, now that all threads have been scanned.
  void complete_late(const LateCompletion& late);

 private:
  static constexpr std::size_t kUsualPaths = 16;
  static constexpr std::uint64_t kCurrentEvent = ~std::uint64_t{0};

  struct FileOperation {
    IoHandleId file;
    std::uint64_t matching;
    std::size_t depth;  // of the call that began it
    Ticks enter;        // of that call
  };
  struct OpenPoll {
    Poll poll;
    Ticks leave;
    PathIndex path;
    std::uint64_t calls;
    bool is_probe;
    bool follows;             // the one before closely
    bool is_blocked = false;  // the thread was, after it, but not as `sleep` tells
    Poll sleep{};             // the thread slept right before whatever comes next; without a duration: it did not
    bool is_asleep = false;   // that is part of the polls
  };
  struct Frame {
    PathIndex path = kNoPath;
    RegionId region;
    Ticks enter = 0;
    CallIndex call{};  // once a record asked for it
    BarrierIndex barrier{};
    LogPosition position = 0;  // in the time log, right after it was entered (MPI functions)
    std::uint64_t calls = 1;   // coalesced
  };

  bool is_master() const { return number_ == kMaster; }

  // ---- regions and time (thread_scan.cpp)

  bool is_usual() const;
  bool handle_plain(const Event& event);
  bool enter_plain(Ticks time, RegionId region);
  bool leave_plain(Ticks time, RegionId region);
  void handle(const Event& event);
  void handle_elsewhen(const Event& event);
  void credit_selected(Ticks time);
  void cut_log(Ticks time);
  RegionId known_region(RegionId region);
  RegionId left_region(RegionId region) const;
  bool is_open(RegionId region);
  void enter(Ticks time, RegionId region);
  void leave(Ticks time, RegionId region);
  void close_innermost(Ticks time);
  void begin_main_part(Ticks time);
  void end_main_part(Ticks time);
  void program_end(Ticks time);
  void close_open_regions();
  void buffer_flush(Ticks time, const record::BufferFlush& flush);
  void measurement_on_off(Ticks time, const record::MeasurementOnOff& change);
  bool is_off() const;
  void leave_while_off(Ticks time, RegionId region);
  void metric(Ticks time, const record::Metric& metric);
  FileCount& file_of(IoHandleId file);
  void spend_on_file(Ticks time, IoHandleId file);
  void open_file(Ticks time, const record::IoCreateHandle& open);
  void begin_file_operation(Ticks time, const record::IoOperationBegin& begin);
  void open_file_operation(IoHandleId file, std::uint64_t matching);
  bool is_part_of_operation(IoHandleId file) const;
  void complete_file_operation(Ticks time, const record::IoOperationComplete& end);
  void attribute(Ticks time, const record::Attribute& attribute);
  void blocked(Ticks time, std::uint64_t recorded);

  // Time since the last enter or leave belongs to the call path that was current. A worker outside its parallel
  // regions has none.
  void credit(Ticks time) {
    if (time <= last_time_) return;
    if (thread_.selected) [[unlikely]]
      return credit_selected(time);
    if (!stack_.empty()) {
      thread_.time[stack_.back().path] += time - last_time_;
      thread_.log.add(stack_.back().path, time - last_time_);
    }
    last_time_ = time;
  }

  // As credit(), but a region must be open and no part of the trace selected.
  void credit_open(Ticks time) {
    if (time <= last_time_) return;
    const PathIndex path = stack_.back().path;
    thread_.time[path] += time - last_time_;
    thread_.log.add(path, time - last_time_);
    last_time_ = time;
  }

  // The same in floating-point seconds, inside parallel regions.
  void credit_seconds(Ticks time) {
    if (thread_.barrier_seconds && !stack_.empty()) thread_.barrier_seconds->credit(stack_.back().path, time);
  }

  [[gnu::always_inline]] void make_room(PathIndex path) {
    if (path >= thread_.time.size()) [[unlikely]]
      make_more_room(path);
  }

  Frame& open_frame(PathIndex path, RegionId region, Ticks time) {
    Frame& frame = stack_.emplace_back();
    frame.path = path;
    frame.region = region;
    frame.enter = time;
    return frame;
  }

  void make_more_room(PathIndex path) {
    if (path >= thread_.time.capacity()) {
      thread_.time.reserve(std::max(kUsualPaths, 2 * std::size_t{path}));
      thread_.visits.reserve(thread_.time.capacity());
    }
    thread_.time.resize(path + 1, 0);
    thread_.visits.resize(path + 1, 0);
  }

  // ---- calls (thread_scan.cpp)

  bool is_in_mpi() const { return !stack_.empty() && process_.regions[stack_.back().region].is_mpi; }

  // The call that the innermost region is; made when its first record is met.
  CallIndex current_call() {
    Frame& frame = stack_.back();
    if (!frame.call.is_valid()) frame.call = add_call(frame);
    return frame.call;
  }

  CallIndex add_call(const Frame& frame);

  // ---- messages (message_scan.cpp)

  ChannelIndex channel(ChannelTable & table, CommRank other, CommId comm, MessageTag tag);
  void send(Ticks time, const record::MpiSend& record);
  void isend(Ticks time, const record::MpiIsend& record);
  Send& add_send(Ticks time, ChannelIndex channel, Bytes bytes);
  bool waits_for_other_thread(RequestId request) const;
  void complete(const Event& event, CallIndex call);
  template <class Record>
  void complete(const Event& event, CallIndex call, const Record& record);
  void finish(Ticks time, CallIndex call, const record::MpiIsendComplete& end);
  void receive_request(Ticks time, const record::MpiIrecvRequest& record);
  void blocking_receive(Ticks time, const record::MpiRecv& record);
  void finish(Ticks time, CallIndex call, const record::MpiIrecv& end);
  void add_receive(Receive receive, ChannelIndex channel, Ticks time);
  void finish(Ticks time, CallIndex call, const record::MpiRequestCancelled& end);
  PostingIndex post_receive(Ticks time);
  void probe(Frame & frame, CallClass call);

  // ---- polls (poll_scan.cpp)

  void polled(const Frame& frame, CallClass call, Ticks leave);
  bool is_followed(Ticks next_enter) const;
  void settle_last_poll(Ticks next_enter);
  void credit_gap(CallClass entered, Ticks time);
  void credit_sleep(OpenPoll & last);
  void blocked_after_poll(Ticks begin, Ticks end);
  void end_polls(bool is_probe);
  void forget_polls() { polls_.clear(); }

  // ---- collectives (collective_scan.cpp)

  template <class End>
  bool describe(Collective & collective, Ticks time, const End& end, CallIndex call, RegionId started_in);
  void collective_partners(const record::MpiCollectivePartners& partners);
  MaskIndex take_masks();
  void collective_end(Ticks time, const record::MpiCollectiveEnd& end);
  void collective_request(Ticks time, const record::NonBlockingCollectiveRequest& record);
  void finish(Ticks time, CallIndex call, const record::NonBlockingCollectiveComplete& end);
  Spawn& current_spawn();
  void comm_created(const record::CommCreate& created);
  void synchronise_all(const Frame& frame, CallClass call, Ticks time);

  // ---- one-sided communication (window_scan.cpp)

  void window_record(const Event& event);

  // ---- OpenMP (team_scan.cpp)

  void fork(Ticks time);
  void join(Ticks time);
  void charge_join(Ticks join_time);
  bool has_to_wait(const Event& event) const;
  void begin_own_team(TeamId team);
  ForkIndex fork_of(TeamId team, Ticks begin) const;
  void team_begin(Ticks time, const record::ThreadTeamBegin& begin);
  void team_end();
  void enter_construct(Frame & frame, ThreadClass construct);
  void charge_fork(const Frame& frame, ForkIndex fork);
  void begin_seconds(const Frame& frame, Ticks fork_time);
  void move_time(PathIndex from, PathIndex to, Ticks time, Ticks counted_time);
  void leave_parallel(const Frame& frame, Ticks time);
  void acquire(Ticks time, const record::ThreadAcquireLock& acquired);
  void release(Ticks time, const record::ThreadReleaseLock& released);
  LogPosition place_of_enter();
  std::optional<ThreadMoment> moment_of_release(Ticks time);
  bool is_in_timed_wait() const;
  template <class Start>
  void start_thread(Ticks time, const Start& start);
  template <class Record>
  void pass_end_of_thread(Ticks time, const Record& record, Ticks enter, bool is_shared);
  void end_thread(Ticks time, const record::ThreadEnd& end);
  void join_thread(Ticks time, const record::ThreadWait& join);
  void signal_condition();
  ThreadEnds& ends_of_thread();
  ThreadMoment moment(Ticks time, LogPosition position) const;

  // Number of the current event, where moments of threads are kept.
  std::uint32_t ordinal() const {
    return process_.keeps.lock_places ? static_cast<std::uint32_t>(thread_.event_count) : 0;
  }

  // Time of a fork or a join has not found its call path yet: it must be left where it is in the log.
  bool is_moving_time() const { return is_forking_ || last_parallel_fork_.is_valid(); }

  // Whether this thread has forked the team.
  bool is_own(ForkIndex fork) const { return fork.is_valid() ? rank_.forks[fork].thread == number_ : is_master(); }

  // Where a worker's regions hang: the place of the fork.
  PathIndex base_path() const {
    return is_master() || teams_.empty() || !teams_.back().is_valid() ? kNoPath : rank_.forks[teams_.back()].path;
  }

  // Explicit tasks lie below the parallel region around them, or else below the outermost open region, wherever the
  // thread runs them. The recorder's summary has the same paths.
  PathIndex path_of_tasks() const {
    if (stack_.empty()) return base_path();
    return stack_[open_parallels_.empty() ? 0 : open_parallels_.back()].path;
  }

  // Within the thread; also of a completion that is looked at once more.
  std::uint64_t record_number() const { return event_number_ == kCurrentEvent ? thread_.event_count : event_number_; }

  void fault(Fault kind, std::string detail = {}, std::uint64_t count = 1);

  std::unique_ptr<EventReader> reader_;
  std::unique_ptr<EventTimes> times_;  // other ones than in the events; nullptr: none
  std::span<const Event> block_;       // what is to be read next of it
  bool waits_ = true;

  ProcessScan& process_;
  LogicalRank& rank_;
  LogicalThread& thread_;
  const ThreadIndex number_;
  std::vector<Frame> stack_;
  std::vector<std::size_t> open_parallels_;      // parallel regions in stack_
  FlatMap<RegionId, std::uint32_t> open_count_;  // of regions in stack_; from the first leave on that is wrong
  bool counts_open_ = false;
  Ticks last_time_ = 0;
  Ticks last_file_record_ = 0;                  // when
  std::vector<FileOperation> open_operations_;  // that block; the innermost last
  Ticks collective_begin_ = 0;
  MaskIndex masks_;                                  // of the operation whose record comes next
  std::vector<ProbeIndex> probes_, matched_probes_;  // whose messages have not been received yet
  std::vector<OpenPoll> polls_;                      // since the last MPI call of another kind
  std::size_t next_matched_ = 0;                     // the oldest of the matched ones
  std::uint64_t event_number_ = kCurrentEvent;       // if it is not the current one
  std::vector<ForkIndex> open_forks_;                // of this thread
  std::vector<ForkIndex> teams_;                     // forks whose teams this thread is in
  std::vector<std::uint64_t> team_numbers_;          // of the same, in the events
  LogPosition fork_position_ = 0;                    // of the latest fork
  bool is_forking_ = false;                          // it has forked, its parallel region has not begun
  bool has_to_begin_own_team_ = false;               // it has forked, its team has not begun
  ForkIndex last_parallel_fork_;
  Ticks last_parallel_leave_ = 0;
  PathIndex last_parallel_path_ = kNoPath;
  LockLogWriter locks_;
  FlatMap<std::uint64_t, LockIndex> held_locks_;
  std::uint64_t iteration_visits_ = 0;
};

}  // namespace tarry
