// computing_paths.cpp -- the call paths of a process on which it computes, and the regions with most of that.
#include "prediction/simulation/computing_paths.hpp"

#include <algorithm>
#include <map>
#include <mutex>

namespace tarry {
namespace {

bool is_computing_region(const RegionTable& regions, RegionId region) {
  const RegionClass& kind = regions[region];
  const bool is_barrier = kind.thread == ThreadClass::kExplicitBarrier || kind.thread == ThreadClass::kImplicitBarrier;
  const Region& facts = regions.region(region);
  const bool waits = facts.role == RegionRole::kTaskWait || facts.paradigm == Paradigm::kPthread ||
                     facts.paradigm == Paradigm::kMeasurement;
  return !is_barrier && !waits;
}

}  // namespace

std::vector<bool> computing_paths(const Trace& trace, const LogicalRank& rank) {
  const RegionTable& regions = trace.regions();
  std::vector<bool> is_mpi(rank.tree.size()), is_computing(rank.tree.size());
  for (PathIndex path = 0; path < rank.tree.size(); ++path) {
    const CallTreeNode& node = rank.tree[path];
    is_mpi[path] = regions[node.region].is_mpi || (node.parent != kNoPath && is_mpi[node.parent]);
    is_computing[path] = !is_mpi[path] && is_computing_region(regions, node.region);
  }
  for (const DeviceCall& call : rank.device_calls)
    if (call.call == AcceleratorCall::kSynchronization) is_computing[call.enter.path] = false;
  return is_computing;
}

// Of a queue only its kernels are work of regions.
static void add_work(const LogicalRank& rank, const LogicalThread& thread, const std::vector<bool>& is_computing,
                     std::vector<Ticks>& work) {
  for (const Execution& execution : thread.executions)
    if (!execution.is_copy() && is_computing[execution.path])
      work[rank.tree[execution.path].region.value] += execution.end - execution.begin;
  if (thread.is_queue) return;
  for (PathIndex path = 0; path < thread.time.size(); ++path)
    if (is_computing[path]) work[rank.tree[path].region.value] += thread.time[path];
}

std::vector<HeavyRegion> heaviest_regions(const Trace& trace, std::size_t most) {
  std::vector<Ticks> work(trace.regions().size(), 0);
  std::mutex mutex;
  trace.for_each_hosted([&](RankIndex r) {
    const LogicalRank& rank = trace.ranks()[r];
    const std::vector<bool> is_computing = computing_paths(trace, rank);
    const std::scoped_lock lock(mutex);
    for (const LogicalThread& thread : rank.threads) add_work(rank, thread, is_computing, work);
  });
  std::map<std::string, std::size_t> place;
  std::vector<HeavyRegion> regions;
  for (std::size_t r = 0; r < work.size(); ++r) {
    if (work[r] <= 0) continue;
    const std::string& name = trace.regions().name(RegionId(r));
    const auto [at, is_new] = place.try_emplace(name, regions.size());
    if (is_new) regions.push_back({name, 0, RegionId(r)});
    regions[at->second].work += work[r];
  }
  std::ranges::stable_sort(regions, [](const HeavyRegion& a, const HeavyRegion& b) { return a.work > b.work; });
  if (regions.size() > most) regions.resize(most);
  return regions;
}

}  // namespace tarry
