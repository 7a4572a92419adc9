// name_delays.cpp -- on which call path the one who was waited for lost the time, for single waits.
#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/delay/delay_instances.hpp"

namespace tarry {
namespace {

// Who waited, since when, how long, and for which process.
using WaitKey = std::tuple<std::uint32_t, std::uint16_t, Ticks, Ticks, std::uint32_t>;

WaitKey key_of(const WaitInstance& instance) {
  return {instance.rank.value, instance.thread.value, instance.enter, instance.full_wait, instance.cause.rank.value};
}

WaitKey key_of(const DelayContext& context, const DelayInstance& delay) {
  const SyncPoint& wait = context.sync[delay.waiter.rank][delay.waiter.thread].points[delay.waiter.point];
  return {delay.waiter.rank, delay.waiter.thread, wait.enter, wait.wait, delay.cause.rank};
}

// Of equal delays, the call path that comes first.
PathIndex largest_delay(const Rows<PathTime>& excess, const DelayInstance& delay) {
  const auto begin = excess.begin() + delay.excess_begin;
  const auto end = excess.begin() + delay.excess_end;
  const auto largest =
      std::max_element(begin, end, [](const PathTime& a, const PathTime& b) { return a.time < b.time; });
  return largest == end ? kNoPath : largest->path;
}

}  // namespace

void name_delays(const DelayContext& context, const std::vector<DelayInstances>& delays, Instances& severe) {
  std::multimap<WaitKey, WaitInstance*> wanted;
  for (auto& [metric, kind] : severe)
    for (WaitInstance& instance : kind.worst)
      if (instance.cause.rank.is_valid() && context.trace.is_hosted(instance.cause.rank))
        wanted.emplace(key_of(instance), &instance);
  if (wanted.empty()) return;
  for (std::uint32_t rank = 0; rank < delays.size(); ++rank) {
    if (!context.trace.is_hosted(RankIndex(rank))) continue;
    for (const DelayInstance& delay : delays[rank].all) {
      const auto [begin, end] = wanted.equal_range(key_of(context, delay));
      for (auto at = begin; at != end; ++at)
        if (at->second->delay_path == kNoPath) at->second->delay_path = largest_delay(delays[rank].excess, delay);
    }
  }
}

}  // namespace tarry
