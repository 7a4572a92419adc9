// variant_times.hpp -- simulated times of several machines that differ in how much of some changes they have.
#pragma once

#include <optional>
#include <vector>

#include "prediction/simulation/message_times.hpp"
#include "prediction/simulation/step_cuts.hpp"

namespace tarry {

/// The same for the variants of several machines (PlanTimes has one). The plan stays as it is. Of the steps only the
/// first and the last moment that count are kept.
class VariantTimes {
 public:
  using Time = Variants;

  /// `is_whole`: all steps count, not only those between MPI_Init and MPI_Finalize.
  VariantTimes(const Plan& plan, bool is_whole);

  /// Forgets all times. The machines of the next simulation.
  void start(CutStrengths<Variants> strengths);

  /// Of the part that counts, in ticks.
  Variants spans() const { return later(last_ - first_, Variants(0)); }

  /// Valid until the next time is set.
  const Variants& sent(RankIndex rank, SendIndex send) const { return sent_[rank].get(send, messages_); }
  void set_sent(RankIndex rank, SendIndex send, const Variants& time) { sent_[rank].set(send, time, messages_); }
  void forget_sent(RankIndex rank, SendIndex send) { sent_[rank].forget(send, messages_); }
  const Variants& posted(RankIndex rank, ReceiveIndex receive) const { return posted_[rank].get(receive, messages_); }
  void set_posted(RankIndex rank, ReceiveIndex receive, const Variants& time) {
    posted_[rank].set(receive, time, messages_);
  }
  Gate& gate(GateIndex index) { return gates_[index]; }
  Variants& latest(GateIndex index) { return latest_[index]; }
  void pass(Variants& time, SimThread thread, StepIndex step, double ticks) { cuts_->pass(time, thread, step, ticks); }

  void keep(SimThread thread, StepIndex index, const SimStep&, const Variants& time) {
    const Marks& marks = marks_[thread];
    if (index == marks.begin) first_ = earlier(first_, time);
    if (index == marks.end) last_ = later(last_, time);
  }

 private:
  // The steps of a thread where the part that counts begins and ends; none in most threads.
  struct Marks {
    StepIndex begin{}, end{};
  };

  void mark_part(const RankPlan& rank);
  void mark_whole(const RankPlan& rank);

  const Plan& plan_;
  CutStrengths<Variants> strengths_;
  std::optional<CutWalk<Variants>> cuts_;
  TimePool messages_;
  Indexed<RankIndex, std::vector<MessageTimes<SendIndex>>> sent_;
  Indexed<RankIndex, std::vector<MessageTimes<ReceiveIndex>>> posted_;
  Indexed<GateIndex, Rows<Gate>> gates_;
  Indexed<GateIndex, Rows<Variants>> latest_;
  Indexed<SimThread, std::vector<Marks>> marks_;
  Variants first_, last_;
};

}  // namespace tarry
