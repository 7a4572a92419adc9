// profile_tree.hpp -- the call-path summary of one thread while it grows.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "archive/profile_memory.hpp"
#include "archive/transfer_counts.hpp"
#include "base/bytes.hpp"
#include "base/units.hpp"
#include "measure/core/iteration_clusters.hpp"
#include "measure/core/node_index.hpp"
#include "measure/core/suspended_paths.hpp"
#include "trace/event_codec.hpp"

namespace tarry::measure {

class BlockPool;

/// A call path among those below `parent`.
struct ChildKey {
  ChildKey(const PathNode& parent, std::uint32_t region) : parent(&parent), region(region) {}
  explicit ChildKey(const PathNode& node) : parent(node.parent), region(node.region) {}
  bool operator==(const ChildKey&) const = default;
  std::uint64_t hash() const { return reinterpret_cast<std::uintptr_t>(parent) * 0x9e3779b97f4a7c15ull + region; }

  const PathNode* parent;
  std::uint32_t region;
};

/// A receiver of messages, by its rank in a communicator.
struct ReceiverKey {
  ReceiverKey(std::uint32_t comm, std::uint32_t receiver) : comm(comm), receiver(receiver) {}
  explicit ReceiverKey(const ReceiverNode& node) : comm(node.count.comm), receiver(node.count.receiver) {}
  bool operator==(const ReceiverKey&) const = default;
  std::uint64_t hash() const { return std::uint64_t{comm} << 32 | receiver; }

  std::uint32_t comm, receiver;
};

struct FileKey {
  explicit FileKey(std::uint32_t file) : file(file) {}
  explicit FileKey(const FileNode& node) : file(node.count.file) {}
  bool operator==(const FileKey&) const = default;
  std::uint64_t hash() const { return file; }

  std::uint32_t file;
};

/// Nodes beside the call paths, `most` of them at most: all further ones are counted in one.
template <class Node, class Key>
struct CountNodes {
  std::size_t most;
  NodeIndex<Node, Key> index = {};
  Node* others = nullptr;  // made when there are too many
  Node lost = {};          // without memory of its own
};

/// The iterations of a loop that have ended, by cluster. What one that is running does goes to the loop's own path.
struct LoopClusters {
  IterationClusters iterations;
  PathNode* paths[IterationClusters::kMost] = {};  // of each cluster; not in the tree
  std::int64_t running = 0;                        // number of the iteration
  std::uint32_t most = 0;
};

class ProfileTree {
 public:
  /// The numbers of the counters whose values count() will be given, and which of them are levels. Before the first
  /// region is entered.
  void use_counters(std::span<const std::uint32_t> ids, std::span<const bool> levels);

  /// From now on call paths are kept in the spool of `pool`, where they outlive the process. Before the first region is
  /// entered, and behind use_counters().
  void outlive_process(BlockPool& pool, std::uint32_t process, std::uint32_t thread);

  ProfileTree() { root_.parent = &root_; }
  ProfileTree(const ProfileTree&) = delete;
  ProfileTree& operator=(const ProfileTree&) = delete;

  /// Values of the counters just before a region is entered or left. Their increase goes to the path that is open. Of
  /// levels, the highest value is kept.
  void count(std::span<const std::uint64_t> values);

  /// Levels just behind: they have been reached in the path that is open now, too.
  void raise(std::span<const std::uint64_t> values);

  /// What METRIC records of these values take in a trace before the next event at `time`.
  Bytes metric_bytes(Ticks time, std::span<const std::uint32_t> ids, std::span<const std::uint64_t> values);

  /// Such records belong to the region that is open.
  void note_metrics(std::size_t count, Bytes bytes) {
    current_->trace_events += count;
    current_->trace_bytes += bytes;
  }

  void enter(Ticks time, std::uint32_t region) {
    PathNode* child = near_child(region);
    if (!child) [[unlikely]] {
      child = find_child(region);
      if (!child) return;
    }
    enter_child(*child, region, time);
  }

  void leave(Ticks time) {
    PathNode& node = *current_;
    if (!advance_little(time)) [[unlikely]]
      node.trace_bytes += leave_bytes(advance(time)) - leave_bytes(0);
    close_visit(node, time);
  }

