// device_scan.hpp -- the part of the pass over the events that keeps a thread's calls of accelerators' libraries.
#pragma once

#include <cstddef>
#include <vector>

#include "replay/scan/scanned_thread.hpp"
#include "trace/record.hpp"

namespace tarry {

/// Leaves: LogicalRank::device_calls, where the process has queues.
class [[gnu::visibility("hidden")]] DeviceScan {
 public:
  explicit DeviceScan(ScannedThread & thread) : thread_(thread) {}

  /// The innermost region has just been entered, and is such a call.
  void enter(AcceleratorCall call, Ticks time);
  /// It has just been left; `depth`: of the regions around it.
  void leave(std::size_t depth, Ticks time);

  /// What an attribute tells of the innermost call, if one is open.
  void attribute(const record::Attribute& attribute);

 private:
  struct OpenCall {
    DeviceCallIndex call{};
    std::size_t depth;  // of the regions around it
  };

  ScannedThread& thread_;
  std::vector<OpenCall> open_;  // the innermost last
};

}  // namespace tarry
