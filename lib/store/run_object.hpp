// run_object.hpp -- the facts of a run, for programs.
#pragma once

#include "base/text/json.hpp"
#include "store/runs.hpp"

namespace tarry {

/// One object with all facts of a run.
void add_run_object(JsonWriter& json, const StoredRun& run);

}  // namespace tarry
