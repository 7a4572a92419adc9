// archive_writer.cpp -- writes an archive from events in memory.
#include "archive/archive_writer.hpp"

#include <unistd.h>

#include "archive/archive.hpp"
#include "archive/names.hpp"
#include "archive/provenance.hpp"
#include "archive/unified_file.hpp"
#include "trace/event_codec.hpp"

namespace tarry {

static const char kContainerHost[] = "trace";  // there is no node an imported trace belongs to

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

Status ArchiveWriter::append(LocationId location, std::span<const Event> events) {
  Stream& stream = streams_[location.value];
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
    waiting_bytes_ += kMaxRecordBytes;
  }
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
  Event record = event;
  if (event.kind == EventKind::kEnter) stream.open_regions.push_back(event.region().value);
  if (event.kind == EventKind::kLeave && !stream.open_regions.empty()) {
    if (event.fields[0] == stream.open_regions.back()) record.fields[0] = kNoField;
    stream.open_regions.pop_back();
  }
  std::uint8_t buffer[kMaxRecordBytes + 8];
  const std::uint8_t* end = encode_event(buffer, static_cast<std::uint64_t>(event.time - stream.time), record);
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
  TARRY_TRY(container_->append_encoded(encode_chunk(stream.header, stream.records, options_.level)));
  stream.records.clear();
  stream.header.event_count = 0;
  ++stream.header.sequence;
  return {};
}

Status ArchiveWriter::finish(LocationId location) {
  Stream& stream = streams_[location.value];
  if (stream.is_finished) return {};
  TARRY_TRY(flush(location.value, true));
  stream.is_finished = true;
  stream.records = {};
  stream.open_regions = {};
  return {};
}

Status ArchiveWriter::close() {
  StageRecorder stage(options_.stage, options_.command);
  for (std::size_t i = 0; i < streams_.size(); ++i) TARRY_TRY(finish(LocationId(i)));
  const std::string container = names::container(kContainerHost);
  TARRY_TRY(seal_container(path_ + "/" + container));
  UnifiedDefinitions unified;
  unified.global = std::move(definitions_);
  TARRY_TRY(write_unified(path_ + "/" + names::kDefinitions, unified));
  manifest_.ranks = static_cast<std::uint32_t>(unified.global.processes.size());
  manifest_.threads = static_cast<std::uint32_t>(unified.global.locations.size());
  manifest_.ticks_per_second = unified.global.clock.ticks_per_second;
  manifest_.is_complete = manifest_.has_events = true;
  manifest_.ended = utc_now();
  for (const std::string& input : options_.inputs) stage.add_input(input);
  stage.add_output(container);
  stage.add_output(names::kDefinitions);
  TARRY_TRY(stage.add_to(manifest_, path_));
  TARRY_TRY(write_manifest(path_, manifest_));
  const std::string recording = path_ + "/" + names::kRecording;
  if (::unlink(recording.c_str()) != 0) return Error{recording, system_error(), ""};
  return {};
}

}  // namespace tarry
