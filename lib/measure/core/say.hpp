// say.hpp -- the recorder's voice on stderr.
//
// Calls: may block.
#pragma once

#include <string_view>

namespace tarry::measure {

/// Writes "tarry: TEXT" as one line with one system call.
void say(std::string_view text);

}  // namespace tarry::measure
