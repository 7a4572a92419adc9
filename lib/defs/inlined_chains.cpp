// inlined_chains.cpp -- the inlined functions between a function and what it calls.
#include "defs/inlined_chains.hpp"

#include <algorithm>

namespace tarry {

InlinedChains::InlinedChains(const Definitions& definitions) : regions_(definitions.regions) {
  constexpr std::size_t kMostInlined = 64;  // the definitions may be damaged, and lead around in a circle
  for (std::size_t i = 0; i < regions_.size(); ++i) {
    std::vector<RegionId> chain;
    for (RegionId at = regions_[i].inlined_in; at.value < regions_.size() && chain.size() < kMostInlined;
         at = regions_[at.value].inlined_in)
      chain.push_back(at);
    std::ranges::reverse(chain);
    if (!chain.empty()) chains_.emplace(RegionId(i), std::move(chain));
  }
}

std::span<const RegionId> InlinedChains::chain_of(RegionId region) const {
  const auto found = chains_.find(region);
  return found == chains_.end() ? std::span<const RegionId>() : found->second;
}

// Their code is a function of the compiler's.
static bool has_own_function(const Region& construct) {
  return construct.role == RegionRole::kParallel || construct.role == RegionRole::kTask ||
         construct.role == RegionRole::kUntiedTask;
}

std::span<const RegionId> InlinedChains::between(RegionId parent, RegionId region) const {
  const std::span<const RegionId> chain = chain_of(region);
  if (chain.empty() || parent.value >= regions_.size()) return {};
  const Region& caller = regions_[parent.value];
  if (caller.paradigm == Paradigm::kCompiler) {
    for (std::size_t i = chain.size(); i > 0; --i)
      if (regions_[chain[i - 1].value].mangled_name == caller.mangled_name) return chain.subspan(i);
    return chain;
  }
  if (caller.paradigm == Paradigm::kOpenMp && has_own_function(caller)) return chain;
  const bool is_inside = caller.paradigm == Paradigm::kOpenMp || caller.paradigm == Paradigm::kUser;
  if (!is_inside || !caller.base.is_valid()) return {};
  const auto differs = std::ranges::mismatch(chain, chain_of(parent));
  return chain.subspan(static_cast<std::size_t>(differs.in1 - chain.begin()));
}

}  // namespace tarry
