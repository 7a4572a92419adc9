// archive_source.cpp -- an archive as a source of events.
#include "archive/reading/archive_source.hpp"

#include <algorithm>
#include <limits>

#include "archive/archive.hpp"
#include "archive/files/corrections_file.hpp"
#include "archive/files/manifest.hpp"
#include "archive/files/names.hpp"
#include "archive/files/unified_file.hpp"
#include "archive/finishing/unify_contents.hpp"
#include "base/processes/worker_pool.hpp"
#include "defs/early_ends.hpp"
#include "defs/mpi_worlds.hpp"

namespace tarry {
namespace {

const IdMap kIdentityMap;

std::string location_name(const Definitions& definitions, const Location& location) {
  return "rank " + std::to_string(definitions.processes[location.process.value].rank) + " thread " +
         std::to_string(location.thread);
}

// The times at which one chunk ends and the next begins, from the headers. So both directions agree on which events are
// out of order.
std::vector<Ticks> bounds_of(std::span<const ChunkPlace> chunks, const LocationClock& clock) {
  std::vector<Ticks> bounds{std::numeric_limits<Ticks>::min()};
  for (std::size_t i = 0; i + 1 < chunks.size(); ++i) {
    const ChunkHeader& header = chunks[i].chunk.header;
    const Ticks last = header.flags & kOpenChunk ? chunks[i + 1].chunk.header.first_time : header.last_time;
    bounds.push_back(std::max(bounds.back(), clock.apply(last)));
  }
  bounds.push_back(std::numeric_limits<Ticks>::max());
  return bounds;
}

// Events with what an imported trace says beyond them.
class ReaderWithExtras : public EventReader {
 public:
  ReaderWithExtras(std::unique_ptr<EventReader> events, Otf2File::Reader reader, std::string name, FaultLog& faults)
      : events_(std::move(events)), reader_(std::move(reader)), name_(std::move(name)), faults_(faults) {}

  std::span<const Event> next() override {
    const auto block = events_->next();
    reader_.next(block, block.empty(), extras_);
    if (block.empty() && !is_ended_) note_faults();
    return block;
  }
  const RecordExtras& extras() const override { return extras_; }

 private:
  void note_faults() {
    is_ended_ = true;
    if (!reader_.failure().empty())
      faults_.add(Fault::kChunkDamaged, name_, 0, std::string(names::kOtf2) + " " + reader_.failure());
    if (reader_.misplaced() > 0)
      faults_.add(Fault::kRecordMalformed, name_, 0, std::string(names::kOtf2) + ": belongs to no event",
                  reader_.misplaced());
  }

