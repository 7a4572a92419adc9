// names.hpp -- every file name of an archive, here and nowhere else.
#pragma once

#include <cstdint>
#include <string>

namespace tarry::names {

inline const char kManifest[] = "manifest.xml";
inline const char kRecording[] = "recording";  // exists from start to end of a recording, locked by the recorder
inline const char kEvents[] = "events";
inline const char kJob[] = "events/job";  // left by the MPI job that is recorded here: a second one is refused
inline const char kMeetings[] =
    "events/meetings";  // files by which groups of processes find each other; gone at the end
inline const char kLaunch[] = "events/meetings/launch";  // left by the `tarry measure` processes of one launcher's job
inline const char kDefinitions[] = "definitions.tdef";   // global definitions and id maps
inline const char kCorrections[] = "corrections.tcor";   // what `tarry sync` adds to times
inline const char kSyncStage[] = "sync";                 // name of the stage in the manifest
inline const char kOtf2[] = "otf2.tdef";  // of an imported trace: what it holds beyond our events and definitions
inline const char kSummary[] = "summary.cubex";
inline const char kAnalysis[] = "analysis.cubex";
inline const char kAnalysisCompat[] = "analysis-compat.cubex";
inline const char kContainerSuffix[] = ".tev";
inline const char kSpoolSuffix[] = ".spool";

/// events/job for the first world of the job's processes, events/job.N for the N-th that it has spawned.
inline std::string world(std::uint64_t number) {
  return number == 0 ? std::string(kJob) : std::string(kJob) + "." + std::to_string(number);
}

/// events/HOST.tev: what the processes of one node recorded.
inline std::string container(const std::string& host) { return std::string(kEvents) + "/" + host + kContainerSuffix; }

/// events/HOST.PID.spool: what one process is recording.
inline std::string spool(const std::string& host, std::int64_t pid) {
  return std::string(kEvents) + "/" + host + "." + std::to_string(pid) + kSpoolSuffix;
}

}  // namespace tarry::names
