// simulated_times.cpp -- the times of a simulation, for all events of the trace while it is read once more.
//
//   steps    enter c .................. leave c ........ enter d
//   events   ENTER  SEND  COLL_END      LEAVE    ENTER f  ENTER      each between the last step before and the next one
//
// Steps at the same recorded time may be apart in the simulation. There an event takes the steps along that it makes.
// ENTER is the enter of its call, LEAVE its leave. Other records end a wait of threads.
#include "prediction/simulation/simulated_times.hpp"

#include "prediction/simulation/queue_steps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "prediction/simulation/program_changes.hpp"
#include "trace/record.hpp"

namespace tarry {
namespace {

// Whether the record of a call tells that something is over: what it waited for is there.
bool ends_wait(EventKind kind) {
  switch (kind) {
    case EventKind::kMpiRecv:
    case EventKind::kMpiIrecv:
    case EventKind::kMpiIsendComplete:
    case EventKind::kMpiRequestCancelled:
    case EventKind::kMpiCollectiveEnd:
    case EventKind::kNonBlockingCollectiveComplete:
    case EventKind::kCommCreate:
    case EventKind::kRmaCollectiveEnd:
    case EventKind::kRmaGroupSync:
    case EventKind::kRmaAcquireLock:
    case EventKind::kRmaReleaseLock:
    case EventKind::kRmaSync:
    case EventKind::kRmaWaitChange:
    case EventKind::kRmaOpCompleteBlocking:
    case EventKind::kRmaOpCompleteNonBlocking:
    case EventKind::kRmaOpCompleteRemote: return true;
    default: return false;
  }
}

// What is left of the work of a thread without the delays that the machine removes.
class WorkWithoutDelays {
 public:
  // Of a machine that removes none.
  WorkWithoutDelays() = default;
  WorkWithoutDelays(const RemovedWork& removed, RankIndex rank, ThreadIndex thread)
      : strengths_(&removed.strengths),
        delay_of_path_(&removed.changes.of(rank).delay_of_path),
        shares_(&removed.changes.of(rank).shares[thread]),
        left_(delay_of_path_->size(), 1) {}

  bool is_all() const { return !shares_ || shares_->empty(); }

  // Of a tick from `time` on. Times never decrease.
  double left_of(PathIndex path, Ticks time) {
    if (is_all()) return 1;
    for (; next_ < shares_->size() && (*shares_)[next_].time <= time; ++next_) {
      const DelayShare& delay = (*shares_)[next_];
      left_[delay.path] = std::max(0.0, 1 - (*strengths_)[(*delay_of_path_)[delay.path]] * delay.share);
    }
    return path < left_.size() ? left_[path] : 1;
  }

 private:
  const Indexed<ChangeIndex, std::vector<double>>* strengths_ = nullptr;
  const std::vector<ChangeIndex>* delay_of_path_ = nullptr;
  const Rows<DelayShare>* shares_ = nullptr;
  std::vector<double> left_;  // by path, now
  std::size_t next_ = 0;      // of the shares
};

Ticks whole_ticks(double time, Ticks origin) {
  constexpr double kMost = 4e18;
  return origin + static_cast<Ticks>(std::llround(std::clamp(time, -kMost, kMost)));
}

class ThreadTimes final : public EventTimes {
 public:
  ThreadTimes(const RankPlan::Steps& steps, const WorkFactors& factors, WorkWithoutDelays without_delays, Ticks origin,
              bool keeps_calls)
      : steps_(steps),
        factors_(factors),
        without_delays_(std::move(without_delays)),
        keeps_pace_(factors.are_one && without_delays_.is_all()),
        origin_(origin),
        keeps_calls_(keeps_calls) {
    skip_idle();
  }

  Event move(const Event& event, PathIndex path, std::size_t depth) override {
    pass_steps(event, path, depth);
    Event moved = event;
    const double time = time_at(event.time, event.kind);
    moved.time = latest_ = std::max(latest_, to_ticks(time));
    if (event.kind == EventKind::kBufferFlush)
      set_record(moved, record::BufferFlush{.duration = flush_duration(event, time)});
    return moved;
  }

 private:
  Ticks to_ticks(double time) const { return whole_ticks(time, origin_); }
  double ticks(Ticks recorded) const { return static_cast<double>(recorded - origin_); }