  std::unique_ptr<EventReader> events_;
  Otf2File::Reader reader_;
  std::string name_;
  FaultLog& faults_;
  RecordExtras extras_;
  bool is_ended_ = false;
};

}  // namespace

Result<std::unique_ptr<ArchiveSource>> ArchiveSource::open(const std::string& path, const OpenOptions& options) {
  TARRY_TRY(check_is_archive(path));
  TARRY_TRY(check_manifest_facts(path));
  std::unique_ptr<ArchiveSource> source(new ArchiveSource(path, options));
  // With many processes both take long.
  auto definitions = in_background([file = path + "/" + names::kDefinitions] {
    return path_exists(file) ? read_unified(file) : Result<UnifiedDefinitions>(Error{file, "is not there", ""});
  });
  TARRY_TRY_ASSIGN(contents, ArchiveContents::open(path, source->faults_));
  source->contents_ = std::move(contents);
  if (!source->contents_.has_events()) {
    if (!source->contents_.unreadable().empty()) return source->contents_.unreadable().front();
    if (std::string why = why_nothing_recorded(path); !why.empty()) return Error{path, std::move(why), ""};
    return Error{path, "holds no events", "record a trace with 'tarry measure -t'"};
  }
  TARRY_TRY(source->take_definitions(definitions.get()));
  if (is_being_recorded(path)) source->note_that_it_goes_on();
  if (!options.has_call_sites) forget_call_sites(source->unified_);
  source->time_maps_ = time_maps_of(source->unified_.global);
  if (options.apply_corrections) TARRY_TRY(source->load_corrections());
  source->find_streams();
  source->note_missing();
  return source;
}

// `unified`: those of the archive, or why they cannot be read.
Status ArchiveSource::take_definitions(Result<UnifiedDefinitions> unified) {
  if (unified.ok()) {
    unified_ = std::move(*unified);
    return {};
  }
  if (path_exists(path_ + "/" + names::kDefinitions)) {
    // The definitions of the processes are in the containers too, unless the trace was imported.
    faults_.add(Fault::kChunkDamaged, names::kDefinitions, 0, unified.error().why);
    const bool can_unify = std::any_of(contents_.processes().begin(), contents_.processes().end(),
                                       [](const auto& entry) { return !entry.second.definitions.empty(); });
    if (!can_unify) return unified.error();
  }
  unified_ = unify_contents(contents_, faults_);
  return {};
}

// Its processes have not closed their recordings, and yet nobody has killed them.
void ArchiveSource::note_that_it_goes_on() {
  Definitions& all = unified_.global;
  for (const Process& process : all.processes)
    if (!process.is_complete)
      all.properties.push_back({all.strings.intern(std::string(kRecordingEndKey) + std::to_string(process.rank)),
                                all.strings.intern("the run is not over")});
}

// A trace whose corrections cannot be read would be analysed with other times than the user expects.
Status ArchiveSource::load_corrections() {
  const std::string file = path_ + "/" + names::kCorrections;
  if (!path_exists(file)) return {};
  TARRY_TRY_ASSIGN(corrections, read_corrections(file));
  if (corrections.clock_of.size() != unified_.global.locations.size())
    return Error{file, "was made for other locations than the archive has", "run 'tarry sync' again"};
  corrections_ = std::move(corrections);
  return {};
}

void ArchiveSource::find_streams() {
  const Definitions& all = unified_.global;
  streams_.resize(all.locations.size());
  run_parallel(available_processors(), streams_.size(), [&](std::size_t i) {
    const Location& location = all.locations[i];
    LocationStream& stream = streams_[i];
    const std::size_t process = location.process.value;
    stream.contents = &contents_;
    stream.definitions = &all;
    stream.name = location_name(all, location);
    stream.faults = &faults_;
    stream.is_complete = all.processes[process].is_complete;
    stream.ids = process < unified_.maps.size() ? &unified_.maps[process] : &kIdentityMap;
    if (options_.apply_offsets && !time_maps_[process].is_identity()) stream.clock.measured = &time_maps_[process];
    const ShiftCurve& curve = corrections_.of(LocationId(i));
    if (!curve.is_identity()) stream.clock.logical = &curve;
    const auto chunks = contents_.events_of(all.processes[process].rank, location.thread);
    if (chunks.empty()) return;
    stream.chunks = chunks;
    stream.bounds = bounds_of(stream.chunks, stream.clock);
  });
}

void ArchiveSource::note_missing() {
  const Definitions& all = unified_.global;
  std::size_t used = 0, there = 0;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const Location& location = all.locations[i];
    used += !streams_[i].chunks.empty();
    if (!streams_[i].chunks.empty()) continue;
    // A thread that recorded nothing is not missing.
    if (location.event_count > 0 || !all.processes[location.process.value].is_complete)
      faults_.add(Fault::kLocationMissing, streams_[i].name, 0);
  }
  for (const auto& [number, process] : contents_.processes()) there += process.events.size();
  if (there > used)
    faults_.add(Fault::kUndefinedReference, names::kDefinitions, 0,
                std::to_string(there - used) + " locations with events are not defined", there - used);
  for (const MpiWorld& world : mpi_worlds(all)) {
    if (world.missing == 0) continue;
    const auto& members = all.groups[all.comms[world.comm.value].group.value].members;
    for (std::size_t i = 0; i < members.size(); ++i)
      if (members[i] == 0xffffffffu) faults_.add(Fault::kLocationMissing, "rank " + std::to_string(world.first + i), 0);
  }
}

std::unique_ptr<EventReader> ArchiveSource::open(LocationId location) {
  LocationStream& stream = streams_[location.value];
  auto reader = make_forward_reader(stream, options_.block_events);
  if (!otf2_) return reader;
  const Location& at = definitions().locations[location.value];
  const std::uint32_t rank = definitions().processes[at.process.value].rank;
  return std::make_unique<ReaderWithExtras>(std::move(reader), Otf2File::Reader(*otf2_, rank, at.thread, stream.clock),
                                            stream.name, faults_);
}

void ArchiveSource::rest() {
  for (const Container& file : contents_.files()) file.forget();
}

Status ArchiveSource::keep_extras() {
  if (!path_exists(path_ + "/" + names::kOtf2)) return {};
  TARRY_TRY_ASSIGN(file, Otf2File::open(path_));
  otf2_ = std::move(file);
  return {};
}

std::span<const std::uint8_t> ArchiveSource::otf2_facts() const {
  return otf2_ ? otf2_->facts() : std::span<const std::uint8_t>();
}

std::unique_ptr<BackwardReader> ArchiveSource::open_backward(LocationId location) {
  return make_backward_reader(streams_[location.value], options_.block_events);
}

Result<std::unique_ptr<Source>> open_archive(const std::string& path, const OpenOptions& options) {
  TARRY_TRY_ASSIGN(source, ArchiveSource::open(path, options));
  return std::unique_ptr<Source>(std::move(source));
}

}  // namespace tarry
