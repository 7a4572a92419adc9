// unified_file.cpp -- definitions.tdef: the definitions of a whole run and the translation tables, in a container.
#include "archive/files/unified_file.hpp"

#include <algorithm>
#include <iterator>

#include "archive/files/manifest.hpp"
#include "base/files/file.hpp"
#include "defs/definition_codec.hpp"
#include "trace/container.hpp"

namespace tarry {
namespace {

constexpr std::uint32_t kWholeRun = 0xffffffffu;
constexpr std::size_t kBytesPerChunk = 16u << 20;  // well below kMaxChunkBytes
constexpr std::size_t kMapsPerChunk = 4096;
constexpr int kDefinitionsLevel = 6;
constexpr std::uint32_t kNobody = 0xffffffffu;  // a member that left nothing

// One chunk to the end of `out`. `payload` holds whole records.
void put_chunk(ByteWriter& out, ChunkKind kind, std::uint32_t sequence, bool is_last,
               std::span<const std::uint8_t> payload) {
  ChunkHeader header;
  header.kind = kind;
  header.process = kWholeRun;
  header.sequence = sequence;
  header.flags = is_last ? kLastChunk : 0;
  const std::vector<std::uint8_t> bytes = encode_chunk(header, payload, kDefinitionsLevel);
  out.raw(bytes.data(), bytes.size());
}

// Ends of stretches of whole records, none much longer than kBytesPerChunk.
std::vector<std::size_t> split_records(std::span<const std::uint8_t> records) {
  std::vector<std::size_t> ends;
  ByteReader in(records);
  std::size_t begin = 0;
  while (in.left() > 0) {
    const std::size_t at = records.size() - in.left();
    if (at - begin >= kBytesPerChunk) ends.push_back(begin = at);
    in.u8();
    in.take(in.varint());
  }
  ends.push_back(records.size());
  return ends;
}

// The first definition that refers to one which is not there. Checksums are no proof: whoever changes the file can
// compute them.
class ReferenceCheck {
 public:
  /// `id` of the definition number `i` of a kind is "none", or below `limit`.
  template <class Id>
  void optional(const char* kind, std::size_t i, const char* field, Id id, std::size_t limit) {
    if (id.is_valid()) required(kind, i, field, id, limit);
  }
  template <class Id>
  void required(const char* kind, std::size_t i, const char* field, Id id, std::size_t limit) {
    if (id.value < limit || !fault_.empty()) return;
    fault_ = std::string(kind) + " " + std::to_string(i) + " names " + field + " " +
             (id.is_valid() ? std::to_string(id.value) : "\"none\"") + ", which is not defined";
  }
  const std::string& fault() const { return fault_; }

