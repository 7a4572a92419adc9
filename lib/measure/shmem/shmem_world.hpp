// shmem_world.hpp -- the processes of OpenSHMEM and sets of them, as windows of the recording, and places in memory.
//
// One-sided operations and collectives are recorded on windows, as OTF2 has it. A set of processes takes part in a
// collective without having been made before: its members find the same name for it.
//
// Calls: may block.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/units.hpp"
#include "defs/definitions.hpp"

namespace tarry::measure {

/// shmem_init has returned and the process is recorded. `world_uid`: of the processes, as Communicator::uid.
void define_shmem_world(std::uint64_t world_uid, int rank, int size);

/// Not valid before define_shmem_world().
WindowId shmem_world();

/// Whether a process has that number.
bool is_process(int number);

/// So many processes from `start` on, each `stride` behind the one before. This process must be one of them. Not valid
/// if that cannot be, or there are very many sets.
WindowId shmem_set(int start, int stride, int size);

/// A place in the own part of the symmetric memory: all processes have the same number for it.
std::uint64_t place_of(const volatile void* address);

/// The symmetric heap has given the first memory: places in the heap count from there.
void note_heap(const void* address);

/// Numbers of operations, for what completes them. Those that a quiet is to complete share one.
std::uint64_t open_operations();
std::uint64_t next_operation();
/// The number of the open operations, which are complete from now on; 0 if there are none.
std::uint64_t take_open_operations();

}  // namespace tarry::measure
