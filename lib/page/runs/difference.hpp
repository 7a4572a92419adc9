// difference.hpp -- two sides of a comparison, as one more run: what has become more, and what less.
#pragma once

#include <memory>
#include <vector>

#include "base/result.hpp"
#include "page/runs/explored_run.hpp"

namespace tarry {

/// Repeats of an old run and of a new one.
struct RunSides {
  std::vector<const ExploredRun*> before, now;
};

/// The mean of the new runs minus that of the old ones, as 'tarry cube diff' computes it. The runs must outlive it.
Result<std::unique_ptr<ExploredRun>> difference_of(const RunSides& sides);

}  // namespace tarry