 private:
  std::string fault_;
};

Status check_references(const Definitions& all) {
  ReferenceCheck check;
  const auto comms = all.comms.size(), processes = all.processes.size();
  for (std::size_t i = 0; i < all.system_nodes.size(); ++i)
    check.optional("system node", i, "parent", all.system_nodes[i].parent, all.system_nodes.size());
  for (std::size_t i = 0; i < processes; ++i)
    check.optional("process", i, "system node", all.processes[i].node, all.system_nodes.size());
  for (std::size_t i = 0; i < all.locations.size(); ++i)
    check.required("location", i, "process", all.locations[i].process, processes);
  for (std::size_t i = 0; i < comms; ++i) {
    check.optional("communicator", i, "group", all.comms[i].group, all.groups.size());
    check.optional("communicator", i, "group", all.comms[i].remote_group, all.groups.size());
    check.optional("communicator", i, "parent", all.comms[i].parent, comms);
  }
  for (std::size_t i = 0; i < all.windows.size(); ++i)
    check.optional("window", i, "communicator", all.windows[i].comm, comms);
  for (std::size_t i = 0; i < all.io_handles.size(); ++i)
    check.optional("file", i, "communicator", all.io_handles[i].comm, comms);
  for (std::size_t i = 0; i < all.carts.size(); ++i)
    check.optional("grid", i, "communicator", all.carts[i].comm, comms);
  for (std::size_t i = 0; i < all.neighborhoods.size(); ++i)
    check.optional("neighborhood", i, "communicator", all.neighborhoods[i].comm, comms);
  for (std::size_t i = 0; i < all.clock_offsets.size(); ++i)
    check.required("clock offset", i, "process", all.clock_offsets[i].process, processes);
  return check.fault().empty() ? Status() : Status(Error{"definitions", check.fault(), ""});
}

// Who walks up to the root must get there.
void break_cycles(Definitions& all) {
  for (std::size_t i = 0; i < all.system_nodes.size(); ++i)
    if (all.system_nodes[i].parent.value >= i) all.system_nodes[i].parent = {};
  for (std::size_t i = 0; i < all.comms.size(); ++i)
    if (all.comms[i].parent.value >= i) all.comms[i].parent = {};
}

// Ranks that are beyond what a job can have would make tables of their size.
Status check_ranks(const Definitions& all) {
  const auto most = [](const char* what, std::uint64_t value, std::uint64_t limit) -> Status {
    if (value <= limit) return {};
    return Error{"definitions", std::string(what) + " " + std::to_string(value) + " cannot be", ""};
  };
  for (const Process& process : all.processes) TARRY_TRY(most("rank", process.rank, kMostRanks));
  for (const Location& location : all.locations) TARRY_TRY(most("thread", location.thread, kMostRanks));
  for (const Group& group : all.groups)
    for (const std::uint32_t member : group.members)
      if (member != kNobody) TARRY_TRY(most("member of a group", member, kMostRanks));
  return {};
}

Status read_chunk(const Container& file, const ChunkRef& chunk, UnifiedDefinitions& into) {
  std::vector<std::uint8_t> bytes;
  TARRY_TRY(file.load(chunk, 0, bytes));
  if (chunk.header.kind == ChunkKind::kDefinitions) return decode_definitions(bytes, into.global);
  TARRY_TRY_ASSIGN(maps, decode_id_maps(bytes));
  std::move(maps.begin(), maps.end(), std::back_inserter(into.maps));
  return {};
}

}  // namespace

Status write_unified(const std::string& path, const UnifiedDefinitions& unified) {
  ByteWriter out, records;
  const ContainerHeaderBytes header = encode_container_header(0);
  out.raw(header.data(), header.size());
  encode_run_definitions(records, unified.global);
  const std::span<const std::uint8_t> bytes(records.bytes());
  std::size_t begin = 0;
  std::uint32_t sequence = 0;
  for (const std::size_t end : split_records(bytes)) {
    put_chunk(out, ChunkKind::kDefinitions, sequence++, end == bytes.size(), bytes.subspan(begin, end - begin));
    begin = end;
  }
  std::size_t done = 0;
  sequence = 0;
  do {
    const std::size_t count = std::min(kMapsPerChunk, unified.maps.size() - done);
    ByteWriter maps;
    encode_id_maps(maps, std::span(unified.maps).subspan(done, count));
    done += count;
    put_chunk(out, ChunkKind::kIdMaps, sequence++, done == unified.maps.size(), maps.bytes());
  } while (done < unified.maps.size());
  return replace_file(path, std::span<const std::uint8_t>(out.bytes()));
}

Result<UnifiedDefinitions> read_unified(const std::string& path) {
  TARRY_TRY_ASSIGN(file, Container::open(path));
  if (!file.damage().empty()) return Error{path, file.damage().front().why, "delete it and run 'tarry unify'"};
  UnifiedDefinitions unified;
  std::uint32_t expected[2] = {0, 0};
  bool is_ended[2] = {false, false};
  for (const ChunkRef& chunk : file.chunks()) {
    if (chunk.header.kind != ChunkKind::kDefinitions && chunk.header.kind != ChunkKind::kIdMaps) continue;
    const int which = chunk.header.kind == ChunkKind::kIdMaps;
    if (chunk.header.sequence != expected[which]++ || is_ended[which])
      return Error{path, "a chunk is missing or repeated", ""};
    is_ended[which] = chunk.header.flags & kLastChunk;
    const Status outcome = read_chunk(file, chunk, unified);
    if (!outcome.ok()) return Error{path, outcome.error().text(), "delete it and run 'tarry unify'"};
  }
  if (!is_ended[0] || !is_ended[1]) return Error{path, "is cut off", "delete it and run 'tarry unify'"};
  for (const Status& outcome : {check_references(unified.global), check_ranks(unified.global)})
    if (!outcome.ok()) return Error{path, outcome.error().why, "delete it and run 'tarry unify'"};
  break_cycles(unified.global);
  if (!unified.maps.empty() && unified.maps.size() != unified.global.processes.size())
    return Error{path, "has translation tables for another number of processes", ""};
  return unified;
}

}  // namespace tarry
