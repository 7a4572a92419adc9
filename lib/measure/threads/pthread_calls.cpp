// pthread_calls.cpp -- POSIX threads: creation and end of threads, locks, conditions, barriers, waits for semaphores.
//
// The functions are in front of those of the C library. Calls of the program are recorded; those of MPI, of OpenMP
// runtimes and of the recorder itself go through. The real function is always called, with the arguments as they are.
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include <cerrno>
#include <new>
#include <optional>
#include <string_view>

#include "base/arrays/flat_map.hpp"
#include "base/processes/next_function.hpp"
#include "measure/core/adapter.hpp"
#include "measure/core/process_start.hpp"
#include "measure/core/recorder.hpp"
#include "measure/core/recorder_lock.hpp"
#include "measure/core/runtime.hpp"
#include "measure/openmp/omp_thread.hpp"
#include "measure/callpath/call_path.hpp"
#include "measure/callpath/calling_code.hpp"
#include "measure/threads/lazy_regions.hpp"
#include "measure/threads/wanted_calls.hpp"
#include "measure/core/loaded_object.hpp"
#include "measure/core/lock_orders.hpp"
#include "measure/core/lone_thread.hpp"

#define TARRY_THREAD_ENTRY extern "C" __attribute__((visibility("default")))

namespace tarry::measure {
namespace {

using Function = ThreadFunction;
using enum ThreadFunction;

LazyRegions<std::size(kThreadFunctions)> g_regions(kThreadFunctions, "pthread", Paradigm::kPthread);

constexpr TeamId kContingent(0);

// What this file replaces.
// clang-format off
#define TARRY_REPLACED(X)                                                                                              \
  X(pthread_create) X(pthread_join) X(pthread_mutex_lock) X(pthread_mutex_trylock) X(pthread_mutex_timedlock)          \
  X(pthread_mutex_clocklock) X(pthread_mutex_unlock) X(pthread_cond_wait) X(pthread_cond_timedwait)                    \
  X(pthread_cond_clockwait) X(pthread_cond_signal) X(pthread_cond_broadcast) X(pthread_rwlock_rdlock)                  \
  X(pthread_rwlock_wrlock) X(pthread_rwlock_tryrdlock) X(pthread_rwlock_trywrlock) X(pthread_rwlock_timedrdlock)       \
  X(pthread_rwlock_clockrdlock) X(pthread_rwlock_timedwrlock) X(pthread_rwlock_clockwrlock) X(pthread_rwlock_unlock)   \
  X(pthread_barrier_wait) X(sem_wait) X(sem_timedwait) X(sem_clockwait) X(sem_post)
// clang-format on

struct RealFunctions {
#define TARRY_POINTER(name) decltype(&::name) name = nullptr;
  TARRY_REPLACED(TARRY_POINTER)
#undef TARRY_POINTER
};
RealFunctions g_real;

// Conditions have two versions; without being told which, the dynamic linker may give the older one. A name is looked
// for where it is: not to find one takes memory, and allocators lock.
void* find_real(const char* function) {
  const std::string_view name = function;
  if (*processor::kConditionVersion && name.starts_with("pthread_cond_") && name != "pthread_cond_clockwait")
    if (void* current = ::dlvsym(RTLD_NEXT, function, processor::kConditionVersion)) return current;
  return ::dlsym(RTLD_NEXT, function);
}

// All are found when the library is loaded, not when they are first called. The first call may be inside an allocator
// (UCX locks where the heap shrinks), and the dynamic linker has a lock of its own.
bool g_are_found = false;
[[gnu::constructor]] void find_real_functions() {
#define TARRY_FIND(name) next_function<find_real>(g_real.name, #name);
  TARRY_REPLACED(TARRY_FIND)
#undef TARRY_FIND
  g_are_found = true;
}

#define TARRY_REAL(name) const auto real_##name = tarry::next_function<find_real>(g_real.name, #name)

// Locks that the calling thread holds. A runtime library whose last step is to unlock seems to be called from where it
// returns to: only what is here counts as unlocked.
enum class HeldAs : std::uint8_t { kRecorded, kSilent, kSilentShared };  // silent: its acquisition is not recorded yet
constexpr int kMaxHeld = 48;  // tests/pipeline/local_runtime.sh says how large static storage may be
struct HeldLocks {
  const void* locks[kMaxHeld];
  HeldAs as[kMaxHeld];
  int count;
};
__thread HeldLocks t_held __attribute__((tls_model("initial-exec"))) = {};

void hold(const void* lock, HeldAs as) {
  if (t_held.count == kMaxHeld) return;
  t_held.locks[t_held.count] = lock;
  t_held.as[t_held.count++] = as;
}

// The one acquired last: locks may be recursive. -1: it is not held.
int place_of(const void* lock) {
  int at = t_held.count - 1;
  while (at >= 0 && t_held.locks[at] != lock) --at;
  return at;
}

bool holds(const void* lock) { return place_of(lock) >= 0; }

void give_up(const void* lock) {
  int at = place_of(lock);
  if (at < 0) return;
  for (--t_held.count; at < t_held.count; ++at) {
    t_held.locks[at] = t_held.locks[at + 1];
    t_held.as[at] = t_held.as[at + 1];
  }
}

// Whether another process may have it. The C library keeps this in its own fields, robust mutexes included.
bool is_between_processes(const pthread_mutex_t* mutex) { return mutex->__data.__kind & 0x80; }
bool is_between_processes(const pthread_rwlock_t* lock) { return lock->__data.__shared != 0; }

// Whether the lock cannot make anybody wait now: the calling thread is the only one. Its acquisition need not be
// recorded. If the thread still holds it when there are others, it is recorded where the lock is released.
template <class Lock>
bool is_for_nobody(const Lock* lock) {
  return is_lone_thread() && !is_between_processes(lock);
}

bool is_called_by_program(Function function, const void* caller) {
  const CallingCode code = calling_code(caller);
  const bool is_lock = function >= kMutexLock && function <= kMutexUnlock;
  const bool is_thread = function == kCreate || function == kJoin;
  return code == CallingCode::kProgram || (code == CallingCode::kCxxLibrary && !is_lock) ||
         (code == CallingCode::kPython && is_thread);
}

// Lives in a thread function from its begin to its end.
class PthreadCall {
 public:
  PthreadCall(Function function, const void* caller, bool is_silent = false) {
    if (!is_recording() || !caller || !settings().records_pthreads || !is_call_wanted(function)) return;
    if (!is_called_by_program(function, caller)) return;
    is_silent_ = is_silent;
    if (is_silent) return;
    Thread* thread = current_thread();
    // In the midst of a step it may be the recorder's own, by a library that looks up names.
    if (!t_thread) note_call_behind_end();
    if (!thread || !thread->gate.is_open()) return;
    begin(*thread, g_regions[static_cast<std::size_t>(function)]);
  }
  // Of sem_post, which a signal handler may call: it neither adds a thread nor waits for a lock.
  explicit PthreadCall(const void* caller) {
    Thread* const thread = t_thread;
    if (!thread || !is_recording() || !caller || !settings().records_pthreads) return;
    if (!is_call_wanted(kSemPost) || !is_called_by_program(kSemPost, caller) || !thread->gate.is_open()) return;
    if (const RegionId region = g_regions.if_possible(static_cast<std::size_t>(kSemPost)); region.is_valid())
      begin(*thread, region);
  }
  ~PthreadCall() {
    if (thread_) leave(*thread_, time_);
  }
  PthreadCall(const PthreadCall&) = delete;
  PthreadCall& operator=(const PthreadCall&) = delete;

