// count_violations.hpp -- how many events are earlier than what must have come before them.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "sync/conditions.hpp"
#include "trace/correction.hpp"

namespace tarry {

struct ViolationCount {
  std::array<std::uint64_t, kConditionKinds> by_kind{};
  bool is_within_node = false;  // between locations that should share a clock
  bool is_within_process = false;

  std::uint64_t total() const;

  /// "3 clock-condition violations (2 point-to-point, 1 collective, ...)"
  std::string text() const;
};

/// Counts the effects that are earlier than a cause: received messages, and ends of operations, one for each process.
/// Times are taken as `corrections` makes them. Collective over the analysis processes; all get the same result.
ViolationCount count_violations(Trace& trace, const Conditions& conditions, const Corrections& corrections);

}  // namespace tarry
