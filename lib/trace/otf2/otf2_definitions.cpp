// otf2_definitions.cpp -- builds our tables from the definition records of an OTF2 trace.
#include "trace/otf2/otf2_definitions.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "base/tool/log.hpp"
#include "defs/cart_grid.hpp"
#include "defs/comm_uid.hpp"
#include "trace/event.hpp"

namespace tarry {
namespace {

/// "3 4 5"; empty if there is anything else.
std::vector<std::uint32_t> parse_numbers(std::string_view text) {
  std::vector<std::uint32_t> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    if (*at == ' ') ++at;
    std::uint32_t number = 0;
    const auto parsed = std::from_chars(at, end, number);
    if (parsed.ec != std::errc()) return {};
    at = parsed.ptr;
    numbers.push_back(number);
  }
  return numbers;
}

class Builder {
 public:
  Builder(const Otf2Records& records, std::string file, FaultLog& faults)
      : records_(records), file_(std::move(file)), faults_(faults) {}

  Otf2Model build();

 private:
  StringId text(std::uint32_t reference) const {
    const std::uint32_t index = model_.strings.find(reference);
    return index == Otf2Index::kMissing ? StringId(0) : StringId(index);
  }
  std::uint32_t resolve(const Otf2Index& index, std::uint64_t reference, const char* what);
  void build_clock();
  void build_strings();
  void build_nodes();
  void build_processes();
  void build_devices();
  void build_locations();
  void build_regions();
  void build_contexts();
  void build_groups();
  std::uint32_t member_of(const Otf2Group& raw, std::uint64_t location) const;
  std::vector<std::uint32_t> members_of(const Otf2Group& raw);
  std::uint64_t uid_of_world(GroupId group) const;
  void build_comms();
  void build_windows();
  void build_carts();
  void build_neighborhoods();
  void build_io_handles();
  std::string unit_of(const Otf2MetricMember& raw);
  void build_counters();
  void build_own_kinds();
  void build_device_marks();
  std::uint32_t rank_of_location(std::uint64_t location) const;