  bool is_recorded() const { return thread_; }
  void returned() {
    if (thread_) time_ = now();
  }

  template <class Record>
  void put(const Record& record) {
    if (thread_) measure::put(*thread_, time_, record);
  }

  // `order`: 0 where holders do not exclude each other.
  void acquired(const void* lock, bool is_exclusive = true) {
    if (!thread_) return;
    const auto id = reinterpret_cast<std::uintptr_t>(lock);
    put(record::ThreadAcquireLock{
        .paradigm = Paradigm::kPthread, .lock = id, .order = is_exclusive ? next_lock_order(id) : 0});
  }
  void locked(const void* lock, bool is_exclusive = true) {
    if (is_silent_) hold(lock, is_exclusive ? HeldAs::kSilent : HeldAs::kSilentShared);
    if (!thread_) return;
    hold(lock, HeldAs::kRecorded);
    acquired(lock, is_exclusive);
  }
  // Before the call: afterwards another thread may have acquired the lock already.
  void unlocked(const void* lock) {
    released(lock);
    if (thread_ || is_silent_) give_up(lock);
  }
  void released(const void* lock) {
    if (thread_) record_silent(lock);
    put_release(lock);
  }
  // The lock of a condition, which a wait gives up meanwhile.
  void gives_up(const pthread_mutex_t* mutex) {
    if (are_mutexes_wanted()) released(mutex);
  }
  void takes_back(const pthread_mutex_t* mutex) {
    if (are_mutexes_wanted()) acquired(mutex);
  }

