// followed_heap.hpp -- follows blocks of the heap from the call path that allocates them to their free.
//
// The counters of call paths among those that were asked for have their values from here. A thread that has ended stays
// in the list of threads while blocks of it are live, so that later frees count. No more than 256 threads do. What
// others free of the rest is not known, and said.
//
// Calls: may block.
#pragma once

#include <string>

#include "measure/core/recorder.hpp"
#include "measure/metrics/counter_plan.hpp"

namespace tarry::measure {

/// Empty if blocks can be followed in this recording, else why not.
std::string try_following_heap();

/// Begins, if a counter of call paths is in the plan: those have been tried.
void follow_heap(const CounterPlan& plan);

/// The hooks of an adapter.
void follow_heap_of(Thread& thread);
bool has_live_blocks(Thread& thread);
void end_heap_of(Thread& thread);
void describe_lost_blocks(double ticks_per_second);

/// Blocks are not followed any more; what sites have stays as it is.
/// Calls: handler-safe.
void end_following_heap();

}  // namespace tarry::measure
