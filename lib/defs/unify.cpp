// unify.cpp -- merges the definitions of processes into global ones.
#include "defs/unify.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "defs/unify_clocks.hpp"

namespace tarry {
namespace {

constexpr std::uint32_t kMissingRank = 0xffffffffu;

template <std::size_t N>
using Key = std::array<std::uint64_t, N>;

struct KeyHash {
  template <class Numbers>
  std::size_t operator()(const Numbers& key) const noexcept {
    std::uint64_t sum = 0;
    for (const std::uint64_t part : key) sum = (sum ^ part) * 0x9e3779b97f4a7c15ull + (sum >> 29);
    return sum ^ (sum >> 32);
  }
};

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

class Unifier {
 public:
  // Processes are added in the order of their global ids.
  void add(const Definitions& from) {
    from_ = &from;
    IdMap map;
    const std::vector<SystemNodeId> nodes = add_nodes();
    const ProcessId process = add_process(nodes);
    add_locations(process);
    map.regions = add_regions();
    map.comms = add_comms();
    map.windows = add_windows(map.comms);
    map.groups = add_groups();
    map.io_handles = add_io_handles(map.comms);
    add_carts(map.comms, global_.processes[process.value].node);
    add_neighborhoods(map.comms);
    add_properties();
    clocks_.add(from);
    if (is_identity(map.regions)) map.regions.clear();
    if (is_identity(map.comms)) map.comms.clear();
    if (is_identity(map.windows)) map.windows.clear();
    if (is_identity(map.groups)) map.groups.clear();
    if (is_identity(map.io_handles)) map.io_handles.clear();
    all_.maps.push_back(std::move(map));
  }

  UnifiedDefinitions finish() {
    // A damaged definition may claim any size: what is missing may cost no more memory than a run of sensible size.
    missing_budget_ = (std::uint64_t{1} << 22) + 16 * std::uint64_t{global_.processes.size()};
    for (std::size_t c = 0; c < global_.comms.size(); ++c) {
      global_.comms[c].group = add_group(sides_[c][0], global_.comms[c].name);
      if (global_.comms[c].is_inter) global_.comms[c].remote_group = add_group(sides_[c][1], global_.comms[c].name);
    }
    clocks_.finish(global_);
    if (lost_ > 0)
      global_.properties.push_back({global_.strings.intern(kLostKey), global_.strings.intern(std::to_string(lost_))});
    return std::move(all_);
  }

 private:
  StringId text(StringId local) { return global_.strings.intern(from_->text(local)); }

  std::vector<SystemNodeId> add_nodes() {
    std::vector<SystemNodeId> table;
    for (const SystemNode& local : from_->system_nodes) {
      const SystemNode node{text(local.name), text(local.class_name), translate(table, local.parent)};
      const auto [entry, is_new] = nodes_.emplace(Key<3>{node.name.value, node.class_name.value, node.parent.value},
                                                  SystemNodeId(global_.system_nodes.size()));
      if (is_new) global_.system_nodes.push_back(node);
      table.push_back(entry->second);
    }
    return table;
  }

  ProcessId add_process(const std::vector<SystemNodeId>& nodes) {
    Process process;
    if (!from_->processes.empty()) {
      process = from_->processes.front();
      process.name = text(process.name);
      process.node = translate(nodes, process.node);
    }
    global_.processes.push_back(process);
    return ProcessId(global_.processes.size() - 1);
  }

  void add_locations(ProcessId process) {
    std::vector<Location> locations = from_->locations;
    std::stable_sort(locations.begin(), locations.end(),
                     [](const auto& a, const auto& b) { return a.thread < b.thread; });
    for (Location& location : locations) {
      const bool is_repeated = !global_.locations.empty() && global_.locations.back().process == process &&
                               global_.locations.back().thread == location.thread;
      if (is_repeated) continue;
      location.name = text(location.name);
      location.process = process;
      global_.locations.push_back(location);
    }
  }

  std::vector<RegionId> add_regions() {
    std::vector<RegionId> table;
    for (Region region : from_->regions) {
      region.name = text(region.name);
      region.mangled_name = text(region.mangled_name);
      region.file = text(region.file);
      const Key<6> key{region.name.value,
                       region.mangled_name.value,
                       region.file.value,
                       region.begin_line,
                       region.end_line,
                       (static_cast<std::uint64_t>(region.paradigm) << 8) | static_cast<std::uint64_t>(region.role)};
      const auto [entry, is_new] = regions_.emplace(key, RegionId(global_.regions.size()));
      if (is_new) global_.regions.push_back(region);
      table.push_back(entry->second);
    }
    return table;
  }