  const Otf2Records& records_;
  std::string file_;
  FaultLog& faults_;
  Otf2Model model_;
  Otf2Index nodes_;
  Otf2Index processes_;
  Otf2Index devices_;        // accelerators, to the index in the records
  Otf2Index all_locations_;  // to the index in the records
  std::map<OTF2_Paradigm, const Otf2Group*> comm_locations_;
  std::vector<bool> is_self_group_;  // by GroupId
};

Otf2Model Builder::build() {
  build_clock();
  build_strings();
  build_nodes();
  build_processes();
  build_devices();
  build_locations();
  build_regions();
  build_contexts();
  build_groups();
  build_comms();
  build_windows();
  build_carts();
  build_neighborhoods();
  build_io_handles();
  build_counters();
  build_own_kinds();
  build_device_marks();
  return std::move(model_);
}

/// The index of a reference; a fault if it is neither defined nor marked as undefined.
std::uint32_t Builder::resolve(const Otf2Index& index, std::uint64_t reference, const char* what) {
  const std::uint32_t found = index.find(reference);
  if (found == Otf2Index::kMissing && reference != OTF2_UNDEFINED_UINT32 && reference != OTF2_UNDEFINED_LOCATION)
    faults_.add(Fault::kUndefinedReference, file_, 0, std::string(what) + " " + std::to_string(reference));
  return found;
}

void Builder::build_clock() {
  Clock& clock = model_.definitions.clock;
  if (records_.timer_resolution > 0) clock.ticks_per_second = static_cast<double>(records_.timer_resolution);
  for (const auto& [key, value] : records_.properties) {
    if (key != kTicksProperty) continue;
    const double exact = std::strtod(value.c_str(), nullptr);
    if (std::abs(exact - clock.ticks_per_second) <= 0.5) clock.ticks_per_second = exact;
  }
  clock.origin = static_cast<Ticks>(records_.global_offset);
  clock.epoch_ns = records_.realtime == OTF2_UNDEFINED_TIMESTAMP ? 0 : records_.realtime;
}

void Builder::build_strings() {
  for (const auto& [self, text] : records_.strings)
    model_.strings.add(self, model_.definitions.strings.intern(text).value);
}

void Builder::build_nodes() {
  for (std::size_t i = 0; i < records_.nodes.size(); ++i) nodes_.add(records_.nodes[i].self, i);
  auto& nodes = model_.definitions.system_nodes;
  for (const Otf2Node& raw : records_.nodes) {
    SystemNodeId parent(resolve(nodes_, raw.parent, "system tree node"));
    if (parent.is_valid() && parent.value >= nodes.size()) {  // walking up must end
      faults_.add(Fault::kUndefinedReference, file_, 0, "system tree node " + std::to_string(raw.parent));
      parent = {};
    }
    nodes.push_back({text(raw.name), text(raw.class_name), parent});
  }
}

/// Ranks are places in MPI's list of locations, or in that of OpenSHMEM; processes that are not in it follow in their
/// own order.
void Builder::build_processes() {
  for (std::size_t i = 0; i < records_.locations.size(); ++i) all_locations_.add(records_.locations[i].self, i);
  for (const Otf2Group& raw : records_.groups)
    if (raw.type == OTF2_GROUP_TYPE_COMM_LOCATIONS) comm_locations_.emplace(raw.paradigm, &raw);

  Otf2Index ranks;  // by reference of the process
  std::size_t next_rank = 0;
  auto ranked = comm_locations_.find(OTF2_PARADIGM_MPI);
  if (ranked == comm_locations_.end()) ranked = comm_locations_.find(OTF2_PARADIGM_SHMEM);
  if (ranked != comm_locations_.end()) {
    for (const std::uint64_t member : ranked->second->members) {
      const std::uint32_t location = resolve(all_locations_, member, "location");
      if (location != Otf2Index::kMissing) ranks.add(records_.locations[location].process, next_rank);
      ++next_rank;
    }
  }
  auto& processes = model_.definitions.processes;
  std::vector<std::uint32_t> references;
  Otf2Index seen;
  for (const Otf2LocationGroup& raw : records_.location_groups) {
    if (raw.type == OTF2_LOCATION_GROUP_TYPE_ACCELERATOR || seen.find(raw.self) != Otf2Index::kMissing) continue;
    seen.add(raw.self, references.size());
    if (ranks.find(raw.self) == Otf2Index::kMissing) ranks.add(raw.self, next_rank++);
    Process process{text(raw.name), ranks.find(raw.self), SystemNodeId(resolve(nodes_, raw.node, "system tree node"))};
    processes.push_back(process);
    references.push_back(raw.self);
  }
  std::vector<std::size_t> order(processes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t left, std::size_t right) { return processes[left].rank < processes[right].rank; });
  std::vector<Process> sorted;
  for (const std::size_t from : order) {
    processes_.add(references[from], sorted.size());
    sorted.push_back(processes[from]);
  }
  processes.swap(sorted);
  for (const Otf2ProcessProperty& property : records_.process_properties)
    if (const std::uint32_t process = processes_.find(property.process); process != Otf2Index::kMissing)
      if (model_.definitions.text(text(property.name)) == kIncompleteProperty) processes[process].is_complete = false;
}

/// An accelerator's queues belong to the process that uses it.
void Builder::build_devices() {
  for (std::size_t i = 0; i < records_.location_groups.size(); ++i) {
    const Otf2LocationGroup& raw = records_.location_groups[i];
    if (raw.type != OTF2_LOCATION_GROUP_TYPE_ACCELERATOR || devices_.find(raw.self) != Otf2Index::kMissing) continue;
    devices_.add(raw.self, i);
    const std::uint32_t process = processes_.find(raw.creator);
    if (process != Otf2Index::kMissing) processes_.add(raw.self, process);
  }
}

std::optional<LocationKind> kind_of(OTF2_LocationType type) {
  switch (type) {
    case OTF2_LOCATION_TYPE_CPU_THREAD: return LocationKind::kThread;
    case OTF2_LOCATION_TYPE_ACCELERATOR_STREAM: return LocationKind::kQueue;
    case OTF2_LOCATION_TYPE_METRIC: return LocationKind::kMetrics;
    default: return {};
  }
}

