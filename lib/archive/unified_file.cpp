// unified_file.cpp -- definitions.tdef: the definitions of a whole run and the translation tables, in a container.
#include "archive/unified_file.hpp"

#include <algorithm>
#include <iterator>

#include "base/file.hpp"
#include "defs/definition_codec.hpp"
#include "trace/container.hpp"

namespace tarry {
namespace {

constexpr std::uint32_t kWholeRun = 0xffffffffu;
constexpr std::size_t kBytesPerChunk = 16u << 20;  // well below kMaxChunkBytes
constexpr std::size_t kMapsPerChunk = 4096;
constexpr int kDefinitionsLevel = 6;

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

// What is not essential becomes "none"; an error if a location or an offset belongs to no process.
Status check_references(Definitions& all) {
  const auto check = [](auto& id, const auto& table) {
    if (id.value >= table.size()) id = {};
  };
  for (std::size_t i = 0; i < all.system_nodes.size(); ++i)
    if (all.system_nodes[i].parent.value >= i) all.system_nodes[i].parent = {};
  for (Process& process : all.processes) check(process.node, all.system_nodes);
  for (std::size_t i = 0; i < all.comms.size(); ++i) {
    Communicator& comm = all.comms[i];
    check(comm.group, all.groups);
    check(comm.remote_group, all.groups);
    if (comm.parent.value >= i) comm.parent = {};
  }
  for (Window& window : all.windows) check(window.comm, all.comms);
  for (IoHandle& handle : all.io_handles) check(handle.comm, all.comms);
  for (CartTopology& cart : all.carts) check(cart.comm, all.comms);
  for (Neighborhood& neighborhood : all.neighborhoods) check(neighborhood.comm, all.comms);
  for (const Location& location : all.locations)
    if (location.process.value >= all.processes.size())
      return Error{"definitions", "a location belongs to no process", ""};
  for (const ClockOffset& offset : all.clock_offsets)
    if (offset.process.value >= all.processes.size())
      return Error{"definitions", "a clock offset belongs to no process", ""};
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
  return write_file(path, std::span<const std::uint8_t>(out.bytes()));
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
  const Status outcome = check_references(unified.global);
  if (!outcome.ok()) return Error{path, outcome.error().text(), ""};
  if (!unified.maps.empty() && unified.maps.size() != unified.global.processes.size())
    return Error{path, "has translation tables for another number of processes", ""};
  return unified;
}

}  // namespace tarry
