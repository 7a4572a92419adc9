// otf2_sink.cpp -- writes an OTF2 trace.
#include "trace/otf2/otf2_sink.hpp"

#include <otf2/OTF2_Pthread_Locks.h>

#include <algorithm>
#include <string_view>

#include "base/text/text.hpp"
#include "trace/otf2/otf2_definition_writer.hpp"
#include "trace/otf2/otf2_definitions.hpp"
#include "trace/otf2/otf2_records.hpp"

namespace tarry {
namespace {

constexpr std::uint64_t kEventChunk = 1 << 20;
constexpr std::uint64_t kDefinitionChunk = 4 << 20;

const OTF2_FlushCallbacks kFlush = {
    [](void*, OTF2_FileType, OTF2_LocationRef, void*, bool) -> OTF2_FlushType { return OTF2_FLUSH; },
    nullptr};  // no record of the flush: it is none of the program's

std::vector<std::uint64_t> count_up(std::size_t size, std::uint64_t first = 0) {
  std::vector<std::uint64_t> numbers(size);
  for (std::size_t i = 0; i < size; ++i) numbers[i] = first + i;
  return numbers;
}

/// By region: its name, if a reader that looks for the program of that name finds this region.
std::vector<OTF2_StringRef> programs_of(const Definitions& all) {
  std::vector<OTF2_StringRef> programs(all.regions.size(), OTF2_UNDEFINED_STRING);
  std::vector<StringId> seen;
  for (std::size_t i = 0; i < all.regions.size(); ++i) {
    const Region& region = all.regions[i];
    if (region.paradigm != Paradigm::kMeasurement || region.role != RegionRole::kArtificial) continue;
    if (std::find(seen.begin(), seen.end(), region.name) != seen.end()) continue;
    seen.push_back(region.name);
    if (all.text(region.name).find('/') == std::string_view::npos) programs[i] = region.name.value;
  }
  return programs;
}

}  // namespace

Otf2LocationWriter::Otf2LocationWriter(Otf2Sink& sink, LocationId location, OTF2_EvtWriter* writer)
    : sink_(sink),
      location_(location),
      handle_(writer),
      writer_(std::make_unique<Otf2EventWriter>(writer, sink.model_)) {}

Status Otf2LocationWriter::append(std::span<const Event> events, const RecordExtras& extras) {
  if (!events.empty()) {
    const std::lock_guard lock(sink_.mutex_);
    sink_.first_time_ = sink_.is_any_ ? std::min(sink_.first_time_, events.front().time) : events.front().time;
    sink_.last_time_ = sink_.is_any_ ? std::max(sink_.last_time_, events.back().time) : events.back().time;
    sink_.is_any_ = true;
  }
  const Status outcome = writer_->write(events, extras);
  return outcome.ok() ? outcome : sink_.failure();
}

Status Otf2LocationWriter::close() {
  TARRY_TRY(writer_->finish());
  const std::lock_guard lock(sink_.mutex_);
  OTF2_EvtWriter_GetNumberOfEvents(handle_, &sink_.event_counts_[location_.value]);
  if (OTF2_Archive_CloseEvtWriter(sink_.archive_, handle_) != OTF2_SUCCESS) return sink_.failure();
  if (!sink_.model_.writes_contexts) return sink_.write_local_definitions(location_, nullptr);
  sink_.contexts_.emplace(location_, writer_->take_contexts());
  return {};
}

Otf2Sink::~Otf2Sink() {
  if (archive_) OTF2_Archive_Close(archive_);
}

Error Otf2Sink::failure() const {
  return Error{folder_, "cannot be written (" + last_otf2_message() + ")", "look for room on the disk"};
}

Result<std::unique_ptr<Otf2Sink>> Otf2Sink::create(const std::string& folder, const Definitions& definitions,
                                                   const Otf2Facts* facts) {
  std::unique_ptr<Otf2Sink> sink(new Otf2Sink(folder, definitions, facts));
  TARRY_TRY(sink->begin());
  return sink;
}

void Otf2Sink::build_model() {
  model_.definitions = &definitions_;
  event_counts_.resize(definitions_.locations.size());
  if (facts_) {
    model_.references = facts_->references;
    return;
  }
  model_.can_define = true;
  model_.programs = programs_of(definitions_);
  model_.references.regions = count_up(definitions_.regions.size());
  model_.references.comms = count_up(definitions_.comms.size());
  model_.references.windows = count_up(definitions_.windows.size());
  model_.references.groups = count_up(definitions_.groups.size(), 1 + paradigms_with_locations(definitions_).size());
  model_.references.io_handles = count_up(definitions_.io_handles.size());
  for (const Location& location : definitions_.locations) {
    const std::uint64_t rank = definitions_.processes[location.process.value].rank;
    model_.references.locations.push_back(std::uint64_t{location.thread} << 32 | rank);
  }
  if (definitions_.clock.origin < 0) model_.shift = -definitions_.clock.origin;
}

Status Otf2Sink::begin() {
  build_model();
  silence_otf2();
  archive_ = OTF2_Archive_Open(folder_.c_str(), "traces", OTF2_FILEMODE_WRITE, kEventChunk, kDefinitionChunk,
                               OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  if (!archive_) return failure();
  const std::string creator = std::string("tarry-merge ") + TARRY_VERSION +
                              (facts_ && !facts_->creator.empty() ? ", recorded by " + facts_->creator : "");
  bool is_fine = OTF2_Archive_SetFlushCallbacks(archive_, &kFlush, nullptr) == OTF2_SUCCESS &&
                 OTF2_Archive_SetSerialCollectiveCallbacks(archive_) == OTF2_SUCCESS &&
                 OTF2_Pthread_Archive_SetLockingCallbacks(archive_, nullptr) == OTF2_SUCCESS &&
                 OTF2_Archive_SetCreator(archive_, creator.c_str()) == OTF2_SUCCESS;
  if (facts_) {
    OTF2_Archive_SetMachineName(archive_, facts_->machine_name.c_str());
    OTF2_Archive_SetDescription(archive_, facts_->description.c_str());
    for (const auto& [key, value] : facts_->properties)
      OTF2_Archive_SetProperty(archive_, key.c_str(), value.c_str(), true);
  } else {
    OTF2_Archive_SetProperty(archive_, kTicksProperty, exact_number(definitions_.clock.ticks_per_second).c_str(), true);
  }
  is_fine = is_fine && OTF2_Archive_OpenEvtFiles(archive_) == OTF2_SUCCESS &&
            OTF2_Archive_OpenDefFiles(archive_) == OTF2_SUCCESS;
  return is_fine ? Status() : failure();
}

Result<std::unique_ptr<Otf2LocationWriter>> Otf2Sink::open(LocationId location) {
  const std::lock_guard lock(mutex_);
  OTF2_EvtWriter* writer = OTF2_Archive_GetEvtWriter(archive_, model_.references.locations[location.value]);
  if (!writer) return failure();
  return std::unique_ptr<Otf2LocationWriter>(new Otf2LocationWriter(*this, location, writer));
}

void Otf2Sink::write_calling_contexts() { model_.writes_contexts = model_.can_define; }

/// `contexts`: which context of all a number of this location is.
Status Otf2Sink::write_local_definitions(LocationId location, const OTF2_IdMap* contexts) {
  OTF2_DefWriter* writer = OTF2_Archive_GetDefWriter(archive_, model_.references.locations[location.value]);
  if (!writer) return failure();
  const bool is_fine =
      !contexts || OTF2_DefWriter_WriteMappingTable(writer, OTF2_MAPPING_CALLING_CONTEXT, contexts) == OTF2_SUCCESS;
  return OTF2_Archive_CloseDefWriter(archive_, writer) == OTF2_SUCCESS && is_fine ? Status() : failure();
}

/// In the order of locations, so that the numbers do not depend on which of them was written first.
Status Otf2Sink::write_context_maps() {
  for (const auto& [location, contexts] : contexts_) {
    const std::vector<std::uint64_t> numbers = model_.contexts.add(contexts);
    const std::unique_ptr<OTF2_IdMap, decltype(&OTF2_IdMap_Free)> map(
        numbers.empty() ? nullptr : OTF2_IdMap_CreateFromUint64Array(numbers.size(), numbers.data(), false),
        &OTF2_IdMap_Free);
    if (!numbers.empty() && !map) return failure();
    TARRY_TRY(write_local_definitions(location, map.get()));
  }
  return {};
}

Status Otf2Sink::write_definitions() {
  Otf2Totals totals;
  totals.event_counts = event_counts_;
  if (is_any_) {
    totals.first_time = static_cast<std::uint64_t>(first_time_ + model_.shift);
    totals.last_time = static_cast<std::uint64_t>(last_time_ + model_.shift);
  }
  OTF2_GlobalDefWriter* writer = OTF2_Archive_GetGlobalDefWriter(archive_);
  if (!writer) return failure();
  const Status outcome =
      facts_ ? copy_definitions(writer, *facts_, totals) : write_own_definitions(writer, model_, totals);
  if (!outcome.ok() || OTF2_Archive_CloseGlobalDefWriter(archive_, writer) != OTF2_SUCCESS) return failure();
  return {};
}

Status Otf2Sink::write_markers(const std::vector<std::string>& kinds, const std::vector<Otf2MarkerText>& markers) {
  OTF2_MarkerWriter* writer = OTF2_Archive_GetMarkerWriter(archive_);
  bool is_fine = writer != nullptr;
  for (std::size_t i = 0; i < kinds.size() && is_fine; ++i)
    is_fine = OTF2_MarkerWriter_WriteDefMarker(writer, static_cast<OTF2_MarkerRef>(i), "tarry", kinds[i].c_str(),
                                               OTF2_SEVERITY_HIGH) == OTF2_SUCCESS;
  for (std::size_t i = 0; i < markers.size() && is_fine; ++i) {
    const Otf2MarkerText& marker = markers[i];
    is_fine = OTF2_MarkerWriter_WriteMarker(
                  writer, static_cast<OTF2_TimeStamp>(marker.begin + model_.shift),
                  static_cast<OTF2_TimeStamp>(marker.duration), marker.kind, OTF2_MARKER_SCOPE_LOCATION,
                  model_.references.locations[marker.location.value], marker.text.c_str()) == OTF2_SUCCESS;
  }
  if (writer) is_fine = OTF2_Archive_CloseMarkerWriter(archive_, writer) == OTF2_SUCCESS && is_fine;
  return is_fine ? Status() : failure();
}

Status Otf2Sink::close() {
  TARRY_TRY(write_context_maps());
  if (OTF2_Archive_CloseEvtFiles(archive_) != OTF2_SUCCESS || OTF2_Archive_CloseDefFiles(archive_) != OTF2_SUCCESS)
    return failure();
  TARRY_TRY(write_definitions());
  OTF2_Archive* archive = std::exchange(archive_, nullptr);
  if (OTF2_Archive_Close(archive) != OTF2_SUCCESS) return failure();
  return {};
}

std::string Otf2Sink::unwritten() const {
  std::string text;
  for (int code = 0; code < kEventKindCount; ++code) {
    const std::uint64_t count = model_.unwritten[static_cast<std::size_t>(code)];
    if (count == 0) continue;
    const std::string_view name = code == 0 ? "records of OTF2" : info_of(static_cast<std::uint8_t>(code)).name;
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(name);
  }
  return text;
}

}  // namespace tarry
