// analysed_run.hpp -- a run as the analysis of wait states sees it: the recorded one, or the predicted one.
#pragma once

#include <string>
#include <vector>

#include "analysis/analysis.hpp"

namespace tarry {

/// A name and the seconds that it has.
struct NamedSeconds {
  std::string name;
  double seconds = 0;
};

/// Where the critical path goes, and which waits there are.
struct RunOutline {
  std::vector<NamedSeconds> path;   // by region
  std::vector<NamedSeconds> waits;  // of all threads, by wait state
};

/// The metrics that an outline needs.
MetricSelection outline_metrics();

/// Of what the analysis process 0 has.
RunOutline outline_of(const Trace& trace, const AnalysisResult& result);

/// Lines for people: the largest of both outlines, before -> after. `most`: of each kind.
std::string compare_outlines(const RunOutline& traced, const RunOutline& predicted, std::size_t most);

}  // namespace tarry
