// interposition.cpp -- finds the recorder.
#include "measure/io-calls/interposition.hpp"

namespace tarry::measure {

const FileHooks* g_hooks = nullptr;
std::atomic<std::int64_t> g_recorded_to[kMostDescriptors];

[[gnu::constructor]] static void find_recorder() {
  if (tarry_file_hooks) g_hooks = tarry_file_hooks();
}

}  // namespace tarry::measure
