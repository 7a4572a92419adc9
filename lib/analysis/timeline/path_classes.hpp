// path_classes.hpp -- what the colours of a timeline stand for: a few metrics of the time hierarchy.
#pragma once

#include "analysis/timeline/run_timeline.hpp"
#include "replay/trees/unified_tree.hpp"

namespace tarry {

/// Fills in RunTimeline::classes and RunTimeline::path_classes.
void classify_paths(const Trace& trace, const UnifiedTree& unified, RunTimeline& into);

}  // namespace tarry