  /// The same if the path is near, the event before is not long ago and the region's number is small. Else false.
  [[gnu::always_inline]] bool enter_quickly(Ticks time, std::uint32_t region) {
    PathNode* const child = near_child(region);
    if (!child || region >= kFirstWideRegion || !advance_little(time)) [[unlikely]]
      return false;
    child->entered_at = time;
    ++child->visits;
    open_at(child);
    return true;
  }
  [[gnu::always_inline]] bool leave_quickly(Ticks time) {
    PathNode& node = *current_;
    if (!advance_little(time)) [[unlikely]]
      return false;
    const Ticks spent = time - node.entered_at;
    if (spent < node.min_time) [[unlikely]] {
      if (&node == &overflow_ || suspended_.is_running(node)) return false;
      node.min_time = spent;
    }
    add_visit(node, spent);
    return true;
  }

  /// What enter() looks at first: the path below the open one that was entered last, then the one that followed it the
  /// last time. So neither the number of siblings nor their order matters. nullptr if it is neither.
  [[gnu::always_inline]] PathNode* near_child(std::uint32_t region) {
    PathNode* const parent = current_;
    PathNode* const latest = parent->latest_child;
    if (!latest) [[unlikely]]
      return nullptr;
    if (latest->region == region) return latest;
    PathNode* const next = latest->follower;
    if (next->region != region) [[unlikely]]
      return nullptr;
    parent->latest_child = next;
    return next;
  }

  /// The rest of enter().
  [[gnu::always_inline]] void enter_child(PathNode& child, std::uint32_t region, Ticks time) {
    child.entered_at = time;
    ++child.visits;
    if (region >= kFirstWideRegion || !advance_little(time)) [[unlikely]]
      child.trace_bytes += enter_bytes(advance(time), region) - enter_bytes(0, region);
    open_at(&child);
  }

  /// A task of OpenMP begins. It lies below the parallel region around the open path, or else below the outermost open
  /// path. So a task that waits for another one of its construct has the same call path.
  void enter_task(Ticks time, std::uint32_t region);

  /// The open path is a parallel region.
  void mark_parallel() {
    if (current_ != &overflow_) current_->is_parallel = 1;
  }

  /// A visit that represents several calls, after which no other event came before its end. What it took on average is
  /// what each of them counts for in the shortest and the longest time.
  void visit(Ticks time, std::uint32_t region, Ticks duration, std::uint64_t calls);

  /// Full blocks of events were written out, which is a region in reports, and one record of a trace.
  void count_flush(Ticks time, std::uint32_t region, Ticks duration);

  /// Of the latest event.
  Ticks last_time() const { return head_->last_time; }

  /// What the path that is open sends and receives.
  TransferCounts& transfers() { return transfers_of(*current_); }

  /// A record on the path that is open, as a trace would hold it: its bytes there, and what it tells of transfers.
  template <class... Fields>
  [[gnu::always_inline]] void count_record(EventKind kind, Ticks time, Fields... fields) {
    count_event(time, fields...);
    const std::uint64_t values[] = {static_cast<std::uint64_t>(fields)..., 0};
    switch (kind) {
      case EventKind::kMpiSend:
      case EventKind::kMpiIsend:
        return count_send(static_cast<std::uint32_t>(values[1]), static_cast<std::uint32_t>(values[0]), values[3]);
      case EventKind::kMpiRecv:
      case EventKind::kMpiIrecv: return count_receive(values[3]);
      case EventKind::kMpiCollectiveEnd:
      case EventKind::kNonBlockingCollectiveComplete: return count_collective(values[0], values[3], values[4]);
      case EventKind::kRmaPut: transfers()[Transfer::kBytesPut] += values[2]; return;
      case EventKind::kRmaGet: transfers()[Transfer::kBytesGot] += values[2]; return;
      case EventKind::kRmaAtomic:
        transfers()[Transfer::kBytesPut] += values[3];
        transfers()[Transfer::kBytesGot] += values[4];
        return;
      case EventKind::kIoCreateHandle: ++file_of(values[0]).opens; [[fallthrough]];
      case EventKind::kIoDestroyHandle:
      case EventKind::kIoSeek:
      case EventKind::kIoOperationIssued:
      case EventKind::kIoOperationComplete: return count_file_time(values[0], time);
      default: return;
    }
  }

