// recorder_access.hpp -- the recorder, as the library that hears annotations finds it; absent: nothing is recorded.
//
// Calls: handler-safe.
#pragma once

#include "measure/user/annotation_hooks.hpp"

namespace tarry::measure {

/// nullptr: there is none.
inline const AnnotationHooks* recorder() { return tarry_annotation_hooks ? tarry_annotation_hooks() : nullptr; }

/// Prints a line.
/// Calls: may block.
inline void tell_user(const char* text) {
  if (const AnnotationHooks* const hooks = recorder()) hooks->say(text);
}

}  // namespace tarry::measure
