// last_steps.hpp -- threads that are being recorded while the recording ends.
//
// A thread looks at its gate first, and says then that it is in a step. It may lose its processor in between. So a gate
// that is closed and idle does not tell that the thread is in no step. That is known once the thread has used some more
// of a processor, or did not want one.
//
// Calls: at end only.
#pragma once

#include <cstddef>

namespace tarry::measure {

struct Thread;

/// Gives all threads of a list but the calling one the time to end their steps. Their gates are closed. Returns how
/// many have not done so after some seconds, and marks them.
std::size_t let_steps_end(Thread* threads);

}  // namespace tarry::measure
