// profile_tree.hpp -- the call-path summary of one thread while it grows.
//
// It counts events as a trace would record them, and joins its parts. Call paths are a tree (path_tree.hpp), in memory
// of their own (profile_slabs.hpp). Each has values (path_values.hpp). Receivers, files, iterations and estimated sizes
// of records have their own files, too (profile_receivers.hpp, profile_files.hpp, loop_iterations.hpp,
// record_estimates.hpp). As in a trace, a time before that of the latest event is raised to it.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>
#include <span>

#include "base/bytes/bytes.hpp"
#include "base/units.hpp"
#include "defs/definitions.hpp"
#include "measure/core/file_visits.hpp"
#include "measure/core/path_tree.hpp"
#include "measure/core/path_values.hpp"
#include "measure/core/profile_files.hpp"
#include "measure/core/profile_receivers.hpp"
#include "measure/core/record_estimates.hpp"
#include "trace/event_codec.hpp"

namespace tarry::measure {

class ProfileTree {
 public:
  ProfileTree() = default;
  ProfileTree(const ProfileTree&) = delete;
  ProfileTree& operator=(const ProfileTree&) = delete;

  /// The counters whose values count() will be given, and which of them are levels. Before the first region is
  /// entered.
  void use_counters(std::span<const CounterId> ids, std::span<const bool> levels);

  /// The last counters, whose values the ledger keeps. Before the first region, behind use_counters().
  void use_ledger(PathLedger& ledger, std::span<const CounterId> ids);

  /// Room for metrics of the program. Behind that, and before the first region is entered.
  void use_user_metrics();

  /// A value of the program's metric of that number, from 0 on, in the path that is open.
  void count_user_metric(std::size_t number, CounterId id, Combination combination, std::uint64_t value);

  /// From now on call paths are kept in the spool of `pool`, where they outlive the process. Before the first region is
  /// entered, and behind use_ledger().
  void outlive_process(BlockPool& pool, WorldRank process, std::uint32_t thread) {
    paths_.outlive_process(pool, process, thread);
  }

  void enter(Ticks time, RegionId region) {
    PathNode* child = paths_.near_child(region);
    if (!child) [[unlikely]] {
      child = paths_.find_child(region);
      if (!child) return;
    }
    enter_child(*child, region, time);
  }

  /// The same for a child of the open path.
  [[gnu::always_inline]] void enter_child(PathNode& child, RegionId region, Ticks time) {
    if (region.value >= kFirstWideRegion || !paths_.advance_little(time)) [[unlikely]] {
      estimate_enter(child, paths_.advance(time), region);
      time = paths_.last_time();
    }
    paths_.begin_visit(child, time);
  }

  /// The same for a task of OpenMP, which lies elsewhere (path_tree.hpp).
  void enter_task(Ticks time, RegionId region);
  /// The open path is a parallel region.
  void mark_parallel() { paths_.mark_parallel(); }

  void leave(Ticks time) {
    PathNode& path = *paths_.open_path();
    if (!paths_.advance_little(time)) [[unlikely]] {
      estimate_leave(path, paths_.advance(time));
      time = paths_.last_time();
    }
    paths_.end_visit(path, time);
  }

  /// The same if the path is near, the event before is not long ago and the region's number is small. Else false.
  [[gnu::always_inline]] bool enter_quickly(Ticks time, RegionId region) {
    PathNode* const child = paths_.near_child(region);
    if (!child || region.value >= kFirstWideRegion || !paths_.advance_little(time)) [[unlikely]]
      return false;
    paths_.begin_visit(*child, time);
    return true;
  }
  [[gnu::always_inline]] bool leave_quickly(Ticks time) {
    PathNode& path = *paths_.open_path();
    if (!paths_.advance_little(time)) [[unlikely]]
      return false;
    return paths_.end_near_visit(path, time);
  }

  /// A visit that represents several calls, after which no other event came before its end. What it took on average is
  /// what each of them counts for in the shortest and the longest time.
  void visit(Ticks time, RegionId region, Ticks duration, std::uint64_t calls);

  /// Full blocks of events were written out, which is a region in reports, and one record of a trace.
  void count_flush(Ticks time, RegionId region, Ticks duration);

  /// Of the latest event.
  Ticks last_time() const { return paths_.last_time(); }

  /// Another event on the path that is open, as a trace would record it (lib/trace/event_codec).
  template <class Record>
  void count_event(Ticks time, const Record& record) {
    estimate_record(*paths_.open_path(), paths_.advance(time), record);
  }

  /// The event that was counted last, of so many bytes, has been taken back.
  void uncount_event(Bytes bytes) { take_back_record(*paths_.open_path(), bytes); }

  /// A record on the path that is open, as a trace would hold it: its bytes there, and what it tells of transfers.
  template <class Record>
  [[gnu::always_inline]] void count_record(Ticks time, const Record& record) {
    count_event(time, record);
    count_transfer(record, time);
  }

  /// A message to a rank of a communicator.
  void count_send(CommId comm, CommRank receiver, Bytes bytes) {
    receivers_.count_message(comm, receiver, bytes);
    transfers().count_message(Transfer::kEmptySends, Transfer::kSends, Transfer::kBytesSent, bytes);
  }
  void count_receive(Bytes bytes) {
    transfers().count_message(Transfer::kEmptyReceives, Transfer::kReceives, Transfer::kBytesReceived, bytes);
  }