  // Conditions, semaphores and barriers are recorded as locks that those who wait share, and that one who ends their
  // waits has had alone. Before the call: afterwards another thread may have returned already.
  void signals(const void* object) { pass(object, true); }
  void has_waited(const void* object) { pass(object, false); }
  // Its time was up, or a signal handler ended it: perhaps the program waits again, and that is one wait.
  void has_waited_unsuccessfully(const void* object) { pass(object, false, kUnsuccessful); }
  // A wait for a condition that failed has waited for none. That is recorded, too: it was no wait for a lock.
  void has_waited_for(const pthread_cond_t* condition, int outcome) {
    if (outcome == ETIMEDOUT) has_waited_unsuccessfully(condition);
    else has_waited(outcome == 0 ? condition : nullptr);
  }

 private:
  void begin(Thread& thread, RegionId region) {
    time_ = now();
    if (enter(thread, region, time_)) thread_ = &thread;
  }

  // A thread that waits for the lock is told by this who had it.
  void record_silent(const void* lock) {
    const int at = place_of(lock);
    if (at < 0 || t_held.as[at] == HeldAs::kRecorded) return;
    acquired(lock, t_held.as[at] == HeldAs::kSilent);
    t_held.as[at] = HeldAs::kRecorded;
  }

  static constexpr unsigned kUnsuccessful = 1;  // the order in the release of what was waited for

  void put_release(const void* lock, unsigned order = 0) {
    put(record::ThreadReleaseLock{
        .paradigm = Paradigm::kPthread, .lock = reinterpret_cast<std::uintptr_t>(lock), .order = order});
  }

  void pass(const void* object, bool is_exclusive, unsigned order = 0) {
    acquired(object, is_exclusive);
    put_release(object, order);
  }

