// definition_block.cpp -- the unified definitions of processes whose ranks follow each other.
#include "defs/definition_block.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "defs/definition_codec.hpp"
#include "defs/missing_rank.hpp"

namespace tarry {
namespace {

// The members of one side of a communicator as far as they are there. Ordinary communicators have one side.
struct Side {
  std::uint64_t parent_uid = 0;
  std::uint32_t size = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> members;  // rank in the communicator, world rank
  std::unordered_set<std::uint32_t> taken;                       // inter-communicators: ranks that have a member
};

template <class Id>
bool is_identity(const std::vector<Id>& table) {
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i].value != i) return false;
  return true;
}

template <class Id>
Id translate(const std::vector<Id>& table, Id id) {
  return id.value < table.size() ? table[id.value] : Id();
}

template <class Id>
void lead_on(std::vector<Id>& table, std::uint32_t size, const std::vector<Id>& onward) {
  if (onward.empty()) return;
  if (table.empty()) table.assign(onward.begin(), onward.begin() + std::min<std::ptrdiff_t>(size, std::ssize(onward)));
  else
    for (Id& id : table) id = translate(onward, id);
  if (is_identity(table)) table.clear();
}

// Keeps the size of a table, and its entries unless they change nothing.
template <class Id>
std::vector<Id> keep_table(std::vector<Id> table, std::uint32_t& size) {
  size = static_cast<std::uint32_t>(table.size());
  if (is_identity(table)) table.clear();
  return table;
}

bool follows(const MemberRun& run, const MemberRun& next) {
  return next.rank == run.rank + run.rank_step * run.count &&
         next.world_rank == run.world_rank + run.world_step * run.count;
}

void add_run(std::vector<MemberRun>& runs, MemberRun next) {
  if (!runs.empty()) {
    MemberRun& last = runs.back();
    if (last.size == next.size && last.parent_uid == next.parent_uid) {
      // One alone has no step yet.
      MemberRun joined = last;
      if (last.count == 1) {
        joined.rank_step = next.count > 1 ? next.rank_step : next.rank - last.rank;
        joined.world_step = next.count > 1 ? next.world_step : next.world_rank - last.world_rank;
      }
      const bool is_even =
          next.count == 1 || (next.rank_step == joined.rank_step && next.world_step == joined.world_step);
      if (is_even && follows(joined, next)) {
        joined.count += next.count;
        last = joined;
        return;
      }
    }
  }
  runs.push_back(next);
}

Side& side_of(std::vector<Side>& sides, const MemberRun& claim, std::uint32_t rank) {
  if (sides.size() == 1) return sides[0];
  const bool is_first = sides[0].members.empty() || (sides[0].parent_uid == claim.parent_uid &&
                                                     sides[0].size == claim.size && !sides[0].taken.count(rank));
  Side& side = sides[is_first ? 0 : 1];
  side.taken.insert(rank);
  return side;
}

std::vector<Side> sides_of(const std::vector<MemberRun>& runs, bool is_inter) {
  std::vector<Side> sides(is_inter ? 2 : 1);
  for (const MemberRun& run : runs)
    for (std::uint32_t i = 0; i < run.count; ++i) {
      const std::uint32_t rank = run.rank + i * run.rank_step;
      Side& side = side_of(sides, run, rank);
      if (side.members.empty()) side.parent_uid = run.parent_uid;
      side.size = std::max(side.size, run.size);
      side.members.emplace_back(rank, run.world_rank + i * run.world_step);
    }
  return sides;
}

// Members that are not there cost some of `missing_budget`; beyond it they are left out.
std::vector<std::uint32_t> group_of(Side& side, std::uint64_t& missing_budget) {
  std::stable_sort(side.members.begin(), side.members.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::uint32_t> members;
  const std::uint64_t missing = side.size > side.members.size() ? side.size - side.members.size() : 0;
  if (missing <= missing_budget) {
    missing_budget -= missing;
    members.assign(side.size, kMissingRank);
    for (const auto& [rank, world_rank] : side.members)
      if (rank < members.size() && members[rank] == kMissingRank) members[rank] = world_rank;
  } else {
    for (const auto& [rank, world_rank] : side.members) members.push_back(world_rank);
  }
  return members;
}

void encode_runs(ByteWriter& out, const std::vector<MemberRun>& runs) {
  out.varint(runs.size());
  for (const MemberRun& run : runs) {
    for (const std::uint32_t number : {run.rank, run.world_rank, run.rank_step, run.world_step, run.count, run.size})
      out.varint(number);
    out.varint(run.parent_uid);
  }
}

std::vector<MemberRun> decode_runs(ByteReader& in) {
  std::vector<MemberRun> runs;
  for (std::uint64_t left = in.varint(); left > 0 && !in.failed(); --left) {
    MemberRun& run = runs.emplace_back();
    for (std::uint32_t* number : {&run.rank, &run.world_rank, &run.rank_step, &run.world_step, &run.count, &run.size})
      *number = in.varint32();
    run.parent_uid = in.varint();
  }
  return runs;
}

}  // namespace

