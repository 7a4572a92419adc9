// profile_tree.cpp -- new call paths, and the encoded summary.
#include "measure/core/profile_tree.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "base/flat_map.hpp"
#include "measure/core/block_pool.hpp"

namespace tarry::measure {
namespace {

// Which group of call paths a condensed profile sums up this one with.
std::size_t group_of(const PathNode& node, const PathNode& root) {
  const std::uint64_t caller = &node == &root || !node.parent ? 0 : node.parent->region + 1ull;
  return mix_bits(node.region * 0x100000001ull + caller) % CondensedProfile::kGroups;
}

// The children of a path, from the one behind that was entered last to that one. Another thread may add some.
template <class Visit>
void each_child(const PathNode& parent, Visit visit) {
  PathNode* const latest = parent.latest_child;
  if (!latest) return;
  PathNode* child = latest;
  do visit(*(child = child->next_sibling));
  while (child != latest);
}

// The next one behind a path and those below it, in that order; nullptr behind the last child.
PathNode* next_child(const PathNode& node) { return &node == node.parent->latest_child ? nullptr : node.next_sibling; }

PathNode* first_child(const PathNode& node) { return node.latest_child ? node.latest_child->next_sibling : nullptr; }

// The next call path in preorder below `root`; nullptr behind the last. Trees are too deep for recursion.
PathNode* next_in_tree(PathNode* node, const PathNode& root) {
  if (PathNode* const child = first_child(*node)) return child;
  while (node != &root && !next_child(*node)) node = node->parent;
  return node == &root ? nullptr : node->next_sibling;
}

CondensedProfile condense(PathNode& root) {
  CondensedProfile sums;
  for (PathNode* node = &root; node; node = next_in_tree(node, root)) {
    const auto time = static_cast<double>(node->time);
    sums.time[group_of(*node, root)] += time;
    if (node != &root) sums.time[group_of(*node->parent, root)] -= time;
    sums.visits[group_of(*node, root)] += static_cast<double>(node->visits);
    if (node->transfers) sums.bytes += static_cast<double>(node->transfers->bytes());
  }
  return sums;
}

void add_plain_values(PathNode& to, const PathNode& from) {
  to.visits += from.visits;
  to.coalesced_visits += from.coalesced_visits;
  to.time += from.time;
  to.min_time = std::min(to.min_time, from.min_time);
  to.max_time = std::max(to.max_time, from.max_time);
  to.trace_events += from.trace_events;
  to.trace_bytes += from.trace_bytes;
}

void clear_plain_values(PathNode& node) {
  const PathNode empty;
  node.visits = node.coalesced_visits = 0;
  node.time = node.max_time = 0;
  node.min_time = empty.min_time;
  if (node.transfers) *node.transfers = {};
  node.trace_events = 0;
  node.trace_bytes = 0;
}

constexpr std::size_t kSlabBytes = kBlockBytes - kChunkHeaderBytes;

// The last bytes of a slab: the one before it, and whether it is of the spool.
struct SlabTail {
  ProfileSlab* before;
  std::uint64_t is_of_pool;
};
constexpr std::size_t kSlabTail = kSlabBytes - sizeof(SlabTail);

SlabTail& tail_of(ProfileSlab* slab) {
  return *reinterpret_cast<SlabTail*>(reinterpret_cast<std::uint8_t*>(slab) + kSlabTail);
}

}  // namespace

void ProfileTree::outlive_process(BlockPool& pool, std::uint32_t process, std::uint32_t thread) {
  pool_ = &pool;
  process_ = process;
  thread_ = thread;
  if (!begin_slab() || slab_count_ == 0) return;
  slab_->head = *head_;
  head_ = &slab_->head;
}

// Slabs come from the spool or from the kernel, zeroed and untouched, so that no allocator of the program is involved.
bool ProfileTree::begin_slab() {
  ChunkHeader header;
  header.kind = ChunkKind::kProfileMemory;
  header.process = process_;
  header.thread = thread_;
  header.sequence = slab_count_;
  void* slab = pool_ ? pool_->take_for_profile(header) : nullptr;
  const bool is_of_pool = slab;
  if (slab) ++slab_count_;
  else slab = ::mmap(nullptr, kSlabBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (slab == MAP_FAILED) return false;
  ProfileSlab* const before = std::exchange(slab_, new (slab) ProfileSlab);
  tail_of(slab_) = {before, is_of_pool};
  slab_->root = &root_;
  slab_->counters = static_cast<std::uint32_t>(counters_.size());
  std::copy(counters_.begin(), counters_.end(), slab_->counter_ids());
  slab_nodes_end_ = slab_->first_node();
  slab_transfers_ = kSlabTail;
  slab_->address = slab_;
  return true;
}

// In the latest slab, or in a new one.
bool ProfileTree::has_room_for(std::size_t bytes) {
  return (slab_ && slab_nodes_end_ + bytes <= slab_transfers_) || begin_slab();
}

PathNode* ProfileTree::new_node() {
  if (!has_room_for(node_bytes())) return nullptr;
  ++node_count_;
  auto* const node = new (reinterpret_cast<char*>(slab_) + slab_nodes_end_) PathNode;
  slab_nodes_end_ += node_bytes();
  return node;
}

TransferCounts& ProfileTree::make_transfers(PathNode& node) {
  if (!has_room_for(sizeof(TransferCounts))) return lost_transfers_;
  slab_transfers_ -= sizeof(TransferCounts);
  return *(node.transfers = new (reinterpret_cast<char*>(slab_) + slab_transfers_) TransferCounts);
}

template <class Node, class Key>
Node& ProfileTree::make_count(CountNodes<Node, Key>& nodes, const Node& made, const Node*& latest) {
  if (nodes.others) return *nodes.others;
  if (!has_room_for(sizeof(Node))) return nodes.lost;
  slab_transfers_ -= sizeof(Node);
  auto* const node = new (reinterpret_cast<char*>(slab_) + slab_transfers_) Node(made);
  if (nodes.index.size() == nodes.most || !nodes.index.add(*node)) {
    node->count = {};  // of others
    nodes.others = node;
  }
  node->next = latest;
  latest = node;  // what is not finished is not found
  return *node;
}

ReceiverNode& ProfileTree::make_receiver(std::uint32_t comm, std::uint32_t receiver) {
  return make_count(receivers_, {.count = {.comm = comm, .receiver = receiver}}, head_->receivers);
}

FileNode& ProfileTree::make_file(std::uint32_t file) {
  return make_count(files_, {.count = {.file = file}}, head_->files);
}

void ProfileTree::use_counters(std::span<const std::uint32_t> ids, std::span<const bool> levels) {
  counters_.assign(ids.begin(), ids.end());
  is_level_.assign(levels.begin(), levels.end());
  counted_.assign(ids.size(), 0);
}

void ProfileTree::count(std::span<const std::uint64_t> values) {
  PathNode* const node = innermost();
  std::uint64_t* const sums = node == &root_ ? nullptr : values_of(*node);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (sums) sums[i] = is_level_[i] ? std::max(sums[i], values[i]) : sums[i] + values[i] - counted_[i];
    counted_[i] = values[i];
  }
}

void ProfileTree::raise(std::span<const std::uint64_t> values) {
  PathNode* const node = innermost();
  if (node == &root_) return;
  std::uint64_t* const sums = values_of(*node);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (is_level_[i]) sums[i] = std::max(sums[i], values[i]);
}

Bytes ProfileTree::metric_bytes(Ticks time, std::span<const std::uint32_t> ids, std::span<const std::uint64_t> values) {
  Bytes bytes = 0;
  for (std::size_t i = 0; i < ids.size(); ++i)
    bytes += 1 + varint_bytes(advance(time)) + varint_bytes(ids[i]) + varint_bytes(values[i]);
  return bytes;
}

void ProfileTree::add_values(PathNode& to, PathNode& from) {
  add_plain_values(to, from);
  if (from.transfers) transfers_of(to) += *from.transfers;
  std::uint64_t* const into = values_of(to);
  const std::uint64_t* const more = values_of(from);
  for (std::size_t i = 0; i < counters_.size(); ++i)
    into[i] = is_level_[i] ? std::max(into[i], more[i]) : into[i] + more[i];
}

void ProfileTree::clear_values(PathNode& node) {
  clear_plain_values(node);
  std::fill_n(values_of(node), counters_.size(), 0);
}

PathNode* ProfileTree::new_child(PathNode& parent, std::uint32_t region) {
  PathNode* child = new_node();
  if (!child) return nullptr;
  child->region = region;
  child->parent = &parent;
  count_node();
  return child;
}

// It is likely to be entered after that one again.
void ProfileTree::enter_after_latest(PathNode& parent, PathNode& child) {
  if (parent.latest_child) parent.latest_child->follower = &child;
  parent.latest_child = &child;
}

// Behind the one that was entered last, which a reader of profiles then meets first.
void ProfileTree::add_to_ring(PathNode& parent, PathNode& child) {
  PathNode* const latest = parent.latest_child;
  child.follower = &child;
  child.next_sibling = latest ? latest->next_sibling : &child;
  std::atomic_signal_fence(std::memory_order_release);  // another thread may walk through the ring
  if (latest) latest->next_sibling = &child;
  enter_after_latest(parent, child);
}

// Any child, which then is the one entered last; a new one if need be. nullptr without memory.
PathNode* ProfileTree::child_of(PathNode& parent, std::uint32_t region) {
  if (parent.has_index) return child_of_indexed(parent, region);
  std::size_t steps = 0;
  if (PathNode* child = parent.latest_child) {
    do {
      if (child->region == region) {
        enter_after_latest(parent, *child);
        return child;
      }
      child = child->next_sibling;
      ++steps;
    } while (child != parent.latest_child);
  }
  PathNode* const child = new_child(parent, region);
  if (!child) return nullptr;
  add_to_ring(parent, *child);
  if (steps > kMostSteps) [[unlikely]]
    index_children(parent);
  return child;
}

// The same where walking through all children would take long.
PathNode* ProfileTree::child_of_indexed(PathNode& parent, std::uint32_t region) {
  PathNode* child = index_.find({parent, region});
  if (child) {
    enter_after_latest(parent, *child);
  } else if ((child = new_child(parent, region))) {
    add_to_ring(parent, *child);
    if (!index_.add(*child)) parent.has_index = 0;
  }
  return child;
}

// Without memory for the index, walking goes on.
void ProfileTree::index_children(PathNode& parent) {
  bool has_all = true;
  each_child(parent, [&](PathNode& child) { has_all = has_all && index_.add(child); });
  parent.has_index = has_all;
}

// Without memory for a new child the region counts as part of its parent.
[[gnu::noinline]] PathNode* ProfileTree::find_child(std::uint32_t region) {
  if (current_ == &overflow_) {
    ++missed_depth_;
    return nullptr;
  }
  PathNode* child = child_of(*current_, region);
  if (!child) {
    overflow_.parent = current_;
    open_at(&overflow_);
    missed_depth_ = 1;
  }
  return child;
}

// nullptr outside of all regions.
PathNode* ProfileTree::place_of_tasks() {
  PathNode* path = current_;
  if (path == &root_ || path == &overflow_ || path->region == kTeamPlace) return nullptr;
  while (!path->is_parallel && path->parent != &root_ && path->parent->region != kTeamPlace) path = path->parent;
  return path;
}

void ProfileTree::enter_task(Ticks time, std::uint32_t region) {
  PathNode* const around = place_of_tasks();
  PathNode* const task = around && around != current_ ? child_of(*around, region) : nullptr;
  if (!task || !suspended_.begin(current_, around, *task, time)) return enter(time, region);
  open_at(around);
  enter_child(*task, region, time);
}

[[gnu::noinline]] void ProfileTree::leave_task(PathNode& task, Ticks time) {
  const Ticks spent = time - task.entered_at;
  add_visit(task, spent);
  open_at(suspended_.end(task, time, spent));
}

void ProfileTree::visit(Ticks time, std::uint32_t region, Ticks duration, std::uint64_t calls) {
  enter(time, region);
  if (missed_depth_ || calls == 1) return leave(time + duration);
  PathNode& node = *current_;
  const Ticks shortest = node.min_time, longest = node.max_time;
  count_event(time + duration, kCallsAttribute, calls);
  leave(time + duration);
  const auto count = static_cast<Ticks>(calls);
  node.visits += calls - 1;
  node.coalesced_visits += calls - 1;
  node.min_time = std::min(shortest, duration / count);
  node.max_time = std::max(longest, (duration + count - 1) / count);
}

void ProfileTree::finish_late_end(const FilePlace& place, Ticks time, Bytes fields) {
  place.path->trace_bytes += 1 + varint_bytes(advance(time)) + fields;
  count_file_time(*place.file, time);
  close_visit(*place.path, time);
}

void ProfileTree::count_flush(Ticks time, std::uint32_t region, Ticks duration) {
  enter(time, region);
  if (!missed_depth_) {
    ++current_->coalesced_visits;
    count_event(time, static_cast<std::uint64_t>(duration));
  }
  leave(time + duration);
}

void ProfileTree::begin_iteration(std::uint32_t region, std::int64_t number, std::uint32_t most) {
  if (current_ == &overflow_) return;
  PathNode* loop = child_of(*current_, region);
  if (!loop) return;
  if (!loop->clusters) {
    void* memory = ::mmap(nullptr, sizeof(LoopClusters), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    loop->clusters = static_cast<LoopClusters*>(memory);  // zeros are empty clusters
    has_clusters_ = true;
    loop->clusters->most = most;
  } else if (loop->visits > 0) {
    end_iteration(*loop);
  }
  loop->clusters->running = number;
}

// The loop's own path is empty again afterwards.
void ProfileTree::end_iteration(PathNode& loop) {
  LoopClusters& clusters = *loop.clusters;
  const auto decision = clusters.iterations.add(clusters.running, condense(loop), clusters.most);
  if (decision.emptied != IterationClusters::kNone && clusters.paths[decision.emptied] &&
      clusters.paths[decision.filled])
    move_values(*clusters.paths[decision.emptied], *clusters.paths[decision.filled]);
  PathNode*& path = clusters.paths[decision.cluster];
  if (!path) path = new_node();
  if (!path) return;  // then this iteration and the next are one
  if (!path->parent) {
    path->region = loop.region;
    path->parent = loop.parent;
    count_node();
  }
  move_values(loop, *path);
}

// Call paths that were not visited have no values below them either. Without memory for a call path it is left out, and
// its time remains in its parent.
void ProfileTree::move_values(PathNode& from, PathNode& into) {
  PathNode* source = &from;
  PathNode* target = &into;
  PathNode* above = nullptr;  // where the values of source's parent went
  while (true) {
    if (target) {
      add_values(*target, *source);
      clear_values(*source);
    } else if (source->visits > 0) {
      forget(*source);
    }
    if (PathNode* const below = target ? first_child(*source) : nullptr) {
      above = target;
      source = below;
    } else {
      while (source != &from && !next_child(*source)) {
        source = source->parent;
        above = above->parent;
      }
      if (source == &from) return;
      source = source->next_sibling;
    }
    target = source->visits > 0 ? child_of(*above, source->region) : nullptr;
  }
}

const PathNode* ProfileTree::mark_fork() {
  PathNode* const path = current_;
  if (path == &root_ || path == &overflow_ || path->region == kTeamPlace) return nullptr;
  path->is_fork = 1;
  has_forks_ = true;
  return path;
}

// Most programs come back to the same few parallel regions: the place that was used last is the first in the list.
void ProfileTree::begin_team(const PathNode* fork) {
  if (!fork || current_ != &root_) return;
  PathNode** link = &team_places_;
  while (*link && (*link)->fork != fork) link = &(*link)->next_sibling;
  PathNode* place = *link;
  if (place) {
    *link = place->next_sibling;
  } else {
    place = new_node();
    if (!place) return;
    place->region = kTeamPlace;
    place->parent = &root_;
    place->fork = fork;
    count_node();
  }
  place->next_sibling = team_places_;
  current_ = team_places_ = place;
}

void ProfileTree::add_management(PathNode& path, Transfer what, Ticks time) {
  if (time <= 0) return;
  path.time += time;
  transfers_of(path)[what] += static_cast<std::uint64_t>(time);
}

void ProfileTree::forget(PathNode& path) {
  for (PathNode* node = &path; node; node = next_in_tree(node, path)) clear_values(*node);
}

std::uint64_t ProfileTree::depth() const {
  std::uint64_t depth = missed_depth_ + suspended_.depth();
  for (const PathNode* node = missed_depth_ ? overflow_.parent : current_; node && node != &root_; node = node->parent)
    depth += node->region != kTeamPlace;
  return depth;
}

void ProfileTree::close(Ticks time) {
  if (missed_depth_) open_at(overflow_.parent);
  missed_depth_ = 0;
  for (end_team(); current_ != &root_; end_team()) leave(time);
}

void ProfileTree::end_iterations() {
  for (PathNode* node = &root_; node; node = next_in_tree(node, root_))
    if (node->clusters && node->visits > 0) end_iteration(*node);
}

// The paths of clusters replace the path of their loop. What is listed last is taken first.
void ProfileTree::list_children(PathNode& parent, std::vector<PathNode*>& pending) {
  const auto before = static_cast<std::ptrdiff_t>(pending.size());
  each_child(parent, [&](PathNode& child) {
    if (child.visits > 0) pending.push_back(&child);
    for (std::uint32_t i = 0; child.clusters && i < child.clusters->iterations.count(); ++i)
      if (PathNode* path = child.clusters->paths[i]) pending.push_back(path);
  });
  std::reverse(pending.begin() + before, pending.end());
}

void ProfileTree::encode_clusters(const LoopClusters& clusters, Profile& profile) {
  std::vector<std::size_t> place(clusters.iterations.count());
  for (std::uint32_t i = 0; i < clusters.iterations.count(); ++i) {
    place[i] = profile.clusters.size();
    if (clusters.paths[i]) profile.clusters.push_back({clusters.paths[i]->index, {}});
  }
  for (const IterationClusters::Run& run : clusters.iterations.runs())
    if (clusters.paths[run.cluster]) profile.clusters[place[run.cluster]].runs.push_back({run.first, run.count});
}

ProfileNode ProfileTree::encode_node(const PathNode& node) const {
  ProfileNode encoded = profile_node(node, node.transfers);
  if (node.parent != &root_ && node.parent->region != kTeamPlace) encoded.parent = node.parent->index;
  return encoded;
}

// Parents before children: depth first, without recursion, as the tree may be deep. False if there are more call paths
// than were made.
bool ProfileTree::collect(Profile& profile) {
  const std::uint64_t count = node_count_;
  profile.counters = counters_;
  profile.nodes.reserve(count);
  std::vector<PathNode*> pending;
  std::vector<const LoopClusters*> loops;
  const auto note_loop = [&loops](const PathNode& child) {
    if (child.clusters) loops.push_back(child.clusters);
  };
  for (PathNode* place = team_places_; place; place = place->next_sibling) list_children(*place, pending);
  list_children(root_, pending);
  while (!pending.empty() && profile.nodes.size() < count) {
    PathNode* node = pending.back();
    pending.pop_back();
    node->index = static_cast<std::uint32_t>(profile.nodes.size());
    if (node->is_fork) profile.forks.push_back({node->index, reinterpret_cast<std::uintptr_t>(node)});
    if (node->parent->region == kTeamPlace)
      profile.teams.push_back({node->index, reinterpret_cast<std::uintptr_t>(node->parent->fork)});
    profile.nodes.push_back(encode_node(*node));
    profile.counter_values.insert(profile.counter_values.end(), values_of(*node), values_of(*node) + counters_.size());
    list_children(*node, pending);
    each_child(*node, note_loop);
  }
  each_child(root_, note_loop);
  for (const LoopClusters* loop : loops) encode_clusters(*loop, profile);
  for (const ReceiverNode* node = head_->receivers; node; node = node->next) profile.receivers.push_back(node->count);
  for (const FileNode* node = head_->files; node; node = node->next) profile.files.push_back(node->count);
  return pending.empty();
}

void ProfileTree::encode(ByteWriter& out) {
  end_iterations();
  Profile profile;
  collect(profile);
  encode_profile(out, profile);
}

void ProfileTree::release() {
  free_clusters();
  suspended_.release();
  index_.clear();
  receivers_.index.clear();
  files_.index.clear();
  if (has_forks_) return;
  std::size_t nodes_end = slab_nodes_end_, transfers = slab_transfers_;
  for (ProfileSlab* slab = slab_; slab;) {
    ProfileSlab* const before = tail_of(slab).before;
    free_slab(slab, nodes_end, transfers);
    nodes_end = transfers = kSlabTail;  // of full ones all is used
    slab = before;
  }
  slab_ = nullptr;
}

void ProfileTree::free_clusters() {
  const auto free_below = [](PathNode& root) {
    for (PathNode* node = &root; node; node = next_in_tree(node, root))
      if (node->clusters) ::munmap(node->clusters, sizeof(LoopClusters));
  };
  if (!has_clusters_) return;
  free_below(root_);
  for (PathNode* place = team_places_; place; place = place->next_sibling) free_below(*place);
}

// The pool wants zeros, and pages that nobody has touched stay so.
void ProfileTree::free_slab(ProfileSlab* slab, std::size_t nodes_end, std::size_t transfers) {
  auto* const bytes = reinterpret_cast<std::uint8_t*>(slab);
  if (!tail_of(slab).is_of_pool) {
    ::munmap(bytes, kSlabBytes);
    return;
  }
  std::memset(bytes, 0, nodes_end);
  std::memset(bytes + transfers, 0, kSlabBytes - transfers);
  pool_->give_back_of_profile(bytes);
}

bool ProfileTree::encode_so_far(Ticks time, ByteWriter& out) {
  const Ticks last_time = head_->last_time;
  Profile profile;
  if (!collect(profile)) return false;
  suspended_.each_open_task([&](const PathNode& task, Ticks shortest) {
    if (task.index < profile.nodes.size()) profile.nodes[task.index].min_time = shortest;
  });
  for (PathNode* node = innermost(); node && node != &root_ && node->region != kTeamPlace; node = node->parent) {
    if (node->index >= profile.nodes.size()) return false;
    end_visit(profile.nodes[node->index], node->entered_at, time);
  }
  encode_profile(out, profile);
  return last_time == head_->last_time;
}

}  // namespace tarry::measure
