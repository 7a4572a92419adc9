// logical_rank.hpp -- one recorded process as the analysis keeps it: what its events tell about synchronisation.
//
// The trace itself is read once, block by block (scan.hpp). These stay in memory: the calls that hold message or
// collective records, those records, and the visits and time of each call path. All later passes work on them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "base/arrays/flat_map.hpp"
#include "base/arrays/indexed.hpp"
#include "base/arrays/rows.hpp"
#include "base/units.hpp"
#include "defs/file_count.hpp"
#include "replay/scan/barrier_seconds.hpp"
#include "replay/scan/device_records.hpp"
#include "replay/trees/call_tree.hpp"
#include "replay/trace_ids.hpp"
#include "replay/scan/lock_log.hpp"
#include "replay/trees/region_table.hpp"
#include "replay/scan/time_log.hpp"
#include "replay/scan/time_ranges.hpp"
#include "replay/scan/visit_log.hpp"
#include "replay/scan/window_records.hpp"
#include "trace/event.hpp"

namespace tarry {

/// One visit of an MPI function that holds records of messages or collectives. There may be as many as a third of the
/// events: 24 bytes.
struct MpiCall {
  Ticks enter = 0;
  std::uint64_t duration : 48 = 0;  // from enter to leave; longer ones (a day at 3 GHz) are cut
  ThreadIndex thread{};
  PathIndex path : 27 = 0;
  CallClass call : 5 = CallClass::kOther;
  LogPosition position = 0;  // in its thread's time log, right after it was entered

  Ticks leave() const { return enter + static_cast<Ticks>(duration); }
  void set_leave(Ticks leave) {
    duration = static_cast<std::uint64_t>(std::clamp<Ticks>(leave - enter, 0, kLongestCall)) & kLongestCall;
  }

  static constexpr Ticks kLongestCall = (Ticks{1} << 48) - 1;
};
static_assert(sizeof(MpiCall) == 24);

/// A send record and, if it was non-blocking, the call that completed it.
struct Send {
  Ticks time = 0;
  Bytes bytes : 63 = 0;
  Bytes is_cancelled : 1 = 0;
  CallIndex call{};
  CallIndex completion_call{};  // equal to `call` for blocking sends; none if it never completed
  ChannelIndex channel{};
  ReceiveIndex receive{};  // the matching one at the channel's peer

  bool is_matched() const { return receive.is_valid(); }
};
static_assert(sizeof(Send) == 32);

/// A completed receive and the call that posted it.
struct Receive {
  CallIndex call{};
  CallIndex request_call{};  // equal to `call` for blocking receives
  ChannelIndex channel{};
  PostingIndex posted{};
  SendIndex send{};  // the matching one at the channel's peer

  bool is_matched() const { return send.is_valid(); }
};
static_assert(sizeof(Receive) == 20);

/// A visit of MPI_Probe or MPI_Mprobe, and the receive that takes the message it waited for.
struct Probe {
  CallIndex call{};
  PostingIndex posted{};   // of that receive; none if there is no such receive
  ReceiveIndex receive{};  // none if it never completed
};

/// A visit of MPI_Test, MPI_Iprobe or the like that found nothing; or a sleep between two of them.
struct Poll {
  Ticks enter = 0;
  Ticks end = 0;             // when it was left, or the next one was entered that follows it closely
  LogPosition position = 0;  // as of MpiCall
};

/// Polls of one thread at one call path, and the call that ended them: it completed, or posted the receive of, what
/// they asked for.
struct PollRun {
  CallIndex call{};
  PathIndex path = kNoPath;  // of the polls
  PollIndex first{}, end{};
  bool is_probe = false;  // the call posts; else it completes
};

/// All messages between two processes that MPI delivers in order: one communicator, peer and tag.
struct ChannelKey {
  CommId comm{};
  WorldRank peer{};
  std::uint32_t tag = 0;

  bool operator==(const ChannelKey&) const = default;
  std::uint64_t hash() const {
    return mix_bits((std::uint64_t{comm.value} << 40) ^ (std::uint64_t{peer.value} << 20) ^ tag);
  }
};

/// The channels of one direction.
struct ChannelTable {
  Indexed<ChannelIndex, std::vector<ChannelKey>> keys;
  Indexed<ChannelIndex, std::vector<RankIndex>> peers;  // the processes ChannelKey::peer; set when messages are matched
  FlatMap<ChannelKey, ChannelIndex> index;