  Thread* thread_ = nullptr;
  bool is_silent_ = false;
  Ticks time_ = 0;
};

// These have errno, unlike the other functions.
template <class Wait>
int wait_for_semaphore(Function function, const void* caller, const sem_t* semaphore, Wait wait) {
  int error = errno, outcome = 0;
  {
    PthreadCall call(function, caller);
    errno = error;
    outcome = wait();
    error = errno;
    call.returned();
    if (outcome == 0) call.has_waited(semaphore);
    else if (error == ETIMEDOUT || error == EINTR) call.has_waited_unsuccessfully(semaphore);
  }
  errno = error;
  return outcome;
}

int post_semaphore(const void* caller, sem_t* semaphore, decltype(&::sem_post) real_post) {
  int error = errno, outcome = 0;
  {
    PthreadCall call(caller);
    call.signals(semaphore);
    errno = error;
    outcome = real_post(semaphore);
    error = errno;
    call.returned();
  }
  errno = error;
  return outcome;
}

// ---- threads

struct Start {
  void* (*function)(void*);
  void* argument;
  std::uint64_t sequence;
};

struct Threads {
  RecorderLock lock;
  FlatMap<std::uint64_t, std::uint64_t> sequence_of;  // by handle
};

// Never destroyed: threads are joined while the process ends.
Threads& threads() {
  static auto* const all = new Threads;
  return *all;
}

std::atomic<std::uint64_t> g_sequence = 0;

// THREAD_BEGIN or THREAD_END.
template <class Record>
void put_of_thread(const Start& start) {
  Thread* thread = is_recording() ? current_thread() : nullptr;
  if (!thread) return;
  const Ticks time = now();
  CallPath* const path = kCallPath.of(*thread);
  if (const Guard guard(thread->gate); guard) {
    if (path && std::same_as<Record, record::ThreadEnd>) path->enter_unseen_function(*thread);
    note_blocked_time(*thread, time);
    if (path && std::same_as<Record, record::ThreadBegin>)
      path->note_thread_begin(reinterpret_cast<std::uintptr_t>(start.function), time);
  }
  put(*thread, time, Record{.contingent = kContingent, .sequence = start.sequence});
}

// A handler that interrupts an allocator must not be the first of its thread that records: its recording allocates.
Start begin_thread(void* start_of_thread) {
  const SignalBlock no_signals;
  const Start start = *static_cast<Start*>(start_of_thread);
  delete static_cast<Start*>(start_of_thread);
  if (is_recording()) current_thread();
  return start;
}

// By the thread itself: a lock that is held while it is made would have it inherit the mask of signals.
void remember_sequence(std::uint64_t sequence) {
  const Locked lock(threads().lock);
  threads().sequence_of.insert(static_cast<std::uint64_t>(::pthread_self())) = sequence;
}

std::optional<std::uint64_t> take_sequence_of(pthread_t joined) {
  const Locked lock(threads().lock);
  const auto handle = static_cast<std::uint64_t>(joined);
  const std::uint64_t* const found = threads().sequence_of.find(handle);
  if (!found) return std::nullopt;
  const std::uint64_t sequence = *found;
  threads().sequence_of.erase(handle);
  return sequence;
}

Start begin_recorded_thread(void* start_of_thread) {
  const SignalBlock no_signals;
  const Start start = begin_thread(start_of_thread);
  remember_sequence(start.sequence);
  return start;
}

extern "C" void* run_thread(void* start_of_thread) {
  const Start start = begin_recorded_thread(start_of_thread);
  put_of_thread<record::ThreadBegin>(start);
  void* result = start.function(start.argument);
  put_of_thread<record::ThreadEnd>(start);
  return result;
}

// Whether a thread made by `caller` may take the program's locks. MPI's own threads do not. Should one do so all the
// same, it is noticed when that is recorded.
bool may_run_program(const void* caller) { return calling_code(caller) != CallingCode::kRuntime; }

// With clang, ThreadSanitizer is part of the program. It is in front of us, so its own begin of a thread comes behind
// ours, and only then may the thread allocate. The thread is recorded from its first event on. One more thread is the
// sanitizer's own.
bool is_thread_sanitizer(const void* caller) { return __tsan_acquire && find_beside(caller, "__tsan_init").address; }

void tell_thread_created() {
  if (is_recording()) tell_adapters(&Adapter::thread_created);
}

// Threads that run code of the program, although their creation is not recorded.
bool is_sampled_thread(const void* caller) {
  if (!is_recording() || !settings().sample_rate) return false;
  // The threads of recorded teams are known by these.
  return calling_code(caller) == CallingCode::kOpenMp ? !is_omp_used() : is_called_by_program(kCreate, caller);
}

extern "C" void* run_sampled_thread(void* start_of_thread) {
  const Start start = begin_thread(start_of_thread);
  return start.function(start.argument);
}

int create_sampled_thread(decltype(&::pthread_create) real_create, pthread_t* thread, const pthread_attr_t* attributes,
                          void* (*function)(void*), void* argument) {
  auto* const start = new (std::nothrow) Start{function, argument, 0};
  if (!start) return real_create(thread, attributes, function, argument);
  const int outcome = real_create(thread, attributes, run_sampled_thread, start);
  tell_thread_created();
  if (outcome != 0) delete start;
  return outcome;
}

}  // namespace
}  // namespace tarry::measure

