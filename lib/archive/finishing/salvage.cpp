// salvage.cpp -- moves what killed processes left in their spools into containers.
#include "archive/finishing/salvage.hpp"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "archive/archive.hpp"
#include "archive/files/names.hpp"
#include "archive/profile/profile_memory.hpp"
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

// A chunk of a spool, and what it ends if its process was killed behind its proper end: then nothing is missing.
struct SpooledChunk {
  const ChunkPlace* place = nullptr;
  std::span<const ChunkPlace> ended_thread = {};  // all chunks of the thread whose events end with this one
  bool ends_definitions = false;
  std::span<const ChunkPlace> profile_memory = {};  // all of a thread, of which `place` is the first
};

// What is open behind an event of a thread: regions and teams, the innermost last.
class OpenThings {
 public:
  void see(const Event& event) {
    switch (event.kind) {
      case EventKind::kEnter: open_.push_back(std::nullopt); break;
      case EventKind::kThreadTeamBegin: open_.push_back(record_of<record::ThreadTeamBegin>(event).team); break;
      case EventKind::kLeave:
      case EventKind::kThreadTeamEnd:
        if (!open_.empty()) open_.pop_back();
        break;
      default: break;
    }
  }

  // Appends a record for each that ends it, without time passing; their number.
  std::uint32_t close(std::vector<std::uint8_t>& records) {
    const auto count = static_cast<std::uint32_t>(open_.size());
    for (; !open_.empty(); open_.pop_back()) {
      std::uint8_t bytes[kMaxRecordBytes];
      std::uint8_t* const end =
          open_.back() ? encode_record(bytes, 0, record::ThreadTeamEnd{.team = *open_.back()}) : encode_leave(bytes, 0);
      records.insert(records.end(), bytes + 0, end);
    }
    return count;
  }

 private:
  std::vector<std::optional<TeamId>> open_;
};

OpenThings find_open_things(const ArchiveContents& contents, std::span<const ChunkPlace> thread) {
  OpenThings open;
  std::vector<std::uint8_t> payload;
  std::vector<Event> block(512);
  for (const ChunkPlace& place : thread) {
    if (!contents.load(place, kDecodePadding, payload).ok()) continue;
    RecordDecoder decoder(payload.data(), payload.data() + payload.size() - kDecodePadding,
                          place.chunk.header.first_time);
    while (const std::size_t count = decoder.decode(block.data(), block.size()))
      for (std::size_t i = 0; i < count; ++i) open.see(block[i]);
  }
  return open;
}

// The profile that a thread has left in its memory, as the last one of several.
std::vector<std::uint8_t> close_profile(const ArchiveContents& contents, std::span<const ChunkPlace> memory) {
  std::vector<std::vector<std::uint8_t>> payloads;
  for (const ChunkPlace& place : memory) {
    if (!contents.load(place, 0, payloads.emplace_back()).ok()) return {};
  }
  const Profile profile = decode_profile_memory({payloads.begin(), payloads.end()}, memory[0].chunk.header.thread);
  if (profile.nodes.empty()) return {};
  ByteWriter bytes;
  encode_profile(bytes, profile);
  ChunkHeader header;
  header.kind = ChunkKind::kProfile;
  header.process = memory[0].chunk.header.process;
  header.thread = memory[0].chunk.header.thread;
  header.sequence = kFinalProfile;
  header.flags = kLastChunk;
  return encode_chunk(header, bytes.bytes(), kSalvageLevel);
}