void LocalMap::lead_on(const IdMap& onward) {
  tarry::lead_on(map.regions, sizes[0], onward.regions);
  tarry::lead_on(map.comms, sizes[1], onward.comms);
  tarry::lead_on(map.windows, sizes[2], onward.windows);
  tarry::lead_on(map.groups, sizes[3], onward.groups);
  tarry::lead_on(map.io_handles, sizes[4], onward.io_handles);
  tarry::lead_on(map.counters, sizes[5], onward.counters);
}

// ---- adding the tables of a process or of a block -------------------------------------------------------------------

// Tables of a block are like those of a process. Definitions that are numbered by their position (the k-th window of a
// communicator) have the same order in both.
class DefinitionBlock::Adder {
 public:
  Adder(DefinitionBlock& into, const Definitions& from) : into_(into), all_(into.all_), from_(from) {}

  /// Everything but processes, locations and members of communicators.
  LocalMap add_tables() {
    nodes_ = add_nodes();
    LocalMap local;
    local.map.regions = keep_table(add_regions(), local.sizes[0]);
    const std::vector<CommId> comms = add_comms();
    local.map.windows = keep_table(add_windows(comms), local.sizes[2]);
    local.map.groups = keep_table(add_groups(), local.sizes[3]);
    local.map.io_handles = keep_table(add_io_handles(comms), local.sizes[4]);
    local.map.counters = keep_table(add_counters(), local.sizes[5]);
    comms_ = comms;
    local.map.comms = keep_table(comms, local.sizes[1]);
    add_neighborhoods(comms);
    add_properties();
    return local;
  }

  void add_process(Process process) {
    process.name = text(process.name);
    process.node = translate(nodes_, process.node);
    all_.processes.push_back(process);
  }

  void add_location(Location location, ProcessId process) {
    location.name = text(location.name);
    if (location.device.is_valid()) location.device = text(location.device);
    location.process = process;
    all_.locations.push_back(location);
  }

  /// All members of a communicator say the same. Of the hardware each process knows its own place; `number_of` tells
  /// which number a node with this local number has here.
  template <class NumberOf>
  void add_carts(NumberOf number_of) {
    for (const CartTopology& local : from_.carts) {
      CartTopology cart = local;
      cart.name = text(local.name);
      cart.comm = translate(comms_, local.comm);
      for (CartTopology::Dimension& dimension : cart.dimensions) dimension.name = text(dimension.name);
      if (!cart.comm.is_valid()) number_nodes(cart, number_of);
      std::string key;
      for (const std::uint32_t part : {cart.comm.value, cart.name.value}) key += std::to_string(part) + " ";
      for (const CartTopology::Dimension& dimension : cart.dimensions)
        key += std::to_string(dimension.name.value) + " ";
      const auto [entry, is_new] = into_.carts_.emplace(std::move(key), all_.carts.size());
      if (is_new) all_.carts.push_back(std::move(cart));
      else if (!cart.comm.is_valid()) add_places(std::move(cart), all_.carts[entry->second]);
    }
  }

  SystemNodeId node(SystemNodeId local) const { return translate(nodes_, local); }

  CommId comm(std::size_t local) const { return comms_[local]; }

 private:
  StringId text(StringId local) { return all_.strings.intern(from_.text(local)); }

  // The id of what has this key; `record` becomes the last of `all` if it is new.
  template <class Index, class Record>
  static auto find_or_add(Index& index, const typename Index::key_type& key, std::vector<Record>& all,
                          const Record& record) {
    const auto [entry, is_new] = index.emplace(key, typename Index::mapped_type(all.size()));
    if (is_new) all.push_back(record);
    return entry->second;
  }

