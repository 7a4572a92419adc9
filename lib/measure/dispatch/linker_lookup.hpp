// linker_lookup.hpp -- what the dynamic linker finds under a name for code that calls it.
//
// Calls: may block.
#pragma once

namespace tarry::measure {

/// By `scope` (RTLD_DEFAULT, RTLD_NEXT), else for the code at `caller` (nullptr: nobody). `ours` does not count.
/// nullptr: there is none.
void* find_as_linker(const void* caller, void* scope, const char* name, const void* ours = nullptr);

}  // namespace tarry::measure
