// window_findings.hpp -- what the one-sided patterns find on a window, on its way to the processes that waited.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/waits/found_waits.hpp"
#include "replay/matching/match_windows.hpp"

namespace tarry {

/// What was found on one window. Of several waits of one kind in one call the longest stays.
class WindowFindings {
 public:
  void add_wait(WindowPart waiter, WindowWait::Kind kind, Ticks begin, Ticks wait, WindowPart cause);
  void add_pairs(WindowPart part, std::uint32_t pairs, std::uint32_t unneeded) {
    pairs_.push_back({part.rank, {part.record->index, pairs, unneeded}});
  }

 private:
  friend void deliver(const Trace& trace, std::span<const WindowFindings> all, FoundWaits& into);
  template <class Finding>
  struct OfRank {
    RankIndex rank{};
    Finding finding;
  };
  std::vector<OfRank<WindowWait>> waits_;
  std::vector<OfRank<WindowPairs>> pairs_;
};

/// Fills in RankWaits::windows and window_pairs of the hosted processes with the findings of all windows. Collective
/// over the analysis processes.
void deliver(const Trace& trace, std::span<const WindowFindings> all, FoundWaits& into);

}  // namespace tarry