  std::vector<SystemNodeId> add_nodes() {
    std::vector<SystemNodeId> table;
    for (const SystemNode& local : from_.system_nodes) {
      const SystemNode node{text(local.name), text(local.class_name), translate(table, local.parent)};
      const Key<3> key{node.name.value, node.class_name.value, node.parent.value};
      table.push_back(find_or_add(into_.nodes_, key, all_.system_nodes, node));
    }
    return table;
  }

  std::vector<RegionId> add_regions() {
    std::vector<RegionId> table;
    for (Region region : from_.regions) {
      region.name = text(region.name);
      region.mangled_name = text(region.mangled_name);
      region.file = text(region.file);
      region.base = translate(table, region.base);
      region.site_file = region.base.is_valid() ? text(region.site_file) : StringId();
      region.code_file = region.code_file.is_valid() ? text(region.code_file) : StringId();
      region.inlined_in = {};
      table.push_back(find_or_add(into_.regions_, region.identity(), all_.regions, region));
    }
    return table;
  }

  std::vector<CommId> add_comms() {
    std::vector<CommId> table;
    for (const Communicator& local : from_.comms) {
      const auto [entry, is_new] = into_.comms_.emplace(local.uid, CommId(all_.comms.size()));
      const CommId id = entry->second;
      if (is_new) {
        Communicator comm;
        comm.uid = local.uid;
        comm.is_inter = local.is_inter;
        comm.parent = translate(table, local.parent);
        all_.comms.push_back(comm);
        into_.members_.emplace_back();
      }
      Communicator& comm = all_.comms[id.value];
      if (all_.text(comm.name).empty()) comm.name = text(local.name);
      table.push_back(id);
    }
    return table;
  }

  std::vector<GroupId> add_groups() {
    std::vector<GroupId> table;
    for (const Group& local : from_.groups) table.push_back(into_.add_group(local.members, text(local.name)));
    return table;
  }

  std::vector<IoHandleId> add_io_handles(const std::vector<CommId>& comms) {
    std::vector<IoHandleId> table;
    std::unordered_map<std::uint64_t, std::uint32_t> count_of_file;  // by communicator and name
    for (const IoHandle& local : from_.io_handles) {
      const IoHandle handle{text(local.name), translate(comms, local.comm)};
      const std::uint64_t file = (std::uint64_t{handle.comm.value} << 32) | handle.name.value;
      table.push_back(find_or_add(into_.io_handles_, Key<2>{file, count_of_file[file]++}, all_.io_handles, handle));
    }
    return table;
  }

  std::vector<CounterId> add_counters() {
    std::vector<CounterId> table;
    for (Counter counter : from_.counters) {
      counter.name = text(counter.name);
      counter.unit = text(counter.unit);
      counter.description = text(counter.description);
      const std::uint64_t kind = static_cast<std::uint64_t>(counter.mode) << 16 |
                                 static_cast<std::uint64_t>(counter.type) << 8 |
                                 static_cast<std::uint64_t>(counter.source);
      const Key<4> key{counter.name.value, counter.unit.value, counter.description.value, kind};
      table.push_back(find_or_add(into_.counters_, key, all_.counters, counter));
    }
    return table;
  }

  std::vector<WindowId> add_windows(const std::vector<CommId>& comms) {
    std::vector<WindowId> table;
    std::unordered_map<CommId, std::uint32_t> count_on_comm;
    for (const Window& local : from_.windows) {
      const Window window{text(local.name), translate(comms, local.comm)};
      const Key<2> key{window.comm.value, count_on_comm[window.comm]++};
      const auto [entry, is_new] = into_.windows_.emplace(key, WindowId(all_.windows.size()));
      if (is_new) all_.windows.push_back(window);
      table.push_back(entry->second);
    }
    return table;
  }

  template <class NumberOf>
  void number_nodes(CartTopology& cart, NumberOf number_of) {
    for (std::size_t d = 0; d < cart.dimensions.size(); ++d) {
      if (all_.text(cart.dimensions[d].name) != kNodeDimension) continue;
      for (CartTopology::Place& place : cart.places)
        if (d < place.coordinates.size()) place.coordinates[d] = number_of(place.coordinates[d]);
    }
  }

  static void add_places(CartTopology from, CartTopology& to) {
    for (std::size_t d = 0; d < to.dimensions.size(); ++d)
      to.dimensions[d].size = std::max(to.dimensions[d].size, from.dimensions[d].size);
    std::move(from.places.begin(), from.places.end(), std::back_inserter(to.places));
  }

