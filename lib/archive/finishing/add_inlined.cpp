// add_inlined.cpp -- asks the debug information for the inlined functions around each call site.
#include "archive/finishing/add_inlined.hpp"

#include <algorithm>
#include <map>

#include "base/files/file.hpp"
#include "defs/properties.hpp"
#include "defs/region_filter.hpp"

namespace tarry {
namespace {

constexpr std::size_t kMostText = 16 << 10;  // as in definitions of a process

// Names of linkers for what is in std or __gnu_cxx: S and a letter abbreviate parts of std.
bool is_of_cxx_library(std::string_view name) {
  constexpr std::string_view kBegins[] = {"_ZNSt", "_ZNKSt", "_ZSt",          "_ZNSa",         "_ZNKSa",
                                          "_ZNSs", "_ZNKSs", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx"};
  return std::ranges::any_of(kBegins, [name](std::string_view begin) { return name.starts_with(begin); }) ||
         name.starts_with("std::") || name.starts_with("__gnu_cxx::");
}

// Its headers have such functions around read(), for example.
bool is_of_c_library(std::string_view file) {
  return file.starts_with("/usr/include/") && file.find("/bits/") != file.npos;
}

// What compilers make of constructs of OpenMP.
bool is_outlined(std::string_view name) {
  return name.find(".omp_outlined") != name.npos || name.find("._omp_fn.") != name.npos || name.starts_with(".omp_");
}

bool is_turned_off(const Definitions& definitions) {
  const std::string value = first_property(definitions, "environment.TARRY_INLINE");
  return value == "0" || value == "off";
}

RegionFilter filter_of(const Definitions& definitions) {
  const std::string path = first_property(definitions, "environment.TARRY_FILTER");
  if (path.empty() || path == "-" || !path_exists(path)) return {};
  auto filter = RegionFilter::read(path);
  return filter.ok() ? std::move(*filter) : RegionFilter();
}

class InlinedFunctions {
 public:
  InlinedFunctions(Definitions& definitions, CodePlaces& places)
      : all_(definitions), places_(places), filter_(filter_of(definitions)) {}

  void add() {
    const std::size_t count = all_.regions.size();
    for (std::size_t i = 0; i < count; ++i)
      if (all_.regions[i].base.is_valid() && all_.regions[i].code_file.is_valid())
        all_.regions[i].inlined_in = innermost_at(all_.regions[i]);
  }

 private:
  // The file may have been built anew since: then it tells other lines.
  bool is_as_recorded(const std::string& path, const Region& call) {
    if (!path_exists(path)) return false;
    const CodePlace place = places_.find_line(path, call.code_address);
    return place.line == call.site_line && place.file.substr(0, kMostText) == all_.text(call.site_file);
  }

  // By value: the table grows.
  RegionId innermost_at(Region call) {
    const std::string path(all_.text(call.code_file));
    if (!is_as_recorded(path, call)) return {};
    const auto [known, is_new] = known_.try_emplace({call.code_file.value, call.code_address});
    return is_new ? known->second = add_calls(places_.find_inlined(path, call.code_address)) : known->second;
  }

  // Where functions are left out, the next one is called where the first of them is.
  RegionId add_calls(const std::vector<InlinedCall>& calls) {
    RegionId outer;
    const InlinedCall* left_out = nullptr;
    for (const InlinedCall& call : calls) {
      const InlinedCall& place = left_out ? *left_out : call;
      if (!is_wanted(call)) {
        left_out = &place;
        continue;
      }
      left_out = nullptr;
      outer = call_of(function_of(call.function), place, outer);
    }
    return outer;
  }

  bool is_wanted(const InlinedCall& call) const {
    const CodePlace& function = call.function;
    const bool is_of_library = is_of_cxx_library(function.mangled_name) || is_of_c_library(function.file);
    return !function.name.empty() && !is_of_library && !is_outlined(function.mangled_name) &&
           filter_.includes(function.name, function.mangled_name, function.file);
  }

  StringId text(const std::string& of) { return all_.strings.intern(std::string_view(of).substr(0, kMostText)); }

  RegionId function_of(const CodePlace& function) {
    Region region;
    region.name = text(function.name);
    region.mangled_name = text(function.mangled_name);
    region.file = text(function.file);
    region.begin_line = function.line;
    region.paradigm = Paradigm::kCompiler;
    region.role = RegionRole::kFunction;
    return add_once(region);
  }

  RegionId call_of(RegionId function, const InlinedCall& place, RegionId outer) {
    Region region;
    all_.regions[function.value].describe(region);
    region.base = function;
    region.site_file = text(place.call_file);
    region.site_line = place.call_line;
    region.inlined_in = outer;
    return add_once(region);
  }

  RegionId add_once(const Region& region) {
    const auto [added, is_new] = added_.try_emplace(region.identity(), RegionId(all_.regions.size()));
    if (is_new) all_.regions.push_back(region);
    return added->second;
  }

  Definitions& all_;
  CodePlaces& places_;
  const RegionFilter filter_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, RegionId> known_;  // by place in the code
  std::map<Region::Identity, RegionId> added_;
};

}  // namespace

void add_inlined_functions(Definitions& definitions, CodePlaces& places) {
  if (!is_turned_off(definitions)) InlinedFunctions(definitions, places).add();
  for (Region& region : definitions.regions) {
    region.code_file = {};
    region.code_address = 0;
  }
}

}  // namespace tarry