  bool has_next() const { return steps_.has(next_); }
  const SimStep& next() const { return steps_[next_]; }
  bool is_waiting_next() const { return ends_wait(next().kind); }

  // ---- which steps are over

  void pass_steps(const Event& event, PathIndex path, std::size_t depth) {
    while (has_next() && next().recorded < event.time) {
      if (next().kind == StepKind::kLeave && !calls_.empty()) calls_.pop_back();
      pass();
    }
    bool is_used = false, is_new = false;
    while (has_next() && next().recorded <= event.time && takes_along(event, depth, is_used, is_new)) pass();
    if (from_ && !keeps_pace_) worked_ += static_cast<double>(event.time - worked_until_) * left_of(path);
    worked_until_ = event.time;
  }

  // Of a tick that the thread works from now on.
  double left_of(PathIndex path) {
    const bool is_known = path != kNoPath && path < factors_.of_path.size();
    return (is_known ? factors_.of_path[path] : factors_.elsewhere) * without_delays_.left_of(path, worked_until_);
  }

  void pass() {
    from_ = &next();
    ++next_.value;
    worked_ = 0;
    worked_until_ = from_->recorded;
    skip_idle();
  }

  // A thread without work goes on when it is called.
  void skip_idle() {
    idle_until_ = kNoCause;
    for (; has_next() && next().kind == StepKind::kIdle; ++next_.value) idle_until_ = next().recorded;
  }

  // Whether the next step, at the time of the event, is over. `is_used`: the event has taken a step along already, of
  // those that no other takes. `is_new`: the wait that comes next may not have begun.
  bool takes_along(const Event& event, std::size_t depth, bool& is_used, bool& is_new) {
    switch (next().kind) {
      case StepKind::kPass:
      case StepKind::kSignal:
      case StepKind::kIdle: is_new = true; return true;
      case StepKind::kEnter:
        if (event.kind != EventKind::kEnter || is_used) return false;
        if (record_of<record::Enter>(event).region != RegionId(next().value)) return false;
        calls_.push_back(depth);
        return is_used = true;
      case StepKind::kLeave:
        if (event.kind != EventKind::kLeave || calls_.empty() || calls_.back() + 1 != depth || is_used) return false;
        calls_.pop_back();
        return is_used = true;
      case StepKind::kAwait:
      case StepKind::kAwaitDevice:
        if (is_used || is_new || !ends_wait_of_threads(event.kind)) return false;
        return is_used = true;
    }
    return false;
  }

  bool ends_wait_of_threads(EventKind kind) const {
    switch (kind) {
      case EventKind::kLeave:
      case EventKind::kThreadAcquireLock:
      case EventKind::kThreadJoin:
      case EventKind::kThreadBegin: return true;
      case EventKind::kEnter: return idle_until_ != kNoCause;  // of a parallel region
      default: return false;
    }
  }

  // ---- when

  // Simulated, of something between the last step and the next one.
  double time_at(Ticks recorded, EventKind kind) const {
    if (!from_ && !has_next()) return ticks(recorded);
    if (!from_) return next().time - static_cast<double>(next().recorded - recorded);
    const auto since = static_cast<double>(recorded - from_->recorded);
    if (!has_next() || since <= 0) return from_->time + since;
    const double span = next().time - from_->time;
    const auto left = static_cast<double>(next().recorded - recorded);
    if (const bool is_in_call = !calls_.empty(); is_in_call || idle_until_ != kNoCause || is_waiting_next()) {
      const bool is_end = is_in_call ? ends_wait(kind) : idle_until_ != kNoCause && recorded >= idle_until_;
      if (is_in_call && !keeps_calls_) return is_end ? next().time : from_->time;
      return is_end ? next().time - std::min(left, span) : from_->time + std::min(since, span);
    }
    if (left <= 0) return next().time;
    if (!keeps_pace_) return from_->time + std::min(worked_, span);
    const auto recorded_span = static_cast<double>(next().recorded - from_->recorded);
    return from_->time + (span == recorded_span ? since : span * since / recorded_span);
  }

