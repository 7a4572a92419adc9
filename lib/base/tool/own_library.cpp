// own_library.cpp -- from the path of the running tool to the folders where its libraries may lie.
#include "base/tool/own_library.hpp"

#include <unistd.h>

#include <climits>

#include "base/files/file.hpp"

namespace tarry {
namespace {

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

}  // namespace

Result<std::string> find_own_folder() {
  char path[PATH_MAX];
  const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
  if (length <= 0) return Error{"/proc/self/exe", system_error(), ""};
  return folder_of(std::string(path, static_cast<std::size_t>(length)));
}

Result<std::string> find_own_library(const std::string& file) {
  TARRY_TRY_ASSIGN(folder, find_own_folder());
  const std::string prefix = folder_of(folder);
  // Installed, build tree, build tree of its own.
  for (const char* folder : {"/lib/tarry/", "/lib64/tarry/", "/build/lib/", "/lib/"})
    if (path_exists(prefix + folder + file)) return prefix + folder + file;
  return Error{file, "is not there, neither in " + prefix + "/lib/tarry nor in " + prefix + "/build/lib",
               "run 'make', or install again"};
}

}  // namespace tarry
