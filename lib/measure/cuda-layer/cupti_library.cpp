// cupti_library.cpp -- where CUPTI is looked for.
//
// A process has one CUPTI: the one that the program has loaded goes first. Then comes what the dynamic linker finds.
// The last one is that of the toolkit that Tarry was built with.
#include "measure/cuda-layer/cupti_library.hpp"

#include <dlfcn.h>

#include <climits>
#include <cstdio>

namespace tarry::measure {
namespace {

constexpr const char* kNames[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so.11", "libcupti.so"};
constexpr const char* kFolders[] = {TARRY_CUDA_FOLDER "/extras/CUPTI/lib64/", TARRY_CUDA_FOLDER "/lib64/",
                                    TARRY_CUDA_FOLDER "/lib/"};

void* open_in(const char* folder, int flags) {
  for (const char* name : kNames) {
    char path[PATH_MAX];
    std::snprintf(path, sizeof path, "%s%s", folder, name);
    if (void* const library = ::dlopen(path, RTLD_NOW | flags)) return library;
  }
  return nullptr;
}

void* open_cupti() {
  if (void* const loaded = open_in("", RTLD_NOLOAD)) return loaded;
  if (void* const found = open_in("", 0)) return found;
  for (const char* folder : kFolders)
    if (void* const found = open_in(folder, 0)) return found;
  return nullptr;
}

}  // namespace

bool load_cupti(Cupti& cupti) {
  void* const library = open_cupti();
  if (!library) return false;
#define TARRY_FIND_CUPTI(name) cupti.name = reinterpret_cast<decltype(cupti.name)>(::dlsym(library, #name));
#define TARRY_HAS_CUPTI(name) &&cupti.name
  TARRY_CUPTI_NEEDED(TARRY_FIND_CUPTI)
  TARRY_CUPTI_OPTIONAL(TARRY_FIND_CUPTI)
  return true TARRY_CUPTI_NEEDED(TARRY_HAS_CUPTI);
}

}  // namespace tarry::measure