  /// A read or a write of a file that is complete.
  void count_file_operation(std::uint32_t file, bool is_write, Bytes bytes) {
    file_of(file).add_operation(is_write, bytes);
    transfers()[is_write ? Transfer::kBytesWritten : Transfer::kBytesRead] += bytes;
    ++transfers()[Transfer::kFileOperations];
  }

  /// Where calls on a file count: those from one path.
  struct FilePlace {
    PathNode* path = nullptr;  // nullptr: elsewhere
    FileNode* file = nullptr;
  };
  /// That of the open path, if an operation on the file was the latest to be complete.
  FilePlace open_file_place(std::uint32_t file) const {
    const bool is_known = current_->transfers && current_ != &overflow_ && latest_file_->count.file == file;
    return is_known ? FilePlace{current_, latest_file_} : FilePlace();
  }

  /// Whether a call there is begun in the path that is open, and nothing has to be found or made for it.
  [[gnu::always_inline]] bool would_enter(const FilePlace& place) const {
    return current_->latest_child == place.path && latest_file_ == place.file;
  }
  /// Whether the event before is not so long ago that begin_operation() could not count it.
  [[gnu::always_inline]] bool is_soon(Ticks time) const { return is_within(time, kFirstLongCallDelta); }

  /// What the calls there have in common takes so many bytes in a trace.
  void count_pattern(const FilePlace& place, Bytes bytes) { place.path->trace_bytes += bytes; }

  /// enter() and the record of the begin of an operation. Together they take what an enter takes at the least, as does
  /// the rest of a whole call in place of its leave.
  [[gnu::always_inline]] void begin_operation(const FilePlace& place, Ticks time) {
    PathNode& path = *place.path;
    path.entered_at = time;
    ++path.visits;
    ++path.trace_events;
    head_->last_time = time;
    open_at(&path);
  }

  /// Whether such a call is open there, and nothing has been counted since it began.
  [[gnu::always_inline]] bool is_latest(const FilePlace& place, Ticks begun) const {
    return current_ == place.path && latest_file_ == place.file && head_->last_time == begun &&
           place.path->entered_at == begun && last_file_record_ <= begun;
  }
  /// Of the record of its end and of leave(), what needs no time.
  [[gnu::always_inline]] void prepare_end(const FilePlace& place, bool is_write, Bytes bytes) {
    ++place.path->trace_events;
    place.path->transfers->count_file_operation(is_write, bytes);
    place.file->count.add_operation(is_write, bytes);
  }
  /// The rest, so long after the begin.
  [[gnu::always_inline]] void finish_end(const FilePlace& place, Ticks time, Ticks spent) {
    PathNode& path = *place.path;
    head_->last_time = time;
    place.file->count.time += spent;
    last_file_record_ = time;
    if (spent < path.min_time) [[unlikely]]
      path.min_time = spent;
    add_visit(path, spent);
  }
  /// The same for any difference, where records of their own have fields of so many bytes.
  void finish_late_end(const FilePlace& place, Ticks time, Bytes fields);

  /// A message to a rank of a communicator.
  void count_send(std::uint32_t comm, std::uint32_t receiver, Bytes bytes) {
    ReceiverNode* const known = receivers_.index.find({comm, receiver});
    ReceiverCount& sum = (known ? *known : make_receiver(comm, receiver)).count;
    ++sum.messages;
    sum.bytes += bytes;
    transfers().count_message(Transfer::kEmptySends, Transfer::kSends, Transfer::kBytesSent, bytes);
  }
  void count_receive(Bytes bytes) {
    transfers().count_message(Transfer::kEmptyReceives, Transfer::kReceives, Transfer::kBytesReceived, bytes);
  }

  /// Another event on the path that is open, as a trace would record it (lib/trace/event_codec).
  template <class... Fields>
  void count_event(Ticks time, Fields... fields) {
    ++current_->trace_events;
    current_->trace_bytes += 1 + varint_bytes(advance(time));
    current_->trace_bytes += (0 + ... + varint_bytes(static_cast<std::uint64_t>(fields)));
  }

