// input_file.hpp -- opens what a user or a file names as an input, without waiting for anybody and without surprises.
#pragma once

#include <string>

#include "base/files/file.hpp"
#include "base/result.hpp"

namespace tarry {

/// Opens a regular file for reading. Devices, pipes, sockets and folders are refused by name: to open a pipe could
/// take forever, and a device need not end.
Result<File> open_input(const std::string& path);

/// Opens stdin ("-"), a pipe or a regular file for reading. A pipe without a writer is refused after a moment.
Result<File> open_stream(const std::string& path);

/// True for a pipe: what a shell makes of `<(COMMAND)`.
bool is_pipe(const std::string& path);

/// "is a folder", "is a device", ... for what is no regular file; empty for one.
std::string what_it_is(unsigned mode);

}  // namespace tarry
