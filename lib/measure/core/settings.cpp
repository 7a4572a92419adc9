// settings.cpp -- the environment variables of a measurement.
#include "measure/core/settings.hpp"

#include <cerrno>

namespace tarry::measure {
namespace {

constexpr std::uint64_t kLeastMemory = 1 << 20;
constexpr std::uint32_t kGreatestDepth = 1'000'000, kMostIterations = 100'000, kMostClusters = 64,
                        kMostSamples = 10'000;

constexpr SettingInfo kSettings[] = {
    {"TARRY_ARCHIVE", "", "folder the run is recorded into; not set: tarry-<program>-<n> in the working folder"},
    {"TARRY_SUMMARY", "1 unless TARRY_TRACE is set", "record a call-path summary (0 or 1)"},
    {"TARRY_TRACE", "0", "record an event trace (0 or 1)"},
    {"TARRY_MEMORY", "200M", "event buffers of one process"},
    {"TARRY_WHEN_FULL", "flush", "then: flush (write them out), stop (record no more) or ring (keep the latest)"},
    {"TARRY_COMPRESSION", "1", "zlib level of what is written, 1 (fast) to 9 (small)"},
    {"TARRY_SPOOL", "archive",
     "where event buffers lie: archive (a killed program loses nothing) or memory (slow file systems)"},
    {"TARRY_FILTER", "", "file of rules on which functions and user regions are recorded"},
    {"TARRY_SELECT", "",
     "user regions and iterations to record, like \"solve step:0-9,100\" or \"step:last10\"; not set: everything"},
    {"TARRY_METRICS", "",
     "counters recorded with every enter and leave, like page-faults,ru_utime,PAPI_TOT_INS ('tarry measure --metrics "
     "help' lists them)"},
    {"TARRY_ITERATIONS", "1000", "iterations of a loop that get call paths of their own"},
    {"TARRY_CLUSTERS", "64", "call paths that a summary has for further iterations, each of similar ones, 1 to 64"},
    {"TARRY_DEPTH", "1000", "functions nested deeper than this count as part of their caller"},
    {"TARRY_PTHREADS", "1", "record functions of POSIX threads (0 or 1)"},
    {"TARRY_IO", "0", "record what the program itself does with files, not through MPI (0 or 1)"},
    {"TARRY_CALLPATHS", "1",
     "unwind the stack at recorded calls, for the functions of a program that is not instrumented (0 or 1)"},
    {"TARRY_SYSTEM_FRAMES", "0", "call paths keep functions of MPI, the C library and the like (0 or 1)"},
    {"TARRY_SAMPLE", "0",
     "samples of each thread's stack per second of its processor time, up to 10000; with call paths; 0: none"},
    {"TARRY_SAMPLE_INSIDE", "0", "then: take samples inside recorded calls, too (0 or 1)"},
    {"TARRY_DEBUG_PATH", "",
     "folders with debug information that was split off programs, besides /usr/lib/debug, separated by ':'"},
    {"TARRY_TESTS", "together", "consecutive unsuccessful tests and probes: together (as one visit) or each"},
    {"TARRY_CLOCK", "auto",
     "what times are read from: auto (the processor's counter where it is steady) or monotonic (the system)"},
    {"TARRY_CLOCK_EVERY", "0",
     "seconds from one comparison of the nodes' clocks to the next, inside collective operations; 0: start and end "
     "only"},
    {"TARRY_PARAMS", "", "parameters of the experiment, like \"n=512,layout=blocked\", for 'tarry store'"},
    {"TARRY_COMMIT", "", "revision of the program's source, for 'tarry store'"},
    {"TARRY_VERBOSE", "0", "say on stderr what the recorder does (0 or 1)"},
    {"TARRY_REDACT", "0", "do not record the program's arguments (0 or 1)"},
};

class EnvironmentReader {
 public:
  std::string complaints;

  // The variable, or nullptr if it is not set or empty.
  static const char* find(const char* name) {
    const char* text = std::getenv(name);
    return text && *text ? text : nullptr;
  }

  // True if the variable is set to a valid truth value.
  bool flag(const char* name, bool& value) {
    const char* text = find(name);
    if (!text) return false;
    for (const char* yes : {"1", "yes", "true", "on"})
      if (!std::strcmp(text, yes)) return value = true;
    for (const char* no : {"0", "no", "false", "off"})
      if (!std::strcmp(text, no)) return !(value = false);
    complain(name, text, "set it to 0 or 1");
    return false;
  }

  template <std::size_t kSize>
  void text(const char* name, char (&value)[kSize]) {
    const char* text = find(name);
    if (!text) return;
    if (std::strlen(text) < kSize) std::memcpy(value, text, std::strlen(text) + 1);
    else complain(name, "...", "it is too long");
  }

  // A whole number from 1 to `most`.
  void number(const char* name, std::uint32_t most, std::uint32_t& value) {
    const char* text = find(name);
    if (!text) return;
    char* end = nullptr;
    const unsigned long long parsed = *text >= '0' && *text <= '9' ? std::strtoull(text, &end, 10) : 0;
    if (parsed >= 1 && parsed <= most && *end == 0) value = static_cast<std::uint32_t>(parsed);
    else complain(name, text, "a number from 1 on");
  }