  std::vector<CommId> add_comms() {
    std::vector<CommId> table;
    for (const Communicator& local : from_->comms) {
      const auto [entry, is_new] = comms_.emplace(local.uid, CommId(global_.comms.size()));
      const CommId id = entry->second;
      if (is_new) {
        Communicator comm;
        comm.uid = local.uid;
        comm.is_inter = local.is_inter;
        comm.parent = translate(table, local.parent);
        global_.comms.push_back(comm);
        sides_.emplace_back(local.is_inter ? 2 : 1);
      }
      Communicator& comm = global_.comms[id.value];
      if (global_.text(comm.name).empty()) comm.name = text(local.name);
      add_member(sides_[id.value], local);
      table.push_back(id);
    }
    return table;
  }

  void add_member(std::vector<Side>& sides, const Communicator& local) {
    const std::uint64_t parent_uid =
        local.parent.value < from_->comms.size() ? from_->comms[local.parent.value].uid : ~std::uint64_t{0};
    Side* side = &sides[0];
    if (sides.size() == 2) {
      const bool is_first =
          sides[0].members.empty() ||
          (sides[0].parent_uid == parent_uid && sides[0].size == local.size && !sides[0].taken.count(local.rank));
      side = &sides[is_first ? 0 : 1];
      side->taken.insert(local.rank);
    }
    if (side->members.empty()) side->parent_uid = parent_uid;
    side->size = std::max(side->size, local.size);
    side->members.emplace_back(local.rank, global_.processes.back().rank);
  }

