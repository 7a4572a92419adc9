// profile_memory.hpp -- the call-path summary of one thread while it grows, in memory that outlives the process.
//
// The recorder fills slabs of its spool with call paths as they are here, pointers included. When the process is killed
// they are all that is left of its summary. Layout: docs/FORMAT.md, "Profile memory".
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "archive/profile/profile_codec.hpp"
#include "archive/profile/transfer_counts.hpp"
#include "base/units.hpp"
#include "defs/definitions.hpp"
#include "trace/event_codec.hpp"

namespace tarry {

namespace measure {
struct LoopClusters;
}

/// Region of what is no call path but the place of a worker's teams. Its children lie below a path of the thread that
/// forked them.
inline constexpr RegionId kTeamPlace{0xffffffffu};

/// One call path. A path is active at most once at a time (recursion makes deeper paths), so its entry time is
/// here. The values of the thread's counters follow.
struct PathNode {
  RegionId region{0};
  std::uint32_t index : 29 = 0;       // in the encoded profile
  std::uint32_t is_parallel : 1 = 0;  // a parallel region of OpenMP: explicit tasks lie below
  std::uint32_t has_index : 1 = 0;    // its children are in the index
  std::uint32_t is_fork : 1 = 0;      // a team of OpenMP was forked here
  PathNode* parent = nullptr;
  PathNode* latest_child = nullptr;  // the one entered last
  PathNode* next_sibling = nullptr;  // in the ring of the parent's children
  union {
    Ticks entered_at = 0;
    std::uint64_t fork;  // of a team's place: from fork_number()
  };
  std::uint64_t visits = 0;
  std::uint64_t coalesced_visits = 0;  // of these: those that a trace does not enter and leave
  Ticks time = 0;                      // of visits that have ended, inclusive
  Ticks min_time = std::numeric_limits<Ticks>::max();
  Ticks max_time = 0;
  std::uint64_t trace_events = 0;             // what a trace would hold of this path beside enters and leaves
  Bytes trace_bytes = 0;                      // what they take in its memory, and enters and leaves beyond the least
  TransferCounts* transfers = nullptr;        // made when the first is counted
  PathNode* follower = nullptr;               // the sibling that was entered after this one, the last time
  measure::LoopClusters* clusters = nullptr;  // of a loop's iterations beyond those that are told apart
};

/// Tells a path that a team was forked at from those of all other threads of the process. Its memory may have been that
/// of other threads before.
inline std::uint64_t fork_number(const PathNode& path, std::uint32_t thread) {
  constexpr unsigned kPlaceBits = 44, kZeroBits = 3;  // of addresses
  return std::uint64_t{thread} << kPlaceBits ^ reinterpret_cast<std::uintptr_t>(&path) >> kZeroBits;
}

/// Messages to one receiver.
struct ReceiverNode {
  ReceiverCount count;
  const ReceiverNode* next = nullptr;  // the one before it
};

/// One file.
struct FileNode {
  FileCount count;
  const FileNode* next = nullptr;  // the one before it
};

/// Where a thread is.
struct ProfileHead {
  PathNode* current = nullptr;              // the innermost call path that is open
  Ticks last_time = 0;                      // of the latest event
  const ReceiverNode* receivers = nullptr;  // the one that was met last
  const FileNode* files = nullptr;          // the same
};

/// The number of a counter that is not there: metrics of the program have room, whether there are any or not.
inline constexpr std::uint32_t kNoCounter = ~std::uint32_t{0};

/// The begin of a slab. Call paths follow behind the numbers of counters. Counts of transfers, of
/// messages to receivers and of files fill it from its end.
struct ProfileSlab {
  const ProfileSlab* address = nullptr;  // of itself, in the process
  const PathNode* root = nullptr;        // parent of the outermost call paths
  ProfileHead head;                      // in the first slab of a thread
  std::uint32_t paths = 0;               // how many are here
  std::uint32_t counters = 0;            // how many the thread has

  std::uint32_t* counter_ids() { return reinterpret_cast<std::uint32_t*>(this + 1); }
  std::size_t node_bytes() const { return sizeof(PathNode) + counters * sizeof(std::uint64_t); }
  /// Where the first call path is, behind the begin of the slab.
  std::size_t first_node() const { return sizeof *this + (counters + 1) / 2 * sizeof(std::uint64_t); }
};

/// The summary that the slabs of a thread hold, the first one in front; what is open ends at the time of its latest
/// event. The bytes may be anything: what makes no sense is left out.
Profile decode_profile_memory(const std::vector<std::span<const std::uint8_t>>& slabs, std::uint32_t thread);

/// The visit of an open call path ends at `time`.
inline void end_visit(ProfileNode& node, Ticks entered_at, Ticks time) {
  const Ticks spent = std::max<Ticks>(0, time - entered_at);
  node.time += spent;
  node.min_time = node.visits > 1 ? std::min(node.min_time, spent) : spent;
  node.max_time = std::max(node.max_time, spent);
}

/// What a profile holds of a call path, without its parent.
inline ProfileNode profile_node(const PathNode& node, const TransferCounts* transfers) {
  ProfileNode encoded;
  encoded.region = node.region.value;
  encoded.visits = node.visits;
  encoded.time = node.time;
  encoded.min_time = node.min_time > node.max_time ? 0 : node.min_time;
  encoded.max_time = node.max_time;
  if (transfers) encoded.transfers = *transfers;
  const std::uint64_t plain_visits = node.visits - node.coalesced_visits;
  encoded.trace_events = node.trace_events + 2 * plain_visits;
  encoded.trace_bytes = node.trace_bytes + plain_visits * (enter_bytes(0, node.region.value) + leave_bytes(0));
  return encoded;
}

}  // namespace tarry
