// comm_uid.hpp -- names of communicators that hold more than their giver (defs/definitions.hpp, Communicator).
#pragma once

#include "defs/definitions.hpp"

namespace tarry::comm_uid {

inline constexpr std::uint64_t kOutsideBit = std::uint64_t{1} << 63;   // known to one process only
inline constexpr std::uint64_t kCreationBit = std::uint64_t{1} << 62;  // below it a hash of how it was created

/// The `count`-th (from 1 on) that the process with this number has named.
constexpr std::uint64_t given_by(std::uint32_t process, std::uint32_t count) {
  return std::uint64_t{process} << 32 | count;
}

/// Named by all its members in the same way, without one who gives the name.
constexpr std::uint64_t of_creation(std::uint64_t hash) { return (hash & (kCreationBit - 1)) | kCreationBit; }

/// The MPI_COMM_SELF of the process with this number.
constexpr std::uint64_t of_self(std::uint32_t process) { return Communicator::kSelfUidBase | process; }

/// True if the communicator has members that are not recorded: each process that is has a definition of its own.
constexpr bool leads_outside(std::uint64_t uid) { return (uid & kOutsideBit) != 0 && uid < Communicator::kSelfUidBase; }

/// True for the MPI_COMM_WORLD of the first processes, and of each set of spawned ones. All other uids have low 32
/// bits.
constexpr bool is_world(std::uint64_t uid) {
  return (uid & 0xffffffffu) == 0 && (uid & (kOutsideBit | kCreationBit)) == 0;
}

/// The uid of the MPI_COMM_WORLD whose first process has number `first`.
constexpr std::uint64_t of_world(std::uint32_t first) { return std::uint64_t{first} << 32; }

}  // namespace tarry::comm_uid