using namespace tarry;
using namespace tarry::measure;

#define TARRY_CALL(function) PthreadCall call(function, __builtin_return_address(0))
#define TARRY_LOCK(function, lock) PthreadCall call(function, __builtin_return_address(0), is_for_nobody(lock))
#define TARRY_UNLOCK(function, lock)                                              \
  const void* const caller = holds(lock) ? __builtin_return_address(0) : nullptr; \
  PthreadCall call(function, caller, caller != nullptr && is_for_nobody(lock))
// No other thread waits for it. A wait of another process has no cause.
#define TARRY_SIGNAL(function) PthreadCall call(function, __builtin_return_address(0), is_lone_thread())

TARRY_THREAD_ENTRY int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*),
                                      void* argument) {
  TARRY_REAL(pthread_create);
  const void* const caller = __builtin_return_address(0);
  if (may_run_program(caller)) note_second_thread();
  // Before the program begins, a sanitizer may start a thread.
  if (g_are_found && phase() == Phase::kUntouched && is_called_by_program(kCreate, caller)) note_first_thread();
  TARRY_CALL(kCreate);
  if (is_recording() && calling_code(caller) == CallingCode::kOpenMp) note_omp_thread();
  const bool is_of_sanitizer = is_thread_sanitizer(caller);
  if (!call.is_recorded() && !is_of_sanitizer && is_sampled_thread(caller))
    return create_sampled_thread(real_pthread_create, thread, attributes, function, argument);
  if (!call.is_recorded() || is_of_sanitizer) {
    const int outcome = real_pthread_create(thread, attributes, function, argument);
    tell_thread_created();
    call.returned();
    return outcome;
  }
  const std::uint64_t sequence = g_sequence.fetch_add(1);
  call.put(record::ThreadCreate{.contingent = kContingent, .sequence = sequence});
  auto* start = new Start{function, argument, sequence};
  const int outcome = real_pthread_create(thread, attributes, run_thread, start);
  tell_thread_created();
  if (outcome != 0) delete start;
  call.returned();
  return outcome;
}

TARRY_THREAD_ENTRY int pthread_join(pthread_t thread, void** result) {
  TARRY_REAL(pthread_join);
  TARRY_CALL(kJoin);
  if (!call.is_recorded()) return real_pthread_join(thread, result);
  const int outcome = real_pthread_join(thread, result);
  call.returned();
  if (const auto sequence = take_sequence_of(thread))
    call.put(record::ThreadWait{.contingent = kContingent, .sequence = *sequence});
  return outcome;
}

TARRY_THREAD_ENTRY int pthread_mutex_lock(pthread_mutex_t* mutex) {
  TARRY_REAL(pthread_mutex_lock);
  TARRY_LOCK(kMutexLock, mutex);
  const int outcome = real_pthread_mutex_lock(mutex);
  call.returned();
  if (outcome == 0 || outcome == EOWNERDEAD) call.locked(mutex);
  return outcome;
}

TARRY_THREAD_ENTRY int pthread_mutex_trylock(pthread_mutex_t* mutex) {
  TARRY_REAL(pthread_mutex_trylock);
  TARRY_LOCK(kMutexTrylock, mutex);
  const int outcome = real_pthread_mutex_trylock(mutex);
  call.returned();
  if (outcome == 0 || outcome == EOWNERDEAD) call.locked(mutex);
  return outcome;
}

