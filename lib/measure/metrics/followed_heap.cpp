// followed_heap.cpp -- gives each allocation its call path, and threads their sites.
#include "measure/metrics/followed_heap.hpp"

#include <dlfcn.h>

#include <string>
#include <utility>
#include <vector>

#include "defs/unify.hpp"
#include "measure/core/runtime.hpp"
#include "measure/metrics/heap_counts.hpp"
#include "measure/metrics/heap_paths.hpp"

namespace tarry::measure {
namespace {

constexpr int kMostKept = 256;

HeapSites* g_sites = nullptr;  // nullptr: blocks are not followed
std::vector<CounterId>* g_ids = nullptr;
int g_kept = 0;                        // threads that have ended; for callers that hold the lock of the threads
std::int64_t g_blocks_of_threads = 0;  // that are live in threads that have left

// What the recorder allocates for itself, and what is allocated while it is paused or before it, has no site.
HeapSiteId current_site() {
  Thread* const thread = t_thread;
  HeapPaths* const paths = thread && thread->gate.is_open() ? kHeapPaths.of(*thread) : nullptr;
  if (!paths) return kNoHeapSite;
  const Hold hold(thread->gate);
  const PathNode* const path = thread->profile.innermost_region();
  return path ? paths->site_of(*path) : kNoHeapSite;
}

// The same ones if it is called again.
HeapSites* open_sites() {
  if (g_sites) return g_sites;
  const auto counts = reinterpret_cast<HeapCountsFunction>(::dlsym(RTLD_DEFAULT, kHeapCountsFunction));
  const auto follow = reinterpret_cast<FollowHeapFunction>(::dlsym(RTLD_DEFAULT, kFollowHeapFunction));
  if (!counts || !follow || !follow()) return nullptr;
  HeapLevels* levels = nullptr;
  counts(&levels);
  return g_sites = &levels->sites;
}

}  // namespace

std::string try_following_heap() {
  if (!settings().summarises) return "it is only in a summary: add '-s'";
  return open_sites() ? "" : "no memory for a table of the blocks";
}

void follow_heap(const CounterPlan& plan) {
  std::vector<CounterId> ids;
  for (const PlannedCounter& counter : plan.counters)
    if (is_of_paths(counter.source, counter.code)) ids.push_back(counter.definition);
  if (ids.empty()) return;
  g_ids = new std::vector<CounterId>(std::move(ids));
  g_sites->ask(current_site);
}

void follow_heap_of(Thread& thread) {
  if (!g_sites || !thread.summarises) return;
  auto* const paths = new HeapPaths(*g_sites);
  thread.profile.use_ledger(*paths, *g_ids);
  kHeapPaths.of(thread) = paths;
}

bool has_live_blocks(Thread& thread) {
  HeapPaths* const paths = kHeapPaths.of(thread);
  const bool is_live = paths && paths->live_blocks() > 0 && (paths->is_kept || g_kept < kMostKept);
  if (paths && paths->is_kept != is_live) g_kept += is_live ? 1 : -1;
  if (paths) paths->is_kept = is_live;
  return is_live;
}

void end_heap_of(Thread& thread) {
  HeapPaths* const paths = std::exchange(kHeapPaths.of(thread), nullptr);
  if (!paths) return;
  g_blocks_of_threads += paths->live_blocks();
  delete paths;
}

void end_following_heap() {
  if (g_sites) g_sites->ask(nullptr);
}

void describe_lost_blocks(double) {
  if (!g_sites) return;
  if (const std::int64_t blocks = g_sites->lost_blocks() + g_blocks_of_threads)
    definitions().add_property(kBlocksNotFollowedKey, std::to_string(blocks));
}

}  // namespace tarry::measure
