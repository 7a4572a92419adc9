// wanted_overheads.cpp -- the overheads that directives in the source ask for.
#include "findings/overheads/wanted_overheads.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "base/text/text.hpp"

namespace tarry {
namespace {

constexpr std::string_view kPrefix = "overheads=";
constexpr std::size_t kMostNested = 64;  // hostile reports may nest a million
constexpr std::size_t kNoDirective = SIZE_MAX;

void read_mnemonics(WantedOverheads& wanted) {
  for (const std::string& mnemonic : split_list(wanted.mnemonics)) {
    if (const auto overhead = find_overhead(mnemonic)) wanted.classes.push_back(*overhead);
    else wanted.unknown.append(wanted.unknown.empty() ? "" : ",").append(mnemonic);
  }
}

class Directives {
 public:
  explicit Directives(const ReportStructure& structure) : structure_(structure) {
    find_directives();
    find_regions_around();
  }

  void add(const OverheadPlace& place) {
    std::vector<std::size_t> seen;  // a region may call itself
    std::uint32_t path = around_[place.call_path.value];
    for (; path != CallPathId::kNone && seen.size() < kMostNested; path = around_[parent_of(path)]) {
      const std::size_t directive = directive_at_[path];
      if (std::ranges::find(seen, directive) == seen.end()) wanted_[directive].times[place.overhead] += place.seconds;
      seen.push_back(directive);
      if (parent_of(path) == CallPathId::kNone) break;
    }
  }

  std::vector<WantedOverheads> take() {
    for (WantedOverheads& wanted : wanted_) wanted.times.sum_up();
    return std::move(wanted_);
  }

 private:
  std::uint32_t parent_of(std::uint32_t path) const {
    const CallPathId parent = structure_.call_paths[path].parent;
    return parent.value < path ? parent.value : CallPathId::kNone;
  }

  // Those of one region and list are one.
  void find_directives() {
    directive_at_.assign(structure_.call_paths.size(), kNoDirective);
    std::map<std::pair<std::uint32_t, std::string_view>, std::size_t> known;
    for (std::uint32_t path = 0; path < directive_at_.size(); ++path) {
      const ReportRegion& region = structure_.regions[structure_.call_paths[path].region];
      const std::uint32_t owner = parent_of(path);
      if (owner == CallPathId::kNone || !is_overhead_directive(region)) continue;
      const std::uint32_t owner_region = structure_.call_paths[owner].region;
      const std::pair key(owner_region, std::string_view(region.name));
      const auto [found, is_new] = known.emplace(key, wanted_.size());
      directive_at_[owner] = found->second;
      if (!is_new) continue;
      WantedOverheads& wanted = wanted_.emplace_back();
      wanted.region = owner_region;
      wanted.mnemonics = region.name.substr(kPrefix.size());
      read_mnemonics(wanted);
    }
  }

  void find_regions_around() {
    for (std::uint32_t path = 0; path < directive_at_.size(); ++path) {
      const std::uint32_t parent = parent_of(path);
      const std::uint32_t above = parent == CallPathId::kNone ? CallPathId::kNone : around_[parent];
      around_.push_back(directive_at_[path] == kNoDirective ? above : path);
    }
  }

  const ReportStructure& structure_;
  std::vector<std::size_t> directive_at_;  // [call path] of a region that has one
  std::vector<std::uint32_t> around_;      // [call path] the innermost such region that it is in
  std::vector<WantedOverheads> wanted_;
};

}  // namespace

bool is_overhead_directive(const ReportRegion& region) { return region.name.starts_with(kPrefix); }

std::vector<WantedOverheads> wanted_overheads(const Report& report, const Overheads& overheads) {
  Directives directives(report.structure);
  for (const OverheadPlace& place : overheads.places) directives.add(place);
  return directives.take();
}

}  // namespace tarry
