// logical_rank.hpp -- one recorded process as the analysis keeps it: what its events say about synchronisation.
//
// The trace itself is read once, block by block (scan.hpp). What stays in memory are the calls that hold message or
// collective records, those records, and per call path the visits and the time; all later passes work on these.
#pragma once

#include <cstdint>
#include <vector>

#include "base/flat_map.hpp"
#include "base/units.hpp"
#include "replay/call_tree.hpp"
#include "replay/region_table.hpp"
#include "replay/time_log.hpp"
#include "replay/time_ranges.hpp"
#include "trace/event.hpp"

namespace tarry {

inline constexpr std::uint32_t kNone32 = 0xffffffffu;

/// One visit of an MPI function that holds records of messages or collectives.
struct MpiCall {
  Ticks enter = 0;
  Ticks leave = 0;
  PathIndex path = kNoPath;
  LogPosition position = 0;  // in its thread's time log, right after it was entered
  std::uint16_t thread = 0;
  CallClass call = CallClass::kOther;
  bool has_late_sender = false;  // set by the late-sender pass: it takes precedence over late receivers
};

/// Place of the other end of a message: a logical rank and an index into its sends or receives.
struct Partner {
  std::uint32_t rank = kNone32;
  std::uint32_t index = kNone32;
  bool is_matched() const { return rank != kNone32; }
};

/// A send record and, if it was non-blocking, the call that completed it.
struct Send {
  Ticks time = 0;
  Bytes bytes = 0;
  std::uint32_t call = kNone32;
  std::uint32_t completion_call = kNone32;  // equal to `call` for blocking sends; kNone32 if it never completed
  std::uint32_t channel = kNone32;
  Partner receive;
  Ticks wait = 0;  // late-receiver waiting time in the completion call; 0 if it is not the one that counts
  bool is_cancelled = false;
};

/// A completed receive and the call that posted it.
struct Receive {
  Ticks time = 0;
  std::uint32_t call = kNone32;
  std::uint32_t request_call = kNone32;  // equal to `call` for blocking receives
  std::uint32_t channel = kNone32;
  std::uint32_t posted = 0;  // order of posting within the process
  Partner send;
  Ticks wait = 0;  // late-sender waiting time; 0 if it is not the one that counts
};

/// All messages between two processes that MPI delivers in order: one communicator, peer and tag.
struct ChannelKey {
  std::uint32_t comm = 0;
  std::uint32_t peer = 0;  // world rank
  std::uint32_t tag = 0;

  bool operator==(const ChannelKey&) const = default;
  std::uint64_t hash() const { return mix_bits((std::uint64_t{comm} << 40) ^ (std::uint64_t{peer} << 20) ^ tag); }
};

/// The channels of one direction; members of channel k stand in items[first[k] .. first[k+1]).
struct ChannelTable {
  std::vector<ChannelKey> keys;
  FlatMap<ChannelKey, std::uint32_t> index;
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> items;

  std::uint32_t find_or_add(const ChannelKey& key) {
    std::uint32_t& found = index.insert(key, kNone32);
    if (found == kNone32) {
      found = static_cast<std::uint32_t>(keys.size());
      keys.push_back(key);
    }
    return found;
  }
};

/// Fills first and items: the members of each channel in the order of their records.
template <class Message>
void group_by_channel(ChannelTable& table, const std::vector<Message>& messages) {
  table.first.assign(table.keys.size() + 1, 0);
  for (const Message& message : messages) ++table.first[message.channel + 1];
  for (std::size_t k = 1; k < table.first.size(); ++k) table.first[k] += table.first[k - 1];
  table.items.resize(messages.size());
  std::vector<std::uint32_t> next(table.first.begin(), table.first.end());
  for (std::uint32_t i = 0; i < messages.size(); ++i) table.items[next[messages[i].channel]++] = i;
}

/// What a collective operation is to the analysis; MPI_Init and MPI_Finalize synchronise everybody.
enum class CollectiveKind : std::uint8_t { kBarrier, kOneToAll, kAllToAll, kAllToOne, kPrefix, kInit, kFinalize, kUnanalysed };

/// Collective::comm of MPI_Init and MPI_Finalize, in which all processes take part.
inline constexpr std::uint32_t kInitComm = 0xfffffffe;
inline constexpr std::uint32_t kFinalizeComm = 0xfffffffd;

/// One process's part in a collective operation. All times are those of the BEGIN and END records.
struct Collective {
  /// Whom this process synchronised with in the operation.
  enum class Partners : std::uint8_t {
    kNobody,
    kEverybody,  // all members of the communicator
    kCause,      // the process at `cause` alone
    kList,       // those in World::partner_list(list)
  };

