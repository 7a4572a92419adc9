// stack_cuts.cpp -- counts the stacks of a thread that lack their outermost functions.
#include "measure/callpath/stack_cuts.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <numeric>

#include "measure/core/runtime.hpp"

namespace tarry::measure {
namespace {

std::uintptr_t begin_of_module(std::uintptr_t address) {
  dl_find_object found;
  if (::_dl_find_object(reinterpret_cast<void*>(address), &found) != 0) return 0;
  return reinterpret_cast<std::uintptr_t>(found.dlfo_map_start);
}

}  // namespace

void StackCuts::note(CutStack why, std::uintptr_t return_address) {
  ++counts_[static_cast<std::size_t>(why)];
  if (why != CutStack::kNoUnwindInfo) return;
  if (const std::uintptr_t begin = begin_of_module(return_address - 1))
    add_to_module(begin, {.address = return_address - 1, .count = 1});
}

void StackCuts::add_to_module(std::uintptr_t begin, const Module& module) {
  for (std::size_t i = 0; i < kModules; ++i) {
    if (begins_[i] != 0 && begins_[i] != begin) continue;
    begins_[i] = begin;
    modules_[i].address = module.address;
    modules_[i].count += module.count;
    return;
  }
}

void StackCuts::add(const StackCuts& other) {
  for (std::size_t why = 0; why < kCutStackReasons; ++why) counts_[why] += other.counts_[why];
  for (std::size_t i = 0; i < kModules; ++i)
    if (other.begins_[i] != 0) add_to_module(other.begins_[i], other.modules_[i]);
}

std::uint64_t StackCuts::all() const { return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0}); }

StackCuts::Module StackCuts::worst_module() const {
  return *std::max_element(modules_.begin(), modules_.end(),
                           [](const Module& a, const Module& b) { return a.count < b.count; });
}

std::string file_of_code(std::uintptr_t address) {
  dl_find_object found;
  if (::_dl_find_object(reinterpret_cast<void*>(address), &found) != 0 || !found.dlfo_link_map) return "";
  const char* const name = found.dlfo_link_map->l_name;
  return name && *name ? name : executable_path();
}

}  // namespace tarry::measure
