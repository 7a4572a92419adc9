// wait_profiles.hpp -- when a run waits: the waits of each kind at each call path, over time.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/instances/instances.hpp"

namespace tarry {

/// Waits of all threads, of one kind at one call path.
struct WaitProfile {
  Metric metric = Metric::kNone;
  PathIndex path = kNoPath;  // a unified one
  Ticks total = 0;
  std::vector<Ticks> bins;  // of equal parts of the time
};

/// Those with the longest waits first, `most` at most. Only the waits count that are among `instances`.
std::vector<WaitProfile> wait_profiles(const Instances& instances, Ticks begin, Ticks end, std::uint32_t bins,
                                       std::size_t most);

}  // namespace tarry
