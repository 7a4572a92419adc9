// device_records.hpp -- work of accelerators: the calls that give it or wait for it, and what queues have executed.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/units.hpp"
#include "defs/accelerator_calls.hpp"
#include "replay/scan/lock_log.hpp"
#include "replay/trace_ids.hpp"
#include "replay/trees/call_tree.hpp"

namespace tarry {

/// A visit of a function of an accelerator's library that launches, copies or waits. One inside another counts alone.
struct DeviceCall {
  ThreadMoment enter;
  Ticks leave = 0;
  ThreadIndex thread{};
  AcceleratorCall call = AcceleratorCall::kNone;  // kManagement: another one inside does what it is called for
  ThreadIndex queue{};                            // that it names; none: not told
  std::uint64_t work = 0;                         // the number of what it starts; 0: not told
};

/// How much later or earlier than by the clock of the host something may seem to happen on an accelerator.
inline constexpr double kDeviceClockError = 20e-6;  // seconds

/// When work has ended, at the latest, that a call may have waited for: `clock_error` in ticks. Work that ends later by
/// more than a twentieth of the call is none of it.
inline Ticks latest_awaited_end(const DeviceCall& call, double clock_error) {
  constexpr double kPart = 0.05;
  const double part = kPart * static_cast<double>(call.leave - call.enter.time);
  return call.leave + static_cast<Ticks>(std::min(clock_error, part));
}

/// What a queue executes.
enum class WorkKind : std::uint8_t {
  kKernel,
  kCopyToDevice,
  kCopyToHost,
  kCopyWithin,  // and filling memory
};

/// A kernel or a copy on a queue.
struct Execution {
  static constexpr std::uint64_t kUnknownNeeds = ~std::uint64_t{0};

  Ticks begin = 0;
  Ticks end = 0;
  PathIndex path = kNoPath;             // of the call that has started it; of a kernel, with the kernel below
  RegionId region{};                    // of a kernel
  Bytes bytes = 0;                      // of a copy
  std::uint64_t work = 0;               // its number; 0: not told
  std::uint64_t needs = kUnknownNeeds;  // the number of the latest earlier work of the queue that it needs; 0: none
  DeviceCallIndex launch{};             // that has started it; none: not known
  WorkKind kind = WorkKind::kKernel;
  LogPosition before = 0;  // in the queue's time log: where the execution before it ends
  LogPosition after = 0;   // where it ends itself

  bool is_copy() const { return kind != WorkKind::kKernel; }
};

}  // namespace tarry
