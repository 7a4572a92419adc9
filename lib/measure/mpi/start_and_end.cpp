// start_and_end.cpp -- where the recording of an MPI process begins and becomes complete.
//
// It begins with MPI_Init or with the program's first session, and is complete when MPI_Finalize has returned and no
// session is left. Either may come first, and more sessions may follow.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <string>

#include "measure/core/archive_claim.hpp"
#include "measure/core/process_start.hpp"
#include "measure/core/runtime.hpp"
#include "measure/core/say.hpp"
#include "measure/core/signal_block.hpp"
#include "measure/dispatch/mpi_dispatch.hpp"
#include "measure/mpi/clock_offsets.hpp"
#include "measure/mpi/comm_table.hpp"
#include "measure/mpi/other_tools.hpp"
#include "measure/core/meetings.hpp"
#include "measure/mpi/mpi_binding.hpp"
#include "measure/mpi/mpi_call.hpp"
#include "measure/mpi/mpi_entry.hpp"
#include "measure/mpi/mpi_starter.hpp"
#include "measure/mpi/process_numbers.hpp"
#include "measure/mpi/world_comm.hpp"

namespace tarry::measure {
namespace {

bool g_has_ended = false;               // the end of MPI has been recorded
std::atomic<bool> g_has_begun = false;  // MPI has been initialised, be it recorded or not
std::atomic<bool> g_has_world = false;  // between MPI_Init and MPI_Finalize
std::atomic<int> g_sessions = 0;        // of the program, that are open
bool g_measures_clocks = false;         // process 0 of this world has the clock that all times of the archive refer to

// Process 0's decision, the same for all: they may not all have the environment.
struct Agreement {
  bool is_recorded = false;
  WorldPlace place;
  Settings settings;
};

// The communicator with the processes that have spawned this world; MPI_COMM_NULL if there are none. Sessions do not
// know it.
MPI_Comm find_parent() {
  MPI_Comm parent = MPI_COMM_NULL;
  if (!has_own_session()) PMPI_Comm_get_parent(&parent);
  return parent;
}

// The same if the recorder is in them and in all processes here, and they know it.
MPI_Comm find_parent_to_meet(const Answers& answers) {
  const MPI_Comm parent = find_parent();
  if (parent == MPI_COMM_NULL) return parent;
  const std::int32_t here = answers.are_any();
  std::int32_t everywhere = 0;
  PMPI_Allreduce(&here, &everywhere, 1, MPI_INT32_T, MPI_MIN, world_comm());
  return everywhere ? parent : MPI_COMM_NULL;
}

bool find_place(Agreement& agreement, std::uint32_t processes, MPI_Comm to_meet) {
  if (find_parent() == MPI_COMM_NULL) {
    agreement.place.has_clock_of_first = true;
    return claim_archive(agreement.settings, processes);
  }
  if (to_meet != MPI_COMM_NULL) return join_archive(agreement.settings, processes, agreement.place);
  say(program_name() + " was spawned by a program that is not recorded into the same archive: nor are its processes");
  return false;
}

Agreement agree(int rank, int size, MPI_Comm to_meet) {
  Agreement agreement;
  if (rank == 0 && is_recording_wanted() && !is_recording()) {
    const std::string complaints = read_settings(agreement.settings);
    if (!complaints.empty()) say(complaints.substr(0, complaints.size() - 1));
    agreement.is_recorded = find_place(agreement, static_cast<std::uint32_t>(size), to_meet);
  }
  PMPI_Bcast(&agreement, sizeof agreement, MPI_BYTE, 0, world_comm());
  return agreement;
}

bool can_be_recorded() {
  if (MPI_COMM_WORLD) return true;
  say("the MPI library shows no MPI_COMM_WORLD: nothing is recorded");
  return false;
}

// Each session has a level of its own.
int find_thread_level() {
  int level = MPI_THREAD_MULTIPLE;
  if (!has_own_session()) PMPI_Query_thread(&level);
  return level;
}

// The recording is on, and MPI is there.
void join_world(const WorldPlace& place, int rank, int size) {
  g_has_concurrent_calls = find_thread_level() == MPI_THREAD_MULTIPLE;
  redirect_calls();
  watch_aborts();
  define_world(place.first, rank, size);
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  PMPI_Get_library_version(version, &length);
  std::string name(version);
  name.resize(std::min(name.size(), name.find('\n')));  // MPICH goes on with how it was configured
  if (rank == 0) definitions().add_property("mpi_library", name);
}

// Work of the recorder inside MPI_Init, once the world is known.
void begin_mpi(const WorldPlace& place, int rank, MPI_Comm to_meet) {
  g_measures_clocks = place.has_clock_of_first;
  if (g_measures_clocks) measure_clock_offsets(clock_domain(), rank);
  if (to_meet != MPI_COMM_NULL) name_spawned(MPI_COMM_WORLD, to_meet, true);
  if (!g_has_concurrent_calls) compare_clocks_every(settings().clock_period);
}

// Where no launcher was in sight, some processes may have begun to record on their own. Then none goes on: the others
// would wait for them. Called where all have agreed to record.
bool has_any_begun() {
  const std::int64_t here = is_recording();
  std::int64_t anywhere = 0;
  PMPI_Allreduce(&here, &anywhere, 1, MPI_INT64_T, MPI_MAX, world_comm());
  return anywhere;
}

// Enters the function that initialises MPI, at the time it was called; false if the recording is paused.
template <MpiFunction kFunction>
bool enter_init(Ticks time) {
  return record_init(kFunction, time);
}
using EnterInit = bool (*)(Ticks time);

// `called_at`: when MPI_Init was called, or the function in its place. It becomes part of the recording.
bool start(EnterInit enter, Ticks called_at, int rank, int size, MPI_Comm to_meet) {
  const Agreement agreement = agree(rank, size, to_meet);
  if (is_recording()) say("an unknown launcher has started several processes: nothing is recorded behind MPI_Init");
  if (!agreement.is_recorded || has_any_begun()) return false;
  ProcessFacts facts;
  facts.rank = WorldRank(agreement.place.first.value + static_cast<std::uint32_t>(rank));
  facts.processes = static_cast<std::uint32_t>(size);
  facts.begin = g_first_waiting_event ? g_first_waiting_event : called_at;
  facts.clock_start = first_clock_reading();
  const bool is_entered = [&] {
    const SignalBlock no_signals;  // the program was in MPI_Init before anything that samples or handlers record
    start_recording(agreement.settings, facts);
    join_world(agreement.place, rank, size);
    return enter(called_at);
  }();
  begin_mpi(agreement.place, rank, to_meet);
  if (Thread* thread = current_thread(); thread && is_entered) leave(*thread, now());
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
bool go_on() {
  if (has_ended_before()) return false;
  join_mpi();
  const WorldPlace place{.has_clock_of_first = true};
  join_world(place, 0, 1);
  begin_mpi(place, 0, MPI_COMM_NULL);
  return true;
}

bool start_or_go_on(EnterInit enter, Ticks called_at, const RollCall& roll, const Answers& answers) {
  if (!can_be_recorded()) return false;
  int rank = 0, size = 1;
  PMPI_Comm_rank(world_comm(), &rank);
  PMPI_Comm_size(world_comm(), &size);
  if (!roll.is_complete(static_cast<std::uint64_t>(size), rank)) return false;
  const MPI_Comm to_meet = find_parent_to_meet(answers);
  if (is_recording() && size == 1 && to_meet == MPI_COMM_NULL) return go_on();
  const bool is_started = start(enter, called_at, rank, size, to_meet);
  if (!is_started && roll.is_called()) PMPI_Barrier(world_comm());  // all have counted; as they have when it starts
  roll.dismiss();
  if (!is_started && to_meet != MPI_COMM_NULL) decline_meeting(to_meet);
  return is_started;
}

// Where this process would be recorded, as far as it knows by itself.
std::string archive_in_sight() {
  if (!is_recording_wanted()) return {};
  Settings settings;
  read_settings(settings);
  return settings.archive;
}

// `init()` is the function of MPI; `can_talk()` says whether the recorder can talk to the other processes behind it.
template <class Init, class CanTalk>
int initialise_mpi(EnterInit enter, Init init, CanTalk can_talk) {
  const ClockReading& clock_start = first_clock_reading();
  const Ticks called_at = phase() == Phase::kUntouched ? clock_start.ticks : now();
  const std::string archive = archive_in_sight();
  const RollCall roll(archive);
  const Answers answers(archive);
  const int outcome = init();
  if (outcome != MPI_SUCCESS) return outcome;
  g_has_begun = true;
  if (can_talk() && start_or_go_on(enter, called_at, roll, answers)) return outcome;
  finish_recording();
  set_phase(Phase::kOff);
  return outcome;
}

// Inline, because calls are noted by the stack pointer of who calls MPI.
template <MpiFunction kFunction, class Init, class CanTalk>
[[gnu::always_inline]] inline int initialise(const void* caller, Init init, CanTalk can_talk) {
  bind_mpi_of(caller);
  if (!is_recording() || g_has_ended) return initialise_mpi(enter_init<kFunction>, init, can_talk);
  // The recording has begun before: samples that are taken inside the call belong below it.
  MpiCall call(kFunction);
  const int outcome = initialise_mpi(enter_init<kFunction>, init, can_talk);
  if (call.is_recorded()) call.returned();
  return outcome;
}

template <MpiFunction kFunction, class Init>
[[gnu::always_inline]] inline int initialise_world(const void* caller, Init init) {
  int outcome = MPI_SUCCESS;
  if (has_own_session()) {  // and is recorded by now
    MpiCall call(kFunction);
    outcome = init();
    if (call.is_recorded()) call.returned();
  } else {
    outcome = initialise<kFunction>(caller, init, [] { return true; });
  }
  if (outcome == MPI_SUCCESS) g_has_world = true;
  return outcome;
}

// The next call ends MPI.
void prepare_end() {
  if (g_measures_clocks) measure_clock_offsets(clock_domain(), find_comm(MPI_COMM_WORLD).rank);
  g_measures_clocks = false;
  forget_met_processes();
  if (has_own_session()) forget_clock_partners();
  close_own_session();
  // Behind it the launcher may kill the process: another one may have returned a status that is not 0.
  secure_recording();
}

// MPI_COMM_WORLD goes, and sessions stay.
void prepare_end_of_world() {
  if (has_own_session()) return;
  if (g_measures_clocks) measure_clock_offsets(clock_domain(), find_comm(MPI_COMM_WORLD).rank);
  g_measures_clocks = false;
  open_own_session_alone();
}

int finalise(bool is_end) {
  const int outcome = NMPI_Finalize();
  if (is_end) distrust_binding();
  return outcome;
}

}  // namespace

bool has_mpi_begun() { return g_has_begun; }

void start_mpi_otherwise(void (*init)(void* closure), void* closure, bool (*enter)(Ticks time)) {
  bind_mpi_of(nullptr);
  const auto run = [=] {
    init(closure);
    return is_mpi_initialised() ? MPI_SUCCESS : MPI_ERR_OTHER;
  };
  if (initialise_mpi(enter, run, [] { return true; }) == MPI_SUCCESS) g_has_world = true;
}

void end_mpi_otherwise(void (*finalise)()) {
  g_has_world = false;
  if (!is_recording()) return finalise();
  prepare_end();
  finalise();
  distrust_binding();
  g_has_ended = true;
  mark_complete();
}

std::uint64_t world_uid() { return find_comm(MPI_COMM_WORLD).uid; }

}  // namespace tarry::measure

using namespace tarry::measure;

TARRY_MPI_ENTRY int MPI_Init(int* argc, char*** argv) {
  return initialise_world<MpiFunction::Init>(__builtin_return_address(0), [&] { return NMPI_Init(argc, argv); });
}

TARRY_MPI_ENTRY int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  return initialise_world<MpiFunction::Init_thread>(__builtin_return_address(0),
                                                    [&] { return NMPI_Init_thread(argc, argv, required, provided); });
}

