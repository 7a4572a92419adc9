// next_call.cpp -- finds them as the dynamic linker would, and looks whether they are still there.
#include "measure/annotations-layer/next_call.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstring>
#include <string_view>

#include "base/processes/environment_value.hpp"

namespace tarry::measure {
namespace {

link_map* library_of(void* code) {
  dl_find_object found;
  return ::_dl_find_object(code, &found) == 0 ? found.dlfo_link_map : nullptr;
}

// In the caller's own object, and in those that it needs: they may have been opened with RTLD_LOCAL.
void* find_near(const void* caller, const char* name) {
  const link_map* const library = library_of(const_cast<void*>(caller));
  void* const handle = library && *library->l_name ? ::dlopen(library->l_name, RTLD_LAZY | RTLD_NOLOAD) : nullptr;
  if (!handle) return nullptr;
  void* const found = ::dlsym(handle, name);
  ::dlclose(handle);
  return found;
}

// Without the variable all have been asked for.
bool is_asked_for(std::string_view interface) {
  const char* word = environment_value("TARRY_ANNOTATIONS");
  if (!word || !*word) return true;
  for (; *word; word += *word == ',') {
    const std::string_view text(word, std::strcspn(word, ","));
    if (text == interface) return true;
    word += text.size();
  }
  return false;
}

// By the number of the interface.
const bool g_is_asked_for[] = {is_asked_for("caliper"), is_asked_for("roctx"), is_asked_for("likwid")};

}  // namespace

constinit thread_local int InsideLibrary::t_depth = 0;

// By this the recorder knows the library (dispatch/annotation_entries.hpp).
extern "C" __attribute__((visibility("default"), used)) const char tarry_has_annotation_calls = 1;

bool NextFunction::is_still_there(void* function) const {
  return library_of(function) == known_library_.load(std::memory_order_relaxed);
}

void* NextFunction::look_up(const void* caller) {
  void* found = ::dlsym(RTLD_NEXT, name_);
  if (!found) found = find_near(caller, name_);
  ::dlerror();  // none of the program's
  known_library_.store(found ? library_of(found) : nullptr, std::memory_order_relaxed);
  known_.store(found, std::memory_order_release);
  return found;
}

void* NextFunction::find(const void* caller) {
  void* const known = known_.load(std::memory_order_acquire);
  return known && is_still_there(known) ? known : look_up(caller);
}

bool InsideLibrary::is_heard() const { return is_outermost_ && g_is_asked_for[static_cast<int>(interface_)]; }

}  // namespace tarry::measure