  /// The event that was counted last, of so many bytes, has been taken back.
  void uncount_event(Bytes bytes) {
    --current_->trace_events;
    current_->trace_bytes -= bytes;
  }

  /// To be called before entering the region of an iteration without a call path of its own. The iteration before it
  /// joins a cluster of similar ones, of which there are `most` at most. Without memory for clusters all share one call
  /// path.
  void begin_iteration(std::uint32_t region, std::int64_t number, std::uint32_t most);

  /// The call path that is open.
  PathNode* open_path() { return current_; }

  /// A team of OpenMP is forked here; returns where, for its workers. nullptr if that is no call path.
  const PathNode* mark_fork();

  /// Outside of all regions: those that follow lie below such a path of another thread, until end_team().
  void begin_team(const PathNode* fork);
  void end_team() {
    if (current_->region == kTeamPlace) open_at(&root_);
  }

  /// Of a parallel region: its time also has what passed between the fork and its begin, its end and the join.
  void add_management(PathNode& path, Transfer what, Ticks time);

  /// Makes a call path that is not open, and those below it, as if they had never been visited.
  void forget(PathNode& path);

  /// Regions that are open.
  std::uint64_t depth() const;

  /// Leaves all open regions.
  void close(Ticks time);

  /// Encodes all call paths with profile_codec; call after close().
  void encode(ByteWriter& out);

  /// Gives its memory back, behind encode(): it takes nothing more, and may be destroyed. Call paths stay where they
  /// are if those of other threads hang on them, which are told by their addresses.
  void release();

  /// As encode() while regions are open, as if they were left at `time`; the tree stays as it is. False if its thread
  /// changes it meanwhile.
  bool encode_so_far(Ticks time, ByteWriter& out);

 private:
  // Operations that make or free a handle move no data.
  void count_collective(std::uint64_t operation, Bytes sent, Bytes received) {
    if (operation < static_cast<std::uint64_t>(CollectiveOp::kCreateHandle))
      transfers().count_collective(sent, received);
  }

  TransferCounts& transfers_of(PathNode& node) { return node.transfers ? *node.transfers : make_transfers(node); }
  TransferCounts& make_transfers(PathNode& node);
  ReceiverNode& make_receiver(std::uint32_t comm, std::uint32_t receiver);
  FileNode& make_file(std::uint32_t file);
  template <class Node, class Key>
  Node& make_count(CountNodes<Node, Key>& nodes, const Node& made, const Node*& latest);

  FileCount& file_of(std::uint64_t number) {
    const auto file = static_cast<std::uint32_t>(number);
    if (latest_file_->count.file != file) {
      FileNode* const known = files_.index.find(FileKey(file));
      latest_file_ = known ? known : &make_file(file);
    }
    return latest_file_->count;
  }

  void count_file_time(std::uint64_t number, Ticks time) {
    file_of(number);
    count_file_time(*latest_file_, time);
  }
  void count_file_time(FileNode& file, Ticks time) {
    file.count.time += time - std::max(current_->entered_at, last_file_record_);
    last_file_record_ = time;
  }

  // The visits beyond memory end without a path of their own: their one node never gets a shortest time.
  [[gnu::always_inline]] void close_visit(PathNode& node, Ticks time) {
    const Ticks spent = time - node.entered_at;
    if (spent < node.min_time) [[unlikely]] {
      if (&node == &overflow_) return leave_missed();
      if (suspended_.is_running(node)) return leave_task(node, time);
      node.min_time = spent;
    }
    add_visit(node, spent);
  }
  [[gnu::always_inline]] void add_visit(PathNode& node, Ticks spent) {
    node.time += spent;
    if (spent > node.max_time) [[unlikely]]
      node.max_time = spent;
    open_at(node.parent);
  }
  void leave_task(PathNode& task, Ticks time);
  PathNode* place_of_tasks();
  void open_at(PathNode* path) { head_->current = current_ = path; }
  void leave_missed() {
    if (--missed_depth_ == 0) open_at(overflow_.parent);
  }