TARRY_MPI_ENTRY int MPI_Finalize(void) {
  g_has_world = false;
  const bool is_end = g_sessions == 0;
  MpiCall call(MpiFunction::Finalize);
  if (!call.is_recorded()) return finalise(is_end);
  is_end ? prepare_end() : prepare_end_of_world();
  const int outcome = finalise(is_end);
  call.returned();
  if (outcome == MPI_SUCCESS && is_end) {
    g_has_ended = true;
    mark_complete();
  }
  return outcome;
}

#ifdef TARRY_MPI_HAS_Session_init

namespace tarry::measure {
namespace {

std::atomic<bool> g_is_beginning = false;  // a thread is at it

// True for the first session. It is kept from running beside others: they wait until the recorder is in order. No lock:
// threads that MPI starts meanwhile inherit the mask of signals.
bool may_begin() {
  constexpr useconds_t kPauseMicroseconds = 100;
  const CancelBlock no_cancel;
  while (g_is_beginning.exchange(true)) ::usleep(kPauseMicroseconds);
  if (g_has_begun) g_is_beginning = false;
  return !g_has_begun;
}

// One session more, or one after the end of MPI.
template <class Init>
int open_further_session(Init init) {
  MpiCall call(MpiFunction::Session_init);
  const int outcome = init();
  if (!call.is_recorded()) return outcome;
  if (outcome == MPI_SUCCESS && g_sessions == 0 && !g_has_world) open_own_session_alone();
  call.returned();
  return outcome;
}

}  // namespace
}  // namespace tarry::measure

