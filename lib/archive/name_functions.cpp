// name_functions.cpp -- names of functions that a process could not look up itself.
#include "archive/name_functions.hpp"

#include <charconv>
#include <optional>

#include "base/file.hpp"
#include "defs/code_places.hpp"

namespace tarry {
namespace {

// The address in the name of a region that has no better one.
std::optional<std::uint64_t> address_in(std::string_view name, const std::string& file) {
  const std::size_t mark = name.rfind("+0x");
  if (mark == std::string_view::npos) return std::nullopt;
  std::uint64_t address = 0;
  const auto [end, error] = std::from_chars(name.data() + mark + 3, name.data() + name.size(), address, 16);
  if (error != std::errc() || end != name.data() + name.size() || address_name(file, address) != name)
    return std::nullopt;
  return address;
}

}  // namespace

void name_functions(Definitions& definitions) {
  CodePlaces places;
  for (Region& region : definitions.regions) {
    if (region.paradigm != Paradigm::kCompiler) continue;
    const std::string file(definitions.text(region.file));
    const auto address = address_in(definitions.text(region.name), file);
    if (!address || !path_exists(file)) continue;
    const CodePlace place = places.find(file, *address);
    region.name = definitions.strings.intern(place.name);
    region.mangled_name = definitions.strings.intern(place.mangled_name);
    if (!place.file.empty()) region.file = definitions.strings.intern(place.file);
    region.begin_line = place.line;
  }
}

}  // namespace tarry
