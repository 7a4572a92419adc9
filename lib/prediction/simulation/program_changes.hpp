// program_changes.hpp -- what a program could be rid of: the delays that make others wait, and the work of single
// regions.
#pragma once

#include <string>
#include <vector>

#include "analysis/analysis.hpp"
#include "prediction/simulation/plan.hpp"

namespace tarry {

/// From a moment of a thread on, `share` of what a call path takes is a delay. Those who waited for the thread did that
/// much less.
struct DelayShare {
  Ticks time = 0;
  LogPosition from = 0;      // the moment in the time log of the thread
  PathIndex path = kNoPath;  // in the tree of the process
  double share = 0;
};
static_assert(sizeof(DelayShare) == 24);

/// What belongs to which change in one process.
struct RankChanges {
  std::vector<ChangeIndex> delay_of_path, region_of_path;           // by path of its own tree; none
  Indexed<ThreadIndex, std::vector<Rows<DelayShare>>> shares = {};  // by position
};

/// The changes that a plan is made for. Delays come first.
class Changes {
 public:
  /// The analysis has its causes. `delays`: each a set of call paths of the unified tree, as Analysis::shown() has
  /// them. `regions`: names; a change is what they compute themselves, without what they call.
  Changes(const Analysis& analysis, const std::vector<std::vector<PathIndex>>& delays,
          const std::vector<std::string>& regions);

  std::size_t size() const { return size_; }
  const RankChanges& of(RankIndex rank) const { return ranks_[rank]; }

 private:
  std::size_t size_ = 0;
  Indexed<RankIndex, std::vector<RankChanges>> ranks_;
};

/// Changes of which a prediction takes `strengths` away: 1 for all of one.
struct RemovedWork {
  Changes changes;
  Indexed<ChangeIndex, std::vector<double>> strengths;
};

}  // namespace tarry
