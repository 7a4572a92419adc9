// lock_contention.cpp -- waiting time of a thread for another one to release a lock.
//
//   thread 0   [ holds the lock      ]R
//   thread 1            E==== waits ==|.acquire      wait = R - E
//
// R: the most recent release of the lock before this acquisition, by whomever; E: enter of the region that acquires. Of
// locks that readers share: the latest release of an acquisition before this one that excludes it.
//
// Needs: order of acquisition of each lock in a process; of shared locks the times. Leaves: RankWaits::locks,
// where lock places are kept.
// Source: docs/METRICS.md, "Lock Contention".
#include <algorithm>
#include <tuple>

#include "base/arrays/rows.hpp"
#include "analysis/waits/pattern.hpp"
#include "analysis/waits/wait_for_signal.hpp"

namespace tarry {
namespace {

bool is_rwlock(const RegionTable& regions, RegionId region) {
  return regions.region(region).paradigm == Paradigm::kPthread && regions.name(region).starts_with("pthread_rwlock_");
}

// What a wait in a region counts as; kNone where it counts as nothing.
Metric metric_of(const RegionTable& regions, RegionId region) {
  if (regions[region].thread == ThreadClass::kCritical) return Metric::kOmpLockContentionCritical;
  if (regions.region(region).paradigm != Paradigm::kPthread) return Metric::kOmpLockContentionApi;
  const std::string& name = regions.name(region);
  if (name.starts_with("pthread_mutex_")) return Metric::kPthreadLockContentionMutex;
  return name.starts_with("pthread_cond_") ? Metric::kPthreadLockContentionCondition : Metric::kNone;
}

using Acquisition = ThreadAcquisition;

// `holder` is who let the lock go last.
void book_contention(const RankContext& context, const Acquisition& waiting, const Acquisition& holder, Metric metric,
                     Ticks begin) {
  book_thread_wait(context, waiting, holder, metric, {.begin = begin, .end = holder.lock.release});
}

void exclusive_locks(const RankContext& context, const SignalTimes& signals, Rows<Acquisition>& all) {
  std::sort(all.begin(), all.end(), [](const Acquisition& a, const Acquisition& b) {
    return a.lock.lock == b.lock.lock ? a.lock.order < b.lock.order : a.lock.lock < b.lock.lock;
  });
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i - 1].lock.lock != all[i].lock.lock) continue;
    const RegionId region = context.rank.tree[all[i].lock.path].region;
    book_contention(context, all[i], all[i - 1], metric_of(context.trace.regions(), region),
                    signals.end_of_wait(all[i]));
  }
}

// Threads of a process have one clock.
void shared_locks(const RankContext& context, Rows<Acquisition>& all) {
  std::sort(all.begin(), all.end(), [](const Acquisition& a, const Acquisition& b) {
    return std::tuple(a.lock.lock, a.lock.acquire, a.thread) < std::tuple(b.lock.lock, b.lock.acquire, b.thread);
  });
  const auto keep_latest = [](const Acquisition*& latest, const Acquisition& one) {
    if (!latest || latest->lock.release < one.lock.release) latest = &one;
  };
  const Acquisition* last = nullptr;  // of all before, the one released last
  const Acquisition* last_exclusive = nullptr;
  for (const Acquisition& one : all) {
    if (last && last->lock.lock != one.lock.lock) last = last_exclusive = nullptr;
    // Readers may come and go while this one holds the lock, but none excludes it then.
    const Acquisition* const holder = one.lock.is_shared ? last_exclusive : last;
    if (holder && holder->lock.release <= one.lock.acquire)
      book_contention(context, one, *holder, Metric::kPthreadLockContentionRwlock, one.lock.enter);
    keep_latest(last, one);
    if (!one.lock.is_shared) keep_latest(last_exclusive, one);
  }
}

// In so many parts, each with some of the locks, the acquisitions of a process are looked at. A part takes less memory
// than all at once; many parts take time.
std::uint64_t count_parts(std::span<const LockLog> locks) {
  constexpr std::uint64_t kFew = 1 << 18, kMostParts = 4;
  std::uint64_t all = 0;
  for (const LockLog& of_thread : locks) all += of_thread.size();
  return std::clamp(all / kFew, std::uint64_t{1}, kMostParts);
}

std::uint64_t part_of(std::uint64_t lock, std::uint64_t parts) { return (mix_bits(lock) >> 32) * parts >> 32; }

}  // namespace

void lock_contention(const RankContext& context) {
  const SignalTimes signals = waits_for_signals(context);
  const std::uint64_t parts = count_parts(context.locks);
  for (std::uint64_t part = 0; part < parts; ++part) {
    Rows<Acquisition> exclusive(context.trace.budget()), shared(context.trace.budget());
    for (const ThreadIndex t : IdRange<ThreadIndex>(context.locks.size()))
      context.locks[t.value].for_each([&](LockIndex number, const LockAcquisition& lock, const LockPlace&) {
        if (part_of(lock.lock, parts) != part || is_for_signals(context, lock)) return;
        const bool is_shared = is_rwlock(context.trace.regions(), context.rank.tree[lock.path].region);
        (is_shared ? shared : exclusive).push_back({lock, number, t});
      });
    exclusive_locks(context, signals, exclusive);
    if (context.compatibility.has_rwlock_waits()) shared_locks(context, shared);
  }
}

}  // namespace tarry