  /// A read or a write of a file that is complete.
  void count_file_operation(IoHandleId file, bool is_write, Bytes bytes) {
    files_.of(file).count.add_operation(is_write, bytes);
    transfers().count_file_operation(is_write, bytes);
  }

  /// Reads and writes like the one before.
  [[gnu::always_inline]] FileVisits file_visits() { return {paths_, files_}; }

  /// Values of the counters just before a region is entered or left, and levels just behind (counter_sums.hpp).
  void count(std::span<const std::uint64_t> values) { values_.counters().count(paths_.innermost_region(), values); }
  void raise(std::span<const std::uint64_t> values) { values_.counters().raise(paths_.innermost_region(), values); }

  /// What METRIC records of these values take in a trace before the next event at `time`.
  Bytes metric_bytes(Ticks time, std::span<const CounterId> ids, std::span<const std::uint64_t> values) {
    return measure::metric_bytes(paths_.advance(time), ids, values);
  }
  /// Such records belong to the region that is open.
  void note_metrics(std::size_t count, Bytes bytes) {
    paths_.open_path()->trace_events += count;
    paths_.open_path()->trace_bytes += bytes;
  }

  /// Before an iteration without a call path of its own (loop_iterations.hpp).
  void begin_iteration(RegionId region, std::int64_t number, std::uint32_t most);

  /// The call path that is open.
  PathNode* open_path() { return paths_.open_path(); }
  /// The innermost one that there was memory for; nullptr outside of all regions.
  PathNode* innermost_region() { return paths_.innermost_region(); }

  /// Teams of OpenMP (path_tree.hpp).
  std::uint64_t mark_fork() { return paths_.mark_fork(); }
  void begin_team(std::uint64_t fork) { paths_.begin_team(fork); }
  void end_team() { paths_.end_team(); }

  /// Of a parallel region: its time also has what passed between the fork and its begin, its end and the join.
  void add_management(PathNode& path, Transfer what, Ticks time);

  /// Of the time until now on the open path, in which the thread used no processor.
  void count_blocked(Ticks time, Ticks blocked) {
    count_event(time, record::Attribute{.attribute = kBlockedAttribute, .value = static_cast<std::uint64_t>(blocked)});
    transfers()[Transfer::kBlockedTime] += static_cast<std::uint64_t>(blocked);
  }

  /// Makes a call path that is not open, and those below it, as if they had never been visited.
  void forget(PathNode& path) { values_.forget(path); }

  /// Regions that are open.
  std::uint64_t depth() const { return paths_.depth(); }

  /// Leaves all open regions.
  void close(Ticks time);

  /// Encodes all call paths with profile_codec; call after close().
  void encode(ByteWriter& out);

  /// Gives its memory back, behind encode(): it takes nothing more, and may be destroyed.
  /// Calls: may block.
  void release();

  /// As encode() while regions are open, as if they were left at `time`; the tree stays as it is. False if its thread
  /// changes it meanwhile.
  bool encode_so_far(Ticks time, ByteWriter& out);

 private:
  TransferCounts& transfers() { return values_.transfers_of(*paths_.open_path()); }

  /// Counts the transfer that a record describes; most kinds describe none.
  template <class Record>
  void count_transfer(const Record&, Ticks) {}
  void count_transfer(const record::MpiSend& send, Ticks) { count_send(send.comm, send.receiver, send.bytes); }
  void count_transfer(const record::MpiIsend& send, Ticks) { count_send(send.comm, send.receiver, send.bytes); }
  void count_transfer(const record::MpiRecv& receive, Ticks) { count_receive(receive.bytes); }
  void count_transfer(const record::MpiIrecv& receive, Ticks) { count_receive(receive.bytes); }
  void count_transfer(const record::MpiCollectiveEnd& end, Ticks) { count_collective(end); }
  void count_transfer(const record::NonBlockingCollectiveComplete& end, Ticks) { count_collective(end); }
  void count_transfer(const record::RmaPut& put, Ticks) { transfers()[Transfer::kBytesPut] += put.bytes; }
  void count_transfer(const record::RmaGet& get, Ticks) { transfers()[Transfer::kBytesGot] += get.bytes; }
  void count_transfer(const record::RmaAtomic& atomic, Ticks) {
    transfers()[Transfer::kBytesPut] += atomic.sent;
    transfers()[Transfer::kBytesGot] += atomic.received;
  }
  void count_transfer(const record::IoCreateHandle& open, Ticks time) {
    ++files_.of(open.handle).count.opens;
    count_file_time(open.handle, time);
  }
  void count_transfer(const record::IoDestroyHandle& close, Ticks time) { count_file_time(close.handle, time); }
  void count_transfer(const record::IoSeek& seek, Ticks time) { count_file_time(seek.handle, time); }
  void count_transfer(const record::IoOperationIssued& issue, Ticks time) { count_file_time(issue.handle, time); }
  void count_transfer(const record::IoOperationComplete& end, Ticks time) { count_file_time(end.handle, time); }

  // Operations that make or free a handle move no data.
  template <class End>
  void count_collective(const End& end) {
    if (end.operation < CollectiveOp::kCreateHandle) transfers().count_collective(end.sent, end.received);
  }
  void count_file_time(IoHandleId file, Ticks time) { files_.count_time(files_.of(file), *paths_.open_path(), time); }

  PathTree paths_;
  PathValues values_{paths_.slabs()};
  ProfileReceivers receivers_{paths_};
  ProfileFiles files_{paths_};
  bool has_iterations_ = false;
};

}  // namespace tarry::measure
