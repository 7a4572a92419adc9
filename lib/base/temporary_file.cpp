// temporary_file.cpp -- a file that nobody else sees, and that is gone with the process.
#include "base/temporary_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

namespace tarry {

// By a name that goes at once: not every file system knows O_TMPFILE.
Result<File> open_temporary_file(const std::string& folder) {
  std::string name = folder + "/tarry-XXXXXX";
  File file(::mkostemp(name.data(), O_CLOEXEC));
  if (!file.is_open()) return Error{folder, system_error(), "name another folder for temporary files in TMPDIR"};
  ::unlink(name.c_str());
  return file;
}

}  // namespace tarry
