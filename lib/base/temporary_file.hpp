// temporary_file.hpp -- files and folders on the way to what they become; their names cannot be guessed or prepared.
#pragma once

#include <string>

#include "base/file.hpp"
#include "base/result.hpp"

namespace tarry {

/// Opens a new file in `folder` for reading and writing, without a name.
Result<File> open_temporary_file(const std::string& folder);

struct NamedFile {
  File file;  // open for writing
  std::string name;
};

/// Creates a new file beside `path`, to be renamed to it: PATH.XXXXXXXX.tmp. What stands at a name is never opened, nor
/// is a link followed.
Result<NamedFile> create_file_beside(const std::string& path);

/// The same for a folder; returns its name.
Result<std::string> create_folder_beside(const std::string& path);

}  // namespace tarry
