// interposition.cpp -- finds the recorder.
#include "measure/io-calls/interposition.hpp"

namespace tarry::measure {

FileHooks g_hooks;
std::atomic<std::int64_t> g_recorded_to[kMostDescriptors];

[[gnu::constructor]] static void find_recorder() {
  const FileHooks* const hooks = tarry_file_hooks ? tarry_file_hooks() : nullptr;
  if (hooks) g_hooks = *hooks;
}

}  // namespace tarry::measure
