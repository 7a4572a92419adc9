// settings.cpp -- the environment variables of a measurement.
#include "measure/core/settings.hpp"

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "base/processes/environment_value.hpp"

namespace tarry::measure {
namespace {

constexpr std::uint64_t kLeastMemory = 1 << 20;
constexpr std::uint32_t kGreatestDepth = 1'000'000, kMostIterations = 100'000, kMostClusters = 64,
                        kMostSamples = 10'000;

bool is_one_of(const char* text, std::initializer_list<const char*> words) {
  for (const char* word : words)
    if (!std::strcmp(text, word)) return true;
  return false;
}

template <auto kPlace>
bool read_flag(const char* text, Settings& settings) {
  const bool is_on = is_one_of(text, {"1", "yes", "true", "on"});
  if (!is_on && !is_one_of(text, {"0", "no", "false", "off"})) return false;
  settings.*kPlace = is_on;
  return true;
}

template <auto kPlace>
bool read_text(const char* text, Settings& settings) {
  auto& place = settings.*kPlace;
  const std::size_t size = std::strlen(text) + 1;
  if (size > sizeof place) return false;
  std::memcpy(place, text, size);
  return true;
}

// A whole number from 1 to `kMost`.
template <auto kPlace, std::uint32_t kMost>
bool read_number(const char* text, Settings& settings) {
  char* end = nullptr;
  const unsigned long long number = *text >= '0' && *text <= '9' ? std::strtoull(text, &end, 10) : 0;
  if (number < 1 || number > kMost || *end != 0) return false;
  settings.*kPlace = static_cast<std::uint32_t>(number);
  return true;
}

// Who asks for a trace wants no summary, unless that is asked for, too.
bool read_trace(const char* text, Settings& settings) {
  if (!read_flag<&Settings::traces>(text, settings)) return false;
  settings.summarises = !settings.traces;
  return true;
}

bool read_memory(const char* text, Settings& settings) {
  std::uint64_t bytes = 0;
  if (!parse_memory_size(text, bytes) || bytes < kLeastMemory) return false;
  settings.memory = bytes;
  return true;
}

bool read_when_full(const char* text, Settings& settings) {
  if (!is_one_of(text, {"flush", "stop", "ring"})) return false;
  settings.when_full = *text == 'f' ? WhenFull::kFlush : *text == 's' ? WhenFull::kStop : WhenFull::kRing;
  return true;
}

// Of two words, whether it is the first.
template <auto kPlace>
bool read_choice(const char* text, Settings& settings, const char* yes, const char* no) {
  if (!is_one_of(text, {yes, no})) return false;
  settings.*kPlace = !std::strcmp(text, yes);
  return true;
}

// `tarry measure` reads it again.
bool read_annotations(const char* text, Settings&) {
  if (!std::strcmp(text, "none")) return true;
  for (const char* word = text;; ++word) {
    const std::string_view interface(word, std::strcspn(word, ","));
    if (std::ranges::find(kAnnotationWords, interface) == std::end(kAnnotationWords)) return false;
    word += interface.size();
    if (!*word) return true;
  }
}

// Which libraries there are `tarry measure` knows.
bool note_wrapped(const char* text, Settings& settings) {
  settings.wraps_functions = std::strlen(text) < kMaxArchivePath;
  return settings.wraps_functions;
}

bool read_spool(const char* text, Settings& settings) {
  return read_choice<&Settings::spools_in_memory>(text, settings, "memory", "archive");
}

bool read_tests(const char* text, Settings& settings) {
  return read_choice<&Settings::coalesces_tests>(text, settings, "together", "each");
}

const EventClass* class_named(std::string_view name) {
  for (const EventClass* each : {&kMpiClass, &kOpenMpClass, &kThreadClass, &kFileClass})
    if (each->name == name) return each;
  return nullptr;
}

// "mpi:coll,p2p,openmp:teams": a class and its groups, up to the next class. "mpi" alone is all of it, "mpi:" nothing.
// Classes that are not named are recorded.
bool read_events(const char* text, Settings& settings) {
  std::string_view rest = text;
  if (rest == "all") return true;
  if (rest.ends_with(',')) return false;
  Settings chosen = settings;
  const EventClass* open = nullptr;
  while (!rest.empty()) {
    std::string_view word = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    const std::size_t colon = word.find(':');
    if (const EventClass* const named = class_named(word.substr(0, colon))) {
      open = colon == word.npos ? nullptr : named;
      chosen.*named->chosen = open ? std::uint8_t{0} : Settings().*named->chosen;
      word = open ? word.substr(colon + 1) : "";
      if (word.empty()) continue;
    }
    if (!open) return false;
    const auto group = std::ranges::find(open->groups, word, &NamedEventGroup::name);
    if (group == open->groups.end()) return false;
    chosen.*open->chosen |= group->group;
  }
  settings = chosen;
  return true;
}

// "100000", "100000:1us", "50000:250ns".
bool read_throttle(const char* text, Settings& settings) {
  if (!std::strcmp(text, "off")) return settings.throttled_visits = 0, true;
  const std::string_view whole = text;
  const std::size_t colon = whole.find(':');
  const std::string visits(whole.substr(0, colon));
  Settings chosen;
  if (!read_number<&Settings::throttled_visits, 4'000'000'000>(visits.c_str(), chosen)) return false;
  if (colon != whole.npos) {
    char* end = nullptr;
    const double time = std::strtod(text + colon + 1, &end);
    const bool is_time = end != text + colon + 1 && time > 0 && time < 1e9;
    if (!is_time || !is_one_of(end, {"ns", "us"})) return false;
    chosen.throttled_seconds = time * (*end == 'n' ? 1e-9 : 1e-6);
  }
  settings.throttled_visits = chosen.throttled_visits;
  settings.throttled_seconds = chosen.throttled_seconds;
  return true;
}

// choose_clock() reads it again.
bool read_clock(const char* text, Settings&) { return is_one_of(text, {"auto", "monotonic"}); }

// Samples have call paths.
bool read_sample(const char* text, Settings& settings) {
  if (!std::strcmp(text, "0")) return true;
  if (!read_number<&Settings::sample_rate, kMostSamples>(text, settings)) return false;
  return settings.records_call_paths = true;
}

bool read_clock_period(const char* text, Settings& settings) {
  char* end = nullptr;
  const double seconds = std::strtod(text, &end);
  const bool is_number = end != text;
  if (*end == 's') ++end;
  if (!is_number || *end != 0 || !(seconds >= 0 && seconds < 1e9)) return false;
  settings.clock_period = seconds;
  return true;
}

template <auto kPlace>
constexpr SettingParser kFlag = {read_flag<kPlace>, "set it to 0 or 1"};
template <auto kPlace>
constexpr SettingParser kText = {read_text<kPlace>, "it is too long"};
template <auto kPlace, std::uint32_t kMost>
constexpr SettingParser kNumber = {read_number<kPlace, kMost>, "a number from 1 on"};
constexpr SettingParser kTrace = {read_trace, "set it to 0 or 1"};
constexpr SettingParser kMemory = {read_memory, "a size of at least 1M, like 200M"};
constexpr SettingParser kWhenFull = {read_when_full, "flush, stop or ring"};
constexpr SettingParser kCompression = {read_number<&Settings::compression, 9>, "1 to 9"};
constexpr SettingParser kSpool = {read_spool, "archive or memory"};
constexpr SettingParser kEvents = {read_events,
                                   "all, or lists like mpi:p2p,coll,rma,io,other openmp:teams,tasks,locks,target "
                                   "threads:create,locks,waits files:data,metadata, with commas between them"};
constexpr SettingParser kThrottle = {read_throttle, "off, or visits and time like 100000:1us"};
constexpr SettingParser kAnnotations = {read_annotations,
                                        "none, or a list of nvtx, kokkos, kokkos-old, itt, caliper, roctx, likwid and "
                                        "perfstubs, with commas"};
constexpr SettingParser kWrapped = {note_wrapped, "it is too long"};
constexpr SettingParser kTests = {read_tests, "together or each"};
constexpr SettingParser kSample = {read_sample, "a number from 1 on"};
constexpr SettingParser kClock = {read_clock, "auto or monotonic"};
constexpr SettingParser kClockPeriod = {read_clock_period, "seconds, like 10 or 2.5s"};

constexpr SettingInfo kSettings[] = {
    {"TARRY_ARCHIVE", "", "folder the run is recorded into; not set: tarry-<program>-<n> in the working folder",
     kText<&Settings::archive>},
    {"TARRY_TRACE", "0", "record an event trace (0 or 1)", kTrace},
    {"TARRY_SUMMARY", "1 unless TARRY_TRACE is set", "record a call-path summary (0 or 1)",
     kFlag<&Settings::summarises>},
    {"TARRY_MEMORY", "200M", "event buffers of one process", kMemory},
    {"TARRY_WHEN_FULL", "flush", "then: flush (write them out), stop (record no more) or ring (keep the latest)",
     kWhenFull},
    {"TARRY_COMPRESSION", "1", "zlib level of what is written, 1 (fast) to 9 (small)", kCompression},
    {"TARRY_SPOOL", "archive",
     "where event buffers lie: archive (a killed program loses nothing) or memory (slow file systems)", kSpool},
    {"TARRY_FILTER", "", "file of rules on which functions and user regions are recorded", kText<&Settings::filter>},
    {"TARRY_SELECT", "",
     "user regions and iterations to record, like \"solve step:0-9,100\" or \"step:last10\"; not set: everything",
     kText<&Settings::select>},
    {"TARRY_EVENTS", "all",
     "groups of calls to record, like \"mpi:coll,p2p,openmp:teams\", of mpi (p2p, coll, rma, io, other), openmp "
     "(teams, "
     "tasks, locks, target), threads (create, locks, waits) and files (data, metadata); classes that are not named are "
     "recorded; what is left out has no waits",
     kEvents},
    {"TARRY_THROTTLE", "100000:1us",
     "instrumented functions with more visits that take less on average are counted from then on, and not recorded; "
     "off: "
     "all are recorded",
     kThrottle},
    {"TARRY_PCONTROL", "1", "MPI_Pcontrol switches the recording off (level 0) and on (level 1) (0 or 1)",
     kFlag<&Settings::obeys_pcontrol>},
    {"TARRY_METRICS", "",
     "counters recorded with every enter and leave, like page-faults,ru_utime,PAPI_TOT_INS ('tarry measure --metrics "
     "help' lists them)",
     kText<&Settings::metrics>},
    {"TARRY_METRIC_PLUGINS", "",
     "shared libraries that count with every enter and leave, like \"libmine.so:eth0\" with arguments; more behind ';'",
     kText<&Settings::metric_plugins>},
    {"TARRY_ITERATIONS", "1000", "iterations of a loop that get call paths of their own",
     kNumber<&Settings::max_iterations, kMostIterations>},
    {"TARRY_CLUSTERS", "64", "call paths that a summary has for further iterations, each of similar ones, 1 to 64",
     kNumber<&Settings::max_clusters, kMostClusters>},
    {"TARRY_DEPTH", "1000", "functions nested deeper than this count as part of their caller",
     kNumber<&Settings::max_depth, kGreatestDepth>},
    {"TARRY_PTHREADS", "1", "record functions of POSIX threads (0 or 1)", kFlag<&Settings::records_pthreads>},
    {"TARRY_IO", "0", "record what the program itself does with files, not through MPI (0 or 1)",
     kFlag<&Settings::records_files>},
    {"TARRY_OPENCL", "0", "record calls of OpenCL, and what its queues execute (0 or 1)",
     kFlag<&Settings::records_opencl>},
    {"TARRY_CUDA", "0", "record calls of CUDA, and what its streams execute (0 or 1)", kFlag<&Settings::records_cuda>},
    {"TARRY_ANNOTATIONS", "nvtx,kokkos,itt,caliper,roctx,likwid",
     "interfaces whose annotations, where the program has them, are recorded as user regions; none: of no interface",
     kAnnotations},
    {"TARRY_WRAP", "",
     "libraries whose functions are recorded: a list of blas, lapack, fftw, hdf5 and netcdf, with commas", kWrapped},
    {"TARRY_WRAP_HEADER", "",
     "headers whose functions are recorded, like \"foo.h,libfoo.so\" with the library that has them; more behind ';'",
     kWrapped},
    {"TARRY_WRAP_NESTED", "0", "then: also functions that one of them calls, not only the outermost one (0 or 1)",
     kFlag<&Settings::wraps_nested>},
    {"TARRY_CALLPATHS", "1",
     "unwind the stack at recorded calls, for the functions of a program that is not instrumented (0 or 1)",
     kFlag<&Settings::records_call_paths>},
    {"TARRY_INLINE", "1", "call paths have functions that were inlined, where debug information tells (0 or 1)",
     kFlag<&Settings::tells_inlined>},
    {"TARRY_SYSTEM_FRAMES", "0", "call paths keep functions of MPI, the C library and the like (0 or 1)",
     kFlag<&Settings::keeps_system_frames>},
    {"TARRY_SAMPLE", "0",
     "samples of each thread's stack per second of its processor time, up to 10000; with call paths; 0: none", kSample},
    {"TARRY_SAMPLE_INSIDE", "0", "then: take samples inside recorded calls, too (0 or 1)",
     kFlag<&Settings::samples_inside>},
    {"TARRY_DEBUG_PATH", "",
     "folders with debug information that was split off programs, besides /usr/lib/debug, separated by ':'"},
    {"TARRY_TESTS", "together", "consecutive unsuccessful tests and probes: together (as one visit) or each", kTests},
    {"TARRY_CLOCK", "auto",
     "what times are read from: auto (the processor's counter where it is steady) or monotonic (the system)", kClock},
    {"TARRY_CLOCK_EVERY", "0",
     "seconds from one comparison of the nodes' clocks to the next, inside collective operations; 0: start and end "
     "only",
     kClockPeriod},
    {"TARRY_PARAMS", "", "parameters of the experiment, like \"n=512,layout=blocked\", for 'tarry store'"},
    {"TARRY_COMMIT", "", "revision of the program's source, for 'tarry store'"},
    {"TARRY_VERBOSE", "0", "say on stderr what the recorder does (0 or 1)", kFlag<&Settings::is_verbose>},
    {"TARRY_REDACT", "0", "do not record the program's arguments (0 or 1)", kFlag<&Settings::is_redacted>},
};

std::string complaint(const SettingInfo& setting, const char* text) {
  constexpr std::size_t kLong = 1000;
  return std::string(setting.name) + ": '" + (std::strlen(text) < kLong ? text : "...") + "' is not a valid value (" +
         setting.parser.hint + ")\n";
}

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
  std::string complaints;
  for (const SettingInfo& setting : kSettings) {
    const char* const text = environment_value(setting.name);
    if (!text || !*text || !setting.parser.read) continue;
    if (!setting.parser.read(text, settings)) complaints += complaint(setting, text);
  }
  if (!settings.traces) settings.summarises = true;  // neither means summary
  return complaints;
}

}  // namespace tarry::measure