  // Up to the next step.
  std::uint64_t flush_duration(const Event& event, double begin) const {
    const std::uint64_t recorded = record_of<record::BufferFlush>(event).duration;
    const auto duration = static_cast<double>(recorded);
    if (!has_next()) return recorded;
    const auto left = static_cast<double>(next().recorded - event.time);
    if (duration >= left) return static_cast<std::uint64_t>(std::max(0.0, std::floor(next().time - begin)));
    return static_cast<std::uint64_t>(std::max(0.0, std::min(duration, std::floor(next().time - begin))));
  }

  const RankPlan::Steps& steps_;
  const WorkFactors& factors_;
  WorkWithoutDelays without_delays_;
  const bool keeps_pace_;  // work between two steps takes its time in proportion
  const Ticks origin_;
  const bool keeps_calls_;
  const SimStep* from_ = nullptr;   // the last step that is over
  StepIndex next_{0};               // the first one that is not
  Ticks idle_until_ = kNoCause;     // the thread is idle between these two, at least until then
  std::vector<std::size_t> calls_;  // that are open: how many regions were, before
  double worked_ = 0;               // since from_, on the changed machine
  Ticks worked_until_ = 0;
  Ticks latest_ = std::numeric_limits<Ticks>::min();
};

Indexed<ThreadIndex, std::vector<Rows<DeviceCallIndex>>> launches_of(const LogicalRank& rank) {
  Indexed<ThreadIndex, std::vector<Rows<DeviceCallIndex>>> launches;
  for (const LogicalThread& thread : rank.threads) {
    Rows<DeviceCallIndex>& of_thread = launches.emplace_back(rank.calls.budget());
    for (const Execution& execution : thread.executions) of_thread.push_back(execution.launch);
  }
  return launches;
}

}  // namespace

SimulatedTimes::SimulatedTimes(Plan&& plan)
    : removed_(plan.machine.removed), origin_(plan.origin), keeps_calls_(!plan.machine.network) {
  const Trace& trace = plan.trace;
  const AllWorkFactors factors(trace, plan.machine);
  ranks_.resize(plan.ranks.size());
  trace.for_each_hosted([&](RankIndex r) {
    const LogicalRank& rank = trace.ranks()[r];
    ranks_[r].threads = std::move(plan.ranks[r].threads);
    ranks_[r].rows = std::move(plan.ranks[r].queue_rows);
    ranks_[r].launches = launches_of(rank);
    ranks_[r].factors = factors.of(r);
    for (RankPlan::Steps& steps : ranks_[r].threads)
      for (SimStep& step : steps)
        if (step.kind == StepKind::kEnter) step.value = rank.tree[rank.calls[CallIndex(step.value)].path].region.value;
  });
  for (const RankIndex r : ranks_.ids()) index_.insert(trace.ranks()[r].rank, r);
}

std::unique_ptr<EventTimes> SimulatedTimes::of_thread(WorldRank rank, ThreadIndex thread) const {
  const RankIndex* const index = index_.find(rank);
  if (!index || !ranks_[*index].threads.has(thread)) return nullptr;
  const OfRank& of = ranks_[*index];
  WorkWithoutDelays without_delays;
  if (removed_) without_delays = WorkWithoutDelays(*removed_, *index, thread);
  return std::make_unique<ThreadTimes>(of.threads[thread], of.factors, std::move(without_delays), origin_,
                                       keeps_calls_);
}

void SimulatedTimes::move_work(WorldRank rank, ThreadIndex queue, std::span<Execution> work) const {
  const RankIndex* const index = index_.find(rank);
  if (!index) return;
  const OfRank& of = ranks_[*index];
  if (!of.launches.has(queue) || of.launches[queue].size() != work.size()) return;
  for (std::size_t i = 0; i < work.size(); ++i) work[i].launch = of.launches[queue][i];
  for (std::size_t r = 0; r < of.rows.size(); ++r) {
    if (of.rows[r].queue != queue) continue;
    RowSteps steps(of.threads[ThreadIndex(of.first_row().value + r)]);
    for (const ExecutionIndex execution : of.rows[r].executions) {
      work[execution.value].begin = whole_ticks(steps.begin().time, origin_);
      work[execution.value].end = whole_ticks(steps.end().time, origin_);
      steps.advance();
    }
  }
}

}  // namespace tarry
