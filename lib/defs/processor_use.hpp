// processor_use.hpp -- how a process used the processors of its node while it was recorded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"

namespace tarry {

/// Property of a process: the key is followed by its rank.
inline constexpr std::string_view kProcessorUseKey = "processor_use.";

/// Attribute of a process in a report.
inline constexpr char kProcessorUseAttribute[] = "Tarry::ProcessorUse";

struct ProcessorUse {
  std::vector<std::uint32_t> processors;  // numbers, ascending: where its threads may run
  Seconds wall = 0;                       // from the start of the recording to its end
  Seconds cpu = 0;                        // of all its threads, user and system
  Seconds system = 0;                     // in the kernel: a part of that
  std::optional<Seconds> delay;           // its recorded threads were ready to run and had to wait for a processor
  Seconds threads = 0;                    // how long its recorded threads were there, all together; 0: unknown
  Seconds worst_delay = 0;                // of the thread with the largest one,
  Seconds worst_time = 0;                 // and how long that was there
  std::uint64_t preemptions = 0;          // a processor was taken from a thread that was not done
  std::uint64_t waits = 0;                // a thread gave its processor up until something happened
  std::uint64_t minor_faults = 0;         // pages that were there or are new
  std::uint64_t major_faults = 0;         // pages that were read from a disk

  /// The time of which `delay` is a part. Archives of older versions do not have it: all of `count` threads were there
  /// all the time, as far as is known.
  Seconds time_of_threads(std::size_t count) const { return threads > 0 ? threads : wall * static_cast<double>(count); }

  bool operator==(const ProcessorUse&) const = default;
};

/// "processors=0-3,8 wall_ns=5900000000 cpu_ns=4600000000 delay_ns=1200000000 preemptions=12 ...".
std::string processor_use_text(const ProcessorUse& use);

/// Nothing if a value is no number, or impossible. Unknown words are left out.
std::optional<ProcessorUse> parse_processor_use(std::string_view text);

}  // namespace tarry
