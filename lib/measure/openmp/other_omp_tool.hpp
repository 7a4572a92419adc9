// other_omp_tool.hpp -- another OMPT tool in the program: a library of OMP_TOOL_LIBRARIES, or one that is linked.
//
// The OpenMP runtime starts one tool only: the first one that it finds, which is ours. So ours looks for the next one
// as the runtime would, starts it, and tells it what the runtime tells. Where it asks the runtime for something that
// depends on its being the only tool, our functions answer.
//
// Calls: may block.
#pragma once

#include <atomic>

#include "measure/openmp/ompt_abi.hpp"
#include "measure/openmp/ompt_words.hpp"

namespace tarry::measure {

/// Callbacks of the other tool, by event. nullptr: it wants none.
extern std::atomic<ompt::Callback> g_other_callbacks[ompt::kEventCount];

/// Looks for another tool, with what the runtime says of itself. While one runs, other runtimes get none.
void find_other_tool(unsigned omp_version, const char* runtime);

/// Whether one has been found and not started.
bool has_other_tool();

/// Starts it. `own_results`: by event, what the runtime said when our own callback was set; 0 for those that we do not
/// want.
void start_other_tool(ompt::Lookup lookup, int device, const int (&own_results)[ompt::kEventCount]);

/// Ends it, if it runs.
void end_other_tool();

/// Tells it of an event, with its own words.
template <ompt::Event event, class... Args>
void tell_other_tool(Args... args) {
  if (const ompt::Callback callback = g_other_callbacks[event].load(std::memory_order_acquire))
    reinterpret_cast<void (*)(Args...)>(callback)(their_word(args)...);
}

/// A callback for the runtime that tells our tool first and then the other one.
template <ompt::Event event, auto own>
struct ForBoth;
template <ompt::Event event, class... Args, void (*own)(Args...)>
struct ForBoth<event, own> {
  static void tell(Args... args) {
    own(our_word(args)...);
    tell_other_tool<event, Args...>(args...);
  }
};

}  // namespace tarry::measure
