// step_cuts.hpp -- the parts of steps that a change of the program shortens, and what is left of a step then.
#pragma once

#include <vector>

#include "prediction/simulation/variants.hpp"
#include "prediction/simulation/plan.hpp"

namespace tarry {

/// How much of each change is taken away: 1 for all of it. Nothing of those behind the last. Of one machine, or of
/// several variants.
template <class Time>
using CutStrengths = Indexed<ChangeIndex, std::vector<Time>>;

/// Goes along the cuts of all threads. Each thread asks for its steps in order.
template <class Time>
class CutWalk {
 public:
  /// Both must outlive this. Without strengths nothing is cut.
  CutWalk(const Plan& plan, const CutStrengths<Time>& strengths) : strengths_(strengths) {
    for (const Time& strength : strengths) is_active_.push_back(!is_nothing(strength));
    if (strengths.empty()) return;
    for (const RankPlan& rank : plan.ranks)
      for (const ThreadIndex t : rank.threads.ids()) threads_.push_back({rank.cuts[t].begin(), rank.cuts[t].end()});
  }

  /// Adds what is left of a step that takes `ticks` without the changes.
  void pass(Time& time, SimThread number, StepIndex step, double ticks) {
    if (is_cut(number, step)) [[unlikely]]
      time += without(threads_[number], step, ticks);
    else time += ticks;
  }

 private:
  struct OfThread {
    const StepCut* next;
    const StepCut* end;
  };

  bool is_cut(SimThread number, StepIndex step) {
    if (threads_.empty()) return false;
    OfThread& cuts = threads_[number];
    while (cuts.next != cuts.end && (cuts.next->step < step || !is_active(*cuts.next))) ++cuts.next;
    return cuts.next != cuts.end && cuts.next->step == step;
  }

  bool is_active(const StepCut& cut) const { return is_active_.has(cut.change) && is_active_[cut.change]; }

  Time without(const OfThread& cuts, StepIndex step, double ticks) const {
    Time removed(0);
    for (const StepCut* cut = cuts.next; cut != cuts.end && cut->step == step; ++cut)
      if (is_active(*cut)) removed += strengths_[cut->change] * cut->share;
    return later(Time(ticks) - removed * ticks, Time(0));
  }

  const CutStrengths<Time>& strengths_;
  Indexed<ChangeIndex, std::vector<char>> is_active_;  // whether anything of a change is taken away
  Indexed<SimThread, std::vector<OfThread>> threads_;
};

}  // namespace tarry