  void add_neighborhoods(const std::vector<CommId>& comms) {
    for (Neighborhood neighborhood : from_.neighborhoods) {
      neighborhood.comm = translate(comms, neighborhood.comm);
      if (neighborhood.comm.is_valid()) all_.neighborhoods.push_back(std::move(neighborhood));
    }
  }

  void add_properties() {
    for (const Property& local : from_.properties) {
      const std::string_view key = from_.text(local.key);
      if (key == kClockDomainKey || key == kClockStartKey || key == kClockEndKey) continue;
      const auto summed = std::find(std::begin(kSummedKeys), std::end(kSummedKeys), key);
      if (summed != std::end(kSummedKeys)) {
        into_.sums_[static_cast<std::size_t>(summed - std::begin(kSummedKeys))] +=
            std::strtoull(std::string(from_.text(local.value)).c_str(), nullptr, 10);
        continue;
      }
      const Property property{text(local.key), text(local.value)};
      if (into_.properties_.insert(property.key.value).second) all_.properties.push_back(property);
    }
  }

  DefinitionBlock& into_;
  Definitions& all_;
  const Definitions& from_;
  std::vector<SystemNodeId> nodes_;
  std::vector<CommId> comms_;
};

void DefinitionBlock::add(const Definitions& process) {
  Adder adder(*this, process);
  maps_.push_back(adder.add_tables());
  adder.add_process(process.processes.empty() ? Process() : process.processes.front());
  const ProcessId id(all_.processes.size() - 1);
  adder.add_carts([&](std::uint32_t) { return number_of(all_.processes.back().node); });
  std::vector<Location> locations = process.locations;
  std::stable_sort(locations.begin(), locations.end(),
                   [](const auto& a, const auto& b) { return a.thread < b.thread; });
  for (std::size_t i = 0; i < locations.size(); ++i)
    if (i == 0 || locations[i].thread != locations[i - 1].thread) adder.add_location(locations[i], id);
  for (std::size_t i = 0; i < process.comms.size(); ++i) {
    const Communicator& local = process.comms[i];
    MemberRun claim{.rank = local.rank, .world_rank = all_.processes.back().rank, .size = local.size};
    claim.parent_uid =
        local.parent.value < process.comms.size() ? process.comms[local.parent.value].uid : ~std::uint64_t{0};
    add_run(members_[adder.comm(i).value], claim);
  }
  clocks_.add(process);
}

LocalMap DefinitionBlock::append(const DefinitionBlock& next) {
  Adder adder(*this, next.all_);
  LocalMap map = adder.add_tables();
  std::vector<std::uint32_t> numbers;
  for (const SystemNodeId node : next.numbered_nodes_) numbers.push_back(number_of(adder.node(node)));
  adder.add_carts([&](std::uint32_t number) { return number < numbers.size() ? numbers[number] : number; });
  const std::size_t before = all_.processes.size();
  for (const Process& process : next.all_.processes) adder.add_process(process);
  for (const Location& location : next.all_.locations)
    adder.add_location(location, ProcessId(before + location.process.value));
  for (std::size_t i = 0; i < next.members_.size(); ++i)
    for (const MemberRun& run : next.members_[i]) add_run(members_[adder.comm(i).value], run);
  clocks_.append(next.clocks_);
  for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += next.sums_[i];
  return map;
}

GroupId DefinitionBlock::add_group(std::vector<std::uint32_t> members, StringId name) {
  std::vector<GroupId>& alike = groups_[KeyHash()(members)];
  for (const GroupId id : alike)
    if (all_.groups[id.value].members == members) return id;
  alike.emplace_back(all_.groups.size());
  all_.groups.push_back({name, std::move(members)});
  return alike.back();
}

// Nodes count in the order of their first processes.
std::uint32_t DefinitionBlock::number_of(SystemNodeId node) {
  const auto [entry, is_new] = node_numbers_.emplace(node, static_cast<std::uint32_t>(numbered_nodes_.size()));
  if (is_new) numbered_nodes_.push_back(node);
  return entry->second;
}

// A grid of the hardware is as large as the places in it say.
static void fit_to_places(CartTopology& cart) {
  for (const CartTopology::Place& place : cart.places)
    for (std::size_t d = 0; d < std::min(cart.dimensions.size(), place.coordinates.size()); ++d)
      cart.dimensions[d].size = std::max(cart.dimensions[d].size, place.coordinates[d] + 1);
}