  Ticks begin = 0;
  Ticks end = 0;
  Bytes sent = 0;
  Bytes received = 0;
  std::uint32_t call = kNone32;
  std::uint32_t comm = kNone32;
  std::uint32_t root = kNone32;   // rank in the communicator
  std::uint32_t index = kNone32;  // of this record in LogicalRank::collectives
  CollectiveOp operation{};
  CollectiveKind kind = CollectiveKind::kUnanalysed;
  // Set by the collective pass:
  bool is_synchronised = false;        // this process waited or made others wait
  Partners partners = Partners::kNobody;
  std::uint32_t list = kNone32;
  std::uint32_t cause = kNone32;       // world rank of the process that the others waited for,
  std::uint32_t cause_index = kNone32; // and the index of its record
  Ticks wait = 0;
  Ticks completion = 0;
};

/// One visit of an OpenMP barrier by one thread.
struct ThreadBarrier {
  Ticks enter = 0;
  Ticks leave = 0;
  PathIndex path = kNoPath;
  LogPosition position = 0;        // in the thread's time log, right before it was left
  std::uint32_t calls_before = 0;  // MPI calls of the process recorded before it; orders it among them
  std::uint32_t fork = kNone32;  // index into LogicalRank::forks
  bool is_explicit = false;
  Ticks wait = 0;                      // set by the barrier pass, with
  std::uint16_t last_thread = 0;       // the thread that was waited for
  std::uint32_t last_barrier = kNone32;  // and the index of its visit
};

/// One parallel region of a process, as its master saw it.
struct Fork {
  Ticks fork_time = 0;
  Ticks join_time = 0;
  PathIndex path = kNoPath;       // where the master was
  LogPosition join_position = 0;  // in the master's time log
};

/// The entry of one thread into a parallel region.
struct ParallelEntry {
  Ticks enter = 0;
  PathIndex path = kNoPath;
  std::uint32_t fork = kNone32;
  LogPosition position = 0;  // in the thread's time log, where the time since the fork begins
  std::uint32_t calls_before = 0;
};

/// An acquisition of a lock by one thread.
struct LockAcquisition {
  std::uint64_t lock = 0;
  std::uint64_t order = 0;
  Ticks enter = 0;    // of the region that acquires
  Ticks release = 0;  // of this acquisition
  PathIndex path = kNoPath;
};

/// One thread: visits and exclusive time per call path (indices of the process's CallTree; may be shorter than it).
struct LogicalThread {
  LocationId location;
  const TimeRanges* selected = nullptr;  // what of its time counts; nullptr: all
  std::vector<LogPosition> cuts;         // where in the log the selected ranges begin and end, in turn
  std::vector<std::uint64_t> visits;
  std::vector<Ticks> time;  // what counts of it
  std::vector<Ticks> fork_time;        // per parallel region's call path
  std::vector<Ticks> management_time;  // fork and join
  TimeLog log;
  std::vector<ThreadBarrier> barriers;
  std::vector<ParallelEntry> parallels;
  std::vector<LockAcquisition> locks;
  std::uint64_t event_count = 0;
  Ticks first_time = 0;
  Ticks last_time = 0;
};

/// One recorded process.
struct LogicalRank {
  std::uint32_t rank = 0;  // world rank
  CallTree tree;
  std::vector<LogicalThread> threads;
  std::vector<MpiCall> calls;
  std::vector<Send> sends;
  std::vector<Receive> receives;
  std::vector<Collective> collectives;
  ChannelTable send_channels;
  ChannelTable receive_channels;
  // Of a rank that another analysis process hosts, only messages with ranks of this one are here; these are their
  // indices over there, ascending.
  std::vector<std::uint32_t> send_origin;
  std::vector<std::uint32_t> receive_origin;
  std::vector<Fork> forks;
};

}  // namespace tarry
