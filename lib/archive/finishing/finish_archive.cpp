// finish_archive.cpp -- closes a recording.
#include "archive/finishing/finish_archive.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "archive/archive.hpp"
#include "archive/reading/contents.hpp"
#include "archive/finishing/name_functions.hpp"
#include "archive/files/names.hpp"
#include "archive/files/provenance.hpp"
#include "archive/finishing/salvage.hpp"
#include "archive/files/unified_file.hpp"
#include "archive/finishing/unify_contents.hpp"
#include "base/text/format.hpp"
#include "defs/code_places.hpp"
#include "defs/early_ends.hpp"
#include "defs/host_facts.hpp"
#include "defs/mpi_worlds.hpp"
#include "defs/properties.hpp"

namespace tarry {
namespace {

std::vector<ManifestHost> hosts_of(const Definitions& all) {
  std::vector<ManifestHost> hosts;
  for (const SystemNode& node : all.system_nodes) {
    if (all.text(node.class_name) != "node") continue;
    std::string name(all.text(node.name));
    HostFacts facts = parse_host_facts(first_property(all, std::string(kHostFactsKey) + name));
    hosts.push_back({std::move(name), facts.cores, std::move(facts.processor), std::move(facts.network)});
  }
  return hosts;
}

std::string build_of(const std::string& program) {
  std::string text;
  for (const std::string& compiler : CodePlaces().compilers(program)) text += (text.empty() ? "" : "; ") + compiler;
  return text;
}

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::uint32_t count_missing(const Definitions& all) {
  std::uint32_t missing = 0;
  for (const MpiWorld& world : mpi_worlds(all)) missing += world.missing;
  return missing;
}

// True if every location that has events ends with a chunk marked as the last.
bool all_locations_end(const ArchiveContents& contents) {
  for (const auto& [number, process] : contents.processes())
    for (const auto& [thread, chunks] : process.events)
      if (!(chunks.back().chunk.header.flags & kLastChunk)) return false;
  return true;
}

// Threads that have recorded events, by the definitions, of which the containers hold nothing.
void note_missing_locations(const ArchiveContents& contents, const Definitions& all, FaultLog& faults) {
  for (const Location& location : all.locations) {
    if (location.event_count == 0) continue;
    const std::uint32_t rank = all.processes[location.process.value].rank;
    if (contents.events_of(rank, location.thread).empty())
      faults.add(Fault::kLocationMissing, "rank " + std::to_string(rank), 0);
  }
}

// What is missing, for people; empty if nothing is.
std::string missing_text(const FinishReport& report, const Definitions& all) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  if (const auto abort = first_abort(all)) add("rank " + std::to_string(abort->rank) + " " + what_it_did(*abort));
  if (report.incomplete_processes)
    add(format_count(report.incomplete_processes, "process", "processes") + " did not close the recording");
  if (report.missing_processes) add(format_count(report.missing_processes, "process", "processes") + " left nothing");
  if (const std::string lost = first_property(all, kLostKey); !lost.empty()) {
    const std::string why = first_property(all, kLostReasonKey);
    add(lost + " events could not be recorded" + (why.empty() ? "" : " (" + why + ")"));
  }
  if (const std::string why = why_any_recording_ended(all); !why.empty()) add("a recording ended early: " + why);
  if (!report.faults.empty()) add(report.faults);
  return text.empty() && !report.is_complete ? "not all processes closed the recording" : text;
}

// A container whose writer came no further than its header.
bool is_blank(const Container& container) {
  return container.chunks().empty() && container.damage().empty() && !container.is_sealed();
}

std::string free_name_for_damaged(const std::string& path) {
  for (int n = 1;; ++n)
    if (std::string name = path + ".damaged" + (n > 1 ? "-" + std::to_string(n) : ""); !path_exists(name)) return name;
}

class Finisher {
 public:
  Finisher(const std::string& archive, const FinishOptions& options)
      : archive_(archive), options_(options), stage_(options.stage, options.command) {}

  ~Finisher() {
    if (options_.helpers && helpers_wait_) release_helpers(*options_.helpers);
  }

