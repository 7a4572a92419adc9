// name_functions.hpp -- names of functions that a process could not look up itself, because it was killed.
#pragma once

#include "defs/definitions.hpp"

namespace tarry {

/// Names the regions that are still called by their address: "app+0x1139", with the path of the program or library as
/// their file. Name, file and line come from that file's debug information, if it is still there. Then adds the inlined
/// functions that calls are in.
void name_functions(Definitions& definitions);

}  // namespace tarry
