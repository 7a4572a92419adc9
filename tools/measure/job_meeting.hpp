// job_meeting.hpp -- how the `tarry measure` processes of one launcher's job share an archive.
//
// One creates the archive, the others join it, and the last one to leave closes it. No process waits for another: a job
// of which one process is missing or was killed runs on, and its archive is left to `tarry unify`. All is told by links
// in the archive, for a new link and the number of links are what every network file system tells truly:
//
//   events/meetings/launch         the job's id; a link launch.in.RANK for each process that has come
//   events/meetings/launch.out     a link launch.out.RANK for each process that has gone
//   events/meetings/launch.status  the first status that was not 0
//   events/meetings/launch.last    made by the one that closes the archive
//
// Without a name for the archive there is one more file, in the working folder, until all have come:
//
//   .tarry-job-ID.N                the name of the archive that the job is recorded into
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/processes/launcher_job.hpp"
#include "base/result.hpp"

namespace tarry {

class JobMeeting {
 public:
  explicit JobMeeting(LauncherJob job) : job_(std::move(job)) {}

  const LauncherJob& job() const { return job_; }

  /// Leaves the job's files in a new archive that no other process knows yet. Its creator has come.
  Status open(const std::string& archive) const;

  /// Joins an archive. False if it is none of this job's, or if this process has been there before.
  Result<bool> enter(const std::string& archive) const;

  /// The name that all processes agree on: what `propose` returns in the first of them. `attempt` counts from 0; a
  /// caller cannot join the archives of earlier attempts.
  Result<std::string> agree_on_name(int attempt, const std::function<Result<std::string>()>& propose) const;

  /// All have come: forgets the name that they have agreed on.
  void forget_names(const std::string& archive, int attempts) const;

  /// This process goes, with the status of its command. The status of the job if this is the last one.
  Result<std::optional<int>> leave(const std::string& archive, int status) const;

 private:
  std::string sheet(int attempt) const;

  LauncherJob job_;
};

}  // namespace tarry
