// own_library.hpp -- where the shared libraries lie that belong to this tool's installation.
#pragma once

#include <string>

#include "base/result.hpp"

namespace tarry {

/// Folder of the running tool, where the other tools are, too.
Result<std::string> find_own_folder();

/// Path of `file` ("libtarry-mpi.so") below the prefix of the running tool, installed or in a build tree.
Result<std::string> find_own_library(const std::string& file);

}  // namespace tarry
