// window_table.hpp -- the windows of this process, their numbers in its events and the state of their epochs.
//
// Calls: may block.
#pragma once

#include <cstdint>

#include "base/arrays/flat_map.hpp"
#include "defs/definitions.hpp"
#include "measure/mpi/mpi_api.hpp"
#include "measure/mpi/mpi_call.hpp"

namespace tarry::measure {

struct WindowState {
  WindowId id{0};  // in the definitions of this process
  bool is_allocated = false;
  GroupId access_group{0};                              // of the latest MPI_Win_start
  GroupId exposure_group{0};                            // of the latest MPI_Win_post
  FlatMap<std::uint32_t, std::uint64_t> open_accesses;  // by target: number of those that no call has completed yet
};

/// Defines a window that has been made.
WindowState& define_window(MPI_Win window, MPI_Comm comm, bool is_allocated);

/// Removes a window: its handle may be given to another one from now on. The caller deletes it; nullptr if unknown.
WindowState* forget_window(MPI_Win window);

/// The program has given it this name.
void note_window_name(MPI_Win window, const char* name);

/// Such a window is still there.
void remember_window(MPI_Win window, WindowState* state);

/// Number of a group in the definitions of this process; groups with the same members have the same.
GroupId group_id(MPI_Group group);

RecorderLock& windows_lock();
WindowState* find_window(MPI_Win window);

/// Calls use(state) while the table is locked; nothing for a window that is not known.
template <class Use>
void with_window(MPI_Win window, Use use) {
  const CallLock lock(windows_lock());
  if (WindowState* found = find_window(window)) use(*found);
}

}  // namespace tarry::measure
