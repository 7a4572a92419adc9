// memory.hpp -- the recorder's allocations do not end the program when there is no memory.
#pragma once

namespace tarry::measure {

struct RuntimeState;

/// Calls work(state), which ends the recording. False if memory ran out before the end. Then its locks are locked for
/// ever, and nothing may be recorded any more.
bool run_within_memory(void (*work)(RuntimeState&), RuntimeState& state);

}  // namespace tarry::measure
