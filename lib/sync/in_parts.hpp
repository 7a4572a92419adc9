// in_parts.hpp -- sums over many junctions or slots by all threads.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "base/processes/worker_pool.hpp"

namespace tarry {

/// What add(sum, i) makes of 0 ... count - 1, beginning with `zero`: each thread has a sum of its own over a stretch of
/// them, and these are added up by +=. For sums whose order and division do not matter, as of least and greatest
/// values.
template <class Sum, class Add>
Sum sum_in_parts(unsigned workers, std::size_t count, const Sum& zero, Add add) {
  std::vector<Sum> parts(workers, zero);
  run_parallel(workers, workers, [&](std::size_t part) {
    Sum own = zero;  // `parts` lie side by side
    for (std::size_t i = part * count / workers; i < (part + 1) * count / workers; ++i) add(own, i);
    parts[part] = std::move(own);
  });
  for (std::size_t part = 1; part < parts.size(); ++part) parts[0] += parts[part];
  return std::move(parts[0]);
}

}  // namespace tarry
