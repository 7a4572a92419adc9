// step_draft.hpp -- a step of a thread before it is known how long it takes.
#pragma once

#include "prediction/simulation/plan.hpp"

namespace tarry {

inline constexpr LogPosition kNoPosition = 0xffffffffu;

/// A step on its way into order.
struct StepDraft {
  Ticks time = 0;
  PathIndex inside = kNoPath;          // of a visit: the time since the step before belongs to it
  LogPosition position = kNoPosition;  // in the time log, if it is known
  std::uint32_t value = 0;
  StepKind kind = StepKind::kPass;
  std::uint8_t order = 0;  // of steps at the same time

  /// Whether the thread works since the step before.
  bool is_work() const { return inside == kNoPath && kind != StepKind::kIdle; }
};

}  // namespace tarry
