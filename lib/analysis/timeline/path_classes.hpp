// path_classes.hpp -- what the colours of a timeline stand for: a few metrics of the time hierarchy.
#pragma once

#include "analysis/timeline/run_timeline.hpp"

namespace tarry {

/// Fills in RunTimeline::classes and RunTimeline::path_classes.
void classify_paths(const Trace& trace, const CallTree& tree, RunTimeline& into);

}  // namespace tarry