/// Of each process threads first, then queues, then metrics.
void Builder::build_locations() {
  std::vector<std::pair<Location, std::uint64_t>> kept;  // and the reference
  for (std::size_t i = 0; i < records_.locations.size(); ++i) {
    const Otf2Location& raw = records_.locations[i];
    if (all_locations_.find(raw.self) != i) continue;
    const std::uint32_t process = resolve(processes_, raw.process, "location group");
    const std::optional<LocationKind> kind = kind_of(raw.type);
    if (process == Otf2Index::kMissing || !kind) {
      model_.left_out.emplace_back(model_.definitions.text(text(raw.name)), raw.event_count);
      continue;
    }
    Location location{text(raw.name), ProcessId(process), 0, raw.event_count, *kind};
    if (const std::uint32_t device = devices_.find(raw.process); device != Otf2Index::kMissing)
      location.device = text(records_.location_groups[device].name);
    kept.emplace_back(location, raw.self);
  }
  std::ranges::stable_sort(kept, {},
                           [](const auto& location) { return std::pair(location.first.process, location.first.kind); });
  auto& locations = model_.definitions.locations;
  for (auto& [location, reference] : kept) {
    const bool is_first = locations.empty() || locations.back().process != location.process;
    location.thread = is_first ? 0 : locations.back().thread + 1;
    for (std::vector<std::uint64_t>* references : {&model_.locations, &model_.references.locations})
      references->push_back(reference);
    model_.location_ids.add(reference, locations.size());
    locations.push_back(location);
  }
}

/// OTF2 has no paradigm for I/O or memory, but their regions have roles of their own.
Paradigm region_paradigm(OTF2_Paradigm paradigm, RegionRole role) {
  if (paradigm != OTF2_PARADIGM_NONE) return paradigm_of(paradigm);
  using enum RegionRole;
  if (role == kFileIo || role == kFileIoMetadata) return Paradigm::kIo;
  return role == kAllocate || role == kDeallocate || role == kReallocate ? Paradigm::kMemory : Paradigm::kOther;
}

void Builder::build_regions() {
  for (const Otf2Region& raw : records_.regions) {
    Region region;
    region.name = text(raw.name);
    region.mangled_name = raw.canonical_name == OTF2_UNDEFINED_STRING ? region.name : text(raw.canonical_name);
    region.file = text(raw.file);
    region.begin_line = raw.begin_line == OTF2_UNDEFINED_UINT32 ? 0 : raw.begin_line;
    region.end_line = raw.end_line == OTF2_UNDEFINED_UINT32 ? 0 : raw.end_line;
    region.role = role_of(raw.role, raw.flags);
    region.paradigm = region_paradigm(raw.paradigm, region.role);
    model_.regions.add(raw.self, model_.definitions.regions.size());
    model_.definitions.regions.push_back(region);
    model_.references.regions.push_back(raw.self);
  }
}

/// A node whose parent is not defined in front of it becomes a root: the way up must end.
void Builder::build_contexts() {
  for (const Otf2Context& raw : records_.contexts) {
    const RegionId region(resolve(model_.regions, raw.region, "region"));
    const std::uint32_t parent = resolve(model_.calling_contexts, raw.parent, "calling context");
    const std::uint32_t depth = parent == Otf2Index::kMissing ? 1 : model_.contexts[parent].depth + 1;
    if (!region.is_valid() || depth > kDeepestContext) continue;
    model_.calling_contexts.add(raw.self, model_.contexts.size());
    model_.contexts.push_back({region, parent, depth});
    // All of one path are left and all of another are entered, of which the last is left.
    model_.most_events = std::max(model_.most_events, std::size_t{2} * depth + 1);
  }
}

std::uint32_t Builder::rank_of_location(std::uint64_t location) const {
  const std::uint32_t index = all_locations_.find(location);
  if (index == Otf2Index::kMissing) return Otf2Index::kMissing;
  const std::uint32_t process = processes_.find(records_.locations[index].process);
  return process == Otf2Index::kMissing ? process : model_.definitions.processes[process].rank;
}

/// The world rank of its process, or itself where an accelerator takes part.
std::uint32_t Builder::member_of(const Otf2Group& raw, std::uint64_t location) const {
  return is_of_accelerators(paradigm_of(raw.paradigm)) ? model_.location_ids.find(location)
                                                       : rank_of_location(location);
}

