// wanted_files.hpp -- the functions of files, and which of them are recorded.
//
// Calls: handler-safe.
#pragma once

#include "defs/definitions.hpp"
#include "measure/io/file_hooks.hpp"

namespace tarry::measure {

struct FileFunctionInfo {
  const char* name;
  const char* source;
  RegionRole role;
};

inline constexpr FileFunctionInfo kFileFunctions[] = {
#define FILE_FUNCTION(enumerator, name, source, role, mode) {name, source, RegionRole::role},
#include "measure/io/file_functions.def"
#undef FILE_FUNCTION
};

/// Finds out what is left out by groups of events and by the filter, when the recording starts.
/// Calls: may block.
void choose_file_calls();

/// Not recorded. That it was met is noted.
bool is_file_call_left_out(FileFunction function);

}  // namespace tarry::measure
