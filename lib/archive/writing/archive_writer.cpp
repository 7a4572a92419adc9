// archive_writer.cpp -- writes an archive from events in memory.
#include "archive/writing/archive_writer.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <tuple>

#include "archive/archive.hpp"
#include "archive/files/names.hpp"
#include "archive/files/provenance.hpp"
#include "archive/files/unified_file.hpp"
#include "base/files/temporary_file.hpp"
#include "trace/event_codec.hpp"

namespace tarry {

namespace {

const char kContainerHost[] = "trace";  // there is no node an imported trace belongs to

// Writes the chunks of a container anew, in order of their first times.
Status sort_by_time(const std::string& path) {
  TARRY_TRY_ASSIGN(container, Container::open(path));
  std::vector<ChunkRef> chunks = container.chunks();
  std::sort(chunks.begin(), chunks.end(), [](const ChunkRef& left, const ChunkRef& right) {
    const auto key = [](const ChunkHeader& header) {
      return std::tuple(header.first_time, header.process, header.thread, header.sequence);
    };
    return key(left.header) < key(right.header);
  });
  TARRY_TRY_ASSIGN(sorted, create_file_beside(path));
  TARRY_TRY_ASSIGN(writer, ContainerWriter::open(sorted.name()));
  std::vector<std::uint8_t> bytes;
  for (const ChunkRef& chunk : chunks) {
    const auto header = container.header_bytes(chunk), stored = container.stored(chunk);
    bytes.assign(header.begin(), header.end());
    bytes.insert(bytes.end(), stored.begin(), stored.end());
    TARRY_TRY(writer.append_encoded(bytes));
  }
  return sorted.keep_as(path);
}

}  // namespace

Result<ArchiveWriter> ArchiveWriter::create(const std::string& path, Definitions definitions, WriterOptions options) {
  for (const Location& location : definitions.locations)
    if (location.process.value >= definitions.processes.size())
      return Error{path, "location '" + std::string(definitions.text(location.name)) + "' belongs to no process", ""};
  TARRY_TRY(create_archive(path));
  ArchiveWriter writer;
  TARRY_TRY_ASSIGN(recording, lock_recording(path));
  TARRY_TRY_ASSIGN(container, ContainerWriter::open(path + "/" + names::container(kContainerHost)));
  writer.recording_ = std::move(recording);
  writer.container_ = std::move(container);
  writer.path_ = path;
  writer.options_ = std::move(options);
  writer.manifest_.started = utc_now();
  writer.streams_.resize(definitions.locations.size());
  for (std::size_t i = 0; i < writer.streams_.size(); ++i) {
    Location& location = definitions.locations[i];
    location.event_count = 0;
    writer.streams_[i].header.process = definitions.processes[location.process.value].rank;
    writer.streams_[i].header.thread = location.thread;
  }
  writer.definitions_ = std::move(definitions);
  return writer;
}

Status ArchiveWriter::keep_extras(std::span<const std::uint8_t> otf2_facts) {
  TARRY_TRY_ASSIGN(otf2, Otf2FileWriter::create(path_, otf2_facts));
  otf2_ = std::move(otf2);
  return {};
}

Status ArchiveWriter::append(LocationId location, std::span<const Event> events, const RecordExtras& extras) {
  Stream& stream = streams_[location.value];
  if (otf2_ && !extras.empty()) {
    stream.extras.header.process = stream.header.process;
    stream.extras.header.thread = stream.header.thread;
    const std::lock_guard lock(*mutex_);
    TARRY_TRY(otf2_->append(stream.extras, definitions_.locations[location.value].event_count, extras));
  }
  for (const Event& event : events) {
    if (event.time < stream.time && definitions_.locations[location.value].event_count > 0)
      return Error{path_, "time runs backwards in location " + std::to_string(location.value), ""};
    if (info_of(event.kind).name.empty()) return Error{path_, "an event of unknown kind cannot be written", ""};
    const std::size_t before = stream.records.size();
    const bool is_far = !stream.records.empty() &&
                        static_cast<std::uint64_t>(event.time) - static_cast<std::uint64_t>(stream.time) > kMaxDelta;
    if (before >= options_.chunk_bytes || is_far) TARRY_TRY(flush(location.value, false));
    TARRY_TRY(encode(stream, event));
    ++definitions_.locations[location.value].event_count;
  }
  return options_.memory_bytes == WriterOptions::kUnlimited ? Status() : limit_memory(events.size());
}

Status ArchiveWriter::limit_memory(std::size_t new_events) {
  waiting_bytes_ += new_events * kMaxRecordBytes;
  // An upper bound of what waits was counted; look again before writing short chunks.
  if (waiting_bytes_ <= options_.memory_bytes) return {};
  waiting_bytes_ = 0;
  for (const Stream& each : streams_) waiting_bytes_ += each.records.size();
  for (std::size_t i = 0; i < streams_.size() && waiting_bytes_ > options_.memory_bytes / 2; ++i)
    if (!streams_[i].records.empty()) {
      waiting_bytes_ -= streams_[i].records.size();
      TARRY_TRY(flush(i, false));
    }
  return {};
}

Status ArchiveWriter::encode(Stream& stream, const Event& event) {
  if (stream.records.empty()) stream.header.first_time = stream.time = event.time;
  Event known = event;
  if (event.kind == EventKind::kEnter) stream.open_regions.push_back(record_of<record::Enter>(event).region);
  if (event.kind == EventKind::kLeave && !stream.open_regions.empty()) {
    if (record_of<record::Leave>(event).region == stream.open_regions.back()) set_record(known, record::Leave());
    stream.open_regions.pop_back();
  }
  std::uint8_t buffer[kMaxRecordBytes + 8];
  const std::uint8_t* end = encode_event(buffer, static_cast<std::uint64_t>(event.time - stream.time), known);
  stream.records.insert(stream.records.end(), buffer, buffer + (end - buffer));
  stream.time = event.time;
  ++stream.header.event_count;
  return {};
}

Status ArchiveWriter::flush(std::size_t location, bool is_last) {
  Stream& stream = streams_[location];
  stream.header.last_time = stream.time;
  if (stream.records.empty()) stream.header.first_time = stream.time;
  stream.header.flags = is_last ? kLastChunk : 0;
  const std::vector<std::uint8_t> chunk = encode_chunk(stream.header, stream.records, options_.level);
  {
    const std::lock_guard lock(*mutex_);
    TARRY_TRY(container_->append_encoded(chunk));
  }
  stream.records.clear();
  stream.header.event_count = 0;
  ++stream.header.sequence;
  return {};
}

Status ArchiveWriter::finish(LocationId location) {
  Stream& stream = streams_[location.value];
  if (stream.is_finished) return {};
  TARRY_TRY(flush(location.value, true));
  if (otf2_) {
    const std::lock_guard lock(*mutex_);
    TARRY_TRY(otf2_->finish(stream.extras));
  }
  stream.is_finished = true;
  stream.records = {};
  stream.open_regions = {};
  return {};
}

Status ArchiveWriter::close() {
  StageRecorder stage(options_.stage, options_.command);
  for (std::size_t i = 0; i < streams_.size(); ++i) TARRY_TRY(finish(LocationId(i)));
  const std::string container = names::container(kContainerHost);
  if (options_.is_chronological) TARRY_TRY(sort_by_time(path_ + "/" + container));
  TARRY_TRY(seal_container(path_ + "/" + container));
  UnifiedDefinitions unified;
  unified.global = std::move(definitions_);
  TARRY_TRY(write_unified(path_ + "/" + names::kDefinitions, unified));
  manifest_.ranks = static_cast<std::uint32_t>(unified.global.processes.size());
  manifest_.threads = static_cast<std::uint32_t>(unified.global.locations.size());
  manifest_.ticks_per_second = unified.global.clock.ticks_per_second;
  manifest_.has_events = true;
  manifest_.is_complete = manifest_.missing.empty();
  manifest_.ended = utc_now();
  for (const std::string& input : options_.inputs) stage.add_input(input);
  stage.add_output(container);
  stage.add_output(names::kDefinitions);
  if (otf2_) {
    TARRY_TRY(otf2_->seal());
    stage.add_output(names::kOtf2);
  }
  TARRY_TRY(stage.add_to(manifest_, path_));
  TARRY_TRY(write_manifest(path_, manifest_));
  const std::string recording = path_ + "/" + names::kRecording;
  if (::unlink(recording.c_str()) != 0) return Error{recording, system_error(), ""};
  return {};
}

}  // namespace tarry
