// process_start.hpp -- when a process begins to be recorded: at its first MPI_Init, or without MPI at its first event.
//
// A program that can call MPI may run instrumented functions long before MPI_Init, where it has neither rank nor
// archive yet. Where a launcher of MPI has started the process, their events wait (compiler/early_log.hpp) until the
// recording starts there, or when the process ends. Where it has started several, a program without MPI waits, too: it
// may load MPI later. Elsewhere the recording starts at once; MPI_Init finds a world of one process.
//
// Calls: may block.
#pragma once

#include <cstdint>

#include "measure/core/clock.hpp"
#include "measure/core/recorder.hpp"
#include "measure/core/settings.hpp"

namespace tarry::measure {

enum class Phase : std::uint8_t {
  kUntouched,    // nothing has happened yet
  kWaitsForMpi,  // events are kept until the process has a rank
  kRecording,
  kOff,  // nothing is or was recorded, for good
};

/// Calls: handler-safe.
Phase phase();
/// Calls: handler-safe.
void set_phase(Phase phase);

/// True if the program shall be recorded: started by `tarry measure`, or with the recorder preloaded, or with a TARRY_*
/// variable that tells what to record. An instrumented program that runs on its own is not.
bool is_recording_wanted();

/// The first event of this process outside MPI, seen by an adapter. Starts the recording of a program without MPI.
/// Called as often as the phase is kUntouched; the new phase.
Phase note_first_event();

/// The program creates a thread, while the phase is kUntouched. Starts the recording of the command that `tarry
/// measure` was given; tools and launchers that it starts in turn have threads, too, and are not meant.
void note_first_thread();

/// The program begins, and samples or its files are wanted: the same, also without threads. Not for shells and the
/// like, which run the program in turn.
void note_plain_program();

/// The first reading of the clocks in this process; all published times count from it.
const ClockReading& first_clock_reading();

/// Starts the recording of a process without MPI, with the settings of its environment. Sets the phase.
void start_alone();

/// When the first event that waits happened; 0 if none waits. Set by the adapter that keeps them.
extern Ticks g_first_waiting_event;

}  // namespace tarry::measure
