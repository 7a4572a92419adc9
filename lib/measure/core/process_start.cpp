// process_start.cpp -- when a process begins to be recorded.
#include "measure/core/process_start.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <iterator>
#include <mutex>
#include <string>
#include <string_view>

#include "archive/names.hpp"
#include "base/file.hpp"
#include "base/owned_file.hpp"
#include "measure/core/loaded_object.hpp"
#include "measure/core/runtime.hpp"
#include "measure/core/say.hpp"
#include "measure/core/signal_block.hpp"

namespace tarry::measure {

Ticks g_first_waiting_event = 0;

namespace {

constexpr int kMaxArchiveNumber = 100000;

std::atomic<Phase> g_phase = Phase::kUntouched;
Adapter* g_adapters = nullptr;

// For a program that runs without `tarry measure`: tarry-PROGRAM-N/ with the next free N.
bool make_archive(Settings& settings) {
  char folder[kMaxArchivePath];
  if (!::getcwd(folder, sizeof folder)) return false;
  for (int number = 1; number < kMaxArchiveNumber; ++number) {
    const std::string path = std::string(folder) + "/tarry-" + program_name() + "-" + std::to_string(number);
    if (path.size() >= kMaxArchivePath) return false;
    if (::mkdir(path.c_str(), 0777) != 0) {
      if (errno == EEXIST) continue;
      say(path + ": " + system_error() + " (set TARRY_ARCHIVE to a folder that can be written); nothing is recorded");
      return false;
    }
    std::memcpy(settings.archive, path.c_str(), path.size() + 1);
    return true;
  }
  return false;
}

// The folder that TARRY_ARCHIVE names, made if it is not there. Its path must outlive the program's working folder.
bool open_named_archive(Settings& settings) {
  const std::string named = settings.archive;
  if (::mkdir(named.c_str(), 0777) != 0 && errno != EEXIST) {
    say(named + ": " + system_error() + "; nothing is recorded");
    return false;
  }
  char folder[kMaxArchivePath];
  if (named[0] == '/' || !::getcwd(folder, sizeof folder)) return true;
  const std::string path = std::string(folder) + "/" + named;
  if (path.size() < kMaxArchivePath) std::memcpy(settings.archive, path.c_str(), path.size() + 1);
  return true;
}

// One archive holds one job: the first one to leave its mark.
bool leave_mark(const Settings& settings) {
  const std::string folder = std::string(settings.archive) + "/" + names::kEvents;
  if (::mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST) {
    say(folder + ": " + system_error() + "; nothing is recorded");
    return false;
  }
  const std::string mark = std::string(settings.archive) + "/" + names::kJob;
  const auto left = OwnedFile::open(mark, O_WRONLY | O_CREAT | O_EXCL);
  if (left.ok()) return true;
  if (path_exists(mark))
    say(std::string(settings.archive) + ": holds another MPI job or program already (measure one at a time); " +
        program_name() + " is not recorded");
  else
    say(mark + ": " + left.error().why + "; nothing is recorded");
  return false;
}

bool can_call_mpi() { return find_loaded("PMPI_Init").address != nullptr; }

// A launcher tells a process its place among the others.
bool is_launched_by_mpi() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "PMI_ID", "MPIRUN_RANK", "SLURM_PROCID"})
    if (std::getenv(name)) return true;
  return false;
}

// A launcher that does not say how many there are may have started several.
bool is_one_of_several() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"})
    if (const char* size = std::getenv(name)) return std::strtol(size, nullptr, 10) > 1;
  return true;
}

bool is_launcher(std::string_view name) {
  constexpr std::string_view kLaunchers[] = {"mpirun", "mpiexec", "mpiexec.hydra", "mpirun.openmpi", "mpiexec.openmpi",
                                             "mpirun.mpich", "mpiexec.mpich", "hydra_pmi_proxy", "orterun", "orted",
                                             "prterun", "prted", "srun", "aprun", "jsrun", "lrun"};
  return std::find(std::begin(kLaunchers), std::end(kLaunchers), name) != std::end(kLaunchers);
}

// True if nobody says who the command is, or this process is its child's program.
bool is_the_command() {
  const char* const parent = std::getenv(kParentVariable);
  return !parent || std::to_string(::getppid()) == parent;
}

void switch_off_in_child() { set_phase(Phase::kOff); }

}  // namespace

Phase phase() { return g_phase.load(std::memory_order_relaxed); }

void set_phase(Phase phase) { g_phase.store(phase, std::memory_order_release); }

bool is_recording_wanted() {
  for (const char* name : {"TARRY_ARCHIVE", "TARRY_TRACE", "TARRY_SUMMARY"})
    if (const char* value = std::getenv(name); value && *value) return true;
  const char* preloaded = std::getenv("LD_PRELOAD");
  return preloaded && std::strstr(preloaded, "libtarry-");
}

const ClockReading& first_clock_reading() {
  static const ClockReading reading = [] {
    choose_clock();
    return read_clocks();
  }();
  return reading;
}

bool claim_archive(Settings& settings) {
  return (settings.archive[0] ? open_named_archive(settings) : make_archive(settings)) && leave_mark(settings);
}

Phase note_first_event() {
  const SignalBlock no_signals;
  // Whoever comes while another thread is at it (or a signal handler in its midst) loses this one event.
  static std::atomic_flag is_taken = ATOMIC_FLAG_INIT;
  if (is_taken.test_and_set()) return Phase::kOff;
  if (!is_recording_wanted()) {
    set_phase(Phase::kOff);
    return Phase::kOff;
  }
  first_clock_reading();
  ::pthread_atfork(nullptr, nullptr, switch_off_in_child);
  if (is_launched_by_mpi() && (can_call_mpi() || is_one_of_several()))
    set_phase(Phase::kWaitsForMpi);
  else
    start_alone();
  return phase();
}

void note_first_thread() {
  if (!is_recording_wanted() || !is_the_command() || is_launched_by_mpi() || is_launcher(program_name())) return;
  Settings settings;
  read_settings(settings);
  if (settings.records_pthreads) note_first_event();
}

void start_alone() {
  Settings settings;
  if (const std::string complaints = read_settings(settings); !complaints.empty())
    say(complaints.substr(0, complaints.size() - 1));
  if (!claim_archive(settings)) return set_phase(Phase::kOff);
  ProcessFacts facts;
  facts.begin = g_first_waiting_event ? g_first_waiting_event : now();
  facts.clock_start = first_clock_reading();
  facts.is_alone = true;
  start_recording(settings, facts);
}

void register_adapter(Adapter& adapter) {
  adapter.next = g_adapters;
  g_adapters = &adapter;
}

Adapter* first_adapter() { return g_adapters; }

}  // namespace tarry::measure