  ChannelIndex find_or_add(const ChannelKey& key) {
    ChannelIndex& found = index.insert(key, ChannelIndex());
    if (!found.is_valid()) {
      found = keys.next_id();
      keys.push_back(key);
    }
    return found;
  }
};

/// While messages are matched: those of each channel; of channel k in items[first[k] .. first[k+1]).
template <class MessageIndex>
struct ChannelGroups : ChannelTable {
  std::vector<std::uint32_t> first;
  Rows<MessageIndex> items;

  explicit ChannelGroups(MemoryBudget* budget = nullptr) noexcept : items(budget) {}

  std::span<const MessageIndex> of(ChannelIndex channel) const {
    return {items.data() + first[channel.value], items.data() + first[channel.value + 1]};
  }
};

/// Fills first and items: the members of each channel in the order of their records.
template <class MessageIndex, class Message>
void group_by_channel(ChannelGroups<MessageIndex>& table, const Indexed<MessageIndex, Rows<Message>>& messages) {
  table.first.assign(table.keys.size() + 1, 0);
  for (const Message& message : messages) ++table.first[message.channel.value + 1];
  for (std::size_t k = 1; k < table.first.size(); ++k) table.first[k] += table.first[k - 1];
  table.items.resize(messages.size());
  std::vector<std::uint32_t> next(table.first.begin(), table.first.end());
  for (const MessageIndex i : messages.ids()) table.items[next[messages[i].channel.value]++] = i;
}

/// What a collective operation is to the analysis; MPI_Init and MPI_Finalize synchronise those of an MPI_COMM_WORLD.
enum class CollectiveKind : std::uint8_t {
  kBarrier,
  kOneToAll,
  kAllToAll,
  kAllToOne,
  kPrefix,
  kInit,
  kFinalize,
  kVector,        // Alltoallv, Alltoallw: each pair has a count of its own
  kNeighborhood,  // among neighbours in a topology
  kCreation,      // of a communicator or a file
  kUnanalysed,
};

/// Collective::comm of MPI_Init and MPI_Finalize, in which all processes of a world take part (Trace::comm_of).
inline constexpr CommId kInitComm{0xfffffffe};
inline constexpr CommId kFinalizeComm{0xfffffffd};
/// Whether it is one of these.
inline bool is_of_world(CommId comm) { return comm == kInitComm || comm == kFinalizeComm; }

/// From which of 64 partners, from number `first` on, a process receives in an operation with a count for each pair.
/// Partners have their rank in the communicator, among neighbours their place among the sources.
struct PartnerMask {
  std::uint64_t mask = 0;
  std::uint32_t first = 0;
  bool is_last = false;  // of its operation
};

/// One process's part in a collective operation. All times are those of the BEGIN and END records; of a non-blocking
/// operation, of its request and of the call that completes it.
struct Collective {
  Ticks started = 0;  // took part from here on: equal to begin unless non-blocking
  Ticks begin = 0;    // waits from here on: of a non-blocking operation, Enter of the completing call
  Ticks end = 0;
  Ticks first_poll = kNotPolled;  // Enter of the first poll of the run that the completing call ended
  Bytes sent = 0;
  Bytes received = 0;
  CallIndex call{};        // in which it ended
  CallIndex start_call{};  // in which it started
  CommId comm{};           // none: non-blocking and never completed
  CommRank root{};
  CollectiveIndex index{};  // of this record in LogicalRank::collectives
  MaskIndex masks{};        // the first of its own in LogicalRank::partner_masks; none: receives from all who send
  CollectiveOp operation{};
  CollectiveKind kind = CollectiveKind::kUnanalysed;
  bool is_nonblocking = false;
  bool is_shmem = false;  // of OpenSHMEM
  ThreadIndex thread{};   // in which it ended

  static constexpr Ticks kNotPolled = std::numeric_limits<Ticks>::max();

  bool is_polled() const { return first_poll != kNotPolled; }
  /// Waits from here on, in polls or in the call.
  Ticks waits_from() const { return std::min(begin, first_poll); }
  bool sends() const { return sent > 0; }
  bool receives() const { return received > 0; }
};

/// One visit of an OpenMP barrier by one thread.
struct ThreadBarrier {
  Ticks enter = 0;
  Ticks leave = 0;
  Ticks ready = 0;  // when the thread has nothing more to do: its enter, or the end of its last task here
  Ticks work = 0;   // that it does here until then
  PathIndex path = kNoPath;
  LogPosition position = 0;        // in the thread's time log, right before it was left
  std::uint32_t calls_before = 0;  // MPI calls of the process recorded before it; orders it among them
  ForkIndex fork{};
  std::uint64_t team = 0;  // as in the events
  bool is_explicit = false;
  std::uint32_t event = 0;  // of the thread, where lock places are kept

