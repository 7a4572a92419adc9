// owned_file.cpp -- a descriptor of ours inside a process that is not ours.
#include "base/files/owned_file.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/files/file.hpp"

namespace tarry {
namespace {

// The kernel's table of descriptors grows with the highest number.
constexpr rlim_t kHighestNumber = 4096, kRoom = 64;

int least_number() {
  rlimit limit;
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur <= 2 * kRoom) return 0;
  return static_cast<int>(std::min(limit.rlim_cur, kHighestNumber) - kRoom);
}

// Where no high number is free, the low one has to do.
int move_high(int low) {
  const int high = ::fcntl(low, F_DUPFD_CLOEXEC, least_number());
  if (high < 0) return low;
  ::close(low);
  return high;
}

}  // namespace

Result<OwnedFile> OwnedFile::open(const std::string& path, int flags, unsigned mode) {
  // Without O_NONBLOCK a pipe that is there would keep the program waiting.
  const int low = ::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, mode);
  if (low < 0) return Error{path, errno == ELOOP ? "is a symbolic link" : system_error(), ""};
  OwnedFile file;
  file.number_ = move_high(low);
  struct stat facts;
  if (::fstat(file.number_, &facts) != 0) return Error{path, system_error(), ""};
  file.identity_ = {facts.st_dev, facts.st_ino};
  if (!S_ISREG(facts.st_mode)) return Error{path, "is no regular file", ""};
  return file;
}

OwnedFile::OwnedFile(OwnedFile&& other) noexcept
    : number_(std::exchange(other.number_, -1)), identity_(other.identity_) {}

OwnedFile& OwnedFile::operator=(OwnedFile&& other) noexcept {
  std::swap(number_, other.number_);
  std::swap(identity_, other.identity_);
  return *this;
}

OwnedFile::~OwnedFile() {
  if (const int number = descriptor(); number >= 0) ::close(number);
}

int OwnedFile::descriptor() const {
  struct stat facts;
  if (number_ < 0 || ::fstat(number_, &facts) != 0) return -1;
  return identity_ == FileIdentity{facts.st_dev, facts.st_ino} ? number_ : -1;
}

}  // namespace tarry
