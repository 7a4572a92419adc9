// ended_early.cpp -- which processes were killed or left, in words for people.
#include "analysis/writing/ended_early.hpp"

#include <algorithm>
#include <limits>

#include "base/format.hpp"

namespace tarry {
namespace {

constexpr std::size_t kRangesNamed = 5;

struct EarlyEnd {
  std::int64_t rank = 0;
  Ticks last = 0;  // time of the last event
};

// Of the processes that are hosted here.
std::vector<EarlyEnd> own_early_ends(const Trace& trace) {
  std::vector<EarlyEnd> ends;
  for (const Process& process : trace.definitions().processes) {
    const RankIndex index = trace.index_of(WorldRank(process.rank));
    if (process.is_complete || !index.is_valid() || !trace.is_hosted(index)) continue;
    EarlyEnd end{process.rank, std::numeric_limits<Ticks>::min()};
    for (const LogicalThread& thread : trace.ranks()[index].threads) end.last = std::max(end.last, thread.last_time);
    ends.push_back(end);
  }
  return ends;
}

}  // namespace

std::string tell_early_ends(const Trace& trace) {
  MessageBuffer own;
  own.put_all(own_early_ends(trace));
  std::vector<EarlyEnd> ends;
  for (MessageBuffer& arrived : trace.exchange().share(std::move(own))) {
    const auto of_process = arrived.get_all<EarlyEnd>();
    ends.insert(ends.end(), of_process.begin(), of_process.end());
  }
  if (ends.empty()) return "";
  const auto first = std::ranges::min_element(ends, {}, &EarlyEnd::last);
  const Seconds after = std::max(0.0, trace.seconds(first->last - trace.definitions().clock.origin));
  std::string text = "rank " + std::to_string(first->rank) + " was killed or left after " + format_seconds(after) +
                     ", without closing its recording";
  std::vector<std::int64_t> others;
  for (const EarlyEnd& end : ends)
    if (end.rank != first->rank) others.push_back(end.rank);
  if (others.empty()) return text;
  return text + "; then " + (others.size() == 1 ? "rank " : "ranks ") + format_ranges(std::move(others), kRangesNamed);
}

}  // namespace tarry