  static constexpr std::size_t kMostSteps = 32;  // through a list of children that has no index

  /// Of the counters, behind the node.
  static std::uint64_t* values_of(PathNode& node) { return reinterpret_cast<std::uint64_t*>(&node + 1); }
  std::size_t node_bytes() const { return sizeof(PathNode) + counters_.size() * sizeof(std::uint64_t); }

  std::uint64_t advance(Ticks time) {
    const Ticks delta = time > head_->last_time ? time - head_->last_time : 0;
    head_->last_time += delta;
    return static_cast<std::uint64_t>(delta);
  }

  [[gnu::always_inline]] bool is_within(Ticks time, std::uint64_t delta) const {
    return static_cast<std::uint64_t>(time - head_->last_time) < delta;
  }

  // The same if the event before is not long ago, else false. Then an enter or a leave takes no more than the least,
  // which a profile counts for each visit.
  bool advance_little(Ticks time) {
    if (!is_within(time, kLeastLongDelta)) return false;
    head_->last_time = time;
    return true;
  }

  PathNode* find_child(std::uint32_t region);
  PathNode* child_of(PathNode& parent, std::uint32_t region);
  PathNode* child_of_indexed(PathNode& parent, std::uint32_t region);
  PathNode* new_child(PathNode& parent, std::uint32_t region);
  void index_children(PathNode& parent);
  static void add_to_ring(PathNode& parent, PathNode& child);
  static void enter_after_latest(PathNode& parent, PathNode& child);
  bool has_room_for(std::size_t bytes);
  bool begin_slab();
  void free_clusters();
  void free_slab(ProfileSlab* slab, std::size_t nodes_end, std::size_t transfers);
  void count_node() { ++slab_->paths; }  // what is not finished is not found
  PathNode* new_node();
  void end_iteration(PathNode& loop);
  void add_values(PathNode& to, PathNode& from);
  void clear_values(PathNode& node);
  void move_values(PathNode& from, PathNode& into);
  PathNode* innermost() { return missed_depth_ ? overflow_.parent : current_; }
  void end_iterations();
  void list_children(PathNode& parent, std::vector<PathNode*>& pending);
  ProfileNode encode_node(const PathNode& node) const;
  bool collect(Profile& profile);
  void encode_clusters(const LoopClusters& clusters, Profile& profile);

  PathNode* team_places_ = nullptr;          // by next_sibling; those of one parallel region come first
  PathNode root_;                            // above the first region; not encoded
  PathNode overflow_;                        // represents regions entered without memory for a node; not encoded
  TransferCounts lost_transfers_;            // without memory of their own
  PathNode* current_ = &root_;               // as in the head, for those who come in a hurry
  ProfileHead own_head_{.current = &root_};  // without a slab that outlives the process
  ProfileHead* head_ = &own_head_;
  BlockPool* pool_ = nullptr;  // nullptr: slabs end with the process
  std::uint32_t process_ = 0, thread_ = 0, slab_count_ = 0;
  ProfileSlab* slab_ = nullptr;     // the latest one
  std::size_t slab_nodes_end_ = 0;  // in it: behind the last node
  std::size_t slab_transfers_ = 0;  // where its counts of transfers and receivers begin
  bool has_clusters_ = false;       // of iterations
  bool has_forks_ = false;          // call paths of other threads hang on its own
  std::uint64_t node_count_ = 0;
  NodeIndex<PathNode, ChildKey> index_;
  CountNodes<ReceiverNode, ReceiverKey> receivers_{.most = kMostReceivers};
  CountNodes<FileNode, FileKey> files_{.most = kMostFiles};
  FileNode* latest_file_ = &files_.lost;  // at first none of those that are told apart
  Ticks last_file_record_ = 0;
  std::uint64_t missed_depth_ = 0;  // open regions that overflow_ represents
  SuspendedPaths suspended_;        // by tasks that run now
  std::vector<std::uint32_t> counters_;
  std::vector<bool> is_level_;
  std::vector<std::uint64_t> counted_;  // their values when they were last counted
};

}  // namespace tarry::measure
