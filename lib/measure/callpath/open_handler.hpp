// open_handler.hpp -- whether the calling thread is in a signal handler of the program, as its stack tells.
//
// Calls: handler-safe.
#pragma once

namespace tarry::measure {

struct Thread;

/// True if the calling thread, `thread`, runs a handler, or what a handler has called. False where the stack cannot be
/// walked so far. This takes some microseconds. For one caller at a time.
bool has_open_handler(Thread& thread);

}  // namespace tarry::measure
