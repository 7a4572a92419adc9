// contents.cpp -- what the container files and spools of an archive hold, sorted by process and thread.
#include "archive/reading/contents.hpp"

#include <algorithm>

#include "archive/archive.hpp"
#include "archive/files/names.hpp"
#include "base/bytes/crc32.hpp"
#include "base/files/file.hpp"
#include "defs/definition_codec.hpp"

namespace tarry {
namespace {

std::string place_name(const ChunkHeader& header) {
  return "rank " + std::to_string(header.process) + " thread " + std::to_string(header.thread);
}

std::string name_in_archive(const Container& file) {
  return std::string(names::kEvents) + file.path().substr(file.path().rfind('/'));
}

bool is_whole(const Container& file, const ChunkRef& chunk) {
  if (chunk.header.flags & kOpenChunk) return true;
  const auto bytes = file.stored(chunk);
  return bytes.size() == chunk.header.stored_bytes && crc32(bytes.data(), bytes.size()) == chunk.header.payload_crc;
}

}  // namespace

Result<ArchiveContents> ArchiveContents::open(const std::string& archive, FaultLog& faults) {
  ArchiveContents contents;
  TARRY_TRY_ASSIGN(names, list_event_files(archive));
  for (const std::string& name : names) {
    auto file = Container::open(archive + "/" + name);
    if (!file.ok()) {
      contents.unreadable_.push_back(file.error());
      faults.add(Fault::kChunkDamaged, name, 0, file.error().why);
      continue;
    }
    contents.add_file(std::move(*file));
  }
  for (auto& [number, process] : contents.processes_) {
    contents.sort_and_deduplicate(process.definitions, faults);
    for (auto& [thread, chunks] : process.events) contents.sort_and_deduplicate(chunks, faults);
    for (auto& [thread, chunks] : process.profiles) contents.sort_and_deduplicate(chunks, faults);
    for (auto& [thread, chunks] : process.profile_memory) contents.sort_and_deduplicate(chunks, faults);
  }
  const bool is_finished =
      path_exists(archive + "/" + names::kDefinitions) && !path_exists(archive + "/" + names::kRecording);
  for (const Container& file : contents.files_)
    if (contents.note_damage(file, faults) == 0 && is_finished && !file.is_sealed() && !file.is_spool())
      faults.add(Fault::kLocationIncomplete, name_in_archive(file), file.size(), "has no index: it may be cut off");
  return contents;
}

// Returns how many stretches were lost.
std::size_t ArchiveContents::note_damage(const Container& file, FaultLog& faults) const {
  std::size_t lost = 0;
  for (const DamagedRange& range : file.damage()) {
    if (range.torn && is_there(*range.torn)) continue;
    faults.add(range.torn ? Fault::kLocationIncomplete : Fault::kChunkDamaged, name_in_archive(file), range.offset,
               std::to_string(range.bytes) + " bytes: " + range.why);
    ++lost;
  }
  return lost;
}

// What a killed writer left of a chunk is no loss if the chunk is elsewhere: in its spool, or salvaged from there.
bool ArchiveContents::is_there(const ChunkHeader& header) const {
  if (header.kind == ChunkKind::kIndex) return true;
  const auto process = processes_.find(header.process);
  if (process == processes_.end()) return false;
  const auto has = [&header](const std::vector<ChunkPlace>& chunks) {
    return std::any_of(chunks.begin(), chunks.end(),
                       [&](const ChunkPlace& place) { return place.chunk.header.sequence == header.sequence; });
  };
  const auto has_of_thread = [&](const std::map<std::uint32_t, std::vector<ChunkPlace>>& lists) {
    const auto list = lists.find(header.thread);
    return list != lists.end() && has(list->second);
  };
  switch (header.kind) {
    case ChunkKind::kDefinitions: return has(process->second.definitions);
    case ChunkKind::kEvents: return has_of_thread(process->second.events);
    case ChunkKind::kProfile: return has_of_thread(process->second.profiles);
    default: return false;
  }
}

void ArchiveContents::add_file(Container file) {
  const std::uint32_t index = static_cast<std::uint32_t>(files_.size());
  for (const ChunkRef& chunk : file.chunks()) {
    // The processes of a finished archive are in order.
    ProcessChunks& process = processes_.try_emplace(processes_.end(), chunk.header.process)->second;
    switch (chunk.header.kind) {
      case ChunkKind::kDefinitions: process.definitions.push_back({index, chunk}); break;
      case ChunkKind::kEvents: process.events[chunk.header.thread].push_back({index, chunk}); break;
      case ChunkKind::kProfile: process.profiles[chunk.header.thread].push_back({index, chunk}); break;
      case ChunkKind::kProfileMemory: process.profile_memory[chunk.header.thread].push_back({index, chunk}); break;
      default: break;  // the index is no content; what a newer version adds may be skipped
    }
  }
  files_.push_back(std::move(file));
}

// Sorts by sequence number; of chunks with the same number one remains.
void ArchiveContents::sort_and_deduplicate(std::vector<ChunkPlace>& chunks, FaultLog& faults) const {
  if (chunks.size() < 2) return;
  std::stable_sort(chunks.begin(), chunks.end(), [&](const ChunkPlace& a, const ChunkPlace& b) {
    if (a.chunk.header.sequence != b.chunk.header.sequence) return a.chunk.header.sequence < b.chunk.header.sequence;
    return file_of(a).is_spool() < file_of(b).is_spool();
  });
  std::size_t kept = 0;
  for (const ChunkPlace& place : chunks) {
    if (kept == 0 || chunks[kept - 1].chunk.header.sequence != place.chunk.header.sequence) {
      chunks[kept++] = place;
      continue;
    }
    ChunkPlace& before = chunks[kept - 1];
    if (!file_of(place).is_spool()) note_damaged(place, "is there twice", faults);
    else if (!is_whole(file_of(before), before.chunk)) before = place;
  }
  chunks.resize(kept);
}

void ArchiveContents::note_damaged(const ChunkPlace& place, const std::string& why, FaultLog& faults) const {
  faults.add(Fault::kChunkDamaged, name_in_archive(file_of(place)), place.chunk.offset - kChunkHeaderBytes,
             place_name(place.chunk.header) + ", chunk " + std::to_string(place.chunk.header.sequence) + " " + why);
}

std::span<const ChunkPlace> ArchiveContents::events_of(std::uint32_t process, std::uint32_t thread) const {
  const auto chunks = processes_.find(process);
  if (chunks == processes_.end()) return {};
  const auto events = chunks->second.events.find(thread);
  if (events == chunks->second.events.end()) return {};
  return events->second;
}

bool ArchiveContents::has_events() const {
  return std::any_of(processes_.begin(), processes_.end(),
                     [](const auto& entry) { return !entry.second.events.empty(); });
}

Definitions ArchiveContents::load_definitions(std::uint32_t number, FaultLog& faults) const {
  Definitions definitions;
  const ProcessChunks& chunks = processes_.at(number);
  const std::string name = "rank " + std::to_string(number);
  std::uint32_t expected = 0;
  bool is_complete = false;
  std::vector<std::uint8_t> bytes;
  for (const ChunkPlace& place : chunks.definitions) {
    // Ids are positions in the sequence: behind a gap nothing can be numbered.
    Status outcome;
    if (place.chunk.header.sequence != expected++)
      outcome = Error{"definitions", "follows a chunk that is missing", ""};
    if (outcome.ok()) outcome = load(place, 0, bytes);
    if (outcome.ok()) outcome = decode_definitions(bytes, definitions);
    if (!outcome.ok()) {
      note_damaged(place, "(definitions) " + outcome.error().why, faults);
      is_complete = false;
      break;
    }
    is_complete = place.chunk.header.flags & kLastChunk;
    if (is_complete) break;  // it holds everything; what follows are leftovers of the spool
  }
  // A process that learns its rank late writes it twice; the later one counts.
  if (definitions.processes.empty())
    definitions.processes.push_back({definitions.strings.intern(name), number, {}, false});
  definitions.processes.front() = definitions.processes.back();
  definitions.processes.resize(1);
  definitions.processes[0].rank = number;
  definitions.processes[0].is_complete = is_complete && definitions.processes[0].is_complete;

  std::map<std::uint32_t, Location> locations;
  for (const Location& location : definitions.locations) locations[location.thread] = location;
  for (const auto& [thread, places] : chunks.events) {
    Location& location = locations[thread];
    if (!location.name.is_valid()) location.name = definitions.strings.intern("thread " + std::to_string(thread));
    location.event_count = 0;
    for (const ChunkPlace& place : places) location.event_count += place.chunk.header.event_count;
  }
  definitions.locations.clear();
  for (auto& [thread, location] : locations) {
    location.process = ProcessId(0);
    location.thread = thread;
    definitions.locations.push_back(location);
  }
  return definitions;
}

std::vector<ThreadProfile> read_profiles(const ArchiveContents& contents, const UnifiedDefinitions& unified,
                                         FaultLog& faults) {
  std::vector<ThreadProfile> profiles;
  for_each_profile(contents, unified, faults, [&](ThreadProfile&& profile) { profiles.push_back(std::move(profile)); });
  return profiles;
}

// The numbers of a process become global ones. False if a call path or a metric is not defined.
static bool number_globally(Profile& profile, const IdMap& map, const Definitions& global) {
  bool is_defined = true;
  const auto renumber = [&is_defined](std::uint32_t& number, const auto& numbers, std::size_t count) {
    if (!numbers.empty()) number = number < numbers.size() ? numbers[number].value : ~std::uint32_t{0};
    is_defined = is_defined && number < count;
  };
  for (ProfileNode& node : profile.nodes) renumber(node.region, map.regions, global.regions.size());
  for (std::uint32_t& counter : profile.counters) renumber(counter, map.counters, global.counters.size());
  const bool is_known = is_defined;
  for (ReceiverCount& receiver : profile.receivers) {
    is_defined = true;
    renumber(receiver.comm, map.comms, global.comms.size());
    if (!is_defined) receiver.comm = ReceiverCount::kOthers;
  }
  for (FileCount& file : profile.files) {
    is_defined = true;
    renumber(file.file, map.io_handles, global.io_handles.size());
    if (!is_defined) file.file = FileCount::kOthers;
  }
  return is_known;
}

void for_each_profile(const ArchiveContents& contents, const UnifiedDefinitions& unified, FaultLog& faults,
                      const std::function<void(ThreadProfile&&)>& visit) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < unified.global.locations.size(); ++i) {
    const Location& location = unified.global.locations[i];
    const auto process = contents.processes().find(unified.global.processes[location.process.value].rank);
    if (process == contents.processes().end()) continue;
    const auto places = process->second.profiles.find(location.thread);
    if (places == process->second.profiles.end()) continue;
    // Later chunks of a profile replace earlier ones.
    const ChunkPlace& place = places->second.back();
    Status outcome = contents.load(place, 0, bytes);
    auto profile = outcome.ok() ? decode_profile(bytes) : Result<Profile>(outcome.error());
    if (!profile.ok()) {
      contents.note_damaged(place, "(profile) " + profile.error().why, faults);
      continue;
    }
    static const IdMap kIdentity;
    const IdMap& map = location.process.value < unified.maps.size() ? unified.maps[location.process.value] : kIdentity;
    if (number_globally(profile.value(), map, unified.global))
      visit({LocationId(i), std::move(profile->nodes), std::move(profile->clusters), std::move(profile->counters),
             std::move(profile->counter_values), std::move(profile->receivers), std::move(profile->files),
             std::move(profile->forks), std::move(profile->teams)});
    else
      faults.add(Fault::kUndefinedReference, place_name(place.chunk.header), 0, "a call path or metric of the profile");
  }
}

}  // namespace tarry