TARRY_MPI_ENTRY int MPI_Session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session* session) {
  const auto init = [=] { return NMPI_Session_init(info, handler, session); };
  int outcome = MPI_SUCCESS;
  if (may_begin()) {
    outcome = initialise<MpiFunction::Session_init>(__builtin_return_address(0), init, open_own_session);
    g_is_beginning = false;
  } else {
    outcome = open_further_session(init);
  }
  if (outcome == MPI_SUCCESS && g_sessions++ == 0) trust_binding();
  return outcome;
}

TARRY_MPI_ENTRY int MPI_Session_finalize(MPI_Session* session) {
  MpiCall call(MpiFunction::Session_finalize);
  const bool is_end = --g_sessions == 0 && !g_has_world;
  if (call.is_recorded() && is_end) prepare_end();
  const int outcome = NMPI_Session_finalize(session);
  if (call.is_recorded()) call.returned();
  if (outcome != MPI_SUCCESS) {
    ++g_sessions;
    return outcome;
  }
  if (is_end) distrust_binding();
  if (is_end && call.is_recorded()) {
    g_has_ended = true;
    mark_complete();
  }
  return outcome;
}

#endif

// The process may not get to its exit handlers: what it has goes into the archive first.
TARRY_MPI_ENTRY int MPI_Abort(MPI_Comm comm, int code) {
  tarry::Ticks time = 0;
  bool is_entered = false;
  if (begin_mpi_call(MpiFunction::Abort, stack_of_caller_here(), time, is_entered)) {
    note_abort("MPI_Abort");
    finish_recording();
  }
  return NMPI_Abort(comm, code);
}
