// real_functions.cpp -- looks functions up as the dynamic linker does: first what was loaded with the program, then
// what the caller's library brings along.
//
// Libraries may be opened later, and where it is not asked for (RTLD_LOCAL) only their own users see them. So several
// of them may have the same function, and the caller decides. Each library of callers is looked at once.
#include "measure/wrapped/real_functions.hpp"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <cstring>
#include <new>
#include <span>

#include "measure/callpath/call_path.hpp"
#include "measure/core/loaded_object.hpp"
#include "measure/core/own_memory.hpp"
#include "measure/dispatch/linker_lookup.hpp"

namespace tarry::measure {

/// Code of one library, and what it calls.
struct KnownCaller {
  std::uintptr_t begin, end;
  void* real;
  std::uint32_t closed_libraries;  // another number: all may be different now
  KnownCaller* next;
};

namespace {

constexpr int kExitOfLinker = 127;

// In the order of loading, which is that of the dynamic linker as long as nothing has been opened.
int look_for_all(dl_phdr_info* info, std::size_t, void* data) {
  const LoadedObject object(*info);
  for (WrappedFunction& function : *static_cast<std::span<WrappedFunction>*>(data)) {
    if (function.real.load(std::memory_order_relaxed)) continue;
    void* const found = object.find(function.name).address;
    if (found != function.entry) function.real.store(found, std::memory_order_relaxed);
  }
  return 0;
}

struct AnySearch {
  const WrappedFunction& function;
  void* found;
};

int look_into(dl_phdr_info* info, std::size_t, void* data) {
  AnySearch& search = *static_cast<AnySearch*>(data);
  void* const found = LoadedObject(*info).find(search.function.name).address;
  if (found != search.function.entry) search.found = found;
  return search.found != nullptr;
}

// Addresses of functions are handed around: who calls then need not know the library, nor lie in one.
void* find_anywhere(const WrappedFunction& function) {
  AnySearch search{function, nullptr};
  ::dl_iterate_phdr(look_into, &search);
  return search.found;
}

void* find_known(const WrappedFunction& function, std::uintptr_t caller) {
  for (const KnownCaller* one = function.callers.load(std::memory_order_acquire); one; one = one->next)
    if (caller - one->begin < one->end - one->begin && one->closed_libraries == closed_libraries()) return one->real;
  return nullptr;
}

void note_caller(WrappedFunction& function, const void* caller, void* real) {
  dl_find_object found;
  if (::_dl_find_object(const_cast<void*>(caller), &found) != 0) return;
  void* const memory = take_own_memory(sizeof(KnownCaller));
  if (!memory) return;
  auto* const made = new (memory) KnownCaller{reinterpret_cast<std::uintptr_t>(found.dlfo_map_start),
                                              reinterpret_cast<std::uintptr_t>(found.dlfo_map_end), real,
                                              closed_libraries(), function.callers.load(std::memory_order_relaxed)};
  while (!function.callers.compare_exchange_weak(made->next, made, std::memory_order_release)) continue;
}

// As the dynamic linker, which ends the program when a function is called that is not there.
[[noreturn]] void end_program(const char* name) {
  for (const char* text : {"tarry: symbol lookup error: undefined symbol: ", name, "\n"})
    if (::write(STDERR_FILENO, text, std::strlen(text)) < 0) break;
  ::_exit(kExitOfLinker);
}

}  // namespace

void* find_real_function(WrappedFunction& function, const void* caller) {
  if (void* const known = find_known(function, reinterpret_cast<std::uintptr_t>(caller))) return known;
  void* found = find_as_linker(caller, RTLD_NEXT, function.name, function.entry);
  if (!found) found = find_anywhere(function);
  if (!found) end_program(function.name);
  note_caller(function, caller, found);
  return found;
}

}  // namespace tarry::measure

/// Called by a library of wrapped functions when it is loaded.
extern "C" __attribute__((visibility("default"))) void tarry_note_wrapped_functions(
    tarry::measure::WrappedFunction* begin, tarry::measure::WrappedFunction* end) {
  std::span<tarry::measure::WrappedFunction> functions(begin, end);
  ::dl_iterate_phdr(tarry::measure::look_for_all, &functions);
}
