// annotation_hooks.hpp -- what the library that hears a program's annotations tells the recorder, and how it finds it.
//
// Calls: handler-safe.
#pragma once

#include <cstddef>

namespace tarry::measure {

struct AnnotationHooks {
  /// The calling thread begins an annotated region. It goes on when the function without hooks that calls this has
  /// returned (core/frame_stack.hpp). The name must neither move nor change: the recorder knows the region by it.
  void (*begin)(const char* name);

  /// The same, for one pass of a loop: it has a call path of its own (TARRY_ITERATION_BEGIN).
  void (*begin_iteration)(const char* name, long long number);

  /// The calling thread ends the innermost region, or pass, of that name. Nothing, if there is none.
  void (*end)(const char* name);

  /// Events of all threads are left out from `pause` to `resume`.
  /// Calls: may block.
  void (*pause)();
  /// Calls: may block.
  void (*resume)();

  /// Writes the type whose name for the linker is `mangled`, `most` bytes at most and a zero. False: it is none.
  /// Calls: may block.
  bool (*demangle_type)(const char* mangled, char* text, std::size_t most);

  /// Prints a line for the user.
  /// Calls: may block.
  void (*say)(const char* text);
};

}  // namespace tarry::measure

/// The recorder's; not there without it.
extern "C" __attribute__((visibility("default"), weak)) const tarry::measure::AnnotationHooks* tarry_annotation_hooks();
