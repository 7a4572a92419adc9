// tool_in_front.cpp -- an OMPT tool that the OpenMP runtime would find before ours: one in the program itself.
//
// The dynamic linker takes the first definition of ompt_start_tool, and the program comes before its libraries. So the
// runtime's reference is made to lead to ours, which starts the other tool, too.
#include <dlfcn.h>
#include <link.h>

#include <cstring>

#include "measure/core/loaded_object.hpp"
#include "measure/core/process_start.hpp"
#include "measure/core/say.hpp"
#include "measure/openmp/ompt_abi.hpp"

namespace tarry::measure {
namespace {

constexpr char kStartTool[] = "ompt_start_tool";

struct Redirection {
  void* own = nullptr;
  bool is_done = false;
};

int redirect_runtime(dl_phdr_info* info, std::size_t, void* data) {
  auto& redirection = *static_cast<Redirection*>(data);
  const LoadedObject object(*info);
  if (!object.find("__kmpc_fork_call").address) return 0;
  object.each_slot([&](const char* name, void** slot) {
    if (std::strcmp(name, kStartTool) != 0) return true;
    redirection.is_done |= object.write_slot(slot, redirection.own);
    return true;
  });
  return 0;
}

// The runtime looks for a tool when the program first uses OpenMP, which is later. A runtime inside the program has no
// such reference.
__attribute__((constructor)) void be_found_first() {
  Redirection redirection{.own = reinterpret_cast<void*>(ompt_start_tool)};
  void* const found = ::dlsym(RTLD_DEFAULT, kStartTool);
  if (!found || found == redirection.own) return;
  ::dl_iterate_phdr(redirect_runtime, &redirection);
  if (!redirection.is_done && is_recording_wanted())
    say("the program itself is a tool for OpenMP (ompt_start_tool): its OpenMP is not recorded");
}

}  // namespace
}  // namespace tarry::measure
