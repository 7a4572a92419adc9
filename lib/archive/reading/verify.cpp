// verify.cpp -- is an archive intact and complete, and if not, how much of it can be read.
#include "archive/reading/verify.hpp"

#include <map>

#include "archive/reading/archive_source.hpp"
#include "archive/reading/contents.hpp"
#include "archive/files/manifest.hpp"
#include "archive/files/names.hpp"
#include "archive/files/provenance.hpp"
#include "archive/files/unified_file.hpp"
#include "base/bytes/crc32.hpp"
#include "base/text/text.hpp"

namespace tarry {
namespace {

class Verifier {
 public:
  Verifier(const std::string& path, VerifyDepth depth) : path_(path), is_deep_(depth == VerifyDepth::kDeep) {}

  Result<VerifyReport> run() {
    report_.state = state_of(path_);
    is_unfinished_ = path_exists(path_ + "/" + names::kRecording) || says_incomplete();
    check_manifest();
    check_otf2_file();
    auto source = is_deep_ ? ArchiveSource::open(path_, {}) : Error{path_, "is not opened", ""};
    if (source.ok()) {
      check_contents((*source)->contents(), (*source)->faults());
      if (const Status kept = (*source)->keep_extras(); !kept.ok()) add(names::kOtf2, kept.error().why);
      check_events(**source);
      add_faults((*source)->faults());
      return report_;
    }
    FaultLog faults;
    TARRY_TRY_ASSIGN(contents, ArchiveContents::open(path_, faults));
    check_contents(contents, faults);
    if (is_deep_ && contents.has_events()) add(path_, source.error().why);
    add_faults(faults);
    return report_;
  }

 private:
  void add(std::string place, std::string what) {
    report_.problems.push_back({std::move(place), std::move(what)});
    ++report_.problem_count;
  }

  // Something that is missing because the recording was not finished; damage in a finished one.
  void add_unfinished(std::string place, std::string what, bool is_expected) {
    add(std::move(place), std::move(what));
    report_.gap_count += is_expected;
  }

  // Whether the recorder itself noted that something is missing.
  bool says_incomplete() const {
    const auto manifest = read_manifest(path_);
    return manifest.ok() && !manifest.value().is_complete && !manifest.value().missing.empty();
  }

  // "rank 3 thread 0, event 120" or "events/n0.tev, byte 4096".
  static std::string place_of(const FaultLog::Place& place) {
    const bool is_event = place.location.starts_with("rank ");
    return place.location + (is_event ? ", event " : ", byte ") + std::to_string(place.position);
  }

  void add_faults(const FaultLog& faults) {
    for (const FaultLog::Place& place : faults.places())
      report_.problems.push_back({place_of(place), std::string(explain(place.fault)) +
                                                       (place.detail.empty() ? "" : " (" + place.detail + ")")});
    report_.problem_count += faults.total();
    for (const Fault fault : {Fault::kLocationIncomplete, Fault::kLocationMissing, Fault::kEventsLost})
      report_.gap_count += faults.count(fault);
    // Where a disk was full, chunks and definitions are missing among those that found room.
    if (is_unfinished_)
      report_.gap_count += faults.count(Fault::kChunkMissing) + faults.count(Fault::kUndefinedReference);
  }

  // What the last stage that wrote a file said about it must still hold.
  void check_manifest() {
    const auto manifest = read_manifest(path_);
    if (!manifest.ok()) {
      // `tarry measure` may have been killed before it wrote one.
      const bool is_missing = !path_exists(path_ + "/" + names::kManifest);
      return add_unfinished(names::kManifest, manifest.error().why, is_unfinished_ && is_missing);
    }
    if (!manifest.value().is_complete && !manifest.value().missing.empty())
      add_unfinished(names::kManifest, "says that something is missing: " + manifest.value().missing, true);
    std::map<std::string, FileSum> latest;
    for (const StageEntry& stage : manifest.value().stages)
      for (const FileSum& file : stage.outputs) latest[file.name] = file;
    for (const auto& [name, said] : latest) {
      const auto sum = sum_file(path_, name);
      if (!sum.ok()) {
        add(name, sum.error().why);
        continue;
      }
      report_.bytes += sum.value().bytes;
      if (sum.value().bytes != said.bytes)
        add(name, "has " + std::to_string(sum.value().bytes) + " bytes instead of " + std::to_string(said.bytes));
      else if (sum.value().crc != said.crc) add(name, "differs from what the manifest says");
    }
  }

