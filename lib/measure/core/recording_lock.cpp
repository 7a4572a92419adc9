// recording_lock.cpp -- a lock that a map keeps.
#include "measure/core/recording_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>

#include <cerrno>
#include <utility>

#include "base/files/owned_file.hpp"

namespace tarry::measure {
namespace {

constexpr std::size_t kMapBytes = 4096;

}  // namespace

// flock(2) belongs to the open file, and the map is one more reference to it.
void RecordingLock::hold(const std::string& path) {
  auto file = OwnedFile::open(path, O_RDWR | O_CREAT);
  if (!file.ok()) return;
  while (::flock(file->descriptor(), LOCK_SH) != 0 && errno == EINTR) continue;
  void* const map = ::mmap(nullptr, kMapBytes, PROT_NONE, MAP_SHARED, file->descriptor(), 0);
  if (map == MAP_FAILED) return;
  ::madvise(map, kMapBytes, MADV_DONTFORK);
  map_ = map;
}

void RecordingLock::release() {
  if (map_) ::munmap(std::exchange(map_, nullptr), kMapBytes);
}

}  // namespace tarry::measure
