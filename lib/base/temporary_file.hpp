// temporary_file.hpp -- a file that nobody else sees, and that is gone with the process.
#pragma once

#include <string>

#include "base/file.hpp"
#include "base/result.hpp"

namespace tarry {

/// Opens a new file in `folder` for reading and writing, without a name.
Result<File> open_temporary_file(const std::string& folder);

}  // namespace tarry
