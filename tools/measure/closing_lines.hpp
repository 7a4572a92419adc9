// closing_lines.hpp -- what a measurement prints at its end: what dominated, and what to run next.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "archive/finishing/finish_archive.hpp"
#include "base/units.hpp"
#include "report/algebra/cube_source.hpp"

namespace tarry {

/// What was written, as far as the closing lines tell.
struct Recorded {
  std::size_t processes = 0;
  std::size_t threads = 0;
  std::uint64_t events = 0;
  Bytes event_bytes = 0;  // on disk
  std::optional<SampleFigures> samples = {};
  std::uint64_t call_path_stacks = 0;  // see FinishReport
  std::uint64_t call_paths_truncated = 0;
  std::uint64_t call_path_nanoseconds = 0;
  std::uint64_t unseen_openmp = 0;
  bool has_trace = false;
  bool has_summary = false;
};

/// "run holds a summary and a trace of 8 processes".
std::string where_line(const std::string& archive, const Recorded& recorded);

/// "12.4 s in 8 processes: 31.2% MPI, 4.0% MPI management; most in MPI_Waitall under main/exchange (2.9 s)". The shares
/// are of MPI without its management, OpenMP and threads, as `tarry report` counts them. The call path is of the
/// largest one. A process that executed another program may have recorded no region at all: then that is told.
std::string summary_line(const CubeSource& summary);

/// "123456 events, 5.2 bytes each on disk"; for a run that left neither trace nor summary, why that is.
std::string trace_line(const Recorded& recorded);

/// "call paths cost 12.4 ms: 81234 stacks; 12 of them lack their outermost functions"; empty without call paths.
std::string call_path_line(const Recorded& recorded);

/// "2345 samples cost 6.1 ms; 17 inside recorded calls were left out, 3 were lost"; empty if none were asked for.
std::string sample_line(const Recorded& recorded);

/// "next: tarry replay run, then tarry report run".
std::string next_line(const std::string& archive, const Recorded& recorded);

}  // namespace tarry
