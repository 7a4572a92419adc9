// shmem_start.cpp -- where OpenSHMEM begins and ends, and the recording with it.
//
// Open MPI's OpenSHMEM lies on its MPI, which shmem_init initialises if the program has not. By it the recorder talks
// to the other processes. A program may leave out shmem_finalize: its proper end is to exit.
#include "measure/core/process_start.hpp"
#include "measure/core/runtime.hpp"
#include "measure/core/say.hpp"
#include "measure/dispatch/mpi_dispatch.hpp"
#include "measure/shmem/shmem_facts.hpp"

using namespace tarry;
using namespace tarry::measure;

namespace tarry::measure {
namespace {

const MpiStarter* g_starter = nullptr;     // of the MPI beneath, which shmem_init has initialised
ShmemFunction* g_init_function = nullptr;  // the one that the program has called
constinit ShmemFunction g_finalize_function("shmem_finalize", RegionRole::kFunction);

int own_number_in_shmem() {
  TARRY_SHMEM_FUNCTION("shmem_my_pe", kFunction);
  return call_next<int>(function);
}
int number_of_processes() {
  TARRY_SHMEM_FUNCTION("shmem_n_pes", kFunction);
  return call_next<int>(function);
}

// Without MPI the processes could not agree on an archive.
void leave_library_alone() {
  if (!is_recording_wanted() || phase() == Phase::kOff) return;
  if (own_number_in_shmem() == 0) say("OpenSHMEM is recorded only where it lies on MPI, as that of Open MPI does");
  if (!is_recording()) set_phase(Phase::kOff);
}

bool enter_init_of_shmem(Ticks time) { return enter_shmem(*g_init_function, time); }

// `init()` is the library's own function.
template <class Init>
void initialise_below(Init init) {
  const MpiStarter* const starter = find_mpi_starter();
  const auto run = [](void* closure) { (*static_cast<Init*>(closure))(); };
  if (!starter || starter->has_begun()) {
    init();
  } else {
    starter->initialise(run, &init, enter_init_of_shmem);
    g_starter = starter;
  }
  if (!starter) return leave_library_alone();
  if (!is_recording() || shmem_world().is_valid()) return;
  define_shmem_world(starter->world_uid(), own_number_in_shmem(), number_of_processes());
  if (g_starter) leave_end_to_exit();
}

template <class Init>
void initialise_shmem(ShmemFunction& function, const void* caller, Init init) {
  g_init_function = &function;
  if (!is_recording()) return initialise_below(init);
  ShmemCall call(function, caller);
  initialise_below(init);
  call.returned();
}

}  // namespace
}  // namespace tarry::measure

TARRY_SHMEM_ENTRY void shmem_init() {
  TARRY_SHMEM_FUNCTION("shmem_init", kFunction);
  initialise_shmem(function, stack_of_caller_here(), [] { call_next<void>(function); });
}

TARRY_SHMEM_ENTRY int shmem_init_thread(int requested, int* provided) {
  TARRY_SHMEM_FUNCTION("shmem_init_thread", kFunction);
  int outcome = 0;
  initialise_shmem(function, stack_of_caller_here(), [&] { outcome = call_next<int>(function, requested, provided); });
  return outcome;
}

TARRY_SHMEM_ENTRY void start_pes(int processes) {
  TARRY_SHMEM_FUNCTION("start_pes", kFunction);
  initialise_shmem(function, stack_of_caller_here(), [=] { call_next<void>(function, processes); });
}

TARRY_SHMEM_ENTRY void shmem_finalize() {
  ShmemCall call(g_finalize_function, stack_of_caller_here());
  const auto finalise = [] { call_next<void>(g_finalize_function); };
  if (!call.is_recorded()) return finalise();
  g_starter ? g_starter->finalise(finalise) : finalise();
  call.returned();
}

// Ends all processes. This one may not get to its exit handlers: what it has goes into the archive first.
TARRY_SHMEM_ENTRY void shmem_global_exit(int status) {
  TARRY_SHMEM_FUNCTION("shmem_global_exit", kFunction);
  ShmemCall call(function, stack_of_caller_here());
  if (call.is_recorded()) {
    note_abort("shmem_global_exit");
    finish_recording();
  }
  call_next<void>(function, status);
}