  GroupId add_group(Side& side, StringId name) {
    std::stable_sort(side.members.begin(), side.members.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::uint32_t> members;
    const std::uint64_t missing = side.size > side.members.size() ? side.size - side.members.size() : 0;
    if (missing <= missing_budget_) {
      missing_budget_ -= missing;
      members.assign(side.size, kMissingRank);
      for (const auto& [rank, world_rank] : side.members)
        if (rank < members.size() && members[rank] == kMissingRank) members[rank] = world_rank;
    } else {
      for (const auto& [rank, world_rank] : side.members) members.push_back(world_rank);
    }
    return add_group(std::move(members), name);
  }

  GroupId add_group(std::vector<std::uint32_t> members, StringId name) {
    std::vector<GroupId>& alike = groups_[KeyHash()(members)];
    for (const GroupId id : alike)
      if (global_.groups[id.value].members == members) return id;
    alike.emplace_back(global_.groups.size());
    global_.groups.push_back({name, std::move(members)});
    return alike.back();
  }

  std::vector<GroupId> add_groups() {
    std::vector<GroupId> table;
    for (const Group& local : from_->groups) table.push_back(add_group(local.members, text(local.name)));
    return table;
  }

  std::vector<IoHandleId> add_io_handles(const std::vector<CommId>& comms) {
    std::vector<IoHandleId> table;
    std::unordered_map<std::uint64_t, std::uint32_t> count_of_file;  // by communicator and name
    for (const IoHandle& local : from_->io_handles) {
      const IoHandle handle{text(local.name), translate(comms, local.comm)};
      const std::uint64_t file = (std::uint64_t{handle.comm.value} << 32) | handle.name.value;
      const auto [entry, is_new] =
          io_handles_.emplace(Key<2>{file, count_of_file[file]++}, IoHandleId(global_.io_handles.size()));
      if (is_new) global_.io_handles.push_back(handle);
      table.push_back(entry->second);
    }
    return table;
  }

  std::vector<WindowId> add_windows(const std::vector<CommId>& comms) {
    std::vector<WindowId> table;
    std::unordered_map<CommId, std::uint32_t> count_on_comm;
    for (const Window& local : from_->windows) {
      const Window window{text(local.name), translate(comms, local.comm)};
      const Key<2> key{window.comm.value, count_on_comm[window.comm]++};
      const auto [entry, is_new] = windows_.emplace(key, WindowId(global_.windows.size()));
      if (is_new) global_.windows.push_back(window);
      table.push_back(entry->second);
    }
    return table;
  }

  // All members of a communicator say the same. Of the hardware each process knows its own place.
  void add_carts(const std::vector<CommId>& comms, SystemNodeId node) {
    for (const CartTopology& local : from_->carts) {
      CartTopology cart = local;
      cart.name = text(local.name);
      cart.comm = translate(comms, local.comm);
      for (CartTopology::Dimension& dimension : cart.dimensions) dimension.name = text(dimension.name);
      if (!cart.comm.is_valid()) number_nodes(cart, node);
      const auto [entry, is_new] = carts_.emplace(Key<2>{cart.comm.value, cart.name.value}, global_.carts.size());
      if (is_new)
        global_.carts.push_back(std::move(cart));
      else if (!cart.comm.is_valid())
        add_places(std::move(cart), global_.carts[entry->second]);
    }
  }

  // Nodes count in the order of their first processes.
  void number_nodes(CartTopology& cart, SystemNodeId node) {
    const auto number = static_cast<std::uint32_t>(node_numbers_.emplace(node, node_numbers_.size()).first->second);
    for (std::size_t d = 0; d < cart.dimensions.size(); ++d) {
      CartTopology::Dimension& dimension = cart.dimensions[d];
      const bool is_node = global_.text(dimension.name) == kNodeDimension;
      for (CartTopology::Place& place : cart.places) {
        if (is_node && d < place.coordinates.size()) place.coordinates[d] = number;
        if (d < place.coordinates.size()) dimension.size = std::max(dimension.size, place.coordinates[d] + 1);
      }
    }
  }

  static void add_places(CartTopology from, CartTopology& to) {
    if (from.dimensions.size() != to.dimensions.size()) return;
    for (std::size_t d = 0; d < to.dimensions.size(); ++d)
      to.dimensions[d].size = std::max(to.dimensions[d].size, from.dimensions[d].size);
    std::move(from.places.begin(), from.places.end(), std::back_inserter(to.places));
  }

  void add_neighborhoods(const std::vector<CommId>& comms) {
    for (Neighborhood neighborhood : from_->neighborhoods) {
      neighborhood.comm = translate(comms, neighborhood.comm);
      if (neighborhood.comm.is_valid()) global_.neighborhoods.push_back(std::move(neighborhood));
    }
  }

  void add_properties() {
    for (const Property& local : from_->properties) {
      const std::string_view key = from_->text(local.key);
      if (key == kClockDomainKey || key == kClockStartKey || key == kClockEndKey) continue;
      if (key == kLostKey) {
        lost_ += std::strtoull(std::string(from_->text(local.value)).c_str(), nullptr, 10);
        continue;
      }
      const Property property{text(local.key), text(local.value)};
      if (properties_.insert(property.key.value).second) global_.properties.push_back(property);
    }
  }

  const Definitions* from_ = nullptr;
  UnifiedDefinitions all_;
  Definitions& global_ = all_.global;
  ClockUnifier clocks_;
  std::uint64_t missing_budget_ = 0;
  std::unordered_map<Key<3>, SystemNodeId, KeyHash> nodes_;
  std::unordered_map<Key<6>, RegionId, KeyHash> regions_;
  std::unordered_map<std::uint64_t, CommId> comms_;
  std::unordered_map<Key<2>, WindowId, KeyHash> windows_;
  std::unordered_map<Key<2>, IoHandleId, KeyHash> io_handles_;
  std::unordered_map<Key<2>, std::size_t, KeyHash> carts_;
  std::unordered_map<SystemNodeId, std::size_t> node_numbers_;
  std::unordered_map<std::size_t, std::vector<GroupId>> groups_;
  std::unordered_set<std::uint32_t> properties_;
  std::uint64_t lost_ = 0;  // events, of all processes
  std::vector<std::vector<Side>> sides_;  // of each global communicator
};

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
  Unifier unifier;
  for (const std::size_t i : order) {
    unifier.add(processes[i]);
    processes[i] = Definitions();  // only one copy of everything at a time
  }
  return unifier.finish();
}

void encode_id_maps(ByteWriter& out, std::span<const IdMap> maps) {
  out.varint(maps.size());
  for (const IdMap& map : maps) {
    encode_table(out, map.regions);
    encode_table(out, map.comms);
    encode_table(out, map.windows);
  }
  // Parts of later versions stand behind: groups of all processes, then files of all.
  const auto is_plain = [](const IdMap& map) { return map.groups.empty() && map.io_handles.empty(); };
  if (std::all_of(maps.begin(), maps.end(), is_plain)) return;
  for (const IdMap& map : maps) encode_table(out, map.groups);
  for (const IdMap& map : maps) encode_table(out, map.io_handles);
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
  if (in.failed() || in.left() > 0) return Error{"translation tables", "are malformed", ""};
  return maps;
}

}  // namespace tarry
