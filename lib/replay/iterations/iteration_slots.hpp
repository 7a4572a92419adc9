// iteration_slots.hpp -- the iterations of a time series, the same for all processes.
#pragma once

#include <cstdint>
#include <vector>

#include "replay/iterations/iteration_marks.hpp"
#include "replay/trace.hpp"
#include "replay/trees/unified_tree.hpp"

namespace tarry {

/// A slot is an iteration, or several that follow one another. Without a series there are none.
struct IterationSlots {
  static constexpr std::uint32_t kNone = 0xffffffffu;

  std::uint64_t count = 0;  // of iterations
  int shift = 0;            // a slot has 2^shift of them

  Indexed<RankIndex, std::vector<std::vector<std::uint32_t>>> of_path;  // [own call path]; hosted ranks only
  std::vector<bool> is_inside;                                          // [unified call path]: lies in iterations

  std::size_t size() const { return count == 0 ? 0 : static_cast<std::size_t>(((count - 1) >> shift) + 1); }
  bool are_wanted() const { return size() > 0; }

  /// The slot that a call path of a process lies in; kNone if it is no path, or in none.
  std::uint32_t slot_of(RankIndex rank, PathIndex own) const {
    return are_wanted() && own < of_path[rank].size() ? of_path[rank][own] : kNone;
  }
};

/// Of the iterations that were marked while the trace was read. Collective over the analysis processes.
IterationSlots find_slots(const Trace& trace, const UnifiedTree& unified, const IterationMarks& marks);

}  // namespace tarry
