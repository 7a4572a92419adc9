// otf2_source.cpp -- opens OTF2 traces and reads their locations, each through a handle of its own.
//
// OTF2's handles are not made for several threads, and a lock around each call would be paid per block of events. One
// handle per location costs an anchor file read again, and frees everything of a location when it has been read.
#include "trace/otf2/otf2_source.hpp"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "base/files/file.hpp"
#include "trace/otf2/otf2_anchor.hpp"
#include "trace/otf2/otf2_definitions.hpp"
#include "trace/otf2/otf2_events.hpp"

namespace tarry {
namespace {

constexpr std::uint64_t kBlockEvents = 2048;

/// Handles that may stay open between two blocks. Further readers reopen their file for each block. So tools that keep
/// tens of thousands of readers need neither as many descriptors nor as many buffers of OTF2.
constexpr int kOpenStreams = 256;

/// How far into a location a program's name is looked for; it is the first record unless a buffer was flushed there.
constexpr std::uint64_t kSearchedRecords = 16;

/// Processes to ask for a program's name before believing that the trace has none.
constexpr std::size_t kAskedProcesses = 64;

/// Handles of OTF2 on the events of one location, positioned at the first one.
class Otf2Stream {
 public:
  /// Reads the local definitions first: they make OTF2 translate ids and correct time stamps. It interpolates the clock
  /// offsets, and corrects nothing if there is only one.
  static Result<Otf2Stream> open(const std::string& anchor_path, OTF2_LocationRef location, bool has_definitions);

  void set_callbacks(const OTF2_EvtReaderCallbacks* callbacks, void* user) {
    OTF2_Reader_RegisterEvtCallbacks(handle_.get(), events_, callbacks, user);
  }

  /// Goes on after the first `count` records.
  Status skip(std::uint64_t count);

  /// Reads up to `count` records; fewer at the end. `count` receives how many were read, also on failure.
  Status read(std::uint64_t& count);

 private:
  explicit Otf2Stream(Otf2Handle handle) : handle_(std::move(handle)) {}
  Status read_definitions(OTF2_LocationRef location);

  Otf2Handle handle_;
  OTF2_EvtReader* events_ = nullptr;  // owned by the handle
};

Result<Otf2Stream> Otf2Stream::open(const std::string& anchor_path, OTF2_LocationRef location, bool has_definitions) {
  TARRY_TRY_ASSIGN(handle, open_otf2_handle(anchor_path));
  Otf2Stream stream(std::move(handle));
  OTF2_Reader* reader = stream.handle_.get();
  OTF2_Reader_SelectLocation(reader, location);
  if (has_definitions) TARRY_TRY(stream.read_definitions(location));
  if (OTF2_Reader_OpenEvtFiles(reader) == OTF2_SUCCESS) stream.events_ = OTF2_Reader_GetEvtReader(reader, location);
  if (!stream.events_) return Error{"events", last_otf2_message(), ""};
  return stream;
}

Status Otf2Stream::read_definitions(OTF2_LocationRef location) {
  OTF2_Reader* reader = handle_.get();
  OTF2_DefReader* definitions = nullptr;
  if (OTF2_Reader_OpenDefFiles(reader) == OTF2_SUCCESS) definitions = OTF2_Reader_GetDefReader(reader, location);
  if (!definitions) return Error{"local definitions", last_otf2_message(), ""};
  std::uint64_t count = 0;
  const OTF2_ErrorCode outcome = OTF2_Reader_ReadAllLocalDefinitions(reader, definitions, &count);
  OTF2_Reader_CloseDefReader(reader, definitions);
  OTF2_Reader_CloseDefFiles(reader);
  if (outcome != OTF2_SUCCESS) return Error{"local definitions", last_otf2_message(), ""};
  return {};
}

Status Otf2Stream::skip(std::uint64_t count) {
  if (OTF2_EvtReader_Seek(events_, count + 1) == OTF2_SUCCESS) return {};
  return Error{"events", last_otf2_message(), ""};
}

Status Otf2Stream::read(std::uint64_t& count) {
  const std::uint64_t wanted = count;
  count = 0;
  if (OTF2_Reader_ReadLocalEvents(handle_.get(), events_, wanted, &count) == OTF2_SUCCESS) return {};
  return Error{"events", last_otf2_message(), ""};
}

class Otf2EventReader final : public EventReader {
 public:
  Otf2EventReader(const std::string& path, const Otf2Model& model, LocationId location, bool has_definitions,
                  FaultLog& faults, std::atomic<int>& open_streams, bool keeps_extras)
      : path_(path),
        model_(model),
        location_(location),
        has_definitions_(has_definitions),
        decoder_(model, location, faults, keeps_extras ? &extras_ : nullptr),
        open_streams_(open_streams) {}
  ~Otf2EventReader() override { close(); }

