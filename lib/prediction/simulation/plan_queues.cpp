// plan_queues.cpp -- what the work of accelerators waits for, and who waits for it.
//
//   in order        [ in ][ kernel ]....[ out ]        each after its launch, and after the work before it
//   out of order    [ kernel      ][ kernel ]          as many rows as there was work at once; each execution follows
//                     [ kernel ]                       the one that had ended last
//   copies overlap  in [    ][    ]                    a row of copies in, of kernels, of copies out: kernels need the
//                   ker      [ kernel ][ kernel ]      copies in before them, copies out all before them
//                   out               [ ]
//
// A call that synchronises waits for all that was launched before it and had ended when it was left.
// Source: docs/SIMULATION.md, "Accelerators".
#include <algorithm>
#include <array>
#include <queue>

#include "prediction/simulation/gates.hpp"
#include "prediction/simulation/queue_gates.hpp"

namespace tarry {
namespace {

/// Which work of a queue is in order among itself.
enum StreamKind : std::uint8_t { kIn, kKernels, kOut, kStreamCount };

/// Whether work of one kind needs that of another one before it.
bool is_needed(StreamKind own, StreamKind other) { return other <= own; }

/// Work of a queue that was executed in order, or in as many rows as there was work at once.
class WorkStream {
 public:
  WorkStream(const LogicalThread& queue, Ticks clock_error)
      : executions_(queue.executions), clock_error_(clock_error) {}

  /// Time has come so far. It never decreases.
  void pass(Ticks time) {
    for (; !running_.empty() && running_.top().end <= time; running_.pop()) {
      free_rows_.push_back(running_.top().row);
      last_ended_ = running_.top().execution;
    }
  }

  /// What work that begins now follows: what ended last, or what it overlaps as little as clocks may be wrong.
  ExecutionIndex before(const Execution& execution) const {
    return last_begun_.is_valid() && is_hardly_later(executions_[last_begun_], execution) ? last_begun_ : last_ended_;
  }

  /// The row for work that begins now, among those whose work has ended: the one where that was last. `add`: makes one.
  template <class Add>
  std::size_t take_row(ExecutionIndex execution, Add add) {
    if (free_rows_.empty()) free_rows_.push_back(add());
    const std::size_t row = free_rows_.back();
    free_rows_.pop_back();
    running_.push({executions_[execution].end, execution, row});
    last_begun_ = execution;
    return row;
  }

 private:
  struct Running {
    Ticks end;
    ExecutionIndex execution;
    std::size_t row;
    bool operator<(const Running& other) const {  // the one that ends first is on top
      return end != other.end ? end > other.end : execution > other.execution;
    }
  };

  bool is_hardly_later(const Execution& first, const Execution& second) const {
    const Ticks shorter = std::min(first.end - first.begin, second.end - second.begin);
    return first.end > second.begin && first.end - second.begin <= std::min(clock_error_, shorter / 2);
  }

  const Indexed<ExecutionIndex, Rows<Execution>>& executions_;
  const Ticks clock_error_;
  std::priority_queue<Running> running_;
  std::vector<std::size_t> free_rows_;  // the one whose work ended last is the last
  ExecutionIndex last_ended_{}, last_begun_{};
};

/// An execution as others depend on it.
struct PlacedWork {
  std::size_t row = 0;
  Ticks launched = kNoCause;  // it, and all that it needs
};
using PlacedQueue = Indexed<ExecutionIndex, std::vector<PlacedWork>>;

/// The rows of one queue, and what each execution waits for.
class QueuePlanner {
 public:
  QueuePlanner(const LogicalRank& rank, ThreadIndex queue, bool overlaps_copies, Ticks clock_error, GateIndex begin,
               QueueGates& into, Gates& gates)
      : rank_(rank),
        queue_(queue),
        executions_(rank.threads[queue].executions),
        overlaps_copies_(overlaps_copies),
        begin_(begin),
        streams_(kStreamCount, WorkStream(rank.threads[queue], clock_error)),
        into_(into),
        of_queue_(into.queues[queue]),
        gates_(gates) {}

  PlacedQueue plan() {
    for (const ExecutionIndex i : executions_.ids()) plan(i);
    return std::move(placed_);
  }

 private:
  using Before = std::array<ExecutionIndex, kStreamCount>;  // the work that each kind of work follows

  StreamKind kind_of(const Execution& execution) const {
    if (!overlaps_copies_) return kKernels;
    if (execution.kind == WorkKind::kCopyToDevice) return kIn;
    return execution.kind == WorkKind::kCopyToHost ? kOut : kKernels;
  }

