// start_and_end.cpp -- MPI_Init and MPI_Finalize: where the recording of an MPI process begins and becomes complete.
#include <algorithm>
#include <string>

#include "measure/core/process_start.hpp"
#include "measure/core/runtime.hpp"
#include "measure/core/say.hpp"
#include "measure/mpi/clock_offsets.hpp"
#include "measure/mpi/comm_table.hpp"
#include "measure/mpi/fortran.hpp"
#include "measure/mpi/mpi_binding.hpp"
#include "measure/mpi/mpi_call.hpp"
#include "measure/mpi/mpi_entry.hpp"

namespace tarry::measure {
namespace {

bool g_has_ended = false;  // MPI_Finalize has been recorded

// Process 0's decision, the same for all: they may not all have the environment.
struct Agreement {
  bool is_recorded = false;
  Settings settings;
};

bool is_spawned() {
  MPI_Comm parent = MPI_COMM_NULL;
  PMPI_Comm_get_parent(&parent);
  return parent != MPI_COMM_NULL;
}

Agreement agree(int rank) {
  Agreement agreement;
  if (rank == 0 && is_recording_wanted() && !is_recording()) {
    const std::string complaints = read_settings(agreement.settings);
    if (!complaints.empty()) say(complaints.substr(0, complaints.size() - 1));
    if (is_spawned())
      say(program_name() + " was spawned by another program: its processes are not recorded");
    else
      agreement.is_recorded = claim_archive(agreement.settings);
  }
  PMPI_Bcast(&agreement, sizeof agreement, MPI_BYTE, 0, MPI_COMM_WORLD);
  return agreement;
}

bool can_be_recorded() {
  if (MPI_COMM_WORLD) return true;
  say("the MPI library shows no MPI_COMM_WORLD: nothing is recorded");
  return false;
}

// The recording is on: MPI_Init, which was called at `called_at`, becomes part of it.
void begin_mpi(MpiFunction function, Ticks called_at, int rank, int size) {
  int thread_level = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&thread_level);
  g_has_concurrent_calls = thread_level == MPI_THREAD_MULTIPLE;
  redirect_fortran_calls();
  define_world(rank, size);
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  PMPI_Get_library_version(version, &length);
  std::string name(version);
  name.resize(std::min(name.size(), name.find('\n')));  // MPICH goes on with how it was configured
  if (rank == 0) definitions().add_property("mpi_library", name);
  const bool is_entered = record_init(function, called_at);
  measure_clock_offsets(clock_domain(), rank);
  if (thread_level != MPI_THREAD_MULTIPLE) compare_clocks_every(settings().clock_period);
  if (Thread* thread = current_thread(); thread && is_entered) leave(*thread, now());
}

// Where no launcher was in sight, some processes may have begun to record on their own. Then none goes on: the others
// would wait for them. Called where all have agreed to record.
bool has_any_begun() {
  const std::int64_t here = is_recording();
  std::int64_t anywhere = 0;
  PMPI_Allreduce(&here, &anywhere, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
  return anywhere;
}

// `called_at`: when MPI_Init was called.
bool start(MpiFunction function, Ticks called_at) {
  int rank = 0, size = 1;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  const Agreement agreement = agree(rank);
  if (is_recording())
    say("an unknown launcher has started several processes: nothing is recorded from MPI_Init on");
  if (!agreement.is_recorded || has_any_begun()) return false;
  ProcessFacts facts;
  facts.rank = static_cast<std::uint32_t>(rank);
  facts.processes = static_cast<std::uint32_t>(size);
  facts.begin = g_first_waiting_event ? g_first_waiting_event : called_at;
  facts.clock_start = first_clock_reading();
  start_recording(agreement.settings, facts);
  begin_mpi(function, called_at, rank, size);
  return true;
}

// A program that unloads MPI after MPI_Finalize and loads it again may call MPI_Init again. The handles that the
// recorder has kept are those of the first time.
bool has_ended_before() {
  if (!g_has_ended) return false;
  say("MPI has been started again after MPI_Finalize: nothing is recorded from this MPI_Init on");
  return true;
}

// The recording of this process, the only one, has begun before MPI_Init.
bool go_on(MpiFunction function, Ticks called_at) {
  if (has_ended_before()) return false;
  join_mpi();
  begin_mpi(function, called_at, 0, 1);
  return true;
}

bool start_or_go_on(MpiFunction function, Ticks called_at) {
  if (!can_be_recorded()) return false;
  int size = 1;
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  return is_recording() && size == 1 ? go_on(function, called_at) : start(function, called_at);
}

template <class Init>
int initialise(MpiFunction function, const void* caller, Init init) {
  bind_mpi_of(caller);
  const ClockReading& clock_start = first_clock_reading();
  const Ticks called_at = phase() == Phase::kUntouched ? clock_start.ticks : now();
  const int outcome = init();
  if (outcome != MPI_SUCCESS || start_or_go_on(function, called_at)) return outcome;
  finish_recording();
  set_phase(Phase::kOff);
  return outcome;
}

int finalise() {
  const int outcome = PMPI_Finalize();
  distrust_binding();
  return outcome;
}

}  // namespace
}  // namespace tarry::measure

using namespace tarry::measure;

TARRY_MPI_ENTRY int MPI_Init(int* argc, char*** argv) {
  return initialise(MpiFunction::Init, __builtin_return_address(0), [&] { return PMPI_Init(argc, argv); });
}

TARRY_MPI_ENTRY int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  return initialise(MpiFunction::Init_thread, __builtin_return_address(0),
                    [&] { return PMPI_Init_thread(argc, argv, required, provided); });
}

TARRY_MPI_ENTRY int MPI_Finalize(void) {
  MpiCall call(MpiFunction::Finalize);
  if (!call.is_recorded()) return finalise();
  measure_clock_offsets(clock_domain(), find_comm(MPI_COMM_WORLD).rank);
  // Behind it the launcher may kill the process: another one may have returned a status that is not 0.
  secure_recording();
  const int outcome = finalise();
  call.returned();
  if (outcome == MPI_SUCCESS) {
    g_has_ended = true;
    mark_complete();
  }
  return outcome;
}

// The process may not get to its exit handlers: what it has goes into the archive first.
TARRY_MPI_ENTRY int MPI_Abort(MPI_Comm comm, int code) {
  tarry::Ticks time = 0;
  bool is_entered = false;
  if (begin_mpi_call(MpiFunction::Abort, &time, time, is_entered)) finish_recording();
  return PMPI_Abort(comm, code);
}
