// sample_archive.hpp -- a small recording of four processes on two nodes, as the measurement would leave it.
#pragma once

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "archive/archive.hpp"
#include "archive/finishing/finish_archive.hpp"
#include "archive/files/names.hpp"
#include "archive/profile/profile_codec.hpp"
#include "base/files/file.hpp"
#include "defs/comm_uid.hpp"
#include "defs/definition_codec.hpp"
#include "tests/unit/trace/any_record.hpp"
#include "trace/container.hpp"
#include "trace/event_codec.hpp"

namespace tarry::sample {

inline constexpr std::uint32_t kProcesses = 4;
inline constexpr int kRounds = 200;

/// A folder of its own that goes away with the test.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "tarry-test-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string path(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

/// Definitions of process `rank`. Odd ranks number regions and communicators the other way round; ranks 2 and 3 live on
/// a node whose clock is 10^6 ticks ahead. `is_complete`: what the record of the process says. `spawned`: the first
/// process of a second MPI_COMM_WORLD.
inline std::vector<std::uint8_t> definitions_of(std::uint32_t rank, bool is_complete = true,
                                                std::uint32_t spawned = kProcesses) {
  ByteWriter out;
  const RegionRecord main{"main", "main", "app.c", 1, 90, Paradigm::kCompiler, RegionRole::kFunction};
  const RegionRecord send{"MPI_Send", "MPI_Send", "MPI", 0, 0, Paradigm::kMpi, RegionRole::kPointToPoint};
  encode_region(out, rank % 2 ? send : main);
  encode_region(out, rank % 2 ? main : send);
  const std::string name = "only \"" + std::to_string(rank) + "\"";
  encode_region(out, {name, name, "", 0, 0, Paradigm::kUser, RegionRole::kCode});
  const std::string node = rank < 2 ? "n0" : "n1";
  encode_system_node(out, "machine", "machine", {});
  encode_system_node(out, node, "node", SystemNodeId(0));
  Process process;
  process.rank = rank;
  process.node = SystemNodeId(1);
  process.is_complete = is_complete;
  encode_process(out, "rank " + std::to_string(rank), process);
  for (std::uint32_t thread = 0; thread < 2; ++thread) {
    Location location;
    location.process = ProcessId(0);
    location.thread = thread;
    encode_location(out, "thread " + std::to_string(thread), location);
  }
  Communicator world, self;
  const std::uint32_t first = rank < spawned ? 0 : spawned;
  world.uid = comm_uid::of_world(first);
  world.rank = rank - first;
  world.size = rank < spawned ? spawned : kProcesses - spawned;
  self.uid = Communicator::kSelfUidBase | rank;
  self.size = 1;
  for (const bool is_world : {rank % 2 == 0, rank % 2 == 1})
    encode_communicator(out, is_world ? "MPI_COMM_WORLD" : "MPI_COMM_SELF", is_world ? world : self);
  encode_window(out, "win", {{}, CommId(rank % 2)});
  for (const std::uint32_t i : {rank % 2, 1 - rank % 2}) {
    encode_group(out, "", std::vector<std::uint32_t>{i, i + 2});
    encode_io_handle(out, "file " + std::to_string(i), CommId(rank % 2));
    encode_counter(out, {i ? "faults" : "clock", "", ""});
  }
  const Ticks ahead = rank < 2 ? 0 : 1000000;
  encode_clock(out, {});
  if (rank == 2) {
    encode_clock_offset(out, {ProcessId(0), ahead, -1000000});
    encode_clock_offset(out, {ProcessId(0), ahead + 1000000, -1000100});
  }
  encode_property(out, "program", "sample");
  encode_property(out, "clock_domain", node);
  encode_property(out, "clock_start", std::to_string(ahead) + " 5000 1700000000000000000");
  encode_property(out, "clock_end", std::to_string(ahead + 2000000) + " 2005000 1700000000002000000");
  return std::move(out.bytes());
}

/// A write to a file, which takes a while.
inline void put_file_call(std::vector<Event>& events, Ticks& time, RegionId region, bool is_long) {
  constexpr IoHandleId kFile{1};
  events.push_back(event_of(time, record::Enter{.region = region}));
  events.push_back(
      event_of(time, record::IoOperationBegin{.handle = kFile, .mode = 1, .flags = 0, .bytes = 4096, .matching = 5}));
  time += is_long ? 70000 : 20;
  events.push_back(event_of(time, record::IoOperationComplete{.handle = kFile, .bytes = 4096, .matching = 5}));
  events.push_back(event_of(time, record::Leave{}));
}

/// Events of a thread in the numbering of its process: rounds of enter, some record, leave; every kind occurs.
inline std::vector<Event> events_of(std::uint32_t rank, std::uint32_t thread) {
  std::vector<Event> events;
  Ticks time = (rank < 2 ? 0 : 1000000) + 100 * rank + 10 * thread;
  const RegionId main(rank % 2), send(1 - rank % 2), own(2);
  events.push_back(event_of(time, record::Enter{.region = main}));
  for (int round = 0; round < kRounds; ++round) {
    if (round % 8 == 5) put_file_call(events, time += 3, own, round / 8 % 3 == 0);
    events.push_back(event_of(time += 7 + round, record::Enter{.region = round % 3 ? send : own}));
    const auto kind = static_cast<EventKind>(3 + round % (kEventKindCount - 3));
    int i = 0;
    const Event event = any_event(time += round % 5, kind, [&](auto& field, bool is_optional, std::string_view name) {
      constexpr FieldMeaning kMeaning = kFieldMeaning<std::remove_reference_t<decltype(field)>>;
      const bool is_id = kMeaning != FieldMeaning::kPlain,
                 is_zero = kMeaning == FieldMeaning::kWindow || name == "root";
      const int number = is_zero ? 0 : is_id ? (round + i) % 2 : (round * 37 + i) % 300;
      set_field(field, is_optional && round % 2 ? kNoField : static_cast<std::uint64_t>(number));
      ++i;
    });
    if (kind != EventKind::kLost && !info_of(kind).name.empty()) events.push_back(event);
    events.push_back(event_of(time += 300 * (round % 2) + 1, record::Leave{}));
  }
  events.push_back(event_of(time += 9, record::Leave{}));
  return events;
}

/// The pattern of a call on a file, if the events begin with what one consists of: whole, or its begin.
inline std::optional<CallPattern> call_pattern(std::span<const Event> events, std::size_t length) {
  constexpr EventKind kKinds[] = {EventKind::kEnter, EventKind::kIoOperationBegin, EventKind::kIoOperationComplete,
                                  EventKind::kLeave};
  if (events.size() < length) return std::nullopt;
  for (std::size_t i = 0; i < length; ++i)
    if (events[i].kind != kKinds[i] || events[i].time != events[i & ~std::size_t{1}].time) return std::nullopt;
  const auto begin = record_of<record::IoOperationBegin>(events[1]);
  return CallPattern{.region = record_of<record::Enter>(events[0]).region.value,
                     .handle = begin.handle.value,
                     .mode = begin.mode,
                     .flags = begin.flags,
                     .matching = begin.matching,
                     .wanted = begin.bytes,
                     .moved = 4096};
}

/// Calls on files in their short forms.
inline std::vector<std::uint8_t> encode_events(std::span<const Event> events) {
  std::vector<std::uint8_t> bytes;
  Ticks before = events.empty() ? 0 : events.front().time;
  for (std::size_t i = 0; i < events.size();) {
    std::uint8_t buffer[2 * kMaxRecordBytes + 8];
    std::uint8_t* end = buffer;
    const auto delta = static_cast<std::uint64_t>(events[i].time - before);
    std::size_t length = 4;
    auto pattern = call_pattern(events.subspan(i), length);
    if (!pattern || events[i + 2].time - events[i].time >= 65536) pattern = call_pattern(events.subspan(i), length = 2);
    if (pattern && delta < kFirstLongCallDelta) {
      end = encode_pattern(end, *pattern);
      std::uint8_t* const call = end;
      end = encode_begun_call(call, delta);
      if (length == 4) {
        const auto duration = static_cast<std::uint64_t>(events[i + 2].time - events[i].time);
        store_le(call, whole_call(load_le<std::uint64_t>(call), duration));
        end = call + kWholeCallBytes;
      }
    } else {
      length = 1;
      end = encode_event(end, delta, events[i]);
    }
    bytes.insert(bytes.end(), buffer + 0, end);
    i += length;
    before = events[i - 1].time;
  }
  return bytes;
}

inline ChunkHeader events_header(std::uint32_t rank, std::uint32_t thread, std::uint32_t sequence,
                                 std::span<const Event> events) {
  ChunkHeader header;
  header.process = rank;
  header.thread = thread;
  header.sequence = sequence;
  header.event_count = static_cast<std::uint32_t>(events.size());
  header.first_time = events.front().time;
  header.last_time = events.back().time;
  return header;
}

inline std::string host_of(std::uint32_t rank) { return rank < 2 ? "n0" : "n1"; }

/// `is_complete`: whether it closes its recording in the end, as MPI_Finalize does. `spawned`: as in definitions_of().
inline Status record_process(const std::string& archive, std::uint32_t rank, std::size_t events_per_chunk,
                             bool is_complete = true, std::uint32_t spawned = kProcesses) {
  TARRY_TRY_ASSIGN(container, ContainerWriter::open(archive + "/" + names::container(host_of(rank))));
  for (std::uint32_t thread = 0; thread < 2; ++thread) {
    const std::vector<Event> events = events_of(rank, thread);
    std::uint32_t sequence = 0;
    for (std::size_t at = 0; at < events.size(); at += events_per_chunk) {
      const auto part = std::span(events).subspan(at, std::min(events_per_chunk, events.size() - at));
      ChunkHeader header = events_header(rank, thread, sequence++, part);
      header.flags = at + part.size() == events.size() ? kLastChunk : 0;
      TARRY_TRY(container.append_encoded(encode_chunk(header, encode_events(part), thread)));
    }
    ByteWriter profile;
    encode_profile(
        profile, {{{ProfileNode::kNoParent, rank % 2, 1, 1000, 1000, 1000, 2, 7}, {0, 2, 3, 300, 50, 200, 6, 27}}, {}});
    ChunkHeader header;
    header.kind = ChunkKind::kProfile;
    header.process = rank;
    header.thread = thread;
    header.flags = kLastChunk;
    TARRY_TRY(container.append_encoded(encode_chunk(header, profile.bytes(), 0)));
  }
  ChunkHeader header;
  header.kind = ChunkKind::kDefinitions;
  header.process = rank;
  header.flags = is_complete ? kLastChunk : 0;
  return container.append_encoded(encode_chunk(header, definitions_of(rank, true, spawned), 1));
}

/// Leaves a spool as a process does that is killed after `events` of its first thread, before or behind its proper end.
/// The last record is torn.
inline Status record_killed(const std::string& archive, std::uint32_t rank, std::size_t events,
                            bool is_behind_end = false) {
  constexpr std::uint32_t kBlockBytes = 8192;
  std::vector<std::uint8_t> spool(kSpoolFirstBlock + 3 * kBlockBytes, 0);
  const ContainerHeaderBytes head = encode_container_header(kBlockBytes);
  std::copy(head.begin(), head.end(), spool.begin());
  const std::vector<Event> all = events_of(rank, 0);
  const auto part = std::span(all).first(events);
  const auto put = [&](int block, ChunkHeader header, std::span<const std::uint8_t> payload) {
    header.flags = kOpenChunk;
    header.raw_bytes = header.stored_bytes = kBlockBytes - kChunkHeaderBytes;
    const ChunkHeaderBytes bytes = encode_chunk_header(header);
    auto at = spool.begin() + static_cast<std::ptrdiff_t>(kSpoolFirstBlock) + block * std::ptrdiff_t{kBlockBytes};
    at = std::copy(bytes.begin(), bytes.end(), at);
    std::copy(payload.begin(), payload.end(), at);
  };
  ChunkHeader header;
  header.kind = ChunkKind::kDefinitions;
  header.process = rank;
  put(0, header, definitions_of(rank, is_behind_end));
  ChunkHeader events_head = events_header(rank, 0, 0, part);
  events_head.event_count = 0;
  events_head.last_time = 0;
  put(1, events_head, encode_events(part));
  return write_file(archive + "/" + names::spool(host_of(rank), 4711 + rank), std::span<const std::uint8_t>(spool));
}

/// The whole recording, not finished.
inline Status record(const std::string& archive, std::size_t events_per_chunk = 100) {
  TARRY_TRY(create_archive(archive));
  for (const std::uint32_t rank : {3u, 0u, 2u, 1u}) TARRY_TRY(record_process(archive, rank, events_per_chunk));
  return {};
}

inline Status record_and_finish(const std::string& archive, std::size_t events_per_chunk = 100) {
  TARRY_TRY(record(archive, events_per_chunk));
  TARRY_TRY_ASSIGN(report, finish_archive(archive, {}));
  return report.is_complete ? Status() : Status(Error{archive, "is not complete", report.faults});
}

}  // namespace tarry::sample
