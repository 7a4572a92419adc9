// start_and_end.cpp -- MPI_Init and MPI_Finalize: where the recording of an MPI process begins and becomes complete.
#include <string>

#include "measure/core/process_start.hpp"
#include "measure/core/runtime.hpp"
#include "measure/core/say.hpp"
#include "measure/mpi/clock_offsets.hpp"
#include "measure/mpi/comm_table.hpp"
#include "measure/mpi/fortran.hpp"
#include "measure/mpi/mpi_call.hpp"
#include "measure/mpi/mpi_entry.hpp"

namespace tarry::measure {
namespace {

// Process 0's decision, the same for all: they may not all have the environment.
struct Agreement {
  bool is_recorded = false;
  Settings settings;
};

bool is_supported_library() {
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  PMPI_Get_library_version(version, &length);
  if (std::string_view(version).find("Open MPI") != std::string_view::npos) return true;
  const std::string name(version, std::string_view(version).find_first_of("\n,"));
  say("'" + name + "' is not the MPI library tarry was built for (Open MPI): nothing is recorded");
  return false;
}

bool is_spawned() {
  MPI_Comm parent = MPI_COMM_NULL;
  PMPI_Comm_get_parent(&parent);
  return parent != MPI_COMM_NULL;
}

Agreement agree(int rank) {
  Agreement agreement;
  if (rank == 0 && is_recording_wanted()) {
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
  // Where MPI came in after the program had started, the addresses of its objects are not known here.
  if (MPI_COMM_WORLD) return is_supported_library();
  say("MPI was loaded while the program was running: nothing is recorded");
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
  if (rank == 0) definitions().add_property("mpi_library", version);
  const bool is_entered = record_init(function, called_at);
  measure_clock_offsets(clock_domain(), rank);
  if (thread_level != MPI_THREAD_MULTIPLE) compare_clocks_every(settings().clock_period);
  if (Thread* thread = current_thread(); thread && is_entered) leave(*thread, now());
}

// `called_at`: when MPI_Init was called.
bool start(MpiFunction function, Ticks called_at) {
  if (!can_be_recorded()) return false;
  int rank = 0, size = 1;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  const Agreement agreement = agree(rank);
  if (!agreement.is_recorded) return false;
  ProcessFacts facts;
  facts.rank = static_cast<std::uint32_t>(rank);
  facts.processes = static_cast<std::uint32_t>(size);
  facts.begin = g_first_waiting_event ? g_first_waiting_event : called_at;
  facts.clock_start = first_clock_reading();
  start_recording(agreement.settings, facts);
  begin_mpi(function, called_at, rank, size);
  return true;
}

// The recording has begun before MPI_Init, as no launcher was in sight: this must be the only process.
bool go_on(MpiFunction function, Ticks called_at) {
  int size = 1;
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size > 1) say("an unknown launcher has started several processes: nothing is recorded from MPI_Init on");
  if (size > 1 || !can_be_recorded()) {
    finish_recording();
    return false;
  }
  join_mpi();
  begin_mpi(function, called_at, 0, 1);
  return true;
}

template <class Init>
int initialise(MpiFunction function, Init init) {
  const bool is_recorded = is_recording();
  const ClockReading& clock_start = first_clock_reading();
  const Ticks called_at = phase() == Phase::kUntouched ? clock_start.ticks : now();
  const int outcome = init();
  if (outcome == MPI_SUCCESS && !(is_recorded ? go_on(function, called_at) : start(function, called_at)))
    set_phase(Phase::kOff);
  return outcome;
}

}  // namespace
}  // namespace tarry::measure

using namespace tarry::measure;

TARRY_MPI_ENTRY int MPI_Init(int* argc, char*** argv) {
  return initialise(MpiFunction::Init, [&] { return PMPI_Init(argc, argv); });
}

TARRY_MPI_ENTRY int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  return initialise(MpiFunction::Init_thread, [&] { return PMPI_Init_thread(argc, argv, required, provided); });
}

TARRY_MPI_ENTRY int MPI_Finalize(void) {
  MpiCall call(MpiFunction::Finalize);
  if (!call.is_recorded()) return PMPI_Finalize();
  measure_clock_offsets(clock_domain(), find_comm(MPI_COMM_WORLD).rank);
  // Behind it the launcher may kill the process: another one may have returned a status that is not 0.
  secure_recording();
  const int outcome = PMPI_Finalize();
  call.returned();
  if (outcome == MPI_SUCCESS) mark_complete();
  return outcome;
}

// The process may not get to its exit handlers: what it has goes into the archive first.
TARRY_MPI_ENTRY int MPI_Abort(MPI_Comm comm, int code) {
  tarry::Ticks time = 0;
  bool is_entered = false;
  if (begin_mpi_call(MpiFunction::Abort, &time, time, is_entered)) finish_recording();
  return PMPI_Abort(comm, code);
}
