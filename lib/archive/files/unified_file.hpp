// unified_file.hpp -- definitions.tdef: the definitions of a whole run and the translation tables, in a container.
#pragma once

#include <string>

#include "base/result.hpp"
#include "defs/unify.hpp"

namespace tarry {

/// Writes the file in one step.
Status write_unified(const std::string& path, const UnifiedDefinitions& unified);

/// Reads and checks it: every reference is valid or "none", there is one translation table per process or none at all.
Result<UnifiedDefinitions> read_unified(const std::string& path);

}  // namespace tarry
