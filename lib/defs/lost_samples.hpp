// lost_samples.hpp -- why samples of stacks are lost, as recorder and reports name it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tarry {

enum class LostSample : std::uint8_t {
  kInRecorder,    // the thread was in the recorder
  kOnOtherStack,  // it ran on the alternate stack of its signal handlers
  kNotUnwound,    // its stack could not be unwound
  kNoRoom,        // a block of events was full and could not be exchanged
  kLate,          // the signal before was still waiting
};
inline constexpr std::size_t kLostSampleReasons = static_cast<std::size_t>(LostSample::kLate) + 1;

struct LostSampleInfo {
  std::string_view key;   // of the property with their number
  std::string_view text;  // behind the number
};
inline constexpr LostSampleInfo kLostSamples[kLostSampleReasons] = {
    {"samples_lost_in_recorder", "in the recorder"},
    {"samples_lost_on_other_stack", "on an alternate stack"},
    {"samples_lost_not_unwound", "whose stack could not be unwound"},
    {"samples_lost_no_room", "without room for the event"},
    {"samples_lost_late", "that came too late"},
};

/// Of a report: how many samples were recorded, left out in recorded calls, and lost; the last by reason.
inline constexpr char kSamplesAttribute[] = "Tarry::Samples";

}  // namespace tarry
