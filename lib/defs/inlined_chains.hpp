// inlined_chains.hpp -- the inlined functions between a function and what it calls, for trees of call paths.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "defs/definitions.hpp"

namespace tarry {

/// Events enter and leave the functions that are called. A call path also has those that were inlined where the call
/// is: whoever makes a tree of call paths puts these in between.
class InlinedChains {
 public:
  explicit InlinedChains(const Definitions& definitions);

  /// The inlined functions between a call path of `parent` and one of `region` below it, outermost first. Those up to
  /// `parent` itself, which has hooks, are left out. So are those around a user region or a construct of OpenMP. If it
  /// has no call site, these are not known, and none is told.
  std::span<const RegionId> between(RegionId parent, RegionId region) const;

 private:
  std::span<const RegionId> chain_of(RegionId region) const;

  const std::vector<Region>& regions_;
  std::unordered_map<RegionId, std::vector<RegionId>> chains_;  // by called region
};

}  // namespace tarry
