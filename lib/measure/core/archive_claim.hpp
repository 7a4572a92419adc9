// archive_claim.hpp -- which archive a program is recorded into, and the numbers of its processes there.
//
// An archive holds one job. Its first world of processes leaves the mark events/job there. Each further world, which a
// process of the job has spawned, leaves one of its own: events/job.1, events/job.2, ... A mark holds the number of the
// world's first process and how many it has, so that the next world knows where its numbers begin. The mark of a job
// without MPI holds its name, too.
//
// Calls: may block.
#pragma once

#include <cstdint>
#include <string>

#include "defs/definitions.hpp"
#include "measure/core/settings.hpp"

namespace tarry::measure {

/// Names the archive if the settings do not, and makes it this program's, which has `processes`. False, with a message,
/// if that fails.
bool claim_archive(Settings& settings, std::uint32_t processes);

/// The same for each process of a job without MPI, whose processes do not know one another. The settings name the
/// archive. `job`: the launcher's name for it.
bool claim_archive_together(Settings& settings, std::uint32_t processes, const std::string& job);

/// A place in an archive that holds the job already.
struct WorldPlace {
  WorldRank first{0};               // of the world's first process
  bool has_clock_of_first = false;  // the caller's clock is that of process 0
};

/// Adds a world of `processes` to the archive that the settings name. Safe against others that do the same at the same
/// time. False, with a message, if that fails.
bool join_archive(const Settings& settings, std::uint32_t processes, WorldPlace& place);

}  // namespace tarry::measure