  void worked(Ticks begin, Ticks end) {
    ready = end;
    work += end - begin;
  }
};

/// One parallel region of a process, as the thread saw it that has forked the team.
struct Fork {
  Ticks fork_time = 0;
  Ticks join_time = 0;
  PathIndex path = kNoPath;       // where the thread was
  LogPosition join_position = 0;  // in its time log
  ThreadIndex thread = kMaster;
  bool is_joined = false;
};

/// The entry of one thread into a parallel region.
struct ParallelEntry {
  Ticks enter = 0;
  Ticks leave = 0;
  PathIndex path = kNoPath;
  ForkIndex fork{};
  LogPosition position = 0;  // in the thread's time log, where the time since the fork begins
  std::uint32_t calls_before = 0;
  std::uint32_t event = 0;  // as of ThreadBarrier
};

/// A thread is created, or begins.
struct ThreadStart {
  std::uint64_t contingent = 0;
  std::uint64_t sequence = 0;  // the same on both threads
  bool is_begin = false;       // of this thread; else it creates another
  ThreadMoment moment;
};

/// A thread ends, or another one has waited for its end.
struct ThreadEnd {
  std::uint64_t contingent = 0;
  std::uint64_t sequence = 0;  // the same on both threads
  bool is_join = false;        // by this thread; else it is its own end
  ThreadMoment moment;         // of a join: where the thread begins to wait
  Ticks time = 0;              // of the record
};

/// What a simulation needs of one thread beyond what the analysis of wait states does.
struct ThreadEnds {
  explicit ThreadEnds(MemoryBudget* budget) noexcept : ends(budget), signals(budget) {}

  Rows<ThreadEnd> ends;
  Rows<ThreadMoment> signals;  // of conditions: where they are entered
};

/// A visit of MPI_Comm_spawn or MPI_Comm_spawn_multiple.
struct Spawn {
  CallIndex call{};
  CommId comm{};     // the inter-communicator to the new processes
  WorldRank root{};  // who starts them; none if the trace does not tell
};

/// Of a level that was not seen.
inline constexpr double kNoLevel = -std::numeric_limits<double>::infinity();

/// The values of a counter of one thread in each call path, without its children. A value is the sum of all increases,
/// or the highest level.
struct CounterSums {
  std::uint64_t last = 0;  // bits of the value that was recorded last
  bool is_recorded = false;
  std::vector<double> of_path;  // ends with the last path that has a value
};

/// What a call path has read from files and written to them.
struct FileCounts {
  Bytes read = 0, written = 0;
  std::uint64_t operations = 0;
};

/// The call path of iterations of a time series.
struct IterationPath {
  PathIndex path = kNoPath;
  std::uint64_t first = 0;  // of its iterations, by IterationMarks
};

/// How far the times of a thread had come at a moment.
struct TimesSoFar {
  Ticks moment = 0;
  std::vector<Ticks> time, management_time;  // as those of the thread
};

/// The part of a process between MPI_Init and MPI_Finalize, where both are in its first thread.
struct MainPart {
  TimesSoFar begin, end;                    // when the first MPI_Init is left, and the last MPI_Finalize entered
  bool has_begin = false, has_end = false;  // whether there is one
};

/// One thread, or a queue of an accelerator: visits and exclusive time per call path (indices of the process's
/// CallTree; may be shorter than it).
struct LogicalThread {
  explicit LogicalThread(MemoryBudget* budget = nullptr) noexcept
      : log(budget), barriers(budget), parallels(budget), locks(budget), starts(budget), executions(budget) {}

