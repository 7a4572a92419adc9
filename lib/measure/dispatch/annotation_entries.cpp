// annotation_entries.cpp -- looks through all that is loaded. A symbol of its own shows the library.
#include "measure/dispatch/annotation_entries.hpp"

#include <link.h>

#include <algorithm>

#include "measure/core/loaded_object.hpp"

namespace tarry::measure {
namespace {

constexpr const char* kBegins[] = {"roctx", "likwid_marker", "cali_", "_ZN4cali", "_ZNK4cali"};

// The runtime of a sanitizer may ask before its strncmp() can be called.
bool begins_with(const char* text, const char* begin) {
  for (; *begin && *begin == *text; ++begin) ++text;
  return !*begin;
}

struct Definitions {
  SymbolName name;
  bool is_in_ours = false;
};

int look_for_definition(dl_phdr_info* info, std::size_t, void* data) {
  static constexpr SymbolName kOurs = "tarry_has_annotation_calls";
  auto& found = *static_cast<Definitions*>(data);
  const LoadedObject object(*info);
  if (!object.find(found.name).address) return 0;
  if (!object.find(kOurs).address) return 1;
  found.is_in_ours = true;
  return 0;
}

}  // namespace

bool is_only_for_annotations(const char* name) {
  if (std::ranges::none_of(kBegins, [name](const char* begin) { return begins_with(name, begin); })) return false;
  Definitions found{name};
  return ::dl_iterate_phdr(look_for_definition, &found) == 0 && found.is_in_ours;
}

}  // namespace tarry::measure