  void plan(ExecutionIndex number) {
    const Execution& execution = executions_[number];
    const StreamKind kind = kind_of(execution);
    Before before;
    for (std::size_t i = 0; i < kStreamCount; ++i) {
      streams_[i].pass(execution.begin);
      before[i] = streams_[i].before(execution);
    }
    PlacedWork work{.row = streams_[kind].take_row(number, [this] { return add_row(); })};
    Rows<ExecutionIndex>& row = into_.rows[work.row].executions;
    const ExecutionIndex in_row = row.empty() ? ExecutionIndex() : row.back();
    row.push_back(number);
    of_queue_.begins.push_back({});
    if (in_row.is_valid()) work.launched = placed_[in_row].launched;
    const bool is_first = std::ranges::none_of(before, [](ExecutionIndex each) { return each.is_valid(); });
    if (execution.launch.is_valid()) await_launch(number, execution.launch, work);
    else if (is_first) await_begin(number, work);
    for (std::size_t i = 0; i < kStreamCount; ++i) {
      if (!before[i].is_valid() || before[i] == in_row) continue;
      // Work without a launch stays behind all that was before it.
      if (!execution.launch.is_valid() || is_needed(kind, static_cast<StreamKind>(i)))
        await_end(number, before[i], work);
      else gates_.past(gate_of(number), std::min(executions_[before[i]].end, execution.begin));
    }
    placed_.push_back(work);
  }

  std::size_t add_row() {
    into_.rows.emplace_back(queue_, rank_.calls.budget());
    return into_.rows.size() - 1;
  }

  GateIndex gate_of(ExecutionIndex number) {
    GateIndex& gate = of_queue_.begins[number];
    if (!gate.is_valid()) gate = gates_.add();
    return gate;
  }

  void await_launch(ExecutionIndex number, DeviceCallIndex launch, PlacedWork& work) {
    const Ticks time = rank_.device_calls[launch].enter.time;
    into_.launches.push_back({launch, gate_of(number)});
    gates_.cause(gate_of(number), time);
    work.launched = std::max(work.launched, time);
  }

  // Work that nothing tells about begins as its queue does.
  void await_begin(ExecutionIndex number, PlacedWork& work) {
    if (begin_.is_valid()) of_queue_.begins[number] = begin_;
    else if (const DeviceCallIndex first = executions_[ExecutionIndex(0)].launch; first.is_valid())
      await_launch(number, first, work);
  }

  void await_end(ExecutionIndex number, ExecutionIndex before, PlacedWork& work) {
    of_queue_.ends.push_back({before, gate_of(number)});
    gates_.cause(gate_of(number), executions_[before].end);
    work.launched = std::max(work.launched, placed_[before].launched);
  }

  const LogicalRank& rank_;
  const ThreadIndex queue_;
  const Indexed<ExecutionIndex, Rows<Execution>>& executions_;
  const bool overlaps_copies_;
  const GateIndex begin_;
  std::vector<WorkStream> streams_;
  QueueGates& into_;
  QueueGates::OfQueue& of_queue_;
  Gates& gates_;
  PlacedQueue placed_;
};

/// What of a queue a thread has not waited for yet. Calls that wait come in their order.
class AwaitedWork {
 public:
  AwaitedWork(const LogicalThread& queue, const PlacedQueue& placed, const std::vector<ExecutionIndex>& by_end)
      : executions_(queue.executions), placed_(placed), by_end_(by_end) {}

  /// Calls visit(execution) for the last work of each row that ended until `end`, and was launched until `begin` with
  /// all that it needs. What was launched later has one more chance.
  template <class Visit>
  void take(Ticks begin, Ticks end, Visit visit) {
    std::vector<ExecutionIndex> candidates = std::exchange(left_, {});
    for (; next_ < by_end_.size() && executions_[by_end_[next_]].end <= end; ++next_)
      candidates.push_back(by_end_[next_]);
    std::vector<ExecutionIndex> awaited;
    for (const ExecutionIndex i : candidates) {
      if (placed_[i].launched <= begin) awaited.push_back(i);
      else if (executions_[i].end > begin) left_.push_back(i);
    }
    std::ranges::stable_sort(awaited, {}, [&](ExecutionIndex i) { return placed_[i].row; });
    for (std::size_t i = 0; i < awaited.size(); ++i)
      if (i + 1 == awaited.size() || placed_[awaited[i]].row != placed_[awaited[i + 1]].row) visit(awaited[i]);
  }

 private:
  const Indexed<ExecutionIndex, Rows<Execution>>& executions_;
  const PlacedQueue& placed_;
  const std::vector<ExecutionIndex>& by_end_;
  std::size_t next_ = 0;
  std::vector<ExecutionIndex> left_;
};

/// Which calls wait for which work.
class WaitPlanner {
 public:
  WaitPlanner(const LogicalRank& rank, bool overlaps_copies, double clock_error,
              Indexed<ThreadIndex, std::vector<PlacedQueue>> placed, QueueGates& into, Gates& gates)
      : rank_(rank),
        overlaps_copies_(overlaps_copies),
        clock_error_(clock_error),
        placed_(std::move(placed)),
        into_(into),
        gates_(gates) {
    by_end_.resize(rank.threads.size());
    for (const ThreadIndex t : rank.threads.ids()) sort_by_end(t);
  }