  Result<FinishReport> run() {
    remove_leftovers();
    TARRY_TRY(salvage());
    TARRY_TRY(seal());
    vouch_for_marks();
    TARRY_TRY(unify_definitions());
    TARRY_TRY(update_manifest());
    const std::string recording = path_of(names::kRecording);
    if (path_exists(recording)) {
      if (::unlink(recording.c_str()) != 0) return Error{recording, system_error(), ""};
      report_.changed_anything = true;
    }
    return report_;
  }

 private:
  std::string path_of(const std::string& name) const { return archive_ + "/" + name; }

  // Of processes that were killed: no process writes here any more.
  void remove_leftovers() {
    std::error_code ignored;
    std::filesystem::remove_all(path_of(names::kMeetings), ignored);
    const auto files = list_files(archive_);
    if (!files.ok()) return;
    for (const std::string& name : files.value())
      if (name.starts_with(names::kEvents) && name.ends_with(".tmp")) ::unlink(path_of(name).c_str());
  }

  Status salvage() {
    TARRY_TRY_ASSIGN(names, list_event_files(archive_));
    if (std::none_of(names.begin(), names.end(), is_spool_name)) return {};
    FaultLog ignored;  // what is damaged is noted when the result is read
    TARRY_TRY_ASSIGN(contents, ArchiveContents::open(archive_, ignored));
    TARRY_TRY_ASSIGN(salvaged, salvage_spools(archive_, contents));
    report_.salvaged_spools = salvaged;
    return {};
  }

  Status seal() {
    TARRY_TRY_ASSIGN(names, list_event_files(archive_));
    for (const std::string& name : names) {
      if (is_spool_name(name)) continue;
      const auto container = Container::open(path_of(name));
      if (!container.ok()) continue;  // noted as damaged below
      if (is_blank(container.value())) {
        if (::unlink(path_of(name).c_str()) != 0) return Error{path_of(name), system_error(), ""};
        continue;
      }
      stage_.add_input(name);
      stage_.add_output(name);
      if (container.value().is_sealed()) continue;
      TARRY_TRY(seal_container(path_of(name)));
      ++report_.sealed_containers;
    }
    return {};
  }

  // The marks of the worlds have no checksums of their own.
  void vouch_for_marks() {
    for (std::uint64_t number = 0; path_exists(path_of(names::world(number))); ++number)
      stage_.add_output(names::world(number));
  }

  Status unify_definitions() {
    TARRY_TRY_ASSIGN(contents, ArchiveContents::open(archive_, faults_));
    if (contents.processes().empty() && contents.unreadable().empty())
      return Error{archive_, "no process has recorded anything", "check that the program ran and was measured"};
    auto there = read_unified(path_of(names::kDefinitions));
    report_.wrote_definitions = !there.ok() || report_.salvaged_spools > 0;
    TARRY_TRY_ASSIGN(unified, report_.wrote_definitions ? unify(contents) : std::move(there));
    if (report_.wrote_definitions) {
      name_functions(unified.global);
      merge_equal_regions(unified);
    }
    if (report_.wrote_definitions) TARRY_TRY(write_unified(path_of(names::kDefinitions), unified));
    stage_.add_output(names::kDefinitions);

    const Definitions& all = unified.global;
    note_missing_locations(contents, all, faults_);
    report_.processes = static_cast<std::uint32_t>(all.processes.size());
    report_.locations = static_cast<std::uint32_t>(all.locations.size());
    report_.missing_processes = count_missing(all);
    for (const Process& process : all.processes)
      report_.incomplete_processes += !process.is_complete && why_recording_ended(all, process.rank).empty();
    for (const Location& location : all.locations) report_.events += location.event_count;
    report_.call_path_stacks = number_property(all, kCallPathStacksKey);
    report_.call_paths_truncated = number_property(all, kCallPathsTruncatedKey);
    report_.call_path_nanoseconds = number_property(all, kCallPathTimeKey);
    report_.unseen_openmp = number_property(all, kUnseenOpenMpKey);
    if (!first_property(all, kSamplesKey).empty())
      report_.samples = SampleFigures{number_property(all, kSamplesKey), number_property(all, kSamplesInsideKey),
                                      number_property(all, kSamplesLostKey), number_property(all, kSampleTimeKey)};
    report_.is_complete = std::ranges::all_of(all.processes, &Process::is_complete) && report_.missing_processes == 0 &&
                          report_.processes > 0 && faults_.total() == 0 && all_locations_end(contents) &&
                          first_property(all, kLostKey).empty();
    collect_facts(contents, all);
    return {};
  }

