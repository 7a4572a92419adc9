// unloading.cpp -- libraries that a program closes: their addresses may belong to other code afterwards.
#include "base/processes/next_function.hpp"
#include "measure/callpath/call_path.hpp"
#include "measure/core/runtime.hpp"

namespace tarry::measure {
namespace {

using Close = int (*)(void*);
Close g_real = nullptr;

Close real_dlclose() { return next_function(g_real, "dlclose"); }

// Not when it is first called: to find it takes the dynamic linker's lock.
[[gnu::constructor]] void find_real_function() { real_dlclose(); }

}  // namespace
}  // namespace tarry::measure

extern "C" __attribute__((visibility("default"))) int dlclose(void* library) {
  using namespace tarry::measure;
  const int outcome = real_dlclose()(library);
  note_closed_library();
  if (is_recording()) forget_unloaded_code();
  return outcome;
}
