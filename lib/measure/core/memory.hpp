// memory.hpp -- the recorder's allocations do not end the program when there is no memory.
#pragma once

namespace tarry::measure {

struct RuntimeState;

/// Calls work(state), which ends the recording. False if there was not memory enough to come to its end: what it had
/// locked is locked for ever, and nothing may be recorded any more.
bool run_within_memory(void (*work)(RuntimeState&), RuntimeState& state);

}  // namespace tarry::measure