TARRY_THREAD_ENTRY int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* until) {
  TARRY_REAL(pthread_mutex_timedlock);
  TARRY_LOCK(kMutexTimedlock, mutex);
  const int outcome = real_pthread_mutex_timedlock(mutex, until);
  call.returned();
  if (outcome == 0 || outcome == EOWNERDEAD) call.locked(mutex);
  return outcome;
}

TARRY_THREAD_ENTRY int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* until) {
  TARRY_REAL(pthread_mutex_clocklock);
  TARRY_LOCK(kMutexTimedlock, mutex);
  const int outcome = real_pthread_mutex_clocklock(mutex, clock, until);
  call.returned();
  if (outcome == 0 || outcome == EOWNERDEAD) call.locked(mutex);
  return outcome;
}

TARRY_THREAD_ENTRY int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  TARRY_REAL(pthread_mutex_unlock);
  TARRY_UNLOCK(kMutexUnlock, mutex);
  call.unlocked(mutex);
  const int outcome = real_pthread_mutex_unlock(mutex);
  call.returned();
  return outcome;
}

TARRY_THREAD_ENTRY int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  TARRY_REAL(pthread_cond_wait);
  TARRY_CALL(kCondWait);
  call.gives_up(mutex);
  const int outcome = real_pthread_cond_wait(condition, mutex);
  call.returned();
  call.has_waited_for(condition, outcome);
  call.takes_back(mutex);
  return outcome;
}

TARRY_THREAD_ENTRY int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                              const timespec* until) {
  TARRY_REAL(pthread_cond_timedwait);
  TARRY_CALL(kCondTimedwait);
  call.gives_up(mutex);
  const int outcome = real_pthread_cond_timedwait(condition, mutex, until);
  call.returned();
  call.has_waited_for(condition, outcome);
  call.takes_back(mutex);
  return outcome;
}

TARRY_THREAD_ENTRY int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                              const timespec* until) {
  TARRY_REAL(pthread_cond_clockwait);
  TARRY_CALL(kCondClockwait);
  call.gives_up(mutex);
  const int outcome = real_pthread_cond_clockwait(condition, mutex, clock, until);
  call.returned();
  call.has_waited_for(condition, outcome);
  call.takes_back(mutex);
  return outcome;
}

TARRY_THREAD_ENTRY int pthread_cond_signal(pthread_cond_t* condition) {
  TARRY_REAL(pthread_cond_signal);
  TARRY_SIGNAL(kCondSignal);
  call.signals(condition);
  const int outcome = real_pthread_cond_signal(condition);
  call.returned();
  return outcome;
}

TARRY_THREAD_ENTRY int pthread_cond_broadcast(pthread_cond_t* condition) {
  TARRY_REAL(pthread_cond_broadcast);
  TARRY_SIGNAL(kCondBroadcast);
  call.signals(condition);
  const int outcome = real_pthread_cond_broadcast(condition);
  call.returned();
  return outcome;
}

TARRY_THREAD_ENTRY int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  TARRY_REAL(pthread_rwlock_rdlock);
  TARRY_LOCK(kRwlockRdlock, lock);
  const int outcome = real_pthread_rwlock_rdlock(lock);
  call.returned();
  if (outcome == 0) call.locked(lock, false);
  return outcome;
}

TARRY_THREAD_ENTRY int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  TARRY_REAL(pthread_rwlock_wrlock);
  TARRY_LOCK(kRwlockWrlock, lock);
  const int outcome = real_pthread_rwlock_wrlock(lock);
  call.returned();
  if (outcome == 0) call.locked(lock);
  return outcome;
}

TARRY_THREAD_ENTRY int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) {
  TARRY_REAL(pthread_rwlock_tryrdlock);
  TARRY_LOCK(kRwlockTryrdlock, lock);
  const int outcome = real_pthread_rwlock_tryrdlock(lock);
  call.returned();
  if (outcome == 0) call.locked(lock, false);
  return outcome;
}

