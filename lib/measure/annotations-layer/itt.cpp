// itt.cpp -- annotations by Intel's ITT: INTEL_LIBITTNOTIFY64 names this library.
//
// The static part of ITT is in the program. It keeps domains and names itself, and looks these functions up.
#include <cstddef>

#include "measure/annotations-layer/annotation_names.hpp"
#include "measure/annotations-layer/open_annotations.hpp"
#include "measure/annotations-layer/recorder_access.hpp"

#define ITT_FUNCTION extern "C" __attribute__((visibility("default"), used))

namespace tarry::measure {
namespace {

// ITT calls it an id.
struct TaskNumber {
  unsigned long long parts[3];
};

struct Domain {
  volatile int is_enabled;
  const char* name;
  // more follows
};

struct StringHandle {
  const char* text;
  // more follows
};

const char* task_name(const Domain* domain, const StringHandle* handle) {
  AnnotationText text;
  if (domain && domain->name) text.add(domain->name).add(".");
  return kept_name(text.add(handle && handle->text ? handle->text : kept_name("")));
}

}  // namespace
}  // namespace tarry::measure

using namespace tarry::measure;

/// That it is there tells ITT to look functions up by name.
ITT_FUNCTION const char* __itt_api_version() { return "tarry"; }

ITT_FUNCTION void __itt_task_begin(const Domain* domain, TaskNumber, TaskNumber, const StringHandle* name) {
  begin_annotation(task_name(domain, name), domain);
}
ITT_FUNCTION void __itt_task_begin_fn(const Domain* domain, TaskNumber, TaskNumber, const void*) {
  begin_annotation(task_name(domain, nullptr), domain);
}
ITT_FUNCTION void __itt_task_end(const Domain* domain) { end_annotation(domain); }

ITT_FUNCTION void __itt_marker(const Domain* domain, TaskNumber, const StringHandle* name, int) {
  mark_annotation(task_name(domain, name));
}

ITT_FUNCTION void __itt_pause() {
  if (const AnnotationHooks* const hooks = recorder()) hooks->pause();
}
ITT_FUNCTION void __itt_resume() {
  if (const AnnotationHooks* const hooks = recorder()) hooks->resume();
}