/// Members of a communicator's group are places in the list of locations of its paradigm.
std::vector<std::uint32_t> Builder::members_of(const Otf2Group& raw) {
  const auto list = comm_locations_.find(raw.paradigm);
  const bool is_indirect = raw.type == OTF2_GROUP_TYPE_COMM_GROUP && list != comm_locations_.end();
  std::vector<std::uint32_t> ranks;
  for (const std::uint64_t member : raw.members) {
    std::uint32_t rank = Otf2Index::kMissing;
    std::uint64_t location = member;
    if (is_indirect && member < list->second->members.size()) location = list->second->members[member];
    if (!is_indirect || member < list->second->members.size()) rank = member_of(raw, location);
    if (rank == Otf2Index::kMissing && location != OTF2_UNDEFINED_LOCATION)
      faults_.add(Fault::kUndefinedReference, file_, 0, "group member " + std::to_string(member));
    ranks.push_back(rank);
  }
  return ranks;
}

void Builder::build_groups() {
  for (const Otf2Group& raw : records_.groups) {
    const bool is_self = raw.type == OTF2_GROUP_TYPE_COMM_SELF;
    if (!is_self && raw.type != OTF2_GROUP_TYPE_COMM_LOCATIONS && raw.type != OTF2_GROUP_TYPE_COMM_GROUP) continue;
    if (model_.definitions.text(text(raw.name)) == kMastersName) continue;
    model_.groups.add(raw.self, model_.definitions.groups.size());
    const Paradigm paradigm = paradigm_of(raw.paradigm);
    model_.definitions.groups.push_back(
        {text(raw.name), members_of(raw), is_of_accelerators(paradigm) ? paradigm : Paradigm::kMpi});
    model_.references.groups.push_back(raw.self);
    is_self_group_.push_back(is_self);
  }
}

/// Several communicators with the name of MPI_COMM_WORLD are those of spawned processes, whose ranks follow each other.
/// A trace may hold anything: what cannot be told is taken for the only one there is.
std::uint64_t Builder::uid_of_world(GroupId group) const {
  if (!group.is_valid()) return Communicator::kWorldUid;
  const std::vector<std::uint32_t>& members = model_.definitions.groups[group.value].members;
  const auto is_there = [](std::uint32_t rank) { return rank != Otf2Index::kMissing; };
  const auto known = std::find_if(members.begin(), members.end(), is_there);
  const auto before = static_cast<std::uint32_t>(known - members.begin());
  if (known == members.end() || *known < before) return Communicator::kWorldUid;
  const std::uint32_t first = *known - before;
  for (std::uint32_t i = before; i < members.size(); ++i)
    if (is_there(members[i]) && members[i] != first + i) return Communicator::kWorldUid;
  return comm_uid::of_world(first);
}

void Builder::build_comms() {
  for (std::size_t i = 0; i < records_.comms.size(); ++i) model_.comms.add(records_.comms[i].self, i);
  const auto& groups = model_.definitions.groups;
  for (const Otf2Comm& raw : records_.comms) {
    Communicator comm;
    comm.name = text(raw.name);
    const bool is_world = model_.definitions.text(comm.name) == "MPI_COMM_WORLD";
    comm.group = GroupId(resolve(model_.groups, raw.group, "group"));
    comm.uid = is_world ? uid_of_world(comm.group) : std::uint64_t{raw.self} + 1;
    comm.remote_group = GroupId(resolve(model_.groups, raw.remote_group, "group"));
    comm.parent = CommId(resolve(model_.comms, raw.parent, "communicator"));
    comm.is_inter = raw.is_inter;
    if (comm.group.is_valid())
      comm.size =
          is_self_group_[comm.group.value] ? 1 : static_cast<std::uint32_t>(groups[comm.group.value].members.size());
    model_.definitions.comms.push_back(comm);
    model_.references.comms.push_back(raw.self);
  }
}

void Builder::build_windows() {
  for (const Otf2Window& raw : records_.windows) {
    model_.windows.add(raw.self, model_.definitions.windows.size());
    model_.definitions.windows.push_back({text(raw.name), CommId(resolve(model_.comms, raw.comm, "communicator"))});
    model_.references.windows.push_back(raw.self);
  }
}

