// empty_archive.cpp -- removes what a run without a recording has left: its manifest and an empty folder.
#include "empty_archive.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "archive/archive.hpp"
#include "archive/files/names.hpp"
#include "base/files/file.hpp"

namespace tarry {
namespace {

// Another process may have removed it, and made a new one of that name, before this one got the lock.
bool is_still_at(const std::string& path, const File& folder) {
  struct stat here, there;
  if (::fstat(folder.descriptor(), &here) != 0 || ::lstat(path.c_str(), &there) != 0) return false;
  return here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

bool holds_only_its_reason(const std::string& archive) {
  if (why_nothing_recorded(archive).empty() || is_being_recorded(archive)) return false;
  std::error_code failure;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(archive, failure)) {
    const std::string name = entry.path().lexically_relative(archive);
    if (name != names::kManifest && name != names::kEvents) return false;
  }
  return !failure;
}

}  // namespace

// The manifest goes last: as long as it is there, the next run may try again.
void make_room_for(const std::string& name) {
  if (name.empty() || why_nothing_recorded(name).empty()) return;
  auto folder = open_file(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!folder.ok() || ::flock(folder.value().descriptor(), LOCK_EX) != 0) return;
  if (!is_still_at(name, folder.value()) || !holds_only_its_reason(name)) return;
  const std::string events = name + "/" + names::kEvents;
  if (path_exists(events) && ::rmdir(events.c_str()) != 0) return;
  if (::unlink((name + "/" + names::kManifest).c_str()) == 0) ::rmdir(name.c_str());
}

}  // namespace tarry
