// trace_estimate.hpp -- bytes of events whose times and sizes are known only as sums and limits.
#pragma once

#include "base/units.hpp"
#include "report/tree/report.hpp"

namespace tarry {

/// What a summary holds of one call path on one thread.
struct PathFacts {
  double visits = 0, child_visits = 0;
  double seconds = 0;                       // exclusive
  double min_seconds = 0, max_seconds = 0;  // of a visit; equal if unknown
  double bytes_sent = 0, bytes_received = 0;
};

/// Records and bytes in memory of the enters, leaves and messages of one call path.
struct PathRecords {
  double events = 0;
  double buffer_bytes = 0;
};

/// Estimates them from the sums. Times are taken to be distributed log-normally between the shortest and the longest.
/// Each call of MPI is taken to do what it is for (each MPI_Send sends a message). docs/CUBE_OPERATIONS.md, "Score".
PathRecords estimate_records(const ReportRegion& region, const PathFacts& facts, double ticks_per_second);

/// Bytes that `events` records of a call path keep when they are compressed: what is random in the time differences,
/// and something for each message. A visit ends a difference of its caller's, `caller_ticks` on average, and one of its
/// own.
double estimate_disk_bytes(double events, double visits, double own_ticks, double caller_ticks);

/// What a container needs beside the records of one thread.
inline constexpr double kDiskBytesPerThread = 60;

}  // namespace tarry
