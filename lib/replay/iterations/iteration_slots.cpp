// iteration_slots.cpp -- the iterations of a time series, the same for all processes.
#include "replay/iterations/iteration_slots.hpp"

#include <algorithm>

namespace tarry {
namespace {

// Parents come before their children.
std::vector<std::uint32_t> slots_of(const LogicalRank& rank, int shift) {
  std::vector<std::uint32_t> slots(rank.tree.size(), IterationSlots::kNone);
  for (const IterationPath& iteration : rank.iterations)
    slots[iteration.path] = static_cast<std::uint32_t>(iteration.first >> shift);
  for (PathIndex path = 0; path < slots.size(); ++path)
    if (const PathIndex parent = rank.tree[path].parent; slots[path] == IterationSlots::kNone && parent != kNoPath)
      slots[path] = slots[parent];
  return slots;
}

}  // namespace

IterationSlots find_slots(const Trace& trace, const UnifiedTree& unified, const IterationMarks& marks) {
  IterationSlots slots;
  if (marks.is_empty()) return slots;
  std::uint64_t own = 0;
  for (const RankIndex r : trace.ranks().ids())
    if (trace.is_hosted(r)) own = std::max(own, trace.ranks()[r].iteration_count);
  slots.count = std::ranges::max(trace.exchange().share_value(own));
  slots.shift = marks.shift_of(slots.count);
  slots.of_path.resize(trace.ranks().size());
  slots.is_inside.resize(unified.tree.size(), false);
  trace.for_each_hosted([&](RankIndex r) { slots.of_path[r] = slots_of(trace.ranks()[r], slots.shift); });
  for (const RankIndex r : trace.ranks().ids())
    for (PathIndex path = 0; path < slots.of_path[r].size(); ++path)
      if (slots.of_path[r][path] != IterationSlots::kNone) slots.is_inside[unified.to_unified[r][path]] = true;
  return slots;
}

}  // namespace tarry
