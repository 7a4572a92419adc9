// profile_codec.hpp -- the call-path summary of one thread as it is in a profile chunk (docs/FORMAT.md,
// "Profiles").
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "archive/profile/transfer_counts.hpp"
#include "base/bytes/bytes.hpp"
#include "base/result.hpp"
#include "base/units.hpp"
#include "defs/file_count.hpp"

namespace tarry {

/// One call path of one thread. Parents come before children; regions are numbered as in the process's definitions.
struct ProfileNode {
  static constexpr std::uint32_t kNoParent = 0xffffffffu;

  std::uint32_t parent = kNoParent;  // index of the parent node
  std::uint32_t region = 0;
  std::uint64_t visits = 0;
  Ticks time = 0;      // inclusive, sum over visits
  Ticks min_time = 0;  // of one visit, inclusive
  Ticks max_time = 0;
  std::uint64_t trace_events = 0;  // events that a trace holds of this path
  Bytes trace_bytes = 0;           // what they take in its memory; 0 in profiles without it
  TransferCounts transfers = {};
};

/// Sequence numbers of profile chunks: of several profiles of a thread the last one counts.
inline constexpr std::uint32_t kProfileSoFar = 0, kFinalProfile = 1;

/// Consecutive iterations of a loop.
struct IterationRun {
  std::int64_t first = 0;
  std::uint64_t count = 0;
};

/// A call path that represents iterations like each other, of a loop that has more than are told apart. Several of them
/// have the same parent and region.
struct IterationCluster {
  std::uint32_t node = 0;          // index of its call path
  std::vector<IterationRun> runs;  // in order of time; visits beyond their sum are iterations that are not listed
};

/// How many receivers of a thread are told apart; what goes to others is counted together.
inline constexpr std::size_t kMostReceivers = 4096;

/// Messages from a thread to one rank of a communicator, which is numbered as in the process's definitions.
struct ReceiverCount {
  static constexpr std::uint32_t kOthers = 0xffffffffu;  // as comm: all receivers that are not told apart

  std::uint32_t comm = kOthers;
  std::uint32_t receiver = 0;
  std::uint64_t messages = 0;
  Bytes bytes = 0;

  bool operator==(const ReceiverCount&) const = default;
};

/// How many files of a thread are told apart; all others are counted together.
inline constexpr std::size_t kMostFiles = 4096;

/// A call path of one thread of OpenMP that a team was forked at, or the parallel region of a worker of such a team.
/// Both have the same `fork`, which only means something within the process.
struct ForkPlace {
  std::uint32_t node = 0;
  std::uint64_t fork = 0;

  bool operator==(const ForkPlace&) const = default;
};

/// A summary. Each counter has an exclusive value per call path, in the 64 bits of the counter's type. It is the
/// increase of the counter or, of a level, the highest value that was seen.
struct Profile {
  std::vector<ProfileNode> nodes;
  std::vector<IterationCluster> clusters = {};
  std::vector<std::uint32_t> counters = {};        // numbered as in the process's definitions
  std::vector<std::uint64_t> counter_values = {};  // of the first node, of the second, ...
  std::vector<ReceiverCount> receivers = {};
  std::vector<FileCount> files = {};
  std::vector<ForkPlace> forks = {};  // in the order of nodes
  std::vector<ForkPlace> teams = {};  // the same; these nodes have no parent here
};

void encode_profile(ByteWriter& out, const Profile& profile);
Result<Profile> decode_profile(std::span<const std::uint8_t> bytes);

}  // namespace tarry
