// scale_plots.hpp -- writes the plots of a study.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "scaling/modelled_rows.hpp"
#include "scaling/speedups.hpp"

namespace tarry {

/// Writes speedup.svg, efficiency.svg, time.svg and time-shares.svg of runs, and models-METRIC.svg of each metric, into
/// a folder that is made if it is missing. Models are drawn along their first parameter; others stay at their largest
/// values.
Status write_plots(const Study* study, const std::vector<ModelledRow>& rows, const std::string& folder);

}  // namespace tarry
