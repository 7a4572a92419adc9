// file_names.hpp -- the files of a process by name: each distinct name is one definition.
//
// Calls: handler-safe.
#pragma once

#include "measure/io/file_hooks.hpp"

namespace tarry::measure {

/// Number of the definition of a file; kNone if it cannot be told now. Those beyond kMostFiles have one definition.
/// Takes no memory of the program, and waits for nobody in a signal handler.
FileNumber file_named(const char* path);

}  // namespace tarry::measure
