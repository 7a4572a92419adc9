// run_times.hpp -- the times of a run from which its efficiencies follow (docs/METRICS.md, "Efficiencies").
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"

namespace tarry {

/// Of the queues of a process's accelerators.
struct DeviceTimes {
  Seconds busy = 0;            // any kernel runs
  Seconds exposed_copies = 0;  // of copies: no kernel runs meanwhile
};

/// One process in the part of a run that counts. Useful is what lies outside MPI, outside the runtime of threads and
/// outside calls of accelerators.
struct ProcessTimes {
  std::size_t threads = 1;
  Seconds useful = 0;          // of all its threads
  Seconds longest_useful = 0;  // of one of them
  Seconds outside_mpi = 0;     // of its first thread
  Seconds serial_useful = 0;   // the same, useful and outside parallel regions
  Seconds in_parallel = 0;     // the same, in parallel regions of OpenMP
  Seconds offload = 0;         // of all its threads, in calls of accelerators
  Seconds longest_host = 0;    // of one of them, useful or in calls of accelerators
  std::optional<DeviceTimes> devices = {};
};

/// A run, or a part of it.
struct RunTimes {
  std::vector<ProcessTimes> processes;
  Seconds runtime = 0;
  std::optional<Seconds> ideal = {};                     // runtime on an ideal network
  std::string why_no_ideal = {};                         // for people
  std::optional<double> instructions = {}, cycles = {};  // counted in what is useful
};

/// Which part of a run: visits of regions of this name (or shell pattern), all or one. Empty: from MPI_Init to
/// MPI_Finalize.
struct RunPart {
  std::string region;
  std::optional<std::int64_t> iteration = {};  // number in a marked loop, or of the visit from 0 on

  bool is_whole() const { return region.empty(); }
};

}  // namespace tarry
