// lookups_by_name.cpp -- programs that ask the MPI library itself for its functions: dlsym(library, "MPI_Send").
//
// Python's ctypes and Julia's ccall do so. Their calls would go past the recorder, so such a look-up gives our MPI_X.
// Programs also ask so whether their MPI library has a function: one that is only ours is not found.
// A library may have every dlclose() lead to a function of its own, and call that of the C library from there: UCX 1.20
// does. That would go past ours, which has to know of code that is gone.
//
// All other look-ups must be as without us. For RTLD_NEXT and RTLD_DEFAULT the answer of dlsym() depends on its caller.
// The next dlsym() is therefore entered by a jump, and finds the program's return address.
#include <dlfcn.h>
#include <gnu/libc-version.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>

#include "measure/core/loaded_object.hpp"
#include "measure/dispatch/annotation_entries.hpp"
#include "measure/dispatch/mpi_dispatch.hpp"
#include "measure/processor/processor.hpp"

namespace tarry::measure {
namespace {

using Dlsym = void* (*)(void*, const char*);

// The runtime of a sanitizer looks up the functions that it is in front of. Until it has found dl_iterate_phdr(),
// that one cannot be called: so the C library is asked first.
Dlsym find_next_dlsym() {
  void* const found = ::dlvsym(RTLD_NEXT, "dlsym", processor::kOldestVersion);
  return reinterpret_cast<Dlsym>(found ? found : find_loaded("dlsym").address);
}

Dlsym next_dlsym() {
  static constinit std::atomic<Dlsym> next = nullptr;
  Dlsym found = next.load(std::memory_order_relaxed);
  if (!found) [[unlikely]] {
    found = find_next_dlsym();
    next.store(found, std::memory_order_relaxed);
  }
  return found;
}

// Another tool's MPI_X, which the program would find without us, stays.
void* find_entry(void* library, const char* name) {
  void* const found = next_dlsym()(library, name);
  if (!found || !find_beside(found, "PMPI_Init").address) return found;
  void* const entry = entry_point_of(name);
  return entry ? entry : found;
}

bool is_by_order(void* library) { return library == RTLD_DEFAULT || library == RTLD_NEXT; }

// dlerror() reports it. The program, and what is opened without a name, would find ours: behind us there is none.
void* fail_to_find(void* library, const char* name) {
  if (is_by_order(library) || next_dlsym()(library, name)) next_dlsym()(RTLD_NEXT, name);
  return nullptr;
}

// The first and behind the last byte of this library.
extern "C" __attribute__((visibility("hidden"))) const char __ehdr_start, _end;

// The runtime of a sanitizer may ask before it can be called itself. strcmp() and dl_iterate_phdr() are its functions.
bool is_dlclose(const char* name) {
  const char* wanted = "dlclose";
  for (; *wanted && *wanted == *name; ++wanted) ++name;
  return *wanted == *name;
}

bool is_of_c_library(void* function) {
  dl_find_object found, own;
  return ::_dl_find_object(function, &found) == 0 &&
         ::_dl_find_object(reinterpret_cast<void*>(&::gnu_get_libc_version), &own) == 0 &&
         found.dlfo_map_start == own.dlfo_map_start;
}

// Whether a look-up of dlclose() finds that of the C library, and nobody else's is between ours and that.
bool leads_past_us(void* library, const void* caller) {
  const auto place = reinterpret_cast<std::uintptr_t>(caller);
  if (place - reinterpret_cast<std::uintptr_t>(&__ehdr_start) < static_cast<std::size_t>(&_end - &__ehdr_start))
    return false;
  void* const next = next_dlsym()(RTLD_NEXT, "dlclose");
  if (!next || !is_of_c_library(next)) return false;
  return library == RTLD_NEXT || (library != RTLD_DEFAULT && next_dlsym()(library, "dlclose") == next);
}

}  // namespace
}  // namespace tarry::measure

using namespace tarry::measure;

// The last call is the jump: rules.mk asks for it where the compiler might call.
extern "C" __attribute__((visibility("default"))) void* dlsym(void* library, const char* name) noexcept {
  if (is_dlclose(name) && leads_past_us(library, __builtin_return_address(0))) return reinterpret_cast<void*>(&dlclose);
  if (std::strncmp(name, "MPI_", 4) != 0) {
    if (is_by_order(library) && is_only_for_annotations(name)) return nullptr;
    return next_dlsym()(library, name);
  }
  if (is_only_ours(name)) return fail_to_find(library, name);
  return is_by_order(library) ? next_dlsym()(library, name) : find_entry(library, name);
}
