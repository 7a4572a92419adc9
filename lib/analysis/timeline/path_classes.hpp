// path_classes.hpp -- what the colours of a timeline stand for: a few metrics of the time hierarchy.
#pragma once

#include "analysis/timeline/timeline.hpp"

namespace tarry {

/// Fills in Timeline::classes and Timeline::path_classes.
void classify_paths(const Trace& trace, const CallTree& tree, Timeline& into);

}  // namespace tarry