  LocationId location;
  bool is_queue = false;                 // its time is no time of the process, and lies in gaps, too (scan_queues())
  const TimeRanges* selected = nullptr;  // what of its time counts; nullptr: all
  std::vector<LogPosition> cuts;         // where in the log the selected ranges begin and end, in turn
  std::vector<std::uint64_t> visits;
  std::vector<Ticks> time;             // what counts of it
  std::vector<Ticks> fork_time;        // per parallel region's call path
  std::vector<Ticks> management_time;  // fork and join
  std::vector<Ticks> blocked_time;     // of the call path itself; short or empty where there is none
  std::vector<FileCounts> files;       // by call path; short or empty where there are none
  TimeLog log;
  Indexed<BarrierIndex, Rows<ThreadBarrier>> barriers;
  std::unique_ptr<BarrierSeconds> barrier_seconds;  // of threads in teams, if Trace was asked to keep them
  std::unique_ptr<VisitLog> visit_log;              // of all threads, the same
  std::unique_ptr<MainPart> main_part;              // of the first thread, the same
  Rows<ParallelEntry> parallels;
  LockLog locks;  // until Trace::take_locks(); with places if Trace was asked to keep them
  Indexed<ThreadStartIndex, Rows<ThreadStart>> starts;    // the same
  std::unique_ptr<ThreadEnds> ends;                       // of threads that have some, if Trace was asked to keep them
  Indexed<ExecutionIndex, Rows<Execution>> executions;    // of a queue, by their begin
  Indexed<CounterId, std::vector<CounterSums>> counters;  // short or empty where there are none
  std::uint64_t event_count = 0;
  Ticks first_time = 0;
  Ticks last_time = 0;

  /// What of [begin, end) counts: all of it unless a part of the trace was asked for.
  Ticks counted(Ticks begin, Ticks end) const { return selected ? selected->overlap(begin, end) : end - begin; }
  /// Whether what happens at one moment counts.
  bool counts(Ticks time) const { return !selected || selected->contains(time); }
};

/// One recorded process.
struct LogicalRank {
  explicit LogicalRank(MemoryBudget* budget = nullptr) noexcept
      : calls(budget),
        sends(budget),
        receives(budget),
        receive_times(budget),
        probes(budget),
        polls(budget),
        poll_runs(budget),
        collectives(budget),
        partner_masks(budget),
        send_channels(budget),
        receive_channels(budget),
        window_records(budget),
        mpi_visits(budget),
        device_calls(budget) {}

  WorldRank rank{};
  CallTree tree;
  FlatMap<std::uint32_t, FileCount> file_counts;             // by number of the file in the definitions
  Indexed<ThreadIndex, std::vector<LogicalThread>> threads;  // and queues, if Trace was asked to keep them
  Indexed<CallIndex, Rows<MpiCall>> calls;
  Indexed<SendIndex, Rows<Send>> sends;
  Indexed<ReceiveIndex, Rows<Receive>> receives;
  std::uint32_t unseen_receives = 0;  // posted, not cancelled, and not seen to complete: they may have taken messages
  Indexed<ReceiveIndex, Rows<Ticks>> receive_times;  // of their records; empty unless Trace was asked to keep them
  Indexed<ProbeIndex, Rows<Probe>> probes;
  Indexed<PollIndex, Rows<Poll>> polls;            // of the runs
  Indexed<PollRunIndex, Rows<PollRun>> poll_runs;  // in the order of their calls
  Indexed<CollectiveIndex, Rows<Collective>> collectives;
  Indexed<MaskIndex, Rows<PartnerMask>> partner_masks;
  std::vector<Spawn> spawns;
  std::vector<IterationPath> iterations;  // of a series that was asked for
  std::uint64_t iteration_count = 0;
  ChannelGroups<SendIndex> send_channels;
  ChannelGroups<ReceiveIndex> receive_channels;
  // Of a rank that another analysis process hosts, only messages with ranks of this one are here; these are their
  // indices over there, ascending.
  Indexed<SendIndex, std::vector<SendIndex>> send_origin;
  Indexed<ReceiveIndex, std::vector<ReceiveIndex>> receive_origin;
  Indexed<ForkIndex, std::vector<Fork>> forks;
  bool repeats_teams = false;  // teams of several forks of the master have one number
  Indexed<WindowRecordIndex, Rows<WindowRecord>> window_records;  // one-sided communication, in the order of time
  Rows<MpiVisit> mpi_visits;                                      // of programs with windows
  Indexed<DeviceCallIndex, Rows<DeviceCall>> device_calls;        // of processes with queues, thread by thread

  /// The process at the other end of a matched message.
  RankIndex receiver_of(const Send& send) const { return send_channels.peers[send.channel]; }
  RankIndex sender_of(const Receive& receive) const { return receive_channels.peers[receive.channel]; }

  /// The run of polls that a call has ended; none if there is none.
  PollRunIndex polls_before(CallIndex call) const {
    const auto found =
        std::ranges::lower_bound(poll_runs, call.value, {}, [](const PollRun& run) { return run.call.value; });
    if (found == poll_runs.end() || found->call != call) return {};
    return PollRunIndex(static_cast<std::size_t>(found - poll_runs.begin()));
  }
};

}  // namespace tarry