/// Grids of communicators that are no MPI ones stay what they are in the trace's own words.
void Builder::build_carts() {
  Otf2Index dimensions, carts;
  for (std::size_t i = 0; i < records_.cart_dimensions.size(); ++i) dimensions.add(records_.cart_dimensions[i].self, i);
  auto& all = model_.definitions.carts;
  for (const Otf2Cart& raw : records_.carts) {
    const std::uint32_t comm = model_.comms.find(raw.comm);
    if (comm == Otf2Index::kMissing) continue;
    CartTopology cart{text(raw.name), CommId(comm), {}, {}};
    for (const std::uint32_t reference : raw.dimensions) {
      const std::uint32_t found = resolve(dimensions, reference, "dimension");
      if (found == Otf2Index::kMissing) break;
      const Otf2CartDimension& dimension = records_.cart_dimensions[found];
      cart.dimensions.push_back({text(dimension.name), dimension.size, dimension.is_periodic});
    }
    if (cart.dimensions.size() < raw.dimensions.size()) continue;
    carts.add(raw.self, all.size());
    all.push_back(std::move(cart));
  }
  for (const Otf2CartPlace& place : records_.cart_places) {
    const std::uint32_t cart = carts.find(place.cart);
    if (cart != Otf2Index::kMissing && place.coordinates.size() == all[cart].dimensions.size())
      all[cart].places.push_back({place.rank, place.coordinates});
  }
  for (CartTopology& cart : all) {
    std::stable_sort(cart.places.begin(), cart.places.end(),
                     [](const auto& left, const auto& right) { return left.rank < right.rank; });
    drop_plain_places(cart);
  }
}

/// OTF2 has grids, but no graphs: in traces of ours they are properties of processes.
void Builder::build_neighborhoods() {
  const Definitions& all = model_.definitions;
  for (const Otf2ProcessProperty& property : records_.process_properties) {
    const std::string_view name = all.text(text(property.name));
    if (!name.starts_with(kNeighborhoodProperty)) continue;
    const auto comm = parse_numbers(name.substr(kNeighborhoodProperty.size()));
    const auto numbers = parse_numbers(all.text(text(property.text)));
    const std::uint32_t found = comm.size() == 1 ? model_.comms.find(comm[0]) : Otf2Index::kMissing;
    if (found == Otf2Index::kMissing || numbers.size() < 2 || numbers[1] > numbers.size() - 2) continue;
    const auto middle = numbers.begin() + 2 + numbers[1];
    model_.definitions.neighborhoods.push_back(
        {CommId(found), numbers[0], {numbers.begin() + 2, middle}, {middle, numbers.end()}});
  }
}

/// A handle has the name of its file; one without a file has its own.
void Builder::build_io_handles() {
  Otf2Index files;
  for (std::size_t i = 0; i < records_.io_files.size(); ++i) files.add(records_.io_files[i].self, i);
  for (const Otf2IoHandle& raw : records_.io_handles) {
    const std::uint32_t file = resolve(files, raw.file, "file");
    const std::uint32_t name = file == Otf2Index::kMissing ? raw.name : records_.io_files[file].name;
    model_.io_handles.add(raw.self, model_.definitions.io_handles.size());
    model_.definitions.io_handles.push_back({text(name), CommId(resolve(model_.comms, raw.comm, "communicator"))});
    model_.references.io_handles.push_back(raw.self);
  }
}

/// The unit names the factor of the values, if that is not one.
std::string Builder::unit_of(const Otf2MetricMember& raw) {
  std::string unit(model_.definitions.text(text(raw.unit)));
  if (raw.exponent == 0) return unit;
  return std::string(raw.base == OTF2_BASE_BINARY ? "2^" : "10^") + std::to_string(raw.exponent) +
         (unit.empty() ? "" : " ") + unit;
}

