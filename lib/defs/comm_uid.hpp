// comm_uid.hpp -- names of communicators that say more than who has given them (defs/definitions.hpp, Communicator).
#pragma once

#include "defs/definitions.hpp"

namespace tarry::comm_uid {

inline constexpr std::uint64_t kOutsideBit = std::uint64_t{1} << 63;    // known to one process only
inline constexpr std::uint64_t kDuplicateBit = std::uint64_t{1} << 62;  // below it a number made from the parent's uid

/// True if the communicator has members that are not recorded: each process that is has a definition of its own.
constexpr bool leads_outside(std::uint64_t uid) { return (uid & kOutsideBit) != 0 && uid < Communicator::kSelfUidBase; }

}  // namespace tarry::comm_uid
