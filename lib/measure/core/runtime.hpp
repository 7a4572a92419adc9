// runtime.hpp -- the recording of this process from its start to its end.
//
// Calls: may block.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "measure/core/clock.hpp"
#include "measure/core/local_definitions.hpp"
#include "measure/core/recorder.hpp"
#include "measure/core/settings.hpp"

namespace tarry::measure {

/// What an adapter knows about the process when it starts the recording.
struct ProcessFacts {
  WorldRank rank{0};
  Ticks begin = 0;  // when the program's root region was entered
  ClockReading clock_start;
  std::uint32_t processes = 1;  // of the program
  bool is_alone = false;        // it does not talk MPI: its proper end is to exit
};

/// Starts the recording: files, definitions, the calling thread as thread 0, its root region. The settings name an
/// archive that exists. Called once.
void start_recording(const Settings& settings, const ProcessFacts& facts);

/// Defines the queue of an accelerator and opens its buffer; its number, as Location::thread. Nothing if no trace is
/// recorded. Its events may lie before now. Whoever asks closes the buffer at the latest when all threads have ended
/// (Adapter), and says then how many events it has lost.
std::optional<std::uint32_t> open_queue(std::string_view name, std::string_view device, EventBuffer& events);
void note_lost_events(std::uint64_t events);

/// The clocks when the recording began.
const ClockReading& clock_at_start();

/// The process talks MPI after all: its proper end is MPI_Finalize.
void join_mpi();

/// The proper end of the process is to exit, although it talks MPI.
void leave_end_to_exit();

/// True between start_recording() and the end of the process.
/// Calls: handler-safe.
bool is_recording();

/// The program is about to end properly, and may be killed from now on. From here the spool holds a complete recording.
/// More may follow.
void secure_recording();

/// The program has said that it ends properly: from here on a process exit means a complete recording.
void mark_complete();

/// Writes everything out; done when the process exits. Harmless when called again.
void finish_recording();

/// This process without MPI ends without exit handlers: its recording is complete. Else does nothing.
void finish_alone();

/// finish_recording() while the program goes on: `why` is printed, and noted in the archive.
void end_recording_early(const char* why);

/// The program ends, all processes of it, because this one is in that function of MPI.
void note_abort(std::string_view function);

/// This is a child process, made in a way that calls no handlers of pthread_atfork(): the recording is its parent's.
/// Calls: handler-safe.
void leave_recording_to_parent();

/// There is no memory left: threads record nothing more. Safe in any state, takes no memory.
/// Calls: handler-safe.
void stop_recording_for_lack_of_memory();

/// Events of all threads are left out from here on, until resume_recording(). Regions that end meanwhile do end.
void pause_recording();
void resume_recording();

/// Events that fill blocks of memory are written out now, where a full memory would be. The calling thread's recording
/// tells how long that took.
void write_out_events();

/// The thread whose recording began last; the others follow by Thread::next. nullptr: there is none. Threads are only
/// ever added in front.
/// Calls: handler-safe.
Thread* first_thread();

/// Calls `visit(thread)` for each thread. No thread begins or ends meanwhile.
void visit_threads(void (*visit)(Thread& thread, void* closure), void* closure);
template <class Visit>
void visit_threads(Visit visit) {
  visit_threads([](Thread& thread, void* closure) { (*static_cast<Visit*>(closure))(thread); }, &visit);
}

/// Only the latest events will be wanted: they stay in memory until the end.
void keep_latest_events();

/// With keep_latest_events(): those before that time are not wanted.
void keep_events_from(Ticks time);

/// Valid while is_recording(), and while the recording ends.
/// Calls: handler-safe.
const Settings& settings();

/// Definitions of this process; valid while is_recording().
/// Calls: handler-safe.
LocalDefinitions& definitions();

/// Host name, usable as a file name.
std::string host_name();

/// Boot id, host name and kind of clock: equal for processes whose time stamps can be compared as they are.
std::string clock_domain();

/// Path of the executable, and the name of its root region.
/// Calls: handler-safe.
std::string executable_path();
std::string program_name();

}  // namespace tarry::measure
