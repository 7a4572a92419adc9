// plan_times.hpp -- simulated times of one machine, which lie in the plan itself.
#pragma once

#include "prediction/simulation/step_cuts.hpp"

namespace tarry {

/// Where a simulation finds and leaves the times of one machine.
class PlanTimes {
 public:
  using Time = double;

  explicit PlanTimes(Plan& plan) : plan_(plan), cuts_(plan, plan.cut_strengths) {}

  double sent(RankIndex rank, SendIndex send) const { return plan_.ranks[rank].sent[send]; }
  void set_sent(RankIndex rank, SendIndex send, double time) { plan_.ranks[rank].sent[send] = time; }
  /// It is not asked for again.
  void forget_sent(RankIndex, SendIndex) {}
  double posted(RankIndex rank, ReceiveIndex receive) const { return plan_.ranks[rank].posted[receive]; }
  void set_posted(RankIndex rank, ReceiveIndex receive, double time) { plan_.ranks[rank].posted[receive] = time; }
  Gate& gate(GateIndex index) { return plan_.gates[index]; }
  double& latest(GateIndex index) { return plan_.gates[index].latest; }

  /// Adds what a step takes without waiting, if it takes `ticks` without the changes of the program.
  void pass(double& time, SimThread thread, StepIndex step, double ticks) { cuts_.pass(time, thread, step, ticks); }

  /// A step has its time.
  void keep(SimThread, StepIndex, SimStep& step, double time) { step.time = time; }

 private:
  Plan& plan_;
  CutWalk<double> cuts_;
};

}  // namespace tarry