  Result<UnifiedDefinitions> unify(const ArchiveContents& contents) {
    if (!options_.helpers) return unify_contents(contents, faults_);
    helpers_wait_ = false;
    return unify_contents_with(*options_.helpers, contents, faults_);
  }

  void collect_facts(const ArchiveContents& contents, const Definitions& all) {
    if (auto manifest = read_manifest(archive_); manifest.ok()) {
      facts_ = std::move(*manifest);
      had_manifest_ = true;
    }
    facts_.ranks = std::max(facts_.ranks, report_.processes + report_.missing_processes);
    facts_.threads = report_.locations;
    report_.is_complete = report_.is_complete && facts_.ranks == report_.processes;
    facts_.is_complete = report_.is_complete;
    report_.faults = faults_.summary();
    facts_.missing = report_.missing = missing_text(report_, all);
    facts_.has_events = contents.has_events();
    for (const auto& [number, process] : contents.processes())
      facts_.has_summary = facts_.has_summary || !process.profiles.empty();
    facts_.ticks_per_second = all.clock.ticks_per_second;
    facts_.not_recorded = first_property(all, "not_recorded");
    if (facts_.program.empty()) facts_.program = base_name(first_property(all, "program"));
    if (facts_.command.empty()) facts_.command = first_property(all, "command");
    facts_.clock_domains =
        static_cast<std::uint32_t>(std::strtoul(first_property(all, "clock_domains").c_str(), nullptr, 10));
    facts_.hosts = hosts_of(all);
    facts_.mpi = first_property(all, "mpi_library");
    if (options_.has_run_program) facts_.build = build_of(first_property(all, "program"));
  }

  Status update_manifest() {
    report_.changed_anything = report_.salvaged_spools > 0 || report_.sealed_containers > 0 ||
                               report_.wrote_definitions || !had_manifest_ || path_exists(path_of(names::kRecording)) ||
                               options_.add_facts;
    if (!report_.changed_anything) return {};
    if (options_.add_facts) options_.add_facts(facts_);
    TARRY_TRY(stage_.add_to(facts_, archive_));
    // What an unreadable one still tells about earlier stages is for people.
    if (const std::string old = path_of(names::kManifest); !had_manifest_ && path_exists(old))
      if (::rename(old.c_str(), free_name_for_damaged(old).c_str()) != 0) return Error{old, system_error(), ""};
    return write_manifest(archive_, facts_);
  }

  std::string archive_;
  const FinishOptions& options_;
  StageRecorder stage_;
  FaultLog faults_;
  FinishReport report_;
  Manifest facts_;
  bool had_manifest_ = false;
  bool helpers_wait_ = true;
};

}  // namespace

static Result<File> lock_archive(const std::string& archive, bool is_recorder) {
  TARRY_TRY(check_is_archive(archive));
  TARRY_TRY(check_manifest_facts(archive));
  if (!is_recorder && is_being_recorded(archive))
    return Error{archive, "is still being recorded", "wait until the run is over"};
  TARRY_TRY_ASSIGN(folder, open_file(archive, O_RDONLY | O_DIRECTORY));
  if (::flock(folder.descriptor(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return Error{archive, "another tool is finishing it", "wait until it is done"};
  return folder;
}

Result<FinishReport> finish_archive(const std::string& archive, const FinishOptions& options) {
  Finisher finisher(archive, options);
  TARRY_TRY_ASSIGN(lock, lock_archive(archive, options.is_recorder));
  return finisher.run();
}

}  // namespace tarry
