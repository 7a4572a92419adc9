// unify.cpp -- merges the definitions of processes into global ones.
#include "defs/unify.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "defs/definition_block.hpp"
#include "defs/missing_rank.hpp"

namespace tarry {
namespace {

// Tables are stored as differences: most translations keep the order.
template <class Id>
void encode_table(ByteWriter& out, const std::vector<Id>& table) {
  out.varint(table.size());
  std::int64_t expected = 0;
  for (const Id id : table) {
    out.varint(zigzag(std::int64_t{id.value} - expected));
    expected = std::int64_t{id.value} + 1;
  }
}

template <class Id>
void decode_table(ByteReader& in, std::vector<Id>& table) {
  const std::uint64_t size = in.varint();
  if (size > in.left()) in.fail();  // an entry takes at least one byte
  std::uint64_t expected = 0;
  for (std::uint64_t i = 0; i < size && !in.failed(); ++i) {
    const std::uint64_t id = expected + static_cast<std::uint64_t>(unzigzag(in.varint()));
    if (id > Id::kNone) in.fail();
    table.emplace_back(id);
    expected = id + 1;
  }
}

}  // namespace

UnifiedDefinitions unify(std::vector<Definitions> processes) {
  std::vector<std::size_t> order(processes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto rank_of = [&](std::size_t i) {
    return processes[i].processes.empty() ? kMissingRank : processes[i].processes[0].rank;
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rank_of(a) < rank_of(b); });
  DefinitionBlock all;
  for (const std::size_t i : order) {
    all.add(processes[i]);
    processes[i] = Definitions();  // only one copy of everything at a time
  }
  UnifiedDefinitions unified;
  for (LocalMap& map : all.maps()) unified.maps.push_back(std::move(map.map));
  unified.global = all.finish();
  return unified;
}

void encode_id_maps(ByteWriter& out, std::span<const IdMap> maps) {
  out.varint(maps.size());
  for (const IdMap& map : maps) {
    encode_table(out, map.regions);
    encode_table(out, map.comms);
    encode_table(out, map.windows);
  }
  // Parts of later versions are behind: groups of all processes, then files of all, then counters of all.
  const auto has_counters = [](const IdMap& map) { return !map.counters.empty(); };
  const auto has_more = [](const IdMap& map) {
    return !map.groups.empty() || !map.io_handles.empty() || !map.counters.empty();
  };
  if (std::none_of(maps.begin(), maps.end(), has_more)) return;
  for (const IdMap& map : maps) encode_table(out, map.groups);
  for (const IdMap& map : maps) encode_table(out, map.io_handles);
  if (std::none_of(maps.begin(), maps.end(), has_counters)) return;
  for (const IdMap& map : maps) encode_table(out, map.counters);
}

Result<std::vector<IdMap>> decode_id_maps(std::span<const std::uint8_t> bytes) {
  ByteReader in(bytes);
  const std::uint64_t count = in.varint();
  if (count > in.left()) in.fail();
  std::vector<IdMap> maps;
  for (std::uint64_t i = 0; i < count && !in.failed(); ++i) {
    IdMap& map = maps.emplace_back();
    decode_table(in, map.regions);
    decode_table(in, map.comms);
    decode_table(in, map.windows);
  }
  if (in.left() > 0) {
    for (IdMap& map : maps) decode_table(in, map.groups);
    for (IdMap& map : maps) decode_table(in, map.io_handles);
  }
  if (in.left() > 0)
    for (IdMap& map : maps) decode_table(in, map.counters);
  if (in.failed() || in.left() > 0) return Error{"translation tables", "are malformed", ""};
  return maps;
}

// `kept`: by number of a region its new one.
static void renumber_regions(std::vector<IdMap>& maps, const std::vector<RegionId>& kept) {
  for (IdMap& map : maps) {
    if (map.regions.empty()) map.regions = kept;
    else
      for (RegionId& region : map.regions)
        if (region.is_valid()) region = kept[region.value];
  }
}

void merge_equal_regions(UnifiedDefinitions& unified) {
  std::map<Region::Identity, RegionId> known;
  std::vector<RegionId> kept;
  std::vector<Region> merged;
  for (Region region : unified.global.regions) {
    if (region.base.is_valid()) region.base = kept[region.base.value];
    const auto [entry, is_new] = known.try_emplace(region.identity(), RegionId(merged.size()));
    if (is_new) merged.push_back(region);
    kept.push_back(entry->second);
  }
  if (merged.size() == kept.size()) return;
  for (Region& region : merged)
    if (region.inlined_in.is_valid()) region.inlined_in = kept[region.inlined_in.value];
  unified.global.regions = std::move(merged);
  renumber_regions(unified.maps, kept);
}

void forget_call_sites(UnifiedDefinitions& unified) {
  std::vector<Region>& regions = unified.global.regions;
  const auto is_at_site = [](const Region& region) { return region.base.is_valid(); };
  if (std::none_of(regions.begin(), regions.end(), is_at_site)) return;
  std::vector<RegionId> kept;
  std::uint32_t next = 0;
  for (const Region& region : regions) kept.push_back(is_at_site(region) ? kept[region.base.value] : RegionId(next++));
  std::erase_if(regions, is_at_site);
  renumber_regions(unified.maps, kept);
}

}  // namespace tarry