void Builder::build_counters() {
  Otf2Index members, classes;
  Definitions& all = model_.definitions;
  for (const Otf2MetricMember& raw : records_.metric_members) {
    members.add(raw.self, all.counters.size());
    const StringId unit = all.strings.intern(unit_of(raw));
    all.counters.push_back({text(raw.name), unit, text(raw.description), mode_of(raw.mode), counter_type_of(raw.type),
                            source_of(raw.source)});
  }
  for (const Otf2MetricClass& raw : records_.metric_classes) {
    classes.add(raw.self, model_.metric_classes.size());
    model_.metrics.add(raw.self, model_.metric_classes.size());
    auto& counters = model_.metric_classes.emplace_back();
    for (const std::uint32_t member : raw.members) counters.push_back(resolve(members, member, "metric member"));
    std::erase(counters, Otf2Index::kMissing);
    model_.most_events = std::max(model_.most_events, counters.size());
  }
  for (const Otf2MetricClass& raw : records_.metric_instances)
    if (const std::uint32_t of = resolve(classes, raw.of, "metric class"); of != Otf2Index::kMissing)
      model_.metrics.add(raw.self, of);
}

void Builder::build_own_kinds() {
  const auto own_name = [this](const Otf2Named& raw) {
    std::string_view name = model_.definitions.text(text(raw.name));
    if (!name.starts_with(kOwnPrefix)) return std::string_view();
    return name.substr(kOwnPrefix.size());
  };
  for (const Otf2Named& raw : records_.parameters)
    for (int code = 0; code < kEventKindCount; ++code)
      if (const auto name = own_name(raw); !name.empty() && info_of(static_cast<std::uint8_t>(code)).name == name)
        model_.own_kinds.add(raw.self, static_cast<std::size_t>(code));
  for (const Otf2Named& raw : records_.attributes)
    if (const auto name = own_name(raw); !name.empty()) model_.own_fields.emplace(raw.self, name);
}

// By the names that recorders of accelerators give them.
void Builder::build_device_marks() {
  for (const Otf2Named& raw : records_.attributes) {
    const std::string_view name = model_.definitions.text(text(raw.name));
    const bool names_queue = name.ends_with("_STREAM_REF") || name.ends_with("_QUEUE_REF");
    if (names_queue) model_.queue_attributes.push_back(raw.self);
  }
  for (const Otf2Named& raw : records_.parameters)
    if (model_.definitions.text(text(raw.name)) == "callsite id") model_.work_parameters.push_back(raw.self);
  const bool are_any = !model_.queue_attributes.empty() || !model_.work_parameters.empty();
  if (are_any) model_.most_events = std::max<std::size_t>(model_.most_events, 2);
}

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

void Otf2Index::add(std::uint64_t reference, std::size_t index) {
  if (find(reference) != kMissing) return;
  ++count_;
  // A table that is mostly holes would let a damaged reference eat the memory.
  if (reference >= 4 * count_ + 1024) {
    sparse_.emplace(reference, static_cast<std::uint32_t>(index));
    return;
  }
  if (reference >= dense_.size()) dense_.resize(static_cast<std::size_t>(reference) + 1, kMissing);
  dense_[static_cast<std::size_t>(reference)] = static_cast<std::uint32_t>(index);
}

std::uint32_t Otf2Index::find_sparse(std::uint64_t reference) const {
  const auto found = sparse_.find(reference);
  return found == sparse_.end() ? kMissing : found->second;
}

std::string Otf2Model::name_of(LocationId location) const {
  const Location& at = definitions.locations[location.value];
  return "rank " + std::to_string(definitions.processes[at.process.value].rank) + " thread " +
         std::to_string(at.thread);
}

std::uint32_t Otf2Model::find_program(OTF2_StringRef reference) const {
  const std::uint32_t string = strings.find(reference);
  if (string == Otf2Index::kMissing) return Otf2Index::kMissing;
  const std::string_view name = base_name(definitions.text(StringId(string)));
  const auto& regions = definitions.regions;
  for (std::size_t i = 0; i < regions.size(); ++i)
    if (regions[i].paradigm == Paradigm::kMeasurement && regions[i].role == RegionRole::kArtificial &&
        definitions.text(regions[i].name) == name)
      return static_cast<std::uint32_t>(i);
  return Otf2Index::kMissing;
}

bool Otf2Model::add_program(OTF2_StringRef reference) {
  const std::uint32_t string = strings.find(reference);
  if (string == Otf2Index::kMissing || find_program(reference) != Otf2Index::kMissing) return false;
  Region root;
  root.name = definitions.strings.intern(base_name(definitions.text(StringId(string))));
  root.mangled_name = StringId(string);
  root.paradigm = Paradigm::kMeasurement;
  root.role = RegionRole::kArtificial;
  definitions.regions.push_back(root);
  return true;
}

