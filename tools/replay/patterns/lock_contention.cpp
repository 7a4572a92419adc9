// lock_contention.cpp -- waiting time of a thread for another one to release a lock.
//
//   thread 0   [ holds the lock      ]R
//   thread 1            E==== waits ==|.acquire      wait = R - E
//
// R: the most recent release of the lock before this acquisition, by whomever; E: enter of the region that acquires.
//
// Needs: order of acquisition of each lock in a process. Leaves: nothing. Source: docs/METRICS.md, "Lock Contention".
#include <algorithm>

#include "pattern.hpp"

namespace tarry {
namespace {

// What a wait in a region counts as; kNone where it counts as nothing.
Metric metric_of(const RegionTable& regions, RegionId region) {
  if (regions[region].thread == ThreadClass::kCritical) return Metric::kOmpLockContentionCritical;
  if (regions.region(region).paradigm != Paradigm::kPthread) return Metric::kOmpLockContentionApi;
  const std::string& name = regions.name(region);
  if (name.starts_with("pthread_mutex_")) return Metric::kPthreadLockContentionMutex;
  return name.starts_with("pthread_cond_") ? Metric::kPthreadLockContentionCondition : Metric::kNone;
}

struct Acquisition {
  const LockAcquisition* lock;
  std::size_t thread;
};

}  // namespace

void lock_contention(const RankContext& context) {
  std::vector<Acquisition> all;
  for (std::size_t t = 0; t < context.rank.threads.size(); ++t)
    for (const LockAcquisition& lock : context.rank.threads[t].locks) all.push_back({&lock, t});
  std::sort(all.begin(), all.end(), [](const Acquisition& a, const Acquisition& b) {
    return std::pair(a.lock->lock, a.lock->order) < std::pair(b.lock->lock, b.lock->order);
  });
  for (std::size_t i = 1; i < all.size(); ++i) {
    const LockAcquisition& lock = *all[i].lock;
    if (all[i - 1].lock->lock != lock.lock) continue;
    const RegionId region = context.rank.tree[lock.path].region;
    const Metric metric = metric_of(context.world.regions(), region);
    const Ticks wait = std::max<Ticks>(0, all[i - 1].lock->release - lock.enter);
    if (wait == 0 || metric == Metric::kNone) continue;
    const WaitCause cause{.rank = context.rank_index(), .thread = static_cast<std::uint16_t>(all[i - 1].thread),
                          .path = all[i - 1].lock->path};
    context.book_wait({.metric = metric,
                       .thread = static_cast<std::uint16_t>(all[i].thread), .path = lock.path, .enter = lock.enter,
                       .exit = lock.enter + wait, .begin = lock.enter, .wait = wait, .full_wait = wait, .cause = cause});
  }
}

}  // namespace tarry