  void check_container(const Container& file) {
    const std::string name = file.path().substr(path_.size() + 1);
    if (file.is_spool()) add_unfinished(name, "is the spool of a process that did not close its recording", true);
    else if (!file.is_sealed()) add_unfinished(name, "is not sealed, or its index is damaged", is_unfinished_);
    for (const ChunkRef& chunk : file.chunks()) {
      ++report_.chunks;
      const auto header = file.header_bytes(chunk);
      const auto payload = file.stored(chunk);
      const bool is_open = chunk.header.flags & kOpenChunk;
      bool is_good = header.size() == kChunkHeaderBytes && decode_chunk_header(header.data()).ok() &&
                     payload.size() == chunk.header.stored_bytes;
      if (is_good && is_deep_ && !is_open) is_good = crc32(payload.data(), payload.size()) == chunk.header.payload_crc;
      if (is_good) continue;
      ++report_.bad_chunks;
      add(name, "chunk at byte " + std::to_string(chunk.offset - kChunkHeaderBytes) + " is damaged");
    }
  }

  // The manifest vouches for the index of a container, the index for its chunks.
  void check_otf2_file() {
    const std::string file = path_ + "/" + names::kOtf2;
    if (!path_exists(file)) return;
    auto container = Container::open(file);
    if (!container.ok()) return add(names::kOtf2, container.error().why);
    if (!container->damage().empty()) add(names::kOtf2, "is damaged between its chunks");
    check_container(*container);
  }

  void check_contents(const ArchiveContents& contents, FaultLog& faults) {
    for (const Container& file : contents.files()) check_container(file);
    report_.processes = static_cast<std::uint32_t>(contents.processes().size());
    const std::string file = path_ + "/" + names::kDefinitions;
    const bool is_unified = path_exists(file);
    FaultLog noted_already;  // without global definitions the source has read those of the processes
    for (const auto& [number, process] : contents.processes()) {
      if (process.definitions.empty() && process.profiles.empty()) continue;  // imported: there are global ones only
      const Definitions definitions =
          contents.load_definitions(number, is_unified || !is_deep_ ? faults : noted_already);
      report_.incomplete_processes += !definitions.processes[0].is_complete;
    }
    if (!is_unified)
      return add_unfinished(names::kDefinitions, "is not there: 'tarry unify' writes it",
                            is_unfinished_ || contents.processes().empty());
    const auto unified = read_unified(file);
    if (!unified.ok()) return add(names::kDefinitions, unified.error().why);
    compare_with_manifest(unified.value().global);
    report_.processes = static_cast<std::uint32_t>(unified.value().global.processes.size());
    if (is_deep_) read_profiles(contents, unified.value(), faults);
  }

  void compare_with_manifest(const Definitions& all) {
    const auto manifest = read_manifest(path_);
    if (!manifest.ok() || manifest.value().stages.empty()) return;
    const auto compare = [this](const char* what, std::uint64_t said, std::size_t defined, bool may_be_more) {
      if (said == defined || (may_be_more && said > defined)) return;
      add_unfinished(names::kManifest,
                     "says that there are " + std::to_string(said) + " " + what + ", and " + std::to_string(defined) +
                         " are defined",
                     is_unfinished_);
    };
    compare("ranks", manifest.value().ranks, all.processes.size(), !manifest.value().is_complete);
    compare("threads", manifest.value().threads, all.locations.size(), false);
    if (manifest.value().ticks_per_second != all.clock.ticks_per_second)
      add_unfinished(names::kManifest,
                     "says that there are " + exact_number(manifest.value().ticks_per_second) +
                         " ticks per second, and the definitions " + exact_number(all.clock.ticks_per_second),
                     is_unfinished_);
  }

  void check_events(ArchiveSource& source) {
    const Definitions& all = source.definitions();
    for (std::size_t i = 0; i < all.locations.size(); ++i) {
      const auto reader = source.open(LocationId(i));
      std::uint64_t events = 0;
      for (auto block = reader->next(); !block.empty(); block = reader->next()) events += block.size();
      report_.events += events;
      if (events != all.locations[i].event_count && source.faults().total() == 0)
        add("location " + std::to_string(i),
            "has " + std::to_string(events) + " events instead of " + std::to_string(all.locations[i].event_count));
    }
  }

  std::string path_;
  bool is_deep_;
  bool is_unfinished_ = false;
  VerifyReport report_;
};

}  // namespace

Result<VerifyReport> verify_archive(const std::string& path, VerifyDepth depth) {
  TARRY_TRY(check_is_archive(path));
  TARRY_TRY(check_manifest_facts(path));
  return Verifier(path, depth).run();
}

}  // namespace tarry
