// wanted_calls.hpp -- the functions of POSIX threads, and which of them are recorded.
//
// Calls: handler-safe.
#pragma once

#include <atomic>
#include <cstdint>

#include "measure/core/adapter.hpp"
#include "measure/threads/lazy_regions.hpp"

namespace tarry::measure {

enum class ThreadFunction : std::uint8_t {
  kCreate,
  kJoin,
  kMutexLock,
  kMutexTrylock,
  kMutexTimedlock,
  kMutexUnlock,
  kCondWait,
  kCondTimedwait,
  kCondClockwait,
  kCondSignal,
  kCondBroadcast,
  kRwlockRdlock,
  kRwlockWrlock,
  kRwlockTryrdlock,
  kRwlockTrywrlock,
  kRwlockUnlock,
  kBarrierWait,
  kRwlockTimedrdlock,
  kRwlockTimedwrlock,
  kSemWait,
  kSemTimedwait,
  kSemClockwait,
  kSemPost,
};

inline constexpr LazyRegion kThreadFunctions[] = {
    {"pthread_create", RegionRole::kThreadCreate},
    {"pthread_join", RegionRole::kThreadWait},
    {"pthread_mutex_lock", RegionRole::kFunction},
    {"pthread_mutex_trylock", RegionRole::kFunction},
    {"pthread_mutex_timedlock", RegionRole::kFunction},
    {"pthread_mutex_unlock", RegionRole::kFunction},
    {"pthread_cond_wait", RegionRole::kFunction},
    {"pthread_cond_timedwait", RegionRole::kFunction},
    {"pthread_cond_clockwait", RegionRole::kFunction},
    {"pthread_cond_signal", RegionRole::kFunction},
    {"pthread_cond_broadcast", RegionRole::kFunction},
    {"pthread_rwlock_rdlock", RegionRole::kFunction},
    {"pthread_rwlock_wrlock", RegionRole::kFunction},
    {"pthread_rwlock_tryrdlock", RegionRole::kFunction},
    {"pthread_rwlock_trywrlock", RegionRole::kFunction},
    {"pthread_rwlock_unlock", RegionRole::kFunction},
    {"pthread_barrier_wait", RegionRole::kBarrier},
    {"pthread_rwlock_timedrdlock", RegionRole::kFunction},
    {"pthread_rwlock_timedwrlock", RegionRole::kFunction},
    {"sem_wait", RegionRole::kFunction},
    {"sem_timedwait", RegionRole::kFunction},
    {"sem_clockwait", RegionRole::kFunction},
    {"sem_post", RegionRole::kFunction},
};

/// Chooses by groups of events and by the filter.
extern const Adapter kThreadAdapter;

/// A bit for each function that is not recorded.
extern std::atomic<std::uint32_t> g_unwanted_calls;

/// That a call is left out is noted. Only while something is recorded.
bool is_call_wanted(ThreadFunction function);

/// Whether locks are recorded of this kind: the lock of a condition is released and taken in a wait.
inline bool are_mutexes_wanted() {
  return !(g_unwanted_calls.load(std::memory_order_relaxed) >> static_cast<int>(ThreadFunction::kMutexLock) & 1);
}

}  // namespace tarry::measure
