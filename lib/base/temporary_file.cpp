// temporary_file.cpp -- files and folders on the way to what they become.
#include "base/temporary_file.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace tarry {
namespace {

constexpr int kMostAttempts = 100;
constexpr std::size_t kLongestName = 255, kSuffixLength = 13;

// PATH.XXXXXXXX.tmp, with as much of the name as a file system takes.
std::string random_name_beside(const std::string& path) {
  const std::size_t base = path.rfind('/') + 1;
  unsigned number = 0;
  if (::getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number) number = static_cast<unsigned>(::getpid());
  char suffix[kSuffixLength + 1];
  std::snprintf(suffix, sizeof suffix, ".%08x.tmp", number);
  return path.substr(0, base) + path.substr(base, kLongestName - kSuffixLength) + suffix;
}

}  // namespace

// By a name that goes at once: not every file system knows O_TMPFILE.
Result<File> open_temporary_file(const std::string& folder) {
  std::string name = folder + "/tarry-XXXXXX";
  File file(::mkostemp(name.data(), O_CLOEXEC));
  if (!file.is_open()) return Error{folder, system_error(), "name another folder for temporary files in TMPDIR"};
  ::unlink(name.c_str());
  return file;
}

Result<NamedFile> create_file_beside(const std::string& path) {
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    std::string name = random_name_beside(path);
    File file(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (file.is_open()) return NamedFile{std::move(file), std::move(name)};
    if (errno != EEXIST) break;
  }
  return Error{path, system_error(), ""};
}

Result<std::string> create_folder_beside(const std::string& path) {
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    std::string name = random_name_beside(path);
    if (::mkdir(name.c_str(), 0777) == 0) return name;
    if (errno != EEXIST) break;
  }
  return Error{path, system_error(), ""};
}

}  // namespace tarry