Definitions DefinitionBlock::finish() {
  // A damaged definition may claim any size: what is missing may cost no more memory than a run of sensible size.
  std::uint64_t missing_budget = (std::uint64_t{1} << 22) + 16 * std::uint64_t{all_.processes.size()};
  for (std::size_t c = 0; c < all_.comms.size(); ++c) {
    std::vector<Side> sides = sides_of(members_[c], all_.comms[c].is_inter);
    all_.comms[c].group = add_group(group_of(sides[0], missing_budget), all_.comms[c].name);
    if (sides.size() > 1)
      all_.comms[c].remote_group = add_group(group_of(sides[1], missing_budget), all_.comms[c].name);
  }
  for (CartTopology& cart : all_.carts)
    if (!cart.comm.is_valid()) fit_to_places(cart);
  clocks_.finish(all_);
  for (std::size_t i = 0; i < sums_.size(); ++i)
    if (sums_[i] > 0)
      all_.properties.push_back({all_.strings.intern(kSummedKeys[i]), all_.strings.intern(std::to_string(sums_[i]))});
  return std::move(all_);
}

// ---- on their way to another process --------------------------------------------------------------------------------

void DefinitionBlock::encode(ByteWriter& out) const {
  ByteWriter tables;
  encode_definitions(tables, all_);
  out.varint(tables.bytes().size());
  out.raw(tables.bytes().data(), tables.bytes().size());
  for (const std::vector<MemberRun>& runs : members_) encode_runs(out, runs);
  out.varint(numbered_nodes_.size());
  for (const SystemNodeId node : numbered_nodes_) out.varint(node.value);
  for (const std::uint64_t sum : sums_) out.varint(sum);
  clocks_.encode(out);
}

Result<DefinitionBlock> DefinitionBlock::decode(std::span<const std::uint8_t> bytes) {
  DefinitionBlock block;
  ByteReader in(bytes);
  TARRY_TRY(decode_definitions(in.take(in.varint()), block.all_));
  for (std::size_t c = 0; c < block.all_.comms.size(); ++c) block.members_.push_back(decode_runs(in));
  for (std::uint64_t left = in.varint(); left > 0 && !in.failed(); --left)
    block.numbered_nodes_.emplace_back(in.varint32());
  for (std::uint64_t& sum : block.sums_) sum = in.varint();
  block.clocks_.decode(in);
  if (in.failed() || in.left() > 0) return Error{"definitions of another process", "are malformed", ""};
  return block;
}

Status DefinitionMember::up(GroupTransport& group) {
  const TreePlace place = find_place(group.rank(), group.size());
  Status outcome;
  for (const auto& [child, map] : {std::pair(place.left, &left_), std::pair(place.right, &right_)}) {
    if (child == TreePlace::kNobody) continue;
    const auto block = DefinitionBlock::decode(group.receive(child));
    if (block.ok()) *map = block_.append(block.value());
    else outcome = block.error();
  }
  if (place.parent == TreePlace::kNobody) return outcome;
  ByteWriter out;
  block_.encode(out);
  std::vector<LocalMap> maps = std::move(block_.maps());
  block_ = DefinitionBlock();  // the parent has it now
  block_.maps() = std::move(maps);
  group.send(place.parent, std::move(out.bytes()));
  return outcome;
}

Result<IdMap> DefinitionMember::down(GroupTransport& group, IdMap onward) {
  const TreePlace place = find_place(group.rank(), group.size());
  Status outcome;
  if (place.parent != TreePlace::kNobody) {
    auto maps = decode_id_maps(group.receive(place.parent));
    if (!maps.ok()) outcome = maps.error();
    if (maps.ok() && maps->size() == 1) onward = std::move((*maps)[0]);
  }
  for (const auto& [child, map] : {std::pair(place.left, &left_), std::pair(place.right, &right_)}) {
    if (child == TreePlace::kNobody) continue;
    map->lead_on(onward);
    ByteWriter out;
    encode_id_maps(out, std::span(&map->map, 1));
    group.send(child, std::move(out.bytes()));
  }
  for (LocalMap& map : block_.maps()) map.lead_on(onward);
  TARRY_TRY(outcome);
  return onward;
}

}  // namespace tarry
