// corrections_file.hpp -- corrections.tcor: what `tarry sync` adds to the times of an archive, in a container.
#pragma once

#include <string>

#include "base/result.hpp"
#include "trace/correction.hpp"

namespace tarry {

/// Writes the file in one step.
Status write_corrections(const std::string& path, const Corrections& corrections);

/// Reads and checks it.
Result<Corrections> read_corrections(const std::string& path);

}  // namespace tarry
