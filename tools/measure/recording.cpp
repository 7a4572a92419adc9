// recording.cpp -- the archive of one run, from its creation to the summary.
#include "recording.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <chrono>
#include <filesystem>
#include <thread>

#include "archive/archive.hpp"
#include "archive/reading/contents.hpp"
#include "archive/finishing/finish_archive.hpp"
#include "archive/files/names.hpp"
#include "archive/files/provenance.hpp"
#include "base/text/format.hpp"
#include "base/tool/log.hpp"
#include "base/tool/own_library.hpp"
#include "base/files/temporary_file.hpp"
#include "defs/unseen_openmp.hpp"
#include "empty_archive.hpp"
#include "obstacle.hpp"
#include "program_name.hpp"
#include "summary/measure_costs.hpp"
#include "summary/write_summary.hpp"

namespace tarry {
namespace {

constexpr int kMostRuns = 100000;
// Processes whose launcher was killed need a moment to notice.
constexpr auto kPatience = std::chrono::seconds(5);
constexpr auto kPause = std::chrono::milliseconds(10);

std::string without_last_slashes(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

// tarry-PROGRAM-N with the first N that is free.
Result<std::string> find_free_name(const std::string& program) {
  for (int n = 1; n <= kMostRuns; ++n)
    if (std::string name = "tarry-" + program + "-" + std::to_string(n); !path_exists(name)) return name;
  return Error{"tarry-" + program + "-<n>", "there are too many", "remove some, or name one with -o"};
}

// The name the user gave, or the first free one. mkdir decides, so that two runs never share a folder.
Result<std::string> create_folder(const std::string& wanted, const std::string& program) {
  if (!wanted.empty()) {
    make_room_for(wanted);
    TARRY_TRY(create_archive(wanted));
    return wanted;
  }
  for (;;) {
    TARRY_TRY_ASSIGN(name, find_free_name(program));
    const Status created = create_archive(name);
    if (created.ok()) return name;
    if (!path_exists(name)) return created.error();  // not a race, but a folder we may not write to
  }
}

Error exists_already(const std::string& archive) {
  return {archive, "exists already and is never overwritten", "name another folder or remove it"};
}

// `variable`: NAME=VALUE. The address of a store may hold a password.
bool concerns_measuring(const std::string& variable) {
  if (variable.starts_with("TARRY_STORE=")) return false;
  for (const char* prefix : {"TARRY_", "OMPI_", "PMIX_MCA_", "MPICH_", "I_MPI_", "OMP_"})
    if (variable.starts_with(prefix)) return true;
  return variable.starts_with("LOADEDMODULES=") || variable.starts_with("SLURM_CLUSTER_NAME=");
}

std::string recorded_command(const RunFacts& facts) {
  if (!facts.settings.is_redacted) return join_command(facts.command);
  return program_name(facts.command);
}

Manifest describe(const RunFacts& facts, const std::string& started) {
  Manifest manifest;
  manifest.tool_version = TARRY_VERSION;
  manifest.program = program_name(facts.command);
  manifest.command = recorded_command(facts);
  manifest.started = started;
  for (const std::string& entry : facts.environment)
    if (concerns_measuring(entry))
      manifest.settings.emplace_back(entry.substr(0, entry.find('=')), entry.substr(entry.find('=') + 1));
  return manifest;
}

void wait_for_stragglers(const std::string& archive) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (is_being_recorded(archive) && std::chrono::steady_clock::now() < deadline) std::this_thread::sleep_for(kPause);
}

// The recorder knows the same MPI libraries as the tools.
bool knows_mpi() {
  return find_own_library("libtarry-exchange-openmpi.so").ok() || find_own_library("libtarry-exchange-mpich.so").ok();
}

// Of a command that has left no events.
std::string why_unrecorded(const std::vector<std::string>& command) {
  if (const auto obstacle = find_obstacle(command))
    return obstacle->what + " " + obstacle->why + " (" + obstacle->hint + ")";
  if (!knows_mpi())
    return "Tarry is built without MPI, as no mpicxx was found (make MPICXX=PROGRAM); to record a program without MPI "
           "or threads, build it with 'tarry instrument'";
  return program_name(command) +
         " did not call MPI_Init, has its MPI library linked statically, or was started without LD_PRELOAD (if no line "
         "above says more); without MPI or threads, build it with 'tarry instrument'";
}

Bytes stored_event_bytes(const ArchiveContents& contents) {
  Bytes bytes = 0;
  for (const auto& [number, process] : contents.processes())
    for (const auto& [thread, chunks] : process.events)
      for (const ChunkPlace& place : chunks) bytes += kChunkHeaderBytes + place.chunk.header.stored_bytes;
  return bytes;
}

// Takes no memory: there may be none.
struct PathIn {
  char text[PATH_MAX];
  PathIn(const std::string& folder, const char* file) {
    std::snprintf(text, sizeof text, "%s/%s", folder.c_str(), file);
  }
};

// Nothing but what we made, and only if nothing else was put there.
void remove_recording(const std::string& name) {
  if (::rmdir(PathIn(name, names::kEvents).text) != 0 && errno != ENOENT) return;
  for (const char* file : {names::kManifest, names::kRecording}) ::unlink(PathIn(name, file).text);
  std::error_code ignored;
  if (::rmdir(name.c_str()) == 0) return;
  std::filesystem::remove_all(PathIn(name, names::kMeetings).text, ignored);  // takes memory
  ::rmdir(name.c_str());
}

}  // namespace

// In a folder that exists.
Result<Recording> Recording::create(const std::string& name, const RunFacts& facts) {
  try {
    auto lock = lock_recording(name);
    Recording recording(name, lock.ok() ? std::move(lock.value()) : File(), facts);
    Status written = lock.ok() ? Status() : lock.error();
    recording.started_ = utc_now();
    if (lock.ok()) written = recording.write_facts(std::nullopt, "the recording was not finished");
    if (written.ok()) return recording;
    remove_recording(name);
    return written.error();
  } catch (...) {
    remove_recording(name);
    throw;
  }
}

Result<Recording> Recording::start(const std::string& archive, const RunFacts& facts) {
  TARRY_TRY_ASSIGN(name, create_folder(without_last_slashes(archive), program_name(facts.command)));
  return create(name, facts);
}

// None if a folder is there that is not this job's. One that is renamed to `name` has all that the others look for.
Result<std::optional<Recording>> Recording::create_or_enter(const std::string& name, const RunFacts& facts,
                                                            const JobMeeting& meeting) {
  while (!path_exists(name)) {
    auto draft = create_folder_beside(name);
    if (!draft.ok()) return Error{name, draft.error().why, draft.error().hint};
    if (::mkdir((*draft + "/" + names::kEvents).c_str(), 0777) != 0) return Error{name, system_error(), ""};
    TARRY_TRY_ASSIGN(recording, create(*draft, facts));
    const Status opened = meeting.open(*draft);
    const bool is_first = opened.ok() && ::rename(draft->c_str(), name.c_str()) == 0;
    const std::string why = system_error();
    if (is_first) {
      recording.name_ = name;
      return std::optional(std::move(recording));
    }
    std::error_code ignored;  // the draft is ours alone, with what is in its meeting place
    std::filesystem::remove_all(*draft + "/" + names::kMeetings, ignored);
    recording.remove();
    if (!opened.ok()) return opened.error();
    if (!path_exists(name)) return Error{name, why, ""};
  }
  TARRY_TRY_ASSIGN(has_entered, meeting.enter(name));
  if (!has_entered) return std::optional<Recording>();
  TARRY_TRY_ASSIGN(lock, lock_recording(name));
  Recording recording(name, std::move(lock), facts);
  recording.started_ = utc_now();
  return std::optional(std::move(recording));
}

Result<Recording> Recording::join(const std::string& archive, const RunFacts& facts, const LauncherJob& job) {
  const JobMeeting meeting(job);
  const bool has_name = !archive.empty();
  make_room_for(without_last_slashes(archive));
  for (int attempt = 0; attempt < kMostRuns; ++attempt) {
    const auto propose = [&] { return find_free_name(program_name(facts.command)); };
    TARRY_TRY_ASSIGN(name, has_name ? Result(without_last_slashes(archive)) : meeting.agree_on_name(attempt, propose));
    TARRY_TRY_ASSIGN(recording, create_or_enter(name, facts, meeting));
    if (!recording && has_name) return exists_already(name);
    if (!recording) continue;  // an earlier measurement of this job
    if (!has_name) meeting.forget_names(name, attempt + 1);
    recording->meeting_ = meeting;
    return std::move(*recording);
  }
  return Error{"tarry-<program>-<n>", "the processes of the job cannot agree on a name", "name one with -o"};
}

std::string Recording::absolute_path() const { return std::filesystem::absolute(name_).lexically_normal().string(); }

Status Recording::write_facts(std::optional<int> exit_status, const std::string& missing) const {
  Manifest manifest = describe(facts_, started_);
  manifest.exit_status = exit_status;
  manifest.missing = missing;
  if (exit_status) manifest.ended = utc_now();
  return write_manifest(name_, manifest);
}

void Recording::remove() const { remove_recording(name_); }

void Recording::close_empty(int exit_status, const std::string& why) {
  const std::string nothing = kNothingRecorded + why;
  if (const Status written = write_facts(exit_status, nothing); !written.ok()) log_error(written.error());
  ::unlink((name_ + "/" + names::kRecording).c_str());
  log_warning(nothing + "; " + name_ + " is empty");
}

Status Recording::close(int exit_status, Recorded& recorded) {
  FinishOptions options;
  options.stage = "measure";
  options.has_run_program = !facts_.settings.is_redacted;
  options.command = facts_.settings.is_redacted ? "tarry-measure" : join_command(facts_.own_command);
  options.add_facts = [this, exit_status](Manifest& manifest) {
    manifest.exit_status = exit_status;
    manifest.started = started_;
    manifest.ended = utc_now();
  };
  TARRY_TRY_ASSIGN(report, finish_archive(name_, options));
  recorded.processes = report.processes;
  recorded.threads = report.locations;
  recorded.events = report.events;
  recorded.samples = report.samples;
  recorded.call_path_stacks = report.call_path_stacks;
  recorded.call_paths_truncated = report.call_paths_truncated;
  recorded.call_path_nanoseconds = report.call_path_nanoseconds;
  recorded.unseen_openmp = report.unseen_openmp;
  missing_ = report.missing;
  if (!missing_.empty()) log_warning(name_ + " is incomplete: " + missing_);
  return {};
}

std::string Recording::kept_for_unify() const {
  return "what was recorded is kept: run 'tarry unify " + name_ + "' when that is mended";
}

// Everything that was recorded stays in place; the archive names what is missing.
void Recording::give_up(int exit_status, const Error& error) {
  FaultLog faults;
  const auto contents = ArchiveContents::open(name_, faults);
  if (contents.ok() && contents.value().processes().empty() && contents.value().unreadable().empty())
    return close_empty(exit_status, "no process got as far as that");
  log_error({error.what, error.why, kept_for_unify()});
  if (const Status written = write_facts(exit_status, "the recording was not finished: " + error.text()); !written.ok())
    log_detail(written.error().text());
}

// Where the run took place, when it is over.
std::optional<RecordingCosts> Recording::measure_costs() const {
  if (!facts_.settings.summarises) return std::nullopt;
  auto costs = measure_recording_costs(value_of(facts_.environment, "TARRY_CLOCK"), facts_.settings.metrics);
  if (costs.ok()) return std::move(costs.value());
  log_detail(costs.error().text());
  return std::nullopt;
}

Result<std::string> Recording::make_summary(Recorded& recorded) const {
  FaultLog faults;
  TARRY_TRY_ASSIGN(contents, ArchiveContents::open(name_, faults));
  recorded.has_trace = contents.has_events();
  recorded.event_bytes = stored_event_bytes(contents);
  const auto costs = measure_costs();
  TARRY_TRY_ASSIGN(summary, write_summary(name_, missing_, "tarry-measure", costs ? &*costs : nullptr));
  recorded.has_summary = summary != nullptr;
  return summary ? summary_line(*summary) : std::string();
}

// True if all processes of the job are gone; `exit_status` is that of the job then. From here on we record nothing.
bool Recording::is_over(int& exit_status) {
  lock_ = File();
  if (!meeting_) return true;
  auto left = meeting_->leave(name_, exit_status);
  if (!left.ok()) log_error(left.error());
  if (!left.ok() || !left.value()) return false;
  exit_status = **left;
  return true;
}

void Recording::abandon(int exit_status) {
  if (!is_over(exit_status)) return;
  const auto files = list_event_files(name_);
  if (!files.ok() || files.value().empty()) return remove();
  close_and_tell(exit_status);
}

// Takes no memory, of which there may be none: an empty folder can be removed, and made again.
bool Recording::has_no_events() const {
  const std::string events = name_ + "/" + names::kEvents;
  return ::rmdir(events.c_str()) == 0 && ::mkdir(events.c_str(), 0777) == 0;
}

// Where memory runs out, a recording of nothing does not look as if it went on.
std::optional<Recorded> Recording::finish(int exit_status) {
  try {
    return is_over(exit_status) ? close_and_tell(exit_status) : std::nullopt;
  } catch (...) {
    if (has_no_events()) ::unlink((name_ + "/" + names::kRecording).c_str());
    throw;
  }
}

std::optional<Recorded> Recording::close_and_tell(int exit_status) {
  const auto files = list_event_files(name_);
  if (files.ok() && files.value().empty()) {
    close_empty(exit_status, why_unrecorded(facts_.command));
    return std::nullopt;
  }
  wait_for_stragglers(name_);
  if (is_being_recorded(name_)) {
    log_warning(name_ + ": processes of the run outlive the command; when they are gone, run 'tarry unify " + name_ +
                "'");
    return std::nullopt;
  }
  Recorded recorded;
  if (const Status closed = close(exit_status, recorded); !closed.ok()) {
    give_up(exit_status, closed.error());
    return std::nullopt;
  }
  const auto summary = make_summary(recorded);
  if (!summary.ok()) {
    log_error({summary.error().what, summary.error().why, kept_for_unify()});
    return std::nullopt;
  }
  log_info(where_line(name_, recorded));
  log_info(recorded.has_summary ? summary.value() : trace_line(recorded));
  if (const std::string costs = call_path_line(recorded); !costs.empty()) log_info(costs);
  if (const std::string samples = sample_line(recorded); !samples.empty()) log_info(samples);
  if (recorded.unseen_openmp > 0) log_warning(unseen_openmp_text(recorded.unseen_openmp));
  return recorded;
}

}  // namespace tarry
