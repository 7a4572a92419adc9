// time_classes.hpp -- what the time of a report was spent on, by the kind of region, in classes that do not overlap.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/units.hpp"
#include "report/algebra/cube_source.hpp"

namespace tarry {

/// As in the time hierarchy of the metrics (docs/METRICS.md), leaves and short branches only.
enum class TimeClass : std::uint8_t {
  kComputation,
  kPointToPoint,
  kCollective,
  kSynchronization,
  kOneSided,
  kFileIo,
  kManagement,  // MPI: from p2p on
  kOpenMp,
  kThreads,
  kOwnFileIo,  // not by MPI
  kAccelerator,
  kIdle,
  kOverhead,
  kBlocked,  // outside of all these, without a processor
  kShmem,
  kCount,
};

inline constexpr std::size_t kTimeClasses = static_cast<std::size_t>(TimeClass::kCount);

constexpr bool is_mpi(TimeClass kind) { return kind >= TimeClass::kPointToPoint && kind <= TimeClass::kManagement; }

/// The class of the time spent in a region itself. Never kIdle or kBlocked, which are parts of it.
TimeClass time_class(const ReportRegion& region);

/// Opens, names or looks up files, and moves none of their bytes.
bool is_file_metadata(const ReportRegion& region);

/// The time during which the program had switched its recording off, in a trace.
bool is_recording_off(const ReportRegion& region);

/// Machine name ("point_to_point").
std::string_view name_of(TimeClass kind);

/// Allocation time, by class: the sum of metric `time` over all locations. Idle threads and blocked time are apart
/// where the report tells them (metrics `omp_idle_threads`, `blocked`). Beginning and ending a team is OpenMP, also
/// where the report has it in the program's own regions (`omp_management`).
struct TimeShares {
  std::array<Seconds, kTimeClasses> seconds{};
  Seconds total = 0;
  Seconds mpi = 0;
  Seconds file_metadata = 0;  // of kOwnFileIo
  Seconds recording_off = 0;  // of kComputation: nothing is known of it

  Seconds of(TimeClass kind) const { return seconds[static_cast<std::size_t>(kind)]; }
};

TimeShares time_shares(const CubeSource& report);
TimeShares time_shares(const Report& report);

}  // namespace tarry
