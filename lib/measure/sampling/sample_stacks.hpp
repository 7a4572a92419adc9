// sample_stacks.hpp -- the stacks on which samples are taken, one for each thread that is sampled.
//
// Calls: may block.
#pragma once

namespace tarry::measure {

/// The upper end of one that nobody uses; nullptr if there is no memory. Callers hold the list of threads.
void* take_sample_stack();
void give_sample_stack_back(void* top);

}  // namespace tarry::measure