// The chunk as it goes into a container: an open one is closed behind its last whole record.
std::vector<std::uint8_t> close_chunk(const ArchiveContents& contents, const SpooledChunk& chunk) {
  if (!chunk.profile_memory.empty()) return close_profile(contents, chunk.profile_memory);
  std::vector<std::uint8_t> payload;
  if (!contents.load(*chunk.place, kDecodePadding, payload).ok()) return {};
  ChunkHeader header = chunk.place->chunk.header;
  std::size_t length = payload.size() - kDecodePadding;
  if (header.flags & kOpenChunk) {
    header.flags &= ~kOpenChunk;
    if (header.kind == ChunkKind::kEvents) length = measure_events(payload, header);
    if (header.kind == ChunkKind::kDefinitions) length = measure_definitions(std::span(payload).first(length));
  }
  payload.resize(length);
  if (!chunk.ended_thread.empty()) header.event_count += find_open_things(contents, chunk.ended_thread).close(payload);
  if (!chunk.ended_thread.empty() || chunk.ends_definitions) header.flags |= kLastChunk;
  return encode_chunk(header, payload, kSalvageLevel);
}

// True if the process was killed after its proper end, which its definitions tell.
bool has_ended(const ArchiveContents& contents, const ProcessChunks& process) {
  Definitions definitions;
  std::vector<std::uint8_t> bytes;
  for (const ChunkPlace& place : process.definitions)
    if (!contents.load(place, 0, bytes).ok() || !decode_definitions(bytes, definitions).ok()) return false;
  return !definitions.processes.empty() && definitions.processes.back().is_complete;
}

// What is in spools, by node.
class SpooledChunks {
 public:
  SpooledChunks(const std::string& archive, const ArchiveContents& contents) : archive_(archive), contents_(contents) {
    for (const auto& [number, process] : contents.processes()) add(process);
  }

  const std::map<std::string, std::vector<SpooledChunk>>& by_host() const { return by_host_; }

 private:
  void add(const ProcessChunks& process) {
    const bool is_whole = has_ended(contents_, process);
    for (const ChunkPlace& place : process.definitions)
      add({.place = &place, .ends_definitions = is_whole && &place == &process.definitions.back()});
    for (const auto& [thread, chunks] : process.events)
      for (const ChunkPlace& place : chunks) {
        const bool is_end = is_whole && &place == &chunks.back();
        add({.place = &place, .ended_thread = is_end ? std::span(chunks) : std::span<const ChunkPlace>()});
      }
    for (const auto& [thread, chunks] : process.profiles)
      for (const ChunkPlace& place : chunks) add({.place = &place});
    for (const auto& [thread, chunks] : process.profile_memory)
      if (!has_final_profile(process, thread)) add({.place = &chunks[0], .profile_memory = chunks});
  }

  static bool has_final_profile(const ProcessChunks& process, std::uint32_t thread) {
    const auto profiles = process.profiles.find(thread);
    return profiles != process.profiles.end() && profiles->second.back().chunk.header.sequence >= kFinalProfile;
  }

  void add(const SpooledChunk& chunk) {
    const Container& file = contents_.file_of(*chunk.place);
    if (file.is_spool()) by_host_[host_part(file.path().substr(archive_.size() + 1))].push_back(chunk);
  }

  const std::string& archive_;
  const ArchiveContents& contents_;
  std::map<std::string, std::vector<SpooledChunk>> by_host_;
};

bool is_all_zero(const std::string& path) {
  const auto file = MappedFile::open(path);
  if (!file.ok()) return false;
  const auto bytes = file.value().bytes();
  return std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte == 0; });
}

Status write_container(const std::string& path, const ArchiveContents& contents,
                       const std::vector<SpooledChunk>& chunks) {
  return write_file_with(path, [&](const File& file) -> Status {
    const ContainerHeaderBytes header = encode_container_header(0);
    TARRY_TRY(write_all(file, header.data(), header.size(), path));
    for (const SpooledChunk& chunk : chunks) {
      const std::vector<std::uint8_t> closed = close_chunk(contents, chunk);
      TARRY_TRY(write_all(file, closed.data(), closed.size(), path));
    }
    return {};
  });
}

}  // namespace

Result<std::uint32_t> salvage_spools(const std::string& archive, const ArchiveContents& contents) {
  const SpooledChunks spooled(archive, contents);
  for (const auto& [host, chunks] : spooled.by_host())
    TARRY_TRY(write_container(free_name(archive, host), contents, chunks));

  // Only now that everything is in containers.
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