namespace {

constexpr std::pair<OTF2_Paradigm, Paradigm> kParadigms[] = {
    {OTF2_PARADIGM_UNKNOWN, Paradigm::kUnknown},   {OTF2_PARADIGM_USER, Paradigm::kUser},
    {OTF2_PARADIGM_COMPILER, Paradigm::kCompiler}, {OTF2_PARADIGM_OPENMP, Paradigm::kOpenMp},
    {OTF2_PARADIGM_MPI, Paradigm::kMpi},           {OTF2_PARADIGM_MEASUREMENT_SYSTEM, Paradigm::kMeasurement},
    {OTF2_PARADIGM_PTHREAD, Paradigm::kPthread},   {OTF2_PARADIGM_CUDA, Paradigm::kCuda},
    {OTF2_PARADIGM_OPENCL, Paradigm::kOpenCl},     {OTF2_PARADIGM_HIP, Paradigm::kHip},
    {OTF2_PARADIGM_OPENACC, Paradigm::kOpenAcc},   {OTF2_PARADIGM_SHMEM, Paradigm::kShmem},
};

/// Indexed by OTF2_RegionRole.
constexpr RegionRole kRoles[] = {
    RegionRole::kUnknown,
    RegionRole::kFunction,
    RegionRole::kWrapper,
    RegionRole::kLoop,
    RegionRole::kCode,
    RegionRole::kParallel,
    RegionRole::kSections,
    RegionRole::kSection,
    RegionRole::kWorkshare,
    RegionRole::kSingle,
    RegionRole::kSingleBlock,
    RegionRole::kMaster,
    RegionRole::kCritical,
    RegionRole::kCriticalBlock,
    RegionRole::kAtomic,
    RegionRole::kBarrier,
    RegionRole::kImplicitBarrier,
    RegionRole::kFlush,
    RegionRole::kOrdered,
    RegionRole::kOrderedBlock,
    RegionRole::kTask,
    RegionRole::kTaskCreate,
    RegionRole::kTaskWait,
    RegionRole::kOneToAll,
    RegionRole::kAllToOne,
    RegionRole::kAllToAll,
    RegionRole::kOtherCollective,
    RegionRole::kFileIo,
    RegionRole::kPointToPoint,
    RegionRole::kRma,
    RegionRole::kUnknown,
    RegionRole::kArtificial,
    RegionRole::kThreadCreate,
    RegionRole::kThreadWait,
    RegionRole::kUntiedTask,
    RegionRole::kAllocate,
    RegionRole::kDeallocate,
    RegionRole::kReallocate,
    RegionRole::kFileIoMetadata,
};
static_assert(std::size(kRoles) == OTF2_REGION_ROLE_FILE_IO_METADATA + 1);

}  // namespace

// OTF2's modes are made of two parts: what the value is, and of what time.
constexpr std::pair<OTF2_MetricMode, CounterMode> kModes[] = {
    {OTF2_METRIC_ACCUMULATED_START, CounterMode::kSinceStart},
    {OTF2_METRIC_ACCUMULATED_POINT, CounterMode::kSincePoint},
    {OTF2_METRIC_ACCUMULATED_LAST, CounterMode::kSinceLast},
    {OTF2_METRIC_ACCUMULATED_NEXT, CounterMode::kUntilNext},
    {OTF2_METRIC_ABSOLUTE_POINT, CounterMode::kAbsolutePoint},
    {OTF2_METRIC_ABSOLUTE_LAST, CounterMode::kAbsoluteLast},
    {OTF2_METRIC_ABSOLUTE_NEXT, CounterMode::kAbsoluteNext},
    {OTF2_METRIC_RELATIVE_POINT, CounterMode::kRelativePoint},
    {OTF2_METRIC_RELATIVE_LAST, CounterMode::kRelativeLast},
    {OTF2_METRIC_RELATIVE_NEXT, CounterMode::kRelativeNext},
};

CounterMode mode_of(OTF2_MetricMode mode) {
  for (const auto& [theirs, ours] : kModes)
    if (theirs == mode) return ours;
  return CounterMode::kAbsolutePoint;
}

OTF2_MetricMode otf2_mode_of(CounterMode mode) { return kModes[static_cast<std::size_t>(mode)].first; }