  void complain(const char* name, const char* text, const char* hint) {
    complaints.append(name).append(": '").append(text).append("' is not a valid value (").append(hint).append(")\n");
  }
};

}  // namespace

std::span<const SettingInfo> all_settings() { return kSettings; }

bool parse_memory_size(const char* text, std::uint64_t& bytes) {
  if (*text < '0' || *text > '9') return false;
  char* end = nullptr;
  errno = 0;
  const double number = std::strtod(text, &end);
  int shift = 0;
  switch (*end) {
    case 'k':
    case 'K': shift = 10; break;
    case 'm':
    case 'M': shift = 20; break;
    case 'g':
    case 'G': shift = 30; break;
    case 't':
    case 'T': shift = 40; break;
    default: break;
  }
  if (shift) ++end;
  if (shift && *end == 'i') ++end;
  if (*end == 'b' || *end == 'B') ++end;
  const double size = number * static_cast<double>(std::uint64_t{1} << shift);
  if (*end != 0 || errno != 0 || !(size < 1e18)) return false;
  bytes = static_cast<std::uint64_t>(size);
  return true;
}

std::string read_settings(Settings& settings) {
  EnvironmentReader environment;
  environment.text("TARRY_ARCHIVE", settings.archive);
  environment.text("TARRY_FILTER", settings.filter);
  environment.text("TARRY_METRICS", settings.metrics);
  environment.text("TARRY_SELECT", settings.select);
  environment.flag("TARRY_TRACE", settings.traces);
  settings.summarises = !settings.traces;
  environment.flag("TARRY_SUMMARY", settings.summarises);
  if (!settings.traces) settings.summarises = true;  // neither means summary
  if (const char* memory = environment.find("TARRY_MEMORY")) {
    std::uint64_t bytes = 0;
    if (parse_memory_size(memory, bytes) && bytes >= kLeastMemory) settings.memory = bytes;
    else environment.complain("TARRY_MEMORY", memory, "a size of at least 1M, like 200M");
  }
  if (const char* policy = environment.find("TARRY_WHEN_FULL")) {
    if (!std::strcmp(policy, "flush")) settings.when_full = WhenFull::kFlush;
    else if (!std::strcmp(policy, "stop")) settings.when_full = WhenFull::kStop;
    else if (!std::strcmp(policy, "ring")) settings.when_full = WhenFull::kRing;
    else environment.complain("TARRY_WHEN_FULL", policy, "flush, stop or ring");
  }
  if (const char* level = environment.find("TARRY_COMPRESSION")) {
    if (level[0] >= '1' && level[0] <= '9' && level[1] == 0) settings.compression = level[0] - '0';
    else environment.complain("TARRY_COMPRESSION", level, "1 to 9");
  }
  if (const char* spool = environment.find("TARRY_SPOOL")) {
    settings.spools_in_memory = !std::strcmp(spool, "memory");
    if (!settings.spools_in_memory && std::strcmp(spool, "archive"))
      environment.complain("TARRY_SPOOL", spool, "archive or memory");
  }
  environment.number("TARRY_ITERATIONS", kMostIterations, settings.max_iterations);
  environment.number("TARRY_CLUSTERS", kMostClusters, settings.max_clusters);
  environment.flag("TARRY_PTHREADS", settings.records_pthreads);
  environment.flag("TARRY_IO", settings.records_files);
  environment.flag("TARRY_CALLPATHS", settings.records_call_paths);
  environment.flag("TARRY_SYSTEM_FRAMES", settings.keeps_system_frames);
  if (const char* rate = environment.find("TARRY_SAMPLE"); rate && std::strcmp(rate, "0")) {
    environment.number("TARRY_SAMPLE", kMostSamples, settings.sample_rate);
    if (settings.sample_rate) settings.records_call_paths = true;
  }
  environment.flag("TARRY_SAMPLE_INSIDE", settings.samples_inside);
  if (const char* tests = environment.find("TARRY_TESTS")) {
    settings.coalesces_tests = std::strcmp(tests, "each");
    if (settings.coalesces_tests && std::strcmp(tests, "together"))
      environment.complain("TARRY_TESTS", tests, "together or each");
  }
  environment.number("TARRY_DEPTH", kGreatestDepth, settings.max_depth);
  if (const char* clock = environment.find("TARRY_CLOCK"))
    if (std::strcmp(clock, "auto") && std::strcmp(clock, "monotonic"))
      environment.complain("TARRY_CLOCK", clock, "auto or monotonic");
  if (const char* period = environment.find("TARRY_CLOCK_EVERY")) {
    char* end = nullptr;
    const double seconds = std::strtod(period, &end);
    if (*end == 's') ++end;
    if (end != period && *end == 0 && seconds >= 0 && seconds < 1e9) settings.clock_period = seconds;
    else environment.complain("TARRY_CLOCK_EVERY", period, "seconds, like 10 or 2.5s");
  }
  environment.flag("TARRY_VERBOSE", settings.is_verbose);
  environment.flag("TARRY_REDACT", settings.is_redacted);
  return environment.complaints;
}

}  // namespace tarry::measure