  void plan() {
    start_thread();
    for (const DeviceCallIndex i : rank_.device_calls.ids()) {
      if (i.value > 0 && rank_.device_calls[i].thread != rank_.device_calls[DeviceCallIndex(i.value - 1)].thread)
        start_thread();
      if (rank_.device_calls[i].call == AcceleratorCall::kSynchronization) synchronise(i);
    }
    for (const ThreadIndex t : rank_.threads.ids())
      for (const ExecutionIndex i : rank_.threads[t].executions.ids()) await_copy(t, i);
    std::ranges::stable_sort(into_.waits, {}, &DeviceCallGate::call);
    for (QueueGates::OfQueue& queue : into_.queues) std::ranges::stable_sort(queue.ends, {}, &ExecutionGate::execution);
  }

 private:
  void sort_by_end(ThreadIndex queue) {
    const auto& executions = rank_.threads[queue].executions;
    for (const ExecutionIndex i : executions.ids()) by_end_[queue].push_back(i);
    std::ranges::stable_sort(by_end_[queue], {}, [&](ExecutionIndex i) { return executions[i].end; });
  }

  void start_thread() {
    awaited_.clear();
    for (const ThreadIndex t : rank_.threads.ids()) awaited_.emplace_back(rank_.threads[t], placed_[t], by_end_[t]);
  }

  // A call that has nothing to wait for takes its time all the same: it is no computation.
  void synchronise(DeviceCallIndex number) {
    const DeviceCall& call = rank_.device_calls[number];
    const GateIndex gate = add_wait(number);
    for (const ThreadIndex t : rank_.threads.ids())
      if (rank_.threads[t].is_queue && (!call.queue.is_valid() || call.queue == t))
        awaited_[t].take(call.enter.time, latest_awaited_end(call, clock_error_),
                         [&](ExecutionIndex execution) { await(gate, t, execution); });
  }

  // A call that copies waits for its copy if it was left after that.
  void await_copy(ThreadIndex queue, ExecutionIndex number) {
    const Execution& copy = rank_.threads[queue].executions[number];
    if (!copy.is_copy() || !copy.launch.is_valid()) return;
    const DeviceCall& call = rank_.device_calls[copy.launch];
    if (call.call != AcceleratorCall::kTransfer || copy.end > latest_awaited_end(call, clock_error_)) return;
    if (placed_[queue][number].launched > call.enter.time) return;
    const GateIndex gate = add_wait(copy.launch);
    if (overlaps_copies_ && copy.kind == WorkKind::kCopyToDevice) gates_.past(gate, std::min(copy.end, call.leave));
    else await(gate, queue, number);
  }

  GateIndex add_wait(DeviceCallIndex call) {
    const GateIndex gate = gates_.add();
    into_.waits.push_back({call, gate});
    return gate;
  }

  void await(GateIndex gate, ThreadIndex queue, ExecutionIndex execution) {
    into_.queues[queue].ends.push_back({execution, gate});
    gates_.cause(gate, rank_.threads[queue].executions[execution].end);
  }

  const LogicalRank& rank_;
  const bool overlaps_copies_;
  const double clock_error_;  // ticks
  const Indexed<ThreadIndex, std::vector<PlacedQueue>> placed_;
  QueueGates& into_;
  Gates& gates_;
  Indexed<ThreadIndex, std::vector<std::vector<ExecutionIndex>>> by_end_;
  Indexed<ThreadIndex, std::vector<AwaitedWork>> awaited_;  // by the thread whose calls come now
};

}  // namespace

QueueGates plan_queues(const LogicalRank& rank, const Machine& machine, double ticks_per_second,
                       const Indexed<ThreadIndex, std::vector<GateIndex>>& begins, Gates& gates) {
  QueueGates planned;
  if (std::ranges::none_of(rank.threads, &LogicalThread::is_queue)) return planned;
  const double clock_error = kDeviceClockError * ticks_per_second;
  Indexed<ThreadIndex, std::vector<PlacedQueue>> placed(rank.threads.size());
  for (const ThreadIndex t : rank.threads.ids()) {
    planned.queues.emplace_back(rank.calls.budget());
    placed[t] =
        QueuePlanner(rank, t, machine.overlaps_copies, static_cast<Ticks>(clock_error), begins[t], planned, gates)
            .plan();
  }
  WaitPlanner(rank, machine.overlaps_copies, clock_error, std::move(placed), planned, gates).plan();
  std::ranges::stable_sort(planned.launches, {}, &DeviceCallGate::call);
  return planned;
}

}  // namespace tarry
