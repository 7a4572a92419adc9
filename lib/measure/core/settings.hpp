// settings.hpp -- the TARRY_* environment variables of a measurement: names, defaults, values.
//
// The runtime and `tarry measure` share this table. Settings are plain bytes, so that the first process can hand its
// own to all others (a launcher may not pass the environment on).
//
// Calls: may block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "measure/core/event_groups.hpp"

namespace tarry::measure {

struct Settings;

/// How the value of a variable gets to its place. False if it is not valid: `hint` says what is.
struct SettingParser {
  bool (*read)(const char* text, Settings& settings) = nullptr;  // nullptr: who needs the variable reads it
  const char* hint = "";
};

/// Interfaces whose annotations are recorded where the program has them.
inline constexpr std::string_view kAnnotationWords[] = {"nvtx",    "kokkos", "kokkos-old", "itt",
                                                        "caliper", "roctx",  "likwid",     "perfstubs"};

/// One environment variable, for read_settings() and `tarry measure --print-config`.
struct SettingInfo {
  const char* name;
  const char* fallback;  // the value if the variable is not set
  const char* explanation;
  SettingParser parser = {};
};

/// In the order in which they are read.
std::span<const SettingInfo> all_settings();

inline constexpr std::size_t kMaxArchivePath = 4096;

/// Variable by which `tarry measure` tells its command who has started it: its own process number.
inline constexpr char kParentVariable[] = "TARRY_PARENT";

/// Variable by which `tarry measure`, started by a launcher as one of several, names the launcher's job.
inline constexpr char kJobVariable[] = "TARRY_JOB";

/// What happens when the memory for events is used up.
enum class WhenFull : std::uint8_t {
  kFlush,  // what there is goes to the archive, which takes time, and is recorded as such
  kStop,   // nothing more is recorded
  kRing,   // the oldest events give way
};

struct Settings {
  char archive[kMaxArchivePath] = "";  // folder that exists already; empty: the program makes one
  bool traces = false;
  bool summarises = true;
  std::uint64_t memory = 200 << 20;  // bytes of event buffers per process
  WhenFull when_full = WhenFull::kFlush;
  int compression = 1;            // zlib level of chunks, 1..9
  bool spools_in_memory = false;  // buffers lie in anonymous memory: faster folders, but a killed process loses them
  char filter[kMaxArchivePath] = "";  // file of rules on what is recorded; empty: all
  std::uint32_t max_depth = 1000;     // functions deeper in the call path count for the one that is recorded last
  char metrics[1024] = "";  // names of counters to record with every enter and leave, between commas; empty: none
  char metric_plugins[2048] = "";       // paths of shared libraries that count, between semicolons (metric_plugin.hpp)
  char select[1024] = "";               // user regions and iterations outside which nothing is recorded; empty: all is
  std::uint32_t max_iterations = 1000;  // iterations of a loop with call paths of their own
  std::uint32_t max_clusters = 64;      // of similar ones among those beyond, in a summary
  bool records_pthreads = true;         // functions of POSIX threads
  std::uint8_t mpi_events = kAllMpiEvents;  // sum of MpiEventGroup
  std::uint8_t openmp_events = kAllEvents;  // of OpenMpEventGroup, and so on
  std::uint8_t thread_events = kAllEvents;
  std::uint8_t file_events = kAllEvents;
  std::uint32_t throttled_visits = 100'000;  // functions with more are not recorded if they are short; 0: all are
  double throttled_seconds = 1e-6;           // then: what visits take on average, at the most
  bool obeys_pcontrol = true;                // MPI_Pcontrol switches the recording off and on
  bool records_files = false;                // functions of files, where libtarry-io.so is loaded
  bool records_opencl = false;               // where OpenCL loads libtarry-opencl.so
  bool records_cuda = false;                 // where CUDA's driver loads libtarry-cuda.so
  bool wraps_functions = false;              // of libraries, where libtarry-wrap-*.so is loaded
  bool wraps_nested = false;                 // also those that one of them calls
  bool records_call_paths = true;            // functions without hooks, by unwinding at recorded calls
  bool tells_inlined = true;                 // then: where calls are, for tools to find the inlined functions
  bool keeps_system_frames = false;          // also those of MPI, the C library and the like
  std::uint32_t sample_rate = 0;             // samples of each thread's stack, per second of processor time; 0: none
  bool samples_inside = false;               // also inside recorded calls
  bool coalesces_tests = true;               // consecutive unsuccessful tests and probes are one visit
  double clock_period = 0;  // seconds from one comparison of clocks between nodes to the next; 0: start and end only
  bool is_verbose = false;
  bool is_redacted = false;  // program arguments are not recorded
};

inline constexpr EventClass kMpiClass = {"mpi", kMpiEventGroups, &Settings::mpi_events};
inline constexpr EventClass kOpenMpClass = {"openmp", kOpenMpEventGroups, &Settings::openmp_events};
inline constexpr EventClass kThreadClass = {"threads", kThreadEventGroups, &Settings::thread_events};
inline constexpr EventClass kFileClass = {"files", kFileEventGroups, &Settings::file_events};

/// Reads the environment. Returns what is wrong with it, one sentence per variable and line, or nothing; such a
/// variable counts as not set.
std::string read_settings(Settings& settings);

/// "200M", "1.5G", "65536", "64k" in bytes (K, M, G: powers of 1024); false if it is no size.
bool parse_memory_size(const char* text, std::uint64_t& bytes);

}  // namespace tarry::measure
