// file_names.hpp -- the files of a process by name: each distinct name is one definition.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>

namespace tarry::measure {

/// Number of the definition of a file, from 1 on; 0 if it cannot be told now. Those beyond kMostFiles have one
/// definition. Takes no memory of the program, and waits
/// for nobody in a signal handler.
std::uint32_t file_named(const char* path);

}  // namespace tarry::measure