  std::span<const Event> next() override;
  const RecordExtras& extras() const override { return extras_; }

 private:
  std::uint64_t expected_events() const { return model_.definitions.locations[location_.value].event_count; }
  Status open();
  void close();
  void read_block();
  void finish(const Status& outcome);

  const std::string& path_;
  const Otf2Model& model_;
  LocationId location_;
  bool has_definitions_;
  RecordExtras extras_;
  Otf2Decoder decoder_;
  std::atomic<int>& open_streams_;
  std::unique_ptr<Otf2Stream> stream_;
  std::vector<Event> block_;
  std::uint64_t records_ = 0;  // read so far
  bool is_at_end_ = false;
};

std::span<const Event> Otf2EventReader::next() {
  extras_.clear();
  while (!is_at_end_) {
    read_block();
    if (decoder_.event_count() > 0) return {block_.data(), decoder_.event_count()};
  }
  block_ = {};
  return {};
}

void Otf2EventReader::read_block() {
  // One more than expected, so that a short location is read, and its file closed, at once.
  const std::size_t per_record = model_.most_events;
  if (block_.empty())
    block_.resize((std::min<std::uint64_t>(kBlockEvents / per_record, expected_events()) + 2) * per_record);
  const std::uint64_t wanted = block_.size() / per_record - 1;  // one record's room is for the end
  decoder_.start(block_);
  if (!stream_)
    if (const Status opened = open(); !opened.ok()) return finish(opened);
  std::uint64_t count = wanted;
  const Status outcome = stream_->read(count);
  records_ += count;
  if (!outcome.ok() || count < wanted) finish(outcome);
  else if (open_streams_ > kOpenStreams) close();
}

Status Otf2EventReader::open() {
  TARRY_TRY_ASSIGN(stream, Otf2Stream::open(path_, model_.locations[location_.value], has_definitions_));
  if (records_ > 0) TARRY_TRY(stream.skip(records_));
  stream_ = std::make_unique<Otf2Stream>(std::move(stream));
  ++open_streams_;
  stream_->set_callbacks(decoder_.callbacks(), &decoder_);
  return {};
}

void Otf2EventReader::close() {
  if (!stream_) return;
  stream_.reset();
  --open_streams_;
}

/// Notes what is missing and lets go of the files.
void Otf2EventReader::finish(const Status& outcome) {
  const std::uint64_t expected = expected_events();
  const std::string progress = std::to_string(records_) + " of " + std::to_string(expected) + " events read";
  if (!stream_ && records_ == 0) {
    if (expected > 0) decoder_.add_fault(Fault::kLocationMissing, 0, outcome.error().text());
  } else if (!outcome.ok()) {
    decoder_.add_fault(Fault::kRecordMalformed, records_ + 1, progress + ": " + outcome.error().text());
  } else if (expected != OTF2_UNDEFINED_UINT64 && records_ < expected) {
    decoder_.add_fault(Fault::kLocationIncomplete, records_, progress);
  }
  decoder_.end();
  close();
  is_at_end_ = true;
}

class Otf2Source final : public Source {
 public:
  explicit Otf2Source(std::string path) : path_(std::move(path)) {}

  Status load();

  const Definitions& definitions() const override { return model_.definitions; }
  const std::string& path() const override { return path_; }
  FaultLog& faults() override { return faults_; }
  std::unique_ptr<EventReader> open(LocationId location) override {
    return std::make_unique<Otf2EventReader>(path_, model_, location, has_local_definitions_, faults_, open_streams_,
                                             !facts_.empty());
  }
  Status keep_extras() override;
  std::span<const std::uint8_t> otf2_facts() const override { return facts_; }

 private:
  Status check_files() const;
  Status check_events() const;
  bool find_local_definitions() const;
  void find_programs();

