// function_names.cpp -- the functions a process has called.
#include "measure/callpath/function_names.hpp"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include "defs/cut_stacks.hpp"
#include "defs/run_time_code.hpp"
#include "measure/callpath/call_stack.hpp"
#include "measure/callpath/open_handler.hpp"
#include "measure/callpath/region_map.hpp"
#include "measure/core/memory.hpp"
#include "measure/core/process_start.hpp"
#include "measure/core/runtime.hpp"
#include "measure/core/say.hpp"

namespace tarry::measure {

constexpr std::size_t kMostRunTimeCode = std::size_t{1} << 15;  // places with a region of their own

FunctionNames::FunctionNames() {
  if (!settings().filter[0]) return;
  auto filter = RegionFilter::read(settings().filter);
  if (!filter.ok()) {
    say(filter.error().text() + "; everything is recorded");
    return;
  }
  filter_ = std::move(*filter);
  if (!filter_.is_empty() && !places_.can_look_up())
    say("libdw is not installed: functions are filtered by their addresses only");
}

std::uint32_t FunctionNames::number_of_module(const std::string& path) {
  for (std::size_t i = modules_.size(); i > 0; --i)
    if (modules_[i - 1] == path) return static_cast<std::uint32_t>(i - 1);
  modules_.push_back(path);
  return static_cast<std::uint32_t>(modules_.size() - 1);
}

// Not by dladdr(), which searches all symbols and takes the dynamic linker's lock.
FunctionNames::Function FunctionNames::locate(std::uintptr_t address) {
  Function function;
  dl_find_object found;
  const bool is_found = ::_dl_find_object(reinterpret_cast<void*>(address), &found) == 0 && found.dlfo_link_map;
  const char* const name = is_found ? found.dlfo_link_map->l_name : "";
  function.module = number_of_module(!is_found ? "" : name && *name ? name : executable_path());
  function.address = is_found ? address - found.dlfo_link_map->l_addr : address;
  return function;
}

CodePlace FunctionNames::find(const Function& function) {
  const std::string& path = modules_[function.module];
  CodePlace place = places_.find(path, function.address);
  if (function.is_main && place.name == address_name(path, function.address)) place.name = place.mangled_name = "main";
  return place;
}

RegionId FunctionNames::define(std::uintptr_t address, bool is_main) {
  if (is_run_time_code(address)) return define_run_time_code(run_time_address(address));
  Function function = locate(address);
  function.is_main = is_main;
  const std::string& path = modules_[function.module];
  if (filter_.is_empty()) {
    const auto region = definitions().try_add_region(address_name(path, function.address), path, 0, Paradigm::kCompiler,
                                                     RegionRole::kFunction);
    if (!region) return kUnknownRegion;
    function.region = *region;
    unnamed_.push_back(function);
    return function.region;
  }
  // To look up a name takes memory of the program's allocator, which a handler may have interrupted.
  if (is_in_handler() || !t_thread) return kUnknownRegion;
  if (has_open_handler(*t_thread)) return ++t_thread->missed_calls, kUnknownRegion;
  CodePlace place = find(function);
  if (!filter_.includes(place.name, place.mangled_name, place.file)) return kFiltered;
  const RegionId region =
      definitions().add_region(place.name, place.file, place.line, Paradigm::kCompiler, RegionRole::kFunction);
  definitions().describe_region(region, {place.name, place.mangled_name, place.file, place.line});
  return region;
}

// By its address, until the end tells which function that is in.
RegionId FunctionNames::define_run_time_code(std::uintptr_t address) {
  const bool is_one_more = run_time_.size() < kMostRunTimeCode;
  if (!is_one_more && other_run_time_ != kUnknownRegion) return other_run_time_;
  const auto region = definitions().try_add_region("[unknown code]", "", 0, Paradigm::kCompiler, RegionRole::kFunction);
  if (!region) return kUnknownRegion;
  if (is_one_more) run_time_.push_back({*region, address, now()});
  else other_run_time_ = *region;
  return *region;
}

RegionId FunctionNames::define_interpreted(const std::string& name, const std::string& file, std::uint32_t line) {
  if (!filter_.includes(name, "", file)) return kFiltered;
  const auto known = interpreted_.find({name, file, line});
  if (known != interpreted_.end()) return known->second;
  const auto region = definitions().try_add_region(name, file, line, Paradigm::kCompiler, RegionRole::kFunction);
  if (!region) return kUnknownRegion;
  interpreted_.emplace(std::tuple(name, file, line), *region);
  return *region;
}

RegionId FunctionNames::define_at_site(RegionId region, std::uintptr_t return_address) {
  Function call = locate(return_address - 1);
  const auto at_site = definitions().try_add_region_at(region, address_name(modules_[call.module], call.address));
  if (!at_site) return kUnknownRegion;
  call.region = *at_site;
  sites_.push_back(call);
  return call.region;
}

RegionId FunctionNames::define_at_line(RegionId region, const std::string& file, std::uint32_t line) {
  const auto known = lines_.find({region, file, line});
  if (known != lines_.end()) return known->second;
  const auto at_line = definitions().try_add_region_at(region, file, line);
  if (!at_line) return kUnknownRegion;
  lines_.emplace(std::tuple(region, file, line), *at_line);
  return *at_line;
}

// A dump of the program tells times of its own clock.
void FunctionNames::describe_run_time_code() {
  if (run_time_.empty()) return;
  const ClockReading end = read_clocks();
  const double ns_per_tick = 1e9 / ticks_per_second(first_clock_reading(), end);
  std::vector<RunTimeCode> codes;
  for (const RunTimePlace& place : run_time_) {
    const double ns_before = static_cast<double>(end.ticks - place.seen) * ns_per_tick;
    codes.push_back({.address = place.address,
                     .seen_ns = end.monotonic_ns - static_cast<std::int64_t>(ns_before),
                     .name = "",
                     .id = place.region.value});
  }
  name_run_time_code(codes, ::getpid());
  for (const RunTimeCode& code : codes)
    if (!code.name.empty()) {
      const CodePlace place = place_of_run_time_code(code.name);
      definitions().describe_region(RegionId(code.id), {place.name, place.mangled_name, place.file, place.line});
    }
  run_time_.clear();
}

void FunctionNames::describe_all() {
  describe_run_time_code();
  if (!unnamed_.empty() && !places_.can_look_up()) definitions().add_property(kNoLibdwKey, "1");
  for (const Function& function : unnamed_) {
    CodePlace place = find(function);
    if (place.file.empty() && is_address_name(place.name)) continue;  // tools can find more, with its file
    definitions().describe_region(function.region, {place.name, place.mangled_name, place.file, place.line});
  }
  unnamed_.clear();
  for (const Function& call : sites_) {
    const CodePlace place = places_.find_line(modules_[call.module], call.address);
    if (place.line == 0) continue;
    const std::string code_file = settings().tells_inlined ? modules_[call.module] : "";
    definitions().describe_site(call.region, {place.file, place.line, code_file, call.address});
  }
  sites_.clear();
}

}  // namespace tarry::measure
