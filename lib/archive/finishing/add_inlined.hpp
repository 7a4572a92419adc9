// add_inlined.hpp -- which inlined functions the call sites of a run are in.
#pragma once

#include "defs/code_places.hpp"
#include "defs/definitions.hpp"

namespace tarry {

/// Sets Region::inlined_in of the regions whose place in the code is known. Adds a region for each inlined function and
/// for each of its calls. Left out are functions of the C and C++ libraries, and those that the compiler makes of
/// constructs of OpenMP. So are those that the recording's filter excludes. Then no region has a place in the code any
/// more: what is called from one line, in the same functions, is one.
void add_inlined_functions(Definitions& definitions, CodePlaces& places);

}  // namespace tarry
