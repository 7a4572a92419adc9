// definition_codec.cpp -- definitions to bytes and back, each record's encoder beside its decoder.
#include "defs/definition_codec.hpp"

#include "defs/sequence_codec.hpp"

namespace tarry {
namespace {

// Frames what `fill` writes as one record.
template <class Fill>
void encode_record(ByteWriter& out, DefinitionTag tag, Fill fill) {
  ByteWriter fields;
  fill(fields);
  out.u8(static_cast<std::uint8_t>(tag));
  out.varint(fields.bytes().size());
  out.raw(fields.bytes().data(), fields.bytes().size());
}

// Ids are stored as value + 1, so that "none" is one zero byte.
template <class Tag>
void put_id(ByteWriter& out, StrongId<Tag> id) {
  out.varint(id.is_valid() ? std::uint64_t{id.value} + 1 : 0);
}

template <class Id>
Id get_id(ByteReader& in) {
  const std::uint64_t stored = in.varint();
  if (stored == 0) return Id();
  if (stored > 0xffffffffu) in.fail();
  return Id(stored - 1);
}

// Stored as differences: the members of most groups are evenly spaced.
void put_ranks(ByteWriter& out, std::span<const std::uint32_t> ranks) {
  out.varint(ranks.size());
  std::int64_t previous = -1;
  for (const std::uint32_t rank : ranks) {
    out.varint(zigzag(static_cast<std::int64_t>(rank) - previous - 1));
    previous = rank;
  }
}

std::vector<std::uint32_t> get_ranks(ByteReader& in) {
  std::vector<std::uint32_t> ranks;
  const std::uint64_t size = in.varint();
  if (size > in.left()) in.fail();
  std::int64_t previous = -1;
  for (std::uint64_t i = 0; i < size && !in.failed(); ++i) {
    previous += unzigzag(in.varint()) + 1;
    if (previous < 0 || previous > 0xffffffffll) in.fail();
    ranks.push_back(static_cast<std::uint32_t>(previous));
  }
  return ranks;
}

// An enumerator that a newer version may have added, behind `last`, reads as `other`.
template <class Enum>
Enum get_enum(ByteReader& in, Enum last, Enum other) {
  const std::uint8_t value = in.u8();
  return value <= static_cast<std::uint8_t>(last) ? static_cast<Enum>(value) : other;
}
template <class Enum>
Enum get_enum(ByteReader& in, Enum last) {
  return get_enum(in, last, last);
}

}  // namespace

void encode_region(ByteWriter& out, const RegionRecord& region) {
  encode_record(out, DefinitionTag::kRegion, [&](ByteWriter& fields) {
    fields.text(region.name);
    fields.text(region.mangled_name == region.name ? std::string_view() : region.mangled_name);
    fields.text(region.file);
    fields.varint(region.begin_line);
    fields.varint(region.end_line);
    fields.u8(static_cast<std::uint8_t>(region.paradigm));
    fields.u8(static_cast<std::uint8_t>(region.role));
    if (!region.base.is_valid()) return;
    put_id(fields, region.base);
    fields.text(region.site_file);
    fields.varint(region.site_line);
    if (!region.inlined_in.is_valid() && region.code_file.empty()) return;
    put_id(fields, region.inlined_in);
    fields.text(region.code_file);
    fields.varint(region.code_address);
  });
}

static void decode_place_in_code(ByteReader& in, Definitions& into, Region& region) {
  region.inlined_in = get_id<RegionId>(in);
  const std::string_view file = in.text();
  if (!file.empty()) region.code_file = into.strings.intern(file);
  region.code_address = in.varint();
}

static void decode_region(ByteReader& in, Definitions& into) {
  Region region;
  region.name = into.strings.intern(in.text());
  const std::string_view mangled = in.text();
  region.mangled_name = mangled.empty() ? region.name : into.strings.intern(mangled);
  region.file = into.strings.intern(in.text());
  region.begin_line = in.varint32();
  region.end_line = in.varint32();
  region.paradigm = get_enum(in, kLastParadigm, Paradigm::kOther);
  region.role = get_enum(in, RegionRole::kArtificial);
  if (!in.failed() && in.left() > 0) {
    region.base = get_id<RegionId>(in);
    region.site_file = into.strings.intern(in.text());
    region.site_line = in.varint32();
    if (!in.failed() && in.left() > 0) decode_place_in_code(in, into, region);
    if (region.base.value >= into.regions.size()) in.fail();
    else into.regions[region.base.value].describe(region);
  }
  if (!in.failed()) into.regions.push_back(region);
}

void encode_system_node(ByteWriter& out, std::string_view name, std::string_view class_name, SystemNodeId parent) {
  encode_record(out, DefinitionTag::kSystemNode, [&](ByteWriter& fields) {
    fields.text(name);
    fields.text(class_name);
    put_id(fields, parent);
  });
}

static void decode_system_node(ByteReader& in, Definitions& into) {
  SystemNode node;
  node.name = into.strings.intern(in.text());
  node.class_name = into.strings.intern(in.text());
  node.parent = get_id<SystemNodeId>(in);
  if (!in.failed()) into.system_nodes.push_back(node);
}

void encode_process(ByteWriter& out, std::string_view name, const Process& process) {
  encode_record(out, DefinitionTag::kProcess, [&](ByteWriter& fields) {
    fields.text(name);
    fields.varint(process.rank);
    put_id(fields, process.node);
    fields.u8(process.is_complete);
  });
}

static void decode_process(ByteReader& in, Definitions& into) {
  Process process;
  process.name = into.strings.intern(in.text());
  process.rank = in.varint32();
  process.node = get_id<SystemNodeId>(in);
  process.is_complete = in.u8() != 0;
  if (!in.failed()) into.processes.push_back(process);
}

void encode_location(ByteWriter& out, std::string_view name, const Location& location, std::string_view device) {
  encode_record(out, DefinitionTag::kLocation, [&](ByteWriter& fields) {
    fields.text(name);
    put_id(fields, location.process);
    fields.varint(location.thread);
    fields.varint(location.event_count);
    if (location.is_thread()) return;
    fields.u8(static_cast<std::uint8_t>(location.kind));
    fields.text(device);
  });
}

static void decode_location(ByteReader& in, Definitions& into) {
  Location location;
  location.name = into.strings.intern(in.text());
  location.process = get_id<ProcessId>(in);
  location.thread = in.varint32();
  location.event_count = in.varint();
  if (!in.failed() && in.left() > 0) {
    location.kind = get_enum(in, LocationKind::kMetrics);
    const std::string_view device = in.text();
    if (!device.empty()) location.device = into.strings.intern(device);
  }
  if (!in.failed()) into.locations.push_back(location);
}

void encode_group(ByteWriter& out, std::string_view name, std::span<const std::uint32_t> members, Paradigm paradigm) {
  encode_record(out, DefinitionTag::kGroup, [&](ByteWriter& fields) {
    fields.text(name);
    put_ranks(fields, members);
    if (paradigm != Paradigm::kMpi) fields.u8(static_cast<std::uint8_t>(paradigm));
  });
}

static void decode_group(ByteReader& in, Definitions& into) {
  Group group;
  group.name = into.strings.intern(in.text());
  group.members = get_ranks(in);
  if (!in.failed() && in.left() > 0) group.paradigm = get_enum(in, kLastParadigm, Paradigm::kOther);
  if (!in.failed()) into.groups.push_back(std::move(group));
}

void encode_communicator(ByteWriter& out, std::string_view name, const Communicator& comm) {
  encode_record(out, DefinitionTag::kCommunicator, [&](ByteWriter& fields) {
    fields.text(name);
    fields.varint(comm.uid);
    put_id(fields, comm.group);
    put_id(fields, comm.remote_group);
    put_id(fields, comm.parent);
    fields.varint(comm.rank);
    fields.varint(comm.size);
    fields.u8(comm.is_inter);
  });
}

static void decode_communicator(ByteReader& in, Definitions& into) {
  Communicator comm;
  comm.name = into.strings.intern(in.text());
  comm.uid = in.varint();
  comm.group = get_id<GroupId>(in);
  comm.remote_group = get_id<GroupId>(in);
  comm.parent = get_id<CommId>(in);
  comm.rank = in.varint32();
  comm.size = in.varint32();
  comm.is_inter = in.u8() != 0;
  if (!in.failed()) into.comms.push_back(comm);
}

template <class Id>
static void encode_name(ByteWriter& out, DefinitionTag tag, Id id, std::string_view name) {
  encode_record(out, tag, [&](ByteWriter& fields) {
    put_id(fields, id);
    fields.text(name);
  });
}

// The newest name counts. One of what is not defined is passed over.
template <class Id, class Record>
static void decode_name(ByteReader& in, std::vector<Record>& records, Interner& strings) {
  const Id id = get_id<Id>(in);
  const std::string_view name = in.text();
  if (!in.failed() && id.value < records.size()) records[id.value].name = strings.intern(name);
}

void encode_communicator_name(ByteWriter& out, CommId comm, std::string_view name) {
  encode_name(out, DefinitionTag::kCommunicatorName, comm, name);
}

void encode_window_name(ByteWriter& out, WindowId window, std::string_view name) {
  encode_name(out, DefinitionTag::kWindowName, window, name);
}

void encode_window(ByteWriter& out, std::string_view name, const Window& window) {
  encode_record(out, DefinitionTag::kWindow, [&](ByteWriter& fields) {
    fields.text(name);
    put_id(fields, window.comm);
  });
}

static void decode_window(ByteReader& in, Definitions& into) {
  Window window;
  window.name = into.strings.intern(in.text());
  window.comm = get_id<CommId>(in);
  if (!in.failed()) into.windows.push_back(window);
}

void encode_io_handle(ByteWriter& out, std::string_view name, CommId comm) {
  encode_record(out, DefinitionTag::kIoHandle, [&](ByteWriter& fields) {
    fields.text(name);
    put_id(fields, comm);
  });
}

static void decode_io_handle(ByteReader& in, Definitions& into) {
  IoHandle handle;
  handle.name = into.strings.intern(in.text());
  handle.comm = get_id<CommId>(in);
  if (!in.failed()) into.io_handles.push_back(handle);
}

void encode_cart(ByteWriter& out, const CartTopology& cart, const Interner& strings) {
  encode_record(out, DefinitionTag::kCart, [&](ByteWriter& fields) {
    fields.text(strings.text(cart.name));
    put_id(fields, cart.comm);
    fields.varint(cart.dimensions.size());
    for (const CartTopology::Dimension& dimension : cart.dimensions) {
      fields.text(strings.text(dimension.name));
      fields.varint(dimension.size);
      fields.u8(dimension.is_periodic);
    }
    fields.varint(cart.places.size());
    for (const CartTopology::Place& place : cart.places) {
      fields.varint(place.rank);
      for (const std::uint32_t coordinate : place.coordinates) fields.varint(coordinate);
    }
  });
}

static void decode_cart(ByteReader& in, Definitions& into) {
  CartTopology cart;
  cart.name = into.strings.intern(in.text());
  cart.comm = get_id<CommId>(in);
  const std::uint64_t dimensions = in.varint();
  if (dimensions > in.left()) in.fail();
  for (std::uint64_t d = 0; d < dimensions && !in.failed(); ++d) {
    CartTopology::Dimension& dimension = cart.dimensions.emplace_back();
    dimension.name = into.strings.intern(in.text());
    dimension.size = in.varint32();
    dimension.is_periodic = in.u8() != 0;
  }
  const std::uint64_t places = in.varint();
  if (places > in.left()) in.fail();
  for (std::uint64_t p = 0; p < places && !in.failed(); ++p) {
    CartTopology::Place& place = cart.places.emplace_back();
    place.rank = in.varint32();
    for (std::uint64_t d = 0; d < dimensions && !in.failed(); ++d) place.coordinates.push_back(in.varint32());
  }
  if (!in.failed()) into.carts.push_back(std::move(cart));
}

void encode_neighborhood(ByteWriter& out, const Neighborhood& neighborhood) {
  encode_record(out, DefinitionTag::kNeighborhood, [&](ByteWriter& fields) {
    put_id(fields, neighborhood.comm);
    fields.varint(neighborhood.rank);
    put_ranks(fields, neighborhood.sources);
    put_ranks(fields, neighborhood.destinations);
  });
}

static void decode_neighborhood(ByteReader& in, Definitions& into) {
  Neighborhood neighborhood;
  neighborhood.comm = get_id<CommId>(in);
  neighborhood.rank = in.varint32();
  neighborhood.sources = get_ranks(in);
  neighborhood.destinations = get_ranks(in);
  if (!in.failed()) into.neighborhoods.push_back(std::move(neighborhood));
}

void encode_counter(ByteWriter& out, const CounterRecord& counter) {
  encode_record(out, DefinitionTag::kCounter, [&](ByteWriter& fields) {
    fields.text(counter.name);
    fields.text(counter.unit);
    fields.text(counter.description);
    fields.u8(static_cast<std::uint8_t>(counter.mode));
    fields.u8(static_cast<std::uint8_t>(counter.type));
    fields.u8(static_cast<std::uint8_t>(counter.source));
  });
}

static void decode_counter(ByteReader& in, Definitions& into) {
  Counter counter;
  counter.name = into.strings.intern(in.text());
  counter.unit = into.strings.intern(in.text());
  counter.description = into.strings.intern(in.text());
  counter.mode = get_enum(in, CounterMode::kRelativeNext);
  counter.type = get_enum(in, CounterType::kDouble);
  counter.source = get_enum(in, CounterSource::kHeap);
  if (!in.failed()) into.counters.push_back(counter);
}

void encode_clock(ByteWriter& out, const Clock& clock) {
  encode_record(out, DefinitionTag::kClock, [&](ByteWriter& fields) {
    fields.f64(clock.ticks_per_second);
    fields.u64(static_cast<std::uint64_t>(clock.origin));
    fields.u64(clock.epoch_ns);
  });
}

static void decode_clock(ByteReader& in, Definitions& into) {
  Clock clock;
  clock.ticks_per_second = in.f64();
  clock.origin = static_cast<Ticks>(in.u64());
  clock.epoch_ns = in.u64();
  if (!(clock.ticks_per_second > 0 && clock.ticks_per_second < 1e18)) in.fail();
  if (!in.failed()) into.clock = clock;
}

void encode_clock_offset(ByteWriter& out, const ClockOffset& offset) {
  encode_record(out, DefinitionTag::kClockOffset, [&](ByteWriter& fields) {
    put_id(fields, offset.process);
    fields.u64(static_cast<std::uint64_t>(offset.at));
    fields.u64(static_cast<std::uint64_t>(offset.offset));
  });
}

static void decode_clock_offset(ByteReader& in, Definitions& into) {
  ClockOffset offset;
  offset.process = get_id<ProcessId>(in);
  offset.at = static_cast<Ticks>(in.u64());
  offset.offset = static_cast<Ticks>(in.u64());
  if (!in.failed()) into.clock_offsets.push_back(offset);
}

void encode_property(ByteWriter& out, std::string_view key, std::string_view value) {
  encode_record(out, DefinitionTag::kProperty, [&](ByteWriter& fields) {
    fields.text(key);
    fields.text(value);
  });
}

static void decode_property(ByteReader& in, Definitions& into) {
  Property property;
  property.key = into.strings.intern(in.text());
  property.value = into.strings.intern(in.text());
  if (!in.failed()) into.properties.push_back(property);
}

static void encode_system_tables(ByteWriter& out, const Definitions& all) {
  for (const SystemNode& node : all.system_nodes)
    encode_system_node(out, all.text(node.name), all.text(node.class_name), node.parent);
  for (const Process& process : all.processes) encode_process(out, all.text(process.name), process);
  for (const Location& location : all.locations)
    encode_location(out, all.text(location.name), location,
                    location.device.is_valid() ? all.text(location.device) : "");
}

static void encode_groups(ByteWriter& out, const Definitions& all) {
  for (const Group& group : all.groups) encode_group(out, all.text(group.name), group.members, group.paradigm);
}

static void encode_communicators(ByteWriter& out, const Definitions& all) {
  for (const Communicator& comm : all.comms) encode_communicator(out, all.text(comm.name), comm);
}

static RegionRecord record_of(const Definitions& all, const Region& region) {
  if (region.base.is_valid())
    return {.base = region.base,
            .site_file = all.text(region.site_file),
            .site_line = region.site_line,
            .inlined_in = region.inlined_in,
            .code_file = all.text(region.code_file),
            .code_address = region.code_address};
  return {all.text(region.name),
          all.text(region.mangled_name),
          all.text(region.file),
          region.begin_line,
          region.end_line,
          region.paradigm,
          region.role};
}

// What is before the system, and what behind the communicators.
static void encode_front(ByteWriter& out, const Definitions& all) {
  encode_clock(out, all.clock);
  for (const Region& region : all.regions) encode_region(out, record_of(all, region));
}

static void encode_rest(ByteWriter& out, const Definitions& all) {
  for (const Window& window : all.windows) encode_window(out, all.text(window.name), window);
  for (const IoHandle& handle : all.io_handles) encode_io_handle(out, all.text(handle.name), handle.comm);
  for (const CartTopology& cart : all.carts) encode_cart(out, cart, all.strings);
  for (const Neighborhood& neighborhood : all.neighborhoods) encode_neighborhood(out, neighborhood);
  for (const Counter& counter : all.counters)
    encode_counter(out, {all.text(counter.name), all.text(counter.unit), all.text(counter.description), counter.mode,
                         counter.type, counter.source});
  for (const ClockOffset& offset : all.clock_offsets) encode_clock_offset(out, offset);
  for (const Property& property : all.properties)
    encode_property(out, all.text(property.key), all.text(property.value));
}

void encode_definitions(ByteWriter& out, const Definitions& all) {
  encode_front(out, all);
  encode_system_tables(out, all);
  encode_groups(out, all);
  encode_communicators(out, all);
  encode_rest(out, all);
}

// One record must fit into a chunk; many can be divided.
constexpr std::size_t kMostRecordBytes = std::size_t{32} << 20;

static void append_shorter(ByteWriter& out, const ByteWriter& many, const ByteWriter& one) {
  const bool takes_one = one.bytes().size() < many.bytes().size() && one.bytes().size() <= kMostRecordBytes;
  const auto& bytes = (takes_one ? one : many).bytes();
  out.raw(bytes.data(), bytes.size());
}

void encode_run_definitions(ByteWriter& out, const Definitions& all) {
  encode_front(out, all);
  ByteWriter plain, compact;
  encode_system_tables(plain, all);
  bool fits = false;
  encode_record(compact, DefinitionTag::kSystem, [&](ByteWriter& fields) { fits = encode_system(fields, all); });
  encode_record(compact, DefinitionTag::kSystemNames, [&](ByteWriter& fields) { encode_system_names(fields, all); });
  append_shorter(out, plain, fits ? compact : plain);
  plain = compact = ByteWriter();
  encode_groups(plain, all);
  encode_record(compact, DefinitionTag::kGroupTable,
                [&](ByteWriter& fields) { fits = encode_group_table(fields, all); });
  append_shorter(out, plain, fits ? compact : plain);
  plain = compact = ByteWriter();
  encode_communicators(plain, all);
  encode_record(compact, DefinitionTag::kCommunicatorTable,
                [&](ByteWriter& fields) { fits = encode_communicator_table(fields, all); });
  append_shorter(out, plain, fits ? compact : plain);
  encode_rest(out, all);
}

static void decode_record(std::uint8_t tag, ByteReader& fields, Definitions& into) {
  switch (static_cast<DefinitionTag>(tag)) {
    case DefinitionTag::kRegion: return decode_region(fields, into);
    case DefinitionTag::kSystemNode: return decode_system_node(fields, into);
    case DefinitionTag::kProcess: return decode_process(fields, into);
    case DefinitionTag::kLocation: return decode_location(fields, into);
    case DefinitionTag::kGroup: return decode_group(fields, into);
    case DefinitionTag::kCommunicator: return decode_communicator(fields, into);
    case DefinitionTag::kWindow: return decode_window(fields, into);
    case DefinitionTag::kIoHandle: return decode_io_handle(fields, into);
    case DefinitionTag::kCart: return decode_cart(fields, into);
    case DefinitionTag::kNeighborhood: return decode_neighborhood(fields, into);
    case DefinitionTag::kCounter: return decode_counter(fields, into);
    case DefinitionTag::kClock: return decode_clock(fields, into);
    case DefinitionTag::kClockOffset: return decode_clock_offset(fields, into);
    case DefinitionTag::kProperty: return decode_property(fields, into);
    case DefinitionTag::kSystem: return decode_system(fields, into);
    case DefinitionTag::kSystemNames: return decode_system_names(fields, into);
    case DefinitionTag::kGroupTable: return decode_group_table(fields, into);
    case DefinitionTag::kCommunicatorTable: return decode_communicator_table(fields, into);
    case DefinitionTag::kCommunicatorName: return decode_name<CommId>(fields, into.comms, into.strings);
    case DefinitionTag::kWindowName: return decode_name<WindowId>(fields, into.windows, into.strings);
    case DefinitionTag::kEnd: break;
  }
}

Status decode_definitions(std::span<const std::uint8_t> bytes, Definitions& definitions) {
  ByteReader in(bytes);
  while (in.left() > 0) {
    const std::size_t position = bytes.size() - in.left();
    const std::uint8_t tag = in.u8();
    if (tag == static_cast<std::uint8_t>(DefinitionTag::kEnd)) break;
    ByteReader fields(in.take(in.varint()));
    if (!in.failed()) decode_record(tag, fields, definitions);
    if (in.failed() || fields.failed())
      return Error{"definitions", "record at byte " + std::to_string(position) + " is malformed", ""};
  }
  return {};
}

}  // namespace tarry
