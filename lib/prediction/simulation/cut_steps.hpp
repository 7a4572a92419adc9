// cut_steps.hpp -- which part of each step of a thread the changes of a program would take away.
#pragma once

#include "prediction/simulation/program_changes.hpp"
#include "prediction/simulation/step_draft.hpp"
#include "prediction/simulation/work_factors.hpp"

namespace tarry {

/// The steps of one thread, as plan_steps() has them.
struct ThreadWork {
  const LogicalThread& thread;
  const WorkFactors& factors;
  const Rows<StepDraft>& drafts;
};

/// Adds the cuts in order of steps. A step of work has those of what the thread does in it. A step that ends a call or
/// passes a gate has those of the delay that lies in the operation itself.
void cut_steps(const ThreadWork& work, const RankChanges& changes, ThreadIndex number, Rows<StepCut>& cuts);

}  // namespace tarry
