// call_path_slot.hpp -- where a thread has its call path.
//
// Calls: handler-safe.
#pragma once

#include "measure/core/thread_slots.hpp"

namespace tarry::measure {

class CallPath;

/// nullptr: functions without hooks are not looked for.
inline constexpr ThreadSlot<CallPath*, 0> kCallPath;

}  // namespace tarry::measure
