// heap_paths.cpp -- finds and makes the sites of call paths, and adds up what is live.
#include "measure/metrics/heap_paths.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "base/arrays/flat_map.hpp"
#include "measure/core/own_memory.hpp"

namespace tarry::measure {
namespace {

template <class Node>
Node* new_node(const Node& node) {
  void* const memory = take_own_memory(sizeof(Node), alignof(Node));
  return memory ? new (memory) Node(node) : nullptr;
}

template <class Node>
void give_list_back(Node* first, Node* Node::*next) {
  while (first) give_own_memory_back(std::exchange(first, first->*next));
}

// Threads that allocate and free at the same time may be seen in any order.
std::uint64_t not_negative(std::int64_t value) { return static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0)); }

}  // namespace

HeapPaths::~HeapPaths() {
  for (const PathSites* path = paths_; path; path = path->next_path) give_list_back(path->sites, &PathSite::next);
  give_list_back(dropped_.sites, &PathSite::next);
  give_list_back(paths_, &PathSites::next_path);
  give_list_back(table_.load(std::memory_order_relaxed), &Table::outgrown);
}

HeapPaths::PathSites* HeapPaths::find(const PathNode& path) const {
  Table* const table = table_.load(std::memory_order_acquire);
  if (!table) return nullptr;
  for (std::size_t at = mix_bits(reinterpret_cast<std::uintptr_t>(&path));; ++at) {
    PathSites* const found = table->slots()[at & table->mask].load(std::memory_order_acquire);
    if (!found || found->path == &path) return found;
  }
}

void HeapPaths::put(Table& table, PathSites& path) {
  std::size_t at = mix_bits(reinterpret_cast<std::uintptr_t>(path.path));
  while (table.slots()[at & table.mask].load(std::memory_order_relaxed)) ++at;
  table.slots()[at & table.mask].store(&path, std::memory_order_release);
}

bool HeapPaths::grow() {
  constexpr std::size_t kFirstSlots = 64;
  Table* const old = table_.load(std::memory_order_relaxed);
  const std::size_t slots = old ? 2 * (old->mask + 1) : kFirstSlots;
  const std::size_t bytes = sizeof(Table) + slots * sizeof(std::atomic<PathSites*>);
  void* const memory = take_own_memory(bytes, alignof(Table));
  if (!memory) return false;
  std::memset(memory, 0, bytes);
  auto* const table = new (memory) Table{.mask = slots - 1, .outgrown = old};
  for (PathSites* path = paths_; path; path = path->next_path) put(*table, *path);
  table_.store(table, std::memory_order_release);
  return true;
}

HeapPaths::PathSites* HeapPaths::find_or_make(const PathNode& path) {
  if (PathSites* const known = find(path)) return known;
  const Table* const table = table_.load(std::memory_order_relaxed);
  if ((!table || 2 * (path_count_ + 1) > table->mask) && !grow()) return nullptr;
  PathSites* const made = new_node(PathSites{.path = &path, .next_path = paths_});
  if (!made) return nullptr;
  put(*table_.load(std::memory_order_relaxed), *made);
  ++path_count_;
  return paths_ = made;
}

HeapSiteId HeapPaths::add_site(PathSites& of) {
  const HeapSiteId site = sites_.make();
  PathSite* const made = site == kNoHeapSite ? nullptr : new_node(PathSite{.site = site, .next = nullptr});
  if (!made) return kNoHeapSite;
  of.sites = made;
  return site;
}

HeapSiteId HeapPaths::site_of(const PathNode& path) {
  if (&path == latest_path_) [[likely]]
    return latest_site_;
  PathSites* const sites = find_or_make(path);
  const HeapSiteId site = !sites ? kNoHeapSite : sites->sites ? sites->sites->site : add_site(*sites);
  if (site == kNoHeapSite) return sites_.note_lost(), kNoHeapSite;
  latest_path_ = &path;
  return latest_site_ = site;
}

// Nothing is live, and nothing was at the peak.
bool HeapPaths::is_idle(const PathSites& path) const {
  const PathSite* const only = path.sites;
  return !only || (!only->next && sites_.live_blocks(only->site) == 0 && sites_.bytes_at_peak(only->site) == 0);
}

// Behind the site for new blocks of `to`. A site without values stays: it serves the next iteration.
void HeapPaths::move(const PathNode& to, const PathNode& from) {
  PathSites* const source = find(from);
  if (!source || is_idle(*source)) return;
  PathSites* const target = find_or_make(to);
  if (!target) return;
  PathSite* const first = std::exchange(source->sites, nullptr);
  PathSite* last = first;
  while (last->next) last = last->next;
  PathSite*& behind = target->sites ? target->sites->next : target->sites;
  last->next = std::exchange(behind, first);
  latest_path_ = nullptr;
}

void HeapPaths::forget(const PathNode& path) {
  PathSites* const sites = find(path);
  if (!sites || is_idle(*sites)) return;
  PathSite* last = sites->sites;
  while (last->next) last = last->next;
  last->next = dropped_.sites;
  dropped_.sites = std::exchange(sites->sites, nullptr);
  latest_path_ = nullptr;
}

template <class Visit>
void HeapPaths::each_site(const PathSites& path, Visit visit) {
  for (const PathSite* each = path.sites; each; each = each->next) visit(each->site);
}

void HeapPaths::read(const PathNode& path, std::span<std::uint64_t> values) const {
  std::int64_t sums[kHeapPathFields] = {};
  if (const PathSites* const sites = find(path))
    each_site(*sites, [&](HeapSiteId site) {
      sums[0] += sites_.live_bytes(site);
      sums[1] += sites_.live_blocks(site);
      sums[2] += sites_.bytes_at_peak(site);
    });
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = not_negative(sums[i]);
}

std::int64_t HeapPaths::live_blocks() const {
  std::int64_t sum = 0;
  for (const PathSites* path = paths_; path; path = path->next_path)
    each_site(*path, [&](HeapSiteId site) { sum += sites_.live_blocks(site); });
  return sum;
}

}  // namespace tarry::measure
