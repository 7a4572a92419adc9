// iteration_finding.hpp -- the iterations that stick out in the time series of a report.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "findings/iterations/iteration_spread.hpp"

namespace tarry {

struct IterationFinding {
  std::string region;
  std::string metric;                       // unique name
  std::vector<IterationRange> iterations;   // the most severe first
  std::vector<OutlyingIteration> outliers;  // of the same
  std::vector<std::int64_t> ranks;          // that have most, of the same
};

/// Of a metric, in seconds. Nothing if the report has no table of iterations, or none sticks out.
std::optional<IterationFinding> find_outlying_iterations(const Report& report, const std::string& metric);

/// "step 7 (1.2 ms, 12 times the median, most at rank 3), 40 (...) and 3 more"
std::string outlying_text(const IterationFinding& finding);

}  // namespace tarry
