// annotation_names.hpp -- the names of annotated regions: each is kept once, to the end of the process.
//
// The recorder knows a region by the address of its name. Names come from signal handlers, too, and before and after
// main(). So they lie in memory of a fixed size, and nobody takes a lock.
//
// Calls: handler-safe.
#pragma once

#include <cstddef>
#include <string_view>

namespace tarry::measure {

/// A name made of texts of the program. It ends where it gets too long.
class AnnotationText {
 public:
  /// nullptr: nothing.
  AnnotationText& add(const char* text);
  AnnotationText& add(const wchar_t* text);

  /// Adds a text of `most` bytes at most, which need not end with a zero.
  AnnotationText& add(const char* text, std::size_t most);

  std::string_view view() const { return {text_, length_}; }

 private:
  static constexpr std::size_t kMostBytes = 500;

  bool add_code(char32_t code);

  char text_[kMostBytes];
  std::size_t length_ = 0;
  bool is_full_ = false;
};

/// The one copy of a name. An empty one is "(no name)". All beyond 4,096 names, or 1 MiB, are one.
const char* kept_name(std::string_view name);
inline const char* kept_name(const AnnotationText& name) { return kept_name(name.view()); }

/// Whether it is one of these copies: programs may hand in anything as what they have been given.
bool is_kept_name(const void* name);

}  // namespace tarry::measure
