// name_delays.cpp -- on which call path the one who was waited for lost the time, for single waits.
#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/delay/delay_instances.hpp"

namespace tarry {
namespace {

// Who waited, since when, how long, and for which process.
using WaitKey = std::tuple<RankIndex, ThreadIndex, Ticks, Ticks, RankIndex>;

WaitKey key_of(const WaitInstance& instance) {
  return {instance.rank, instance.thread, instance.enter, instance.full_wait, instance.cause.rank};
}

WaitKey key_of(const DelayContext& context, const DelayInstance& delay) {
  const SyncPoint& wait = point_at(context.sync, delay.waiter);
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

void name_delays(const DelayContext& context, const DelaysByCause& delays, Instances& severe) {
  std::multimap<WaitKey, WaitInstance*> wanted;
  for (auto& [metric, kind] : severe)
    for (WaitInstance& instance : kind.worst)
      if (instance.cause.rank.is_valid() && context.trace.is_hosted(instance.cause.rank))
        wanted.emplace(key_of(instance), &instance);
  if (wanted.empty()) return;
  for (const RankIndex rank : delays.ids()) {
    if (!context.trace.is_hosted(rank)) continue;
    for (const DelayInstance& delay : delays[rank].all) {
      const auto [begin, end] = wanted.equal_range(key_of(context, delay));
      for (auto at = begin; at != end; ++at)
        if (at->second->delay_path == kNoPath) at->second->delay_path = largest_delay(delays[rank].excess, delay);
    }
  }
}

}  // namespace tarry
