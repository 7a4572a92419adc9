// target_library.cpp -- LLVM's library for devices (libomptarget) is made to find the OpenMP runtime.
//
// It tells of target constructs once it has opened "libomp.so", by libLLVM or itself. That is a name which compilers
// use: the loader does not find it, or finds another runtime. So it is given the runtime that the program uses.
#include <dlfcn.h>
#include <link.h>

#include <cstring>
#include <string_view>

#include "measure/core/loaded_object.hpp"
#include "measure/core/process_start.hpp"

namespace tarry::measure {
namespace {

constexpr char kWantedRuntime[] = "libomp.so";

struct Libraries {
  const char* runtime = nullptr;  // the file
  bool has_devices = false;
};
constinit Libraries g_libraries;

int find_libraries(dl_phdr_info* info, std::size_t, void*) {
  const LoadedObject object(*info);
  if (!g_libraries.runtime && object.find("ompt_libomp_connect").address) g_libraries.runtime = info->dlpi_name;
  g_libraries.has_devices |= object.find("ompt_libomptarget_connect").address != nullptr;
  return 0;
}

void* open_library(const char* name, int flags) {
  if (name && std::strcmp(name, kWantedRuntime) == 0)
    if (void* const runtime = ::dlopen(g_libraries.runtime, flags)) return runtime;
  return ::dlopen(name, flags);
}

bool opens_runtime(const char* name) {
  const std::string_view file = name ? name : "";
  return file.starts_with("libomptarget") || file.starts_with("libLLVM");
}

int replace_dlopen(dl_phdr_info* info, std::size_t, void*) {
  const LoadedObject object(*info);
  if (!opens_runtime(object.name())) return 0;
  object.each_slot([&](const char* name, void** slot) {
    if (std::strcmp(name, "dlopen") == 0) object.write_slot(slot, reinterpret_cast<void*>(open_library));
    return true;
  });
  return 0;
}

// The program makes its kernels known when its own constructors run, which is later.
__attribute__((constructor)) void connect_devices() {
  if (!is_recording_wanted()) return;
  ::dl_iterate_phdr(find_libraries, nullptr);
  if (g_libraries.runtime && *g_libraries.runtime && g_libraries.has_devices)
    ::dl_iterate_phdr(replace_dlopen, nullptr);
}

}  // namespace
}  // namespace tarry::measure
