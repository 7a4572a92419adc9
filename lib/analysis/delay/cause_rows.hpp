// cause_rows.hpp -- for each group of waits: who caused it, on which call path, and through whose waits.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/delay/booked_costs.hpp"
#include "analysis/delay/wait_groups.hpp"

namespace tarry {

/// What one thread has to do with a group of waits, on one call path.
struct CauseRow {
  enum class Kind : std::uint8_t {
    kDelay,    // it spent more time there than those who waited
    kPassing,  // it waited there itself, and passed on what made it wait
  };

  GroupNumber group = kNoGroup;
  Kind kind = Kind::kDelay;
  RankIndex rank{};
  ThreadIndex thread{};
  PathIndex path = kNoPath;  // in the unified tree; none: several that were not told apart
  double direct = 0;         // ticks of the group's waits: without other waits in between,
  double indirect = 0;       // and with them. Of a passing: all that was passed on, as `direct`
};

/// The groups, and what caused them; rows by rank. All delays of a group explain its waits as far as they have a cause.
struct CausesOfWaits {
  std::vector<WaitGroup> groups;
  std::vector<CauseRow> rows;
};

/// The sums of all threads of a process.
using ThreadBookedCosts = Indexed<ThreadIndex, std::vector<BookedCosts>>;

/// Collects the rows of hosted processes. Processes may be added by several threads at once.
class CauseCollector {
 public:
  explicit CauseCollector(const DelayContext& context);

  /// The delays that were booked for a process, and what its waits have passed on. All costs are final.
  void add(RankIndex rank, const ThreadBookedCosts& booked, WaitCosts& costs);

  /// Everything, at analysis process 0. Collective over the analysis processes.
  CausesOfWaits gather();

 private:
  void add_delays(ThreadIndex thread, const BookedCosts& booked, const WaitCosts& costs,
                  std::vector<CauseRow>& into) const;
  void add_passings(RankIndex rank, ThreadIndex thread, WaitCosts& costs, std::vector<CauseRow>& into) const;
  void keep_largest(std::vector<CauseRow>& rows) const;

  const DelayContext& context_;
  Indexed<RankIndex, std::vector<std::vector<CauseRow>>> rows_;
};

}  // namespace tarry
