// cut_steps.cpp -- which part of each step of a thread the changes of a program would take away.
//
//   thread     ..work..[ MPI_Recv     ]..work..[ MPI_Send ]..
//   position           p                       q                the time log knows what the thread did in between
//   delay      compute: from p to q, 3 of 4 ticks are more than others did          the work has a cut of 3 / all of it
#include "prediction/simulation/cut_steps.hpp"

#include <algorithm>

namespace tarry {
namespace {

class StepCutter {
 public:
  StepCutter(const ThreadWork& work, const RankChanges& changes, ThreadIndex number, Rows<StepCut>& cuts)
      : log_(work.thread.log),
        factors_(work.factors),
        drafts_(work.drafts),
        changes_(changes),
        shares_(changes.shares[number]),
        cuts_(cuts),
        share_now_(changes.delay_of_path.size(), 0) {}

  void run() {
    std::size_t first = 0;
    for (std::size_t i = 1; i < drafts_.size(); ++i) {
      if (drafts_[i].position == kNoPosition) continue;
      cut(first, i);
      first = i;
    }
  }

 private:
  // What changes take of the work between two known positions, in ticks of the changed machine.
  struct Amount {
    ChangeIndex change;
    double ticks;
  };

  void cut(std::size_t first, std::size_t last) {
    amounts_.clear();
    const LogPosition begin = drafts_[first].position, end = drafts_[last].position;
    move_to(begin);
    double logged = 0, scaled = 0, recorded = 0;
    for (std::size_t i = first + 1; i <= last; ++i) {
      const auto ticks = static_cast<double>(drafts_[i].time - drafts_[i - 1].time);
      if (drafts_[i].is_work()) recorded += ticks;
      const PathIndex inside = drafts_[i].inside;
      if (inside == kNoPath) continue;
      inside_share_.push_back(share_now_[inside]);
      logged -= ticks;
      scaled -= ticks * factors_.of_path[inside];
      add(inside, -ticks);
    }
    for (LogPosition at = begin; at < end;) {
      const LogPosition until = next_ < shares_.size() ? std::min(end, shares_[next_].from) : end;
      log_.for_each(at, until, [&](PathIndex path, Ticks time) {
        const auto ticks = static_cast<double>(time);
        logged += ticks;
        scaled += ticks * factors_.of_path[path];
        add(path, ticks);
      });
      move_to(at = until);
    }
    if (recorded > logged) scaled += (recorded - logged) * factors_.elsewhere;
    write(first, last, recorded > 0 ? scaled : 0);
    inside_share_.clear();
  }

  // The delays have the shares that hold from a position on.
  void move_to(LogPosition position) {
    for (; next_ < shares_.size() && shares_[next_].from <= position; ++next_)
      share_now_[shares_[next_].path] = shares_[next_].share;
  }

  void add(PathIndex path, double ticks) {
    const double scaled = ticks * factors_.of_path[path];
    if (const ChangeIndex delay = changes_.delay_of_path[path]; delay.is_valid() && share_now_[path] > 0)
      amount_of(delay) += scaled * share_now_[path];
    if (const ChangeIndex region = changes_.region_of_path[path]; region.is_valid()) amount_of(region) += scaled;
  }

  // There are few at a time.
  double& amount_of(ChangeIndex change) {
    const auto found = std::ranges::find(amounts_, change, &Amount::change);
    return found != amounts_.end() ? found->ticks : amounts_.emplace_back(change, 0.0).ticks;
  }

  // `whole`: what all work in between takes.
  void write(std::size_t first, std::size_t last, double whole) {
    std::ranges::sort(amounts_, {}, &Amount::change);
    std::size_t visits = 0;
    for (std::size_t i = first + 1; i <= last; ++i) {
      if (drafts_[i].inside != kNoPath) write_inside(i, inside_share_[visits++]);
      if (!drafts_[i].is_work() || whole <= 0) continue;
      for (const Amount& amount : amounts_)
        if (amount.ticks > 0) put(i, amount.change, std::min(1.0, amount.ticks / whole));
    }
  }

  void write_inside(std::size_t i, double share) {
    const ChangeIndex delay = changes_.delay_of_path[drafts_[i].inside];
    const bool has_rest = ends_wait(drafts_[i].kind);
    if (delay.is_valid() && share > 0 && has_rest) put(i, delay, share);
  }

  void put(std::size_t step, ChangeIndex change, double share) { cuts_.push_back({share, StepIndex(step), change}); }

  const TimeLog& log_;
  const WorkFactors& factors_;
  const Rows<StepDraft>& drafts_;
  const RankChanges& changes_;
  const Rows<DelayShare>& shares_;
  Rows<StepCut>& cuts_;
  std::size_t next_ = 0;              // of the shares
  std::vector<double> share_now_;     // by path: how much of it is delay
  std::vector<double> inside_share_;  // the same of the visits between two positions, in order
  std::vector<Amount> amounts_;
};

}  // namespace

void cut_steps(const ThreadWork& work, const RankChanges& changes, ThreadIndex number, Rows<StepCut>& cuts) {
  StepCutter(work, changes, number, cuts).run();
  cuts.finish();
}

}  // namespace tarry
