// recording_lock.hpp -- tells others that the archive is still being written, as long as this process lives.
//
// Calls: may block.
#pragma once

#include <string>

namespace tarry::measure {

/// Holds a shared lock on a file by a map of it: no descriptor stays open. The lock goes with the process, however it
/// ends. Others hold the exclusive lock for a moment only, to see whether they could.
class RecordingLock {
 public:
  /// Makes the file if need be. Without locks on the file system we do without.
  void hold(const std::string& path);

  void release();

  /// In a child process, which the map does not reach.
  void forget() { map_ = nullptr; }

 private:
  void* map_ = nullptr;
};

}  // namespace tarry::measure
