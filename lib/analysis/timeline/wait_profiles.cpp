// wait_profiles.cpp -- when a run waits: the waits of each kind at each call path, over time.
#include "analysis/timeline/wait_profiles.hpp"

#include <algorithm>

#include "analysis/timeline/row_bins.hpp"

namespace tarry {

std::vector<WaitProfile> wait_profiles(const Instances& instances, Ticks begin, Ticks end, std::uint32_t bins,
                                       std::size_t most) {
  BinScale scale{.begin = begin, .bins = bins};
  scale.width = std::max<Ticks>((end - begin + bins - 1) / bins, 1);
  std::vector<WaitProfile> profiles;
  for (const auto& [metric, kind] : instances) {
    std::map<PathIndex, WaitProfile> of_path;
    for (const WaitInstance& wait : kind.worst) {
      WaitProfile& profile = of_path[wait.path];
      if (profile.bins.empty()) profile = {metric, wait.path, 0, std::vector<Ticks>(bins)};
      profile.total += wait.full_wait;
      scale.divide(wait.begin, wait.begin + wait.full_wait,
                   [&](std::uint32_t bin, Ticks ticks) { profile.bins[bin] += ticks; });
    }
    for (auto& [path, profile] : of_path) profiles.push_back(std::move(profile));
  }
  std::ranges::stable_sort(profiles, [](const auto& a, const auto& b) { return a.total > b.total; });
  if (profiles.size() > most) profiles.resize(most);
  return profiles;
}

}  // namespace tarry
