// useful_time.hpp -- which time is computation to an audit, and which counters tell how it is spent.
#pragma once

#include <cstdint>
#include <string_view>

#include "report/metrics/region_metrics.hpp"

namespace tarry {

/// What the time is spent for that belongs to a region itself.
enum class TimeUse : std::uint8_t {
  kUseful,  // computation, and what neither MPI nor a runtime of threads does: files, the recorder
  kMpi,
  kThreads,       // synchronisation and management of threads
  kAccelerators,  // giving them work, and waiting for it
};

TimeUse use_of_time(const RegionKind& region);

/// What a counter counts, by its name in PAPI, perf or the kernel.
enum class ProcessorEvent : std::uint8_t { kNone, kInstructions, kCycles };

ProcessorEvent processor_event(std::string_view counter);

}  // namespace tarry
