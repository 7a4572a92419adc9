// suspended_paths.cpp -- call paths that pause, and go on.
#include "measure/core/suspended_paths.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <utility>

namespace tarry::measure {

// From the kernel: no allocator of the program is involved, and only the pages that are used take memory.
bool SuspendedPaths::open() {
  if (memory_) return true;
  void* memory = ::mmap(nullptr, sizeof(Memory), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  memory_ = static_cast<Memory*>(memory);
  return true;
}

void SuspendedPaths::release() {
  if (Memory* const memory = std::exchange(memory_, nullptr)) ::munmap(memory, sizeof *memory);
}

bool SuspendedPaths::begin(PathNode* open_path, const PathNode* around, PathNode& task, Ticks time) {
  if (count_ == kMostTasks || !open()) return false;
  std::uint32_t paused = 0;
  for (const PathNode* path = open_path; path != around; path = path->parent) ++paused;
  if (paused > kMostPaths - path_count_) return false;
  Ticks* spent = memory_->spent + path_count_;
  for (PathNode* path = open_path; path != around; path = path->parent) {
    *spent = time - path->entered_at;
    path->time += *spent++;
  }
  memory_->tasks[count_] = {open_path, &task, task.min_time, paused};
  task.min_time = kNone;
  path_count_ += paused;
  ++count_;
  return true;
}

PathNode* SuspendedPaths::end(PathNode& task, Ticks time, Ticks spent) {
  const Task& ended = memory_->tasks[--count_];
  path_count_ -= ended.path_count;
  PathNode* path = ended.waiting;
  for (std::uint32_t i = 0; i < ended.path_count; ++i, path = path->parent) {
    const Ticks before = memory_->spent[path_count_ + i];
    path->time -= before;
    path->entered_at = time - before;
  }
  restore_shortest(task, std::min(ended.shortest, spent));
  return ended.waiting;
}

// The same task may wait further out: then its path is still open.
void SuspendedPaths::restore_shortest(PathNode& task, Ticks shortest) {
  for (std::uint32_t i = count_; i-- > 0;) {
    Task& outer = memory_->tasks[i];
    if (outer.task != &task) continue;
    outer.shortest = std::min(outer.shortest, shortest);
    return;
  }
  task.min_time = shortest;
}

}  // namespace tarry::measure
