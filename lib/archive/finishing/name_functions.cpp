// name_functions.cpp -- names of functions that a process could not look up itself.
#include "archive/finishing/name_functions.hpp"

#include <charconv>
#include <functional>
#include <map>
#include <optional>

#include "archive/finishing/add_inlined.hpp"
#include "base/files/file.hpp"
#include "defs/code_places.hpp"
#include "defs/debug_server.hpp"

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

// Programs and libraries whose functions are called by their addresses: path by name of the file.
std::map<std::string, std::string, std::less<>> list_modules(const Definitions& definitions) {
  std::map<std::string, std::string, std::less<>> modules;
  for (const Region& region : definitions.regions) {
    const std::string file(definitions.text(region.file));
    if (region.paradigm == Paradigm::kCompiler && address_in(definitions.text(region.name), file))
      modules.try_emplace(file.substr(file.rfind('/') + 1), file);
  }
  return modules;
}

// The line of a call whose site is an address.
void name_call(Definitions& definitions, std::string_view module, CodePlaces& places, Region& call) {
  const auto address = address_in(definitions.text(call.site_file), std::string(module));
  if (!address || !path_exists(std::string(module))) return;
  const CodePlace place = places.find_line(std::string(module), *address);
  if (place.line == 0) return;
  call.code_file = definitions.strings.intern(module);
  call.code_address = *address;
  call.site_file = definitions.strings.intern(place.file);
  call.site_line = place.line;
}

void name_calls(Definitions& definitions, CodePlaces& places) {
  const auto modules = list_modules(definitions);
  for (Region& region : definitions.regions) {
    if (!region.base.is_valid() || region.site_line > 0) continue;
    const std::string_view site = definitions.text(region.site_file);
    const auto module = modules.find(site.substr(0, site.rfind("+0x")));
    if (module != modules.end()) name_call(definitions, module->second, places, region);
  }
}

void name_function(Definitions& definitions, CodePlaces& places, Region& region) {
  const std::string file(definitions.text(region.file));
  const auto address = address_in(definitions.text(region.name), file);
  if (!address || !path_exists(file)) return;
  const CodePlace place = places.find(file, *address);
  region.name = definitions.strings.intern(place.name);
  region.mangled_name = definitions.strings.intern(place.mangled_name);
  // Without a name the file tells where the address is; a name without a file is what a process itself finds.
  if (!place.file.empty() || place.name != address_name(file, *address))
    region.file = definitions.strings.intern(place.file);
  region.begin_line = place.line;
}

}  // namespace

void name_functions(Definitions& definitions) {
  CodePlaces places(ask_debug_servers);
  name_calls(definitions, places);
  for (Region& region : definitions.regions) {
    if (region.base.is_valid()) definitions.regions[region.base.value].describe(region);
    else if (region.paradigm == Paradigm::kCompiler) name_function(definitions, places, region);
  }
  add_inlined_functions(definitions, places);
}

}  // namespace tarry