CounterSource source_of(OTF2_MetricType type) {
  switch (type) {
    case OTF2_METRIC_TYPE_PAPI: return CounterSource::kPapi;
    case OTF2_METRIC_TYPE_RUSAGE: return CounterSource::kResourceUsage;
    case OTF2_METRIC_TYPE_USER: return CounterSource::kUser;
    default: return CounterSource::kOther;
  }
}

OTF2_MetricType otf2_metric_type_of(CounterSource source) {
  switch (source) {
    case CounterSource::kPapi: return OTF2_METRIC_TYPE_PAPI;
    case CounterSource::kResourceUsage: return OTF2_METRIC_TYPE_RUSAGE;
    case CounterSource::kUser: return OTF2_METRIC_TYPE_USER;
    default: return OTF2_METRIC_TYPE_OTHER;
  }
}

CounterType counter_type_of(OTF2_Type type) {
  if (type == OTF2_TYPE_DOUBLE) return CounterType::kDouble;
  return type == OTF2_TYPE_INT64 ? CounterType::kSigned : CounterType::kUnsigned;
}

OTF2_Type otf2_type_of(CounterType type) {
  if (type == CounterType::kDouble) return OTF2_TYPE_DOUBLE;
  return type == CounterType::kSigned ? OTF2_TYPE_INT64 : OTF2_TYPE_UINT64;
}

Paradigm paradigm_of(OTF2_Paradigm paradigm) {
  for (const auto& [theirs, ours] : kParadigms)
    if (theirs == paradigm) return ours;
  return Paradigm::kOther;
}

OTF2_Paradigm otf2_paradigm_of(Paradigm paradigm) {
  for (const auto& [theirs, ours] : kParadigms)
    if (ours == paradigm) return theirs;
  return OTF2_PARADIGM_NONE;
}

RegionRole role_of(OTF2_RegionRole raw, OTF2_RegionFlag flags) {
  const RegionRole role = raw < std::size(kRoles) ? kRoles[raw] : RegionRole::kUnknown;
  const bool is_dynamic = (flags & OTF2_REGION_FLAG_DYNAMIC) != 0;
  const bool is_phase = (flags & OTF2_REGION_FLAG_PHASE) != 0;
  if (is_dynamic && is_phase) return RegionRole::kDynamicPhase;
  if (is_dynamic) return role == RegionRole::kLoop ? RegionRole::kDynamicLoop : RegionRole::kDynamic;
  return is_phase ? RegionRole::kPhase : role;
}

std::pair<OTF2_RegionRole, OTF2_RegionFlag> otf2_role_of(RegionRole role) {
  switch (role) {
    case RegionRole::kPhase: return {OTF2_REGION_ROLE_CODE, OTF2_REGION_FLAG_PHASE};
    case RegionRole::kDynamic: return {OTF2_REGION_ROLE_CODE, OTF2_REGION_FLAG_DYNAMIC};
    case RegionRole::kDynamicLoop: return {OTF2_REGION_ROLE_LOOP, OTF2_REGION_FLAG_DYNAMIC};
    case RegionRole::kDynamicPhase: return {OTF2_REGION_ROLE_CODE, OTF2_REGION_FLAG_DYNAMIC | OTF2_REGION_FLAG_PHASE};
    default: break;
  }
  for (std::size_t theirs = 0; theirs < std::size(kRoles); ++theirs)
    if (kRoles[theirs] == role) return {static_cast<OTF2_RegionRole>(theirs), OTF2_REGION_FLAG_NONE};
  return {OTF2_REGION_ROLE_UNKNOWN, OTF2_REGION_FLAG_NONE};
}

Result<Otf2Model> read_otf2_definitions(const std::string& anchor_path, FaultLog& faults) {
  TARRY_TRY_ASSIGN(handle, open_otf2_handle(anchor_path));
  std::string file(base_name(anchor_path));
  TARRY_TRY_ASSIGN(records, read_otf2_records(handle.get(), anchor_path));
  Otf2Model model = Builder(records, std::move(file), faults).build();
  if (std::ranges::none_of(model.definitions.locations, &Location::is_thread))
    return Error{anchor_path, "no CPU thread was recorded", "record the program's threads"};
  return model;
}

}  // namespace tarry
