// variant_times.cpp -- simulated times of several machines that differ in how much of some changes they have.
#include "prediction/simulation/variant_times.hpp"

#include <algorithm>

namespace tarry {

VariantTimes::VariantTimes(const Plan& plan, bool is_whole)
    : plan_(plan), messages_(plan.trace.budget()), gates_(plan.trace.budget()), latest_(plan.trace.budget()) {
  MemoryBudget* const budget = plan.trace.budget();
  for (const RankPlan& rank : plan.ranks) {
    sent_.emplace_back(rank.sent.size(), budget);
    posted_.emplace_back(rank.posted.size(), budget);
    marks_.resize(marks_.size() + rank.threads.size());
    is_whole ? mark_whole(rank) : mark_part(rank);
  }
  gates_.resize(plan.gates.size());
  latest_.resize(plan.gates.size());
}

// As Prediction has it.
void VariantTimes::mark_part(const RankPlan& rank) {
  const auto at = [&](ThreadIndex thread) -> Marks& {
    return marks_[SimThread(rank.first_thread.value + thread.value)];
  };
  if (rank.threads.empty() || rank.threads[kMaster].empty()) return;
  if (rank.init_leave.is_valid()) at(rank.init_thread).begin = rank.init_leave;
  else at(kMaster).begin = StepIndex(0);
  if (rank.finalize_enter.is_valid()) at(rank.finalize_thread).end = rank.finalize_enter;
  else at(kMaster).end = StepIndex(rank.threads[kMaster].size() - 1);
}

void VariantTimes::mark_whole(const RankPlan& rank) {
  for (const ThreadIndex t : rank.threads.ids()) {
    const RankPlan::Steps& steps = rank.threads[t];
    if (steps.empty() || t >= rank.first_row()) continue;
    Marks& marks = marks_[SimThread(rank.first_thread.value + t.value)];
    if (steps[0].kind != StepKind::kIdle) marks.begin = StepIndex(0);
    if (steps.back().kind != StepKind::kIdle) marks.end = StepIndex(steps.size() - 1);
  }
}

void VariantTimes::start(CutStrengths<Variants> strengths) {
  strengths_ = std::move(strengths);
  cuts_.emplace(plan_, strengths_);
  const Variants never(-std::numeric_limits<double>::infinity());
  messages_.clear();
  for (auto& of_rank : sent_) of_rank.clear();
  for (auto& of_rank : posted_) of_rank.clear();
  std::ranges::copy(plan_.gates, gates_.begin());
  std::ranges::fill(latest_, never);
  first_ = Variants(std::numeric_limits<double>::infinity());
  last_ = never;
}

}  // namespace tarry
