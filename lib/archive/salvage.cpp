// salvage.cpp -- moves what killed processes left in their spools into containers.
#include "archive/salvage.hpp"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "archive/archive.hpp"
#include "archive/names.hpp"
#include "defs/definition_codec.hpp"
#include "trace/event_codec.hpp"

namespace tarry {
namespace {

constexpr int kSalvageLevel = 1;

// "events/HOST" of "events/HOST.PID.spool".
std::string host_part(const std::string& spool) {
  const std::size_t suffix = spool.rfind('.');
  const std::size_t pid = suffix == std::string::npos || suffix == 0 ? suffix : spool.rfind('.', suffix - 1);
  return spool.substr(0, pid == std::string::npos ? suffix : pid);
}

std::string free_name(const std::string& archive, const std::string& host) {
  for (int n = 1;; ++n) {
    const std::string path = archive + "/" + host + ".salvaged-" + std::to_string(n) + names::kContainerSuffix;
    if (!path_exists(path)) return path;
  }
}

// Length of the whole records in front; counts events and finds the last time.
std::size_t measure_events(std::span<const std::uint8_t> padded, ChunkHeader& header) {
  std::vector<Event> block(512);
  RecordDecoder decoder(padded.data(), padded.data() + padded.size() - kDecodePadding, header.first_time);
  header.event_count = 0;
  while (const std::size_t count = decoder.decode(block.data(), block.size()))
    header.event_count += static_cast<std::uint32_t>(count);
  header.last_time = decoder.time();
  return decoder.position();
}

std::size_t measure_definitions(std::span<const std::uint8_t> records) {
  ByteReader in(records);
  std::size_t whole = 0;
  while (in.left() > 0 && in.u8() != static_cast<std::uint8_t>(DefinitionTag::kEnd)) {
    in.take(in.varint());
    if (in.failed()) break;
    whole = records.size() - in.left();
  }
  return whole;
}

// The chunk as it goes into a container: an open one is closed behind its last whole record.
std::vector<std::uint8_t> close_chunk(const ArchiveContents& contents, const ChunkPlace& place) {
  std::vector<std::uint8_t> payload;
  if (!contents.load(place, kDecodePadding, payload).ok()) return {};
  ChunkHeader header = place.chunk.header;
  std::size_t length = payload.size() - kDecodePadding;
  if (header.flags & kOpenChunk) {
    header.flags &= ~kOpenChunk;
    if (header.kind == ChunkKind::kEvents) length = measure_events(payload, header);
    if (header.kind == ChunkKind::kDefinitions) length = measure_definitions(std::span(payload).first(length));
  }
  return encode_chunk(header, std::span(payload).first(length), kSalvageLevel);
}

bool is_all_zero(const std::string& path) {
  const auto file = MappedFile::open(path);
  if (!file.ok()) return false;
  const auto bytes = file.value().bytes();
  return std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte == 0; });
}

Status write_container(const std::string& path, const ArchiveContents& contents,
                       const std::vector<const ChunkPlace*>& places) {
  return write_file_with(path, [&](const File& file) -> Status {
    const ContainerHeaderBytes header = encode_container_header(0);
    TARRY_TRY(write_all(file, header.data(), header.size(), path));
    for (const ChunkPlace* place : places) {
      const std::vector<std::uint8_t> chunk = close_chunk(contents, *place);
      TARRY_TRY(write_all(file, chunk.data(), chunk.size(), path));
    }
    return {};
  });
}

}  // namespace

Result<std::uint32_t> salvage_spools(const std::string& archive, const ArchiveContents& contents) {
  std::map<std::string, std::vector<const ChunkPlace*>> places_of_host;
  const auto collect = [&](const std::vector<ChunkPlace>& places) {
    for (const ChunkPlace& place : places)
      if (const Container& file = contents.file_of(place); file.is_spool())
        places_of_host[host_part(file.path().substr(archive.size() + 1))].push_back(&place);
  };
  for (const auto& [number, process] : contents.processes()) {
    collect(process.definitions);
    for (const auto& [thread, chunks] : process.events) collect(chunks);
    for (const auto& [thread, chunks] : process.profiles) collect(chunks);
  }
  for (const auto& [host, places] : places_of_host)
    TARRY_TRY(write_container(free_name(archive, host), contents, places));

  // Only now that everything stands in containers.
  std::uint32_t removed = 0;
  for (const Container& file : contents.files()) {
    if (!file.is_spool()) continue;
    if (::unlink(file.path().c_str()) != 0) return Error{file.path(), system_error(), ""};
    ++removed;
  }
  TARRY_TRY_ASSIGN(left, list_event_files(archive));
  for (const std::string& name : left) {
    // Its process was killed before it had written anything.
    const std::string path = archive + "/" + name;
    if (is_spool_name(name) && is_all_zero(path) && ::unlink(path.c_str()) != 0) return Error{path, system_error(), ""};
  }
  return removed;
}

}  // namespace tarry
