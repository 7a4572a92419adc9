// salvage.hpp -- moves what killed processes left in their spools into containers.
#pragma once

#include <cstdint>
#include <string>

#include "archive/reading/contents.hpp"
#include "base/result.hpp"

namespace tarry {

/// Writes the chunks that are only in spools into new containers, one per node, each in one step, and then removes
/// the spools. Returns how many there were. A spool that holds something that cannot be read is left where it is.
Result<std::uint32_t> salvage_spools(const std::string& archive, const ArchiveContents& contents);

}  // namespace tarry
