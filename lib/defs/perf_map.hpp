// perf_map.hpp -- the file in which a runtime tells the functions that it has made: lines of "BEGIN BYTES name".
//
// Source: Linux, tools/perf/Documentation/jit-interface.txt. Numbers are hexadecimal.
#pragma once

#include <span>
#include <string>

#include "defs/run_time_code.hpp"

namespace tarry {

/// Names the places that have none, which are in ascending order. Code may be made anew at the same place: the last
/// line counts.
void name_by_perf_map(const std::string& path, std::span<RunTimeCode> places);

}  // namespace tarry
