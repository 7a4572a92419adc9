// named_places.hpp -- places of the source whose names are no C strings, or are not there for good: each becomes one
// place with an address.
//
// Calls: handler-safe.
#pragma once

#include <string_view>

struct tarry_region;

namespace tarry::measure {

/// A text of Fortran, without the blanks behind it.
inline std::string_view without_trailing_blanks(std::string_view text) {
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

/// The one place of that name; trailing blanks do not count. Its line and kind (TARRY_KIND_REGION, ...) are those that
/// it is asked for with first.
const tarry_region& place_named(std::string_view name, unsigned line, unsigned kind);

}  // namespace tarry::measure
