// jitdump.hpp -- the file in which a runtime tells which code it has made, where, and when.
//
// Source: Linux, tools/perf/Documentation/jitdump-specification.txt.
#pragma once

#include <span>
#include <string>

#include "defs/run_time_code.hpp"

namespace tarry {

/// The dump of process `pid`, which is this one; empty if there is none. A runtime maps its first page as code so that
/// profilers learn of it. One that has ended that lies in the working folder, as a rule.
std::string find_jitdump(int pid);

/// Names the places that have none, which are in ascending order. That is the function which was there when the place
/// was seen first. If another one has come later, both are named: "this or that".
void name_by_jitdump(const std::string& path, std::span<RunTimeCode> places);

}  // namespace tarry
