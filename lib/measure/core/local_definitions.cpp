// local_definitions.cpp -- definitions while the program runs, and at its end.
#include "measure/core/local_definitions.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <string>

#include "defs/definition_codec.hpp"
#include "defs/unify.hpp"
#include "measure/core/memory.hpp"

namespace tarry::measure {
namespace {

// Longer texts (arguments) are cut: a record must fit into a block.
constexpr std::size_t kMaxText = 16 << 10;

constexpr std::size_t kMaxMembers = 40'000;

std::string_view cut(std::string_view text) { return text.substr(0, kMaxText); }

}  // namespace

void LocalDefinitions::open(BlockPool& pool, WorldRank process) {
  const Locked lock(lock_);
  pool_ = &pool;
  process_ = process;
}

// In the block, or in a new one.
bool LocalDefinitions::has_room_for(std::size_t bytes) {
  if (block_ && block_used_ + bytes < kBlockBytes) return true;
  ChunkHeader header;
  header.kind = ChunkKind::kDefinitions;
  header.process = process_.value;
  header.sequence = block_sequence_;
  bool did_flush = false;
  Block* const block = pool_->take(header, did_flush);
  if (!block && is_in_handler()) return false;  // once more later
  ++block_sequence_;
  block_ = block;
  block_used_ = kChunkHeaderBytes;
  return block_;
}

// Into the spool the first byte goes last: a record is there as a whole or not at all.
void LocalDefinitions::append(const ByteWriter& record) {
  const std::vector<std::uint8_t>& bytes = record.bytes();
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  if (!has_room_for(bytes.size())) return;
  std::uint8_t* const at = block_->data + block_used_;
  std::memcpy(at + 1, bytes.data() + 1, bytes.size() - 1);
  std::atomic_signal_fence(std::memory_order_release);
  *at = bytes[0];
  block_used_ += bytes.size();
}

RegionId LocalDefinitions::add_region(std::string_view name, std::string_view file, std::uint32_t line,
                                      Paradigm paradigm, RegionRole role) {
  ByteWriter record;
  encode_region(record, {cut(name), cut(name), cut(file), line, 0, paradigm, role});
  const Locked lock(lock_);
  append(record);
  return RegionId(region_count_++);
}

std::optional<RegionId> LocalDefinitions::try_add_region(std::string_view name, std::string_view file,
                                                         std::uint32_t line, Paradigm paradigm, RegionRole role) {
  ByteWriter record;
  encode_region(record, {cut(name), cut(name), cut(file), line, 0, paradigm, role});
  const TryLocked lock(lock_);
  if (!lock || (!has_room_for(record.bytes().size()) && is_in_handler())) return std::nullopt;
  append(record);
  return RegionId(region_count_++);
}

std::optional<RegionId> LocalDefinitions::try_add_region_at(RegionId region, std::string_view site,
                                                            std::uint32_t line) {
  ByteWriter record;
  encode_region(record, {.base = region, .site_file = cut(site), .site_line = line});
  const TryLocked lock(lock_);
  if (!lock || (!has_room_for(record.bytes().size()) && is_in_handler())) return std::nullopt;
  append(record);
  return RegionId(region_count_++);
}

SystemNodeId LocalDefinitions::add_system_node(std::string_view name, std::string_view class_name,
                                               SystemNodeId parent) {
  ByteWriter record;
  encode_system_node(record, cut(name), cut(class_name), parent);
  const Locked lock(lock_);
  append(record);
  return SystemNodeId(node_count_++);
}

CommId LocalDefinitions::add_communicator(std::string_view name, const Communicator& comm) {
  ByteWriter record;
  encode_communicator(record, cut(name), comm);
  const Locked lock(lock_);
  append(record);
  return CommId(comm_count_++);
}

GroupId LocalDefinitions::add_group(std::string_view name, std::span<const WorldRank> members) {
  ByteWriter record;
  std::vector<std::uint32_t> ranks;
  // One that would not fit into a block has no members.
  if (members.size() < kMaxMembers) std::ranges::transform(members, std::back_inserter(ranks), &WorldRank::value);
  encode_group(record, cut(name), ranks);
  const Locked lock(lock_);
  append(record);
  return GroupId(group_count_++);
}

WindowId LocalDefinitions::add_window(std::string_view name, CommId comm) {
  ByteWriter record;
  Window window;
  window.comm = comm;
  encode_window(record, cut(name), window);
  const Locked lock(lock_);
  append(record);
  return WindowId(window_count_++);
}

void LocalDefinitions::name_communicator(CommId comm, std::string_view name) {
  ByteWriter record;
  encode_communicator_name(record, comm, cut(name));
  append_name(record);
}

void LocalDefinitions::name_window(WindowId window, std::string_view name) {
  ByteWriter record;
  encode_window_name(record, window, cut(name));
  append_name(record);
}

void LocalDefinitions::append_name(const ByteWriter& record) {
  constexpr std::uint32_t kMostNames = 10'000;
  const Locked lock(lock_);
  if (name_count_ == kMostNames) return;
  ++name_count_;
  append(record);
}

IoHandleId LocalDefinitions::add_io_handle(std::string_view name, CommId comm) {
  ByteWriter record;
  encode_io_handle(record, cut(name), comm);
  const Locked lock(lock_);
  append(record);
  return IoHandleId(io_handle_count_++);
}

std::optional<IoHandleId> LocalDefinitions::try_add_io_handle(std::string_view name) {
  ByteWriter record;
  encode_io_handle(record, cut(name), {});
  const TryLocked lock(lock_);
  if (!lock || (!has_room_for(record.bytes().size()) && is_in_handler())) return std::nullopt;
  append(record);
  return IoHandleId(io_handle_count_++);
}

void LocalDefinitions::add_cart(const CartTopology& cart, const Interner& strings) {
  ByteWriter record;
  encode_cart(record, cart, strings);
  const Locked lock(lock_);
  append(record);
}

void LocalDefinitions::add_neighborhood(const Neighborhood& neighborhood) {
  if (neighborhood.sources.size() + neighborhood.destinations.size() >= kMaxMembers) return;
  ByteWriter record;
  encode_neighborhood(record, neighborhood);
  const Locked lock(lock_);
  append(record);
}

CounterId LocalDefinitions::add_counter(const CounterRecord& counter) {
  ByteWriter record;
  encode_counter(record, {cut(counter.name), cut(counter.unit), cut(counter.description), counter.mode, counter.type,
                          counter.source});
  const Locked lock(lock_);
  append(record);
  return CounterId(counter_count_++);
}

std::optional<CounterId> LocalDefinitions::try_add_counter(const CounterRecord& counter) {
  ByteWriter record;
  encode_counter(record, {cut(counter.name), cut(counter.unit), cut(counter.description), counter.mode, counter.type,
                          counter.source});
  const TryLocked lock(lock_);
  if (!lock || (!has_room_for(record.bytes().size()) && is_in_handler())) return std::nullopt;
  append(record);
  return CounterId(counter_count_++);
}

LocationId LocalDefinitions::add_location(std::uint32_t thread) {
  Location location;
  location.thread = thread;
  return append_location(location, thread == 0 ? "Master thread" : "Thread " + std::to_string(thread), "");
}

LocationId LocalDefinitions::add_queue(std::uint32_t number, std::string_view name, std::string_view device) {
  Location location;
  location.thread = number;
  location.kind = LocationKind::kQueue;
  return append_location(location, name, device);
}

LocationId LocalDefinitions::append_location(Location location, std::string_view name, std::string_view device) {
  location.process = ProcessId(0);
  ByteWriter record;
  encode_location(record, name, location, device);
  const Locked lock(lock_);
  append(record);
  return LocationId(location_count_++);
}

void LocalDefinitions::add_process(std::string_view name, WorldRank rank, SystemNodeId node) {
  const Locked lock(lock_);
  process_ = rank;
  process_name_ = name;
  process_node_ = node;
  append_process(false);
}

// Of two records of a process the last one counts.
void LocalDefinitions::mark_complete() {
  const Locked lock(lock_);
  append_process(true);
}

void LocalDefinitions::append_process(bool is_complete) {
  Process process;
  process.rank = process_.value;
  process.node = process_node_;
  process.is_complete = is_complete;
  ByteWriter record;
  encode_process(record, process_name_, process);
  append(record);
}

void LocalDefinitions::set_clock(const Clock& clock) {
  ByteWriter record;
  encode_clock(record, clock);
  const Locked lock(lock_);
  append(record);
}

void LocalDefinitions::add_clock_offset(Ticks at, Ticks offset) {
  ByteWriter record;
  encode_clock_offset(record, {ProcessId(0), at, offset});
  const Locked lock(lock_);
  append(record);
}

void LocalDefinitions::add_property(std::string_view key, std::string_view value) {
  ByteWriter record;
  encode_property(record, cut(key), cut(value));
  const Locked lock(lock_);
  append(record);
}

void LocalDefinitions::describe_region(RegionId region, RegionTexts texts) {
  const Locked lock(lock_);
  descriptions_.emplace_back(region, std::move(texts));
}

std::string LocalDefinitions::described_name(RegionId region) const {
  for (auto description = descriptions_.rbegin(); description != descriptions_.rend(); ++description)
    if (description->first == region) return description->second.name;
  return "unknown";
}

void LocalDefinitions::describe_site(RegionId region, SiteTexts texts) {
  const Locked lock(lock_);
  sites_.emplace_back(region, std::move(texts));
}

void LocalDefinitions::apply_descriptions(Definitions& all) {
  for (const auto& [id, texts] : sites_) {
    if (id.value >= all.regions.size()) continue;
    Region& region = all.regions[id.value];
    region.site_file = all.strings.intern(cut(texts.file));
    region.site_line = texts.line;
    if (texts.code_file.empty()) continue;
    region.code_file = all.strings.intern(cut(texts.code_file));
    region.code_address = texts.code_address;
  }
  for (const auto& [id, texts] : descriptions_) {
    if (id.value >= all.regions.size()) continue;
    Region& region = all.regions[id.value];
    region.name = all.strings.intern(cut(texts.name));
    region.mangled_name = all.strings.intern(cut(texts.mangled_name));
    region.file = all.strings.intern(cut(texts.file));
    region.begin_line = texts.line;
  }
}

namespace {

// The clocks are read at MPI_Finalize, and once more at the very end.
void keep_last_clock_end(Definitions& all) {
  const auto is_clock_end = [&all](const Property& property) { return all.text(property.key) == kClockEndKey; };
  const auto last = std::find_if(all.properties.rbegin(), all.properties.rend(), is_clock_end);
  if (last == all.properties.rend()) return;
  const Property kept = *last;
  std::erase_if(all.properties, is_clock_end);
  all.properties.push_back(kept);
}

}  // namespace

std::vector<std::uint8_t> LocalDefinitions::finish(bool is_complete) {
  const Locked lock(lock_);
  Definitions all;
  // The bytes are our own; what cannot be decoded can only be at the end, and then the rest is still right.
  [[maybe_unused]] const Status decoded = decode_definitions(bytes_, all);
  apply_descriptions(all);
  keep_last_clock_end(all);
  for (Process& process : all.processes) process.is_complete = is_complete;
  ByteWriter out;
  encode_definitions(out, all);
  return std::move(out.bytes());
}

}  // namespace tarry::measure
