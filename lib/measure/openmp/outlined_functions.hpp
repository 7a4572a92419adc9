// outlined_functions.hpp -- functions that clang makes of constructs: known by their names, before they are called.
//
// The runtime calls most of them, and that is enough to know them. It does not call those of a region that is executed
// by one thread (`if`), or those inside another one, which clang makes for debuggers.
//
// Calls: may block.
#pragma once

#include <string_view>

namespace tarry::measure {

/// Marks those in the program and in the libraries that use the runtime, as far as they have symbols.
void mark_outlined_functions();

/// Whether clang or flang gives that name to a function that it has made of a construct.
bool is_outlined_name(std::string_view name);

}  // namespace tarry::measure
