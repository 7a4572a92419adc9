// recording.hpp -- the archive of one run, from its creation to the summary.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "archive/files/manifest.hpp"
#include "base/files/file.hpp"
#include "base/result.hpp"
#include "closing_lines.hpp"
#include "environment.hpp"
#include "job_meeting.hpp"
#include "measure/core/settings.hpp"
#include "report/metrics/recording_costs.hpp"

namespace tarry {

/// What is to be run, as the manifest remembers it.
struct RunFacts {
  std::vector<std::string> command;      // of the user
  std::vector<std::string> own_command;  // of this tool
  measure::Settings settings;
  Environment environment;  // as the user has it
};

/// An archive that is being recorded: while this object lives, others see that.
class Recording {
 public:
  /// Creates the folder `archive`, or tarry-<program>-<n> with the first n that is free if it is empty, and writes what
  /// is known into its manifest.
  static Result<Recording> start(const std::string& archive, const RunFacts& facts);

  /// The same together with the other processes of a launcher's job: one of them creates the folder.
  static Result<Recording> join(const std::string& archive, const RunFacts& facts, const LauncherJob& job);

  /// As the user named it.
  const std::string& name() const { return name_; }
  std::string absolute_path() const;

  /// The command could not be started: removes the folder, unless other processes of the job need it.
  void abandon(int exit_status);

  /// Closes the recording, makes the summary and prints the closing lines. Failures are printed, too; the archive then
  /// holds what could be saved. Of a job, the last process does so. Returns what was recorded, if that is whole.
  std::optional<Recorded> finish(int exit_status);

 private:
  Recording(std::string name, File lock, const RunFacts& facts)
      : name_(std::move(name)), lock_(std::move(lock)), facts_(facts) {}
  static Result<Recording> create(const std::string& name, const RunFacts& facts);
  static Result<std::optional<Recording>> create_or_enter(const std::string& name, const RunFacts& facts,
                                                          const JobMeeting& meeting);
  void remove() const;
  bool is_over(int& exit_status);
  std::optional<Recorded> close_and_tell(int exit_status);
  Status write_facts(std::optional<int> exit_status, const std::string& missing) const;
  void close_empty(int exit_status, const std::string& why);
  std::string kept_for_unify() const;
  void give_up(int exit_status, const Error& error);
  bool has_no_events() const;
  Status close(int exit_status, Recorded& recorded);
  std::optional<RecordingCosts> measure_costs() const;
  Result<std::string> make_summary(Recorded& recorded) const;

  std::string name_;
  File lock_;
  RunFacts facts_;
  std::optional<JobMeeting> meeting_;  // with the other processes of the job
  std::string started_;
  std::string missing_;  // what the recording lacks; empty if it is complete
};

}  // namespace tarry