TARRY_THREAD_ENTRY int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) {
  TARRY_REAL(pthread_rwlock_trywrlock);
  TARRY_LOCK(kRwlockTrywrlock, lock);
  const int outcome = real_pthread_rwlock_trywrlock(lock);
  call.returned();
  if (outcome == 0) call.locked(lock);
  return outcome;
}

TARRY_THREAD_ENTRY int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* until) {
  TARRY_REAL(pthread_rwlock_timedrdlock);
  TARRY_LOCK(kRwlockTimedrdlock, lock);
  const int outcome = real_pthread_rwlock_timedrdlock(lock, until);
  call.returned();
  if (outcome == 0) call.locked(lock, false);
  return outcome;
}

TARRY_THREAD_ENTRY int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock, const timespec* until) {
  TARRY_REAL(pthread_rwlock_clockrdlock);
  TARRY_LOCK(kRwlockTimedrdlock, lock);
  const int outcome = real_pthread_rwlock_clockrdlock(lock, clock, until);
  call.returned();
  if (outcome == 0) call.locked(lock, false);
  return outcome;
}

TARRY_THREAD_ENTRY int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* until) {
  TARRY_REAL(pthread_rwlock_timedwrlock);
  TARRY_LOCK(kRwlockTimedwrlock, lock);
  const int outcome = real_pthread_rwlock_timedwrlock(lock, until);
  call.returned();
  if (outcome == 0) call.locked(lock);
  return outcome;
}

TARRY_THREAD_ENTRY int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock, const timespec* until) {
  TARRY_REAL(pthread_rwlock_clockwrlock);
  TARRY_LOCK(kRwlockTimedwrlock, lock);
  const int outcome = real_pthread_rwlock_clockwrlock(lock, clock, until);
  call.returned();
  if (outcome == 0) call.locked(lock);
  return outcome;
}

TARRY_THREAD_ENTRY int pthread_rwlock_unlock(pthread_rwlock_t* lock) {
  TARRY_REAL(pthread_rwlock_unlock);
  TARRY_UNLOCK(kRwlockUnlock, lock);
  call.unlocked(lock);
  const int outcome = real_pthread_rwlock_unlock(lock);
  call.returned();
  return outcome;
}

TARRY_THREAD_ENTRY int pthread_barrier_wait(pthread_barrier_t* barrier) {
  TARRY_REAL(pthread_barrier_wait);
  TARRY_CALL(kBarrierWait);
  const int outcome = real_pthread_barrier_wait(barrier);
  call.returned();
  if (outcome == 0 || outcome == PTHREAD_BARRIER_SERIAL_THREAD) call.has_waited(barrier);
  return outcome;
}

TARRY_THREAD_ENTRY int sem_wait(sem_t* semaphore) {
  TARRY_REAL(sem_wait);
  return wait_for_semaphore(kSemWait, __builtin_return_address(0), semaphore, [&] { return real_sem_wait(semaphore); });
}

TARRY_THREAD_ENTRY int sem_timedwait(sem_t* semaphore, const timespec* until) {
  TARRY_REAL(sem_timedwait);
  return wait_for_semaphore(kSemTimedwait, __builtin_return_address(0), semaphore,
                            [&] { return real_sem_timedwait(semaphore, until); });
}

TARRY_THREAD_ENTRY int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* until) {
  TARRY_REAL(sem_clockwait);
  return wait_for_semaphore(kSemClockwait, __builtin_return_address(0), semaphore,
                            [&] { return real_sem_clockwait(semaphore, clock, until); });
}

TARRY_THREAD_ENTRY int sem_post(sem_t* semaphore) {
  const auto real_sem_post = tarry::next_function(g_real.sem_post, "sem_post");
  return post_semaphore(__builtin_return_address(0), semaphore, real_sem_post);
}
