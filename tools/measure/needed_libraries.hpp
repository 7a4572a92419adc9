// needed_libraries.hpp -- the shared libraries that a program names as those it needs.
#pragma once

#include <string>
#include <vector>

#include "base/files/file.hpp"

namespace tarry {

/// "libgomp.so.1", "libc.so.6": of a 64-bit ELF file of this machine's byte order. Empty where it cannot be read.
std::vector<std::string> needed_libraries(const File& file);

}  // namespace tarry
