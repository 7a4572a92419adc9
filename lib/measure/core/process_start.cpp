// process_start.cpp -- when a process begins to be recorded.
#include "measure/core/process_start.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "archive/files/manifest.hpp"
#include "base/processes/environment_value.hpp"
#include "base/processes/launched_process.hpp"
#include "base/processes/launcher_job.hpp"
#include "base/processes/launchers.hpp"
#include "measure/core/archive_claim.hpp"
#include "measure/core/loaded_object.hpp"
#include "measure/core/runtime.hpp"
#include "measure/core/say.hpp"
#include "measure/core/signal_block.hpp"

namespace tarry::measure {

Ticks g_first_waiting_event = 0;

namespace {

std::atomic<Phase> g_phase = Phase::kUntouched;

bool can_call_mpi() { return find_loaded("PMPI_Init").address != nullptr; }

// The launcher's job, where that has several processes and can be told apart from others.
std::optional<LauncherJob> find_job() {
  auto job = find_launcher_job();
  return job && job->size > 1 && !job->id.empty() && job->size <= kMostRanks ? job : std::nullopt;
}

// A launcher that does not say how many there are may have started several. Of those, interpreters and the like may
// load MPI later.
bool may_call_mpi_later() {
  return launched_processes().value_or(2) > 1 && (is_called_by_program("dlopen") || !find_job());
}

// Commands that start another one and wait for it.
bool is_shell(std::string_view name) {
  constexpr std::string_view kShells[] = {
      "sh",   "bash",    "dash", "ksh",  "zsh",    "csh",     "tcsh",    "fish",     "busybox",     "make",   "gmake",
      "env",  "timeout", "time", "nice", "nohup",  "taskset", "numactl", "setarch",  "unshare",     "stdbuf", "xargs",
      "sudo", "su",      "ssh",  "perf", "strace", "ltrace",  "gdb",     "valgrind", "valgrind.bin"};
  return std::find(std::begin(kShells), std::end(kShells), name) != std::end(kShells);
}

// True if the command is unknown, or this process is its child's program.
bool is_the_command() {
  const char* const parent = environment_value(kParentVariable);
  return !parent || std::to_string(::getppid()) == parent;
}

void switch_off_in_child() { set_phase(Phase::kOff); }

}  // namespace

Phase phase() { return g_phase.load(std::memory_order_relaxed); }

void set_phase(Phase phase) { g_phase.store(phase, std::memory_order_release); }

bool is_recording_wanted() {
  for (const char* name : {"TARRY_ARCHIVE", "TARRY_TRACE", "TARRY_SUMMARY"})
    if (const char* value = environment_value(name); value && *value) return true;
  const char* preloaded = environment_value("LD_PRELOAD");
  return preloaded && std::strstr(preloaded, "libtarry-");
}

const ClockReading& first_clock_reading() {
  static const ClockReading reading = [] {
    choose_clock();
    return read_clocks();
  }();
  return reading;
}

Phase note_first_event() {
  const SignalBlock no_signals;
  // Whoever comes while another thread is at it (or a signal handler in its midst) loses this one event.
  static std::atomic<bool> is_taken = false;
  if (is_taken.exchange(true)) return Phase::kOff;
  if (!is_recording_wanted()) {
    set_phase(Phase::kOff);
    return Phase::kOff;
  }
  first_clock_reading();
  ::pthread_atfork(nullptr, nullptr, switch_off_in_child);
  if (launched_rank() && (can_call_mpi() || may_call_mpi_later())) set_phase(Phase::kWaitsForMpi);
  else start_alone();
  return phase();
}

void note_first_thread() {
  if (!is_recording_wanted() || !is_the_command() || launched_rank() || is_launcher(program_name())) return;
  Settings settings;
  read_settings(settings);
  if (settings.records_pthreads) note_first_event();
}

void note_plain_program() {
  constexpr const char* kForPlainPrograms[] = {"TARRY_SAMPLE", "TARRY_IO",   "TARRY_OPENCL",
                                               "TARRY_CUDA",   "TARRY_WRAP", "TARRY_WRAP_HEADER"};
  const auto is_set = [](const char* name) {
    const char* const value = environment_value(name);
    return value && *value;
  };
  if (std::ranges::none_of(kForPlainPrograms, is_set)) return;
  if (phase() != Phase::kUntouched || is_shell(program_name())) return;
  if (!is_recording_wanted() || !is_the_command() || launched_rank() || is_launcher(program_name())) return;
  Settings settings;
  read_settings(settings);
  if (settings.sample_rate || settings.records_files || settings.records_opencl || settings.records_cuda ||
      settings.wraps_functions)
    note_first_event();
}

void start_alone() {
  Settings settings;
  if (const std::string complaints = read_settings(settings); !complaints.empty())
    say(complaints.substr(0, complaints.size() - 1));
  const auto job = settings.archive[0] ? find_job() : std::nullopt;
  const bool is_claimed = job ? claim_archive_together(settings, job->size, job->id) : claim_archive(settings, 1);
  if (!is_claimed) return set_phase(Phase::kOff);
  ProcessFacts facts;
  if (job) {
    facts.rank = WorldRank(job->rank);
    facts.processes = job->size;
  }
  facts.begin = g_first_waiting_event ? g_first_waiting_event : now();
  facts.clock_start = first_clock_reading();
  facts.is_alone = true;
  start_recording(settings, facts);
}

}  // namespace tarry::measure