  std::string path_;
  FaultLog faults_;
  Otf2Model model_;
  bool has_local_definitions_ = false;
  std::vector<std::uint8_t> facts_;  // empty: extras are not kept
  std::atomic<int> open_streams_{0};
};

Status Otf2Source::load() {
  TARRY_TRY_ASSIGN(model, read_otf2_definitions(path_, faults_));
  model_ = std::move(model);
  TARRY_TRY(check_files());
  has_local_definitions_ = find_local_definitions();
  TARRY_TRY(check_events());
  find_programs();
  return {};
}

Status Otf2Source::keep_extras() {
  TARRY_TRY_ASSIGN(facts, read_otf2_facts(path_));
  facts.references = model_.references;
  if (facts.unknown_definitions > 0)
    faults_.add(Fault::kUnknownRecord, path_, 0, "global definitions", facts.unknown_definitions);
  for (const auto& [name, events] : model_.left_out)
    faults_.add(Fault::kUnknownRecord, "location '" + name + "'", 0, "is no CPU thread",
                std::max<std::uint64_t>(events, 1));
  facts_ = encode_otf2_facts(facts);
  return {};
}

/// Names of the files of a location, without their suffixes.
std::string location_files(const std::string& anchor_path, OTF2_LocationRef location) {
  return anchor_path.substr(0, anchor_path.rfind('.')) + "/" + std::to_string(location);
}

/// The library would wait for ever at a pipe, and read a device without end.
Status Otf2Source::check_files() const {
  for (const OTF2_LocationRef location : model_.locations)
    for (const char* suffix : {".evt", ".def"}) TARRY_TRY(check_otf2_file(location_files(path_, location) + suffix));
  return {};
}

/// Local definitions are optional, but if one location has them, another without them has lost them.
bool Otf2Source::find_local_definitions() const {
  for (const OTF2_LocationRef location : model_.locations)
    if (path_exists(location_files(path_, location) + ".def")) return true;
  return false;
}

/// An anchor is often copied without the folder beside it. A single file that is missing is a fault of its location.
Status Otf2Source::check_events() const {
  const std::vector<Location>& locations = model_.definitions.locations;
  std::vector<std::size_t> without_file;
  for (std::size_t i = 0; i < locations.size(); ++i) {
    if (locations[i].event_count == 0) continue;
    if (path_exists(location_files(path_, model_.locations[i]) + ".evt")) return {};
    without_file.push_back(i);
  }
  if (without_file.empty()) return {};
  const std::size_t first = without_file[0];
  const bool is_elsewhere = Otf2Stream::open(path_, model_.locations[first], has_local_definitions_).ok();  // SIONlib
  if (is_elsewhere) return {};
  const std::string file = location_files(path_, model_.locations[first]);
  return Error{path_,
               "its event files are missing, " + std::to_string(without_file.size()) + " of " +
                   std::to_string(locations.size()) + " (first: " + file + ".evt of rank " +
                   std::to_string(model_.definitions.processes[locations[first].process.value].rank) + " thread " +
                   std::to_string(locations[first].thread) + ")",
               "copy the folder " + file.substr(0, file.rfind('/')) + ", too"};
}

struct ProgramSearch {
  Otf2Model& model;
  std::size_t named = 0;  // programs whose name was seen
  std::size_t added = 0;  // those that had no region
};

OTF2_CallbackCode on_program(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* user, OTF2_AttributeList*,
                             OTF2_StringRef name, std::uint32_t, const OTF2_StringRef*) {
  auto& search = *static_cast<ProgramSearch*>(user);
  ++search.named;
  if (search.model.add_program(name)) ++search.added;
  return OTF2_CALLBACK_SUCCESS;
}

/// A program's name is only in the first events of its process's master thread. But the region made of it must be
/// defined before anything is read. A recorder that defines such regions, or names no programs, does so throughout.
/// Otherwise the events of all processes must be read.
void Otf2Source::find_programs() {
  OTF2_EvtReaderCallbacks* callbacks = OTF2_EvtReaderCallbacks_New();
  OTF2_EvtReaderCallbacks_SetProgramBeginCallback(callbacks, on_program);
  ProgramSearch search{model_};
  std::size_t asked = 0;
  for (std::size_t i = 0; i < model_.locations.size(); ++i) {
    if (model_.definitions.locations[i].thread != 0) continue;
    if (search.named > 0 ? search.added == 0 : asked >= kAskedProcesses) break;
    ++asked;
    auto stream = Otf2Stream::open(path_, model_.locations[i], has_local_definitions_);
    if (!stream.ok()) continue;  // counted when its events are read
    stream->set_callbacks(callbacks, &search);
    std::uint64_t count = kSearchedRecords;
    [[maybe_unused]] const Status counted_later = stream->read(count);
  }
  OTF2_EvtReaderCallbacks_Delete(callbacks);
}

}  // namespace

Result<std::unique_ptr<Source>> open_otf2(const std::string& anchor_path) {
  auto source = std::make_unique<Otf2Source>(anchor_path);
  TARRY_TRY(source->load());
  return std::unique_ptr<Source>(std::move(source));
}

}  // namespace tarry
