// omp_thread.hpp -- what one thread does in OpenMP: its teams, constructs and locks, as both adapters report them.
//
// Calls: may block.
#pragma once

#include <atomic>
#include <cstdint>

#include "measure/callpath/steps.hpp"
#include "measure/core/adapter.hpp"
#include "measure/core/process_start.hpp"
#include "measure/core/runtime.hpp"
#include "measure/openmp/omp_constructs.hpp"
#include "measure/openmp/open_team.hpp"

namespace tarry::measure {

extern const Adapter kOmpAdapter;

/// A parallel region while its team is there. Reused when the last thread has left it.
struct Team : TeamTimes {
  std::atomic<std::uint32_t> users = 0;
  RegionId region = {};
  Ticks forked = 0;        // when
  std::uint64_t path = 0;  // where, in the summary of the thread that forked it; 0: nowhere
  PendingJoin of_master;
  std::uint64_t number = 0;     // in the events
  const void* place = nullptr;  // in the program, of OMPT
  bool is_league = false;       // of a teams construct: each member is the first thread of a team
  Team* next_free = nullptr;
};

/// True if something is recorded; the first OpenMP construct of a program without MPI starts that.
inline bool records_omp() {
  return is_recording() || (phase() == Phase::kUntouched && note_first_event() == Phase::kRecording);
}

/// THREAD_FORK on the calling thread; nullptr if it is not recorded.
Team* fork_team(RegionId region, std::uint32_t size);

/// THREAD_JOIN; the team may be gone afterwards.
void join_team(Team* team);

/// The calling thread becomes a member: THREAD_TEAM_BEGIN and Enter of the region. Nothing for nullptr, here as below.
void begin_member(Team* team, bool is_master);

/// Leave and THREAD_TEAM_END. A worker may learn late that the team has ended: it did when its master left.
void end_member();

/// Enter or leave a construct; leaves that belong to no recorded enter are nothing. Without a region it is not
/// recorded: what the thread does in it is part of what is around.
void enter_construct(Construct construct, RegionId region);
void leave_construct();

/// The same of a task, whose call path lies below its parallel region. It is left like a construct.
void enter_explicit_task(RegionId region);

/// Records of the calling thread's locks. `enters` regions are entered at the same time, `leaves` of them left.
void record_acquired(std::uint64_t lock);
void record_released(std::uint64_t lock);

/// The innermost call is for a queue of an accelerator, and starts a piece of work there; 0: none.
void record_work(std::uint32_t queue, std::uint64_t work);

/// The calling thread executes a kernel, as an accelerator would. Until it ends, nothing that the thread and its teams
/// do in OpenMP is recorded.
void begin_kernel();
void end_kernel();

/// Stands for the teams that the calling thread forks inside of a kernel; nullptr: it is in none.
Team* kernel_team();

/// A record::ThreadTask*, of a task that `thread` has created as its `number`-th.
template <class Record>
void record_task(std::uint64_t thread, std::uint64_t number);

/// The number of a task that the calling thread creates.
std::uint64_t count_task();

/// Counts what has been joined of the teams that a thread was in. True if there is more to come.
bool has_pending_joins(Thread& thread);

/// Place of the innermost team of the calling thread, or nullptr.
const void* place_of_team();

/// True if the calling thread is in a league, and in no team inside it.
bool is_in_league();

/// True if the innermost team of the calling thread is recorded.
bool is_in_team();

/// True once a team has been recorded: then the threads of OpenMP are known by their teams.
bool is_omp_used();

/// A library of OpenMP creates a thread.
void note_omp_thread();

/// A runtime tells what it does (OMPT).
void note_omp_told();

/// A library of OpenMP has created threads, and nothing tells of its teams.
bool has_unseen_teams();

/// True if the calling thread is recorded in OpenMP: in a recorded team, or one that was recorded before.
bool is_omp_recorded();

}  // namespace tarry::measure
