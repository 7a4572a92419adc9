// waits.cpp -- waits and tests for values in the own memory, locks, and the order of operations.
#include "measure/shmem/shmem_facts.hpp"
#include "measure/shmem/shmem_types.def"

using namespace tarry;
using namespace tarry::measure;

namespace tarry::measure {
namespace {

constexpr CommRank kAllProcesses{0xffffffffu};
constexpr unsigned kExclusive = 0;  // as in OTF2_LockType

void put_acquired(ShmemCall& call, std::uint64_t lock) {
  call.put(
      record::RmaAcquireLock{.window = shmem_world(), .remote = kAllProcesses, .lock = lock, .lock_type = kExclusive});
}

struct SetLock {
  std::uint64_t lock;

  void begin(ShmemCall& call) const {
    if (shmem_world().is_valid())
      call.put(record::RmaRequestLock{
          .window = shmem_world(), .remote = kAllProcesses, .lock = lock, .lock_type = kExclusive});
  }
  void end(ShmemCall& call) const {
    if (shmem_world().is_valid()) put_acquired(call, lock);
  }
};

// Others may have it before the call returns.
struct ClearLock {
  std::uint64_t lock;

  void begin(ShmemCall& call) const {
    if (shmem_world().is_valid())
      call.put(record::RmaReleaseLock{.window = shmem_world(), .remote = kAllProcesses, .lock = lock});
  }
  void end(ShmemCall&) const {}
};

struct TestLock {
  std::uint64_t lock;

  void begin(ShmemCall&) const {}
  void end(ShmemCall& call, int is_taken_by_others) const {
    if (!is_taken_by_others && shmem_world().is_valid()) put_acquired(call, lock);
  }
};

}  // namespace
}  // namespace tarry::measure

#define TARRY_WAIT_UNTIL(name, type)                                                            \
  TARRY_SHMEM_ENTRY void name##wait_until(volatile void* target, int comparison, type value) {  \
    TARRY_SHMEM_FUNCTION(#name "wait_until", kPointToPoint);                                    \
    run_shmem<void>(function, stack_of_caller_here(), Wait{target}, target, comparison, value); \
  }                                                                                             \
  TARRY_SHMEM_ENTRY void name##wait(volatile void* target, type value) {                        \
    TARRY_SHMEM_FUNCTION(#name "wait", kPointToPoint);                                          \
    run_shmem<void>(function, stack_of_caller_here(), Wait{target}, target, value);             \
  }

// For one of several values, some, or all of them.
#define TARRY_WAIT_FOR_SEVERAL(name, type, result, what, facts, value_type, suffix)                               \
  TARRY_SHMEM_ENTRY result shmem_##name##_##what##suffix(void* targets, std::size_t count, const int* status,     \
                                                         int comparison, value_type value) {                      \
    TARRY_SHMEM_FUNCTION("shmem_" #name "_" #what #suffix, kPointToPoint);                                        \
    return run_shmem<result>(function, stack_of_caller_here(), facts, targets, count, status, comparison, value); \
  }
#define TARRY_WAIT_FOR_SOME(name, type, what, facts, value_type, suffix)                                              \
  TARRY_SHMEM_ENTRY std::size_t shmem_##name##_##what##suffix(void* targets, std::size_t count, std::size_t* indices, \
                                                              const int* status, int comparison, value_type value) {  \
    TARRY_SHMEM_FUNCTION("shmem_" #name "_" #what #suffix, kPointToPoint);                                            \
    return run_shmem<std::size_t>(function, stack_of_caller_here(), facts, targets, count, indices, status,           \
                                  comparison, value);                                                                 \
  }
#define TARRY_SEVERAL(name, type, value_type, suffix)                                                \
  TARRY_WAIT_FOR_SEVERAL(name, type, void, wait_until_all, Wait{nullptr}, value_type, suffix)        \
  TARRY_WAIT_FOR_SEVERAL(name, type, std::size_t, wait_until_any, Wait{nullptr}, value_type, suffix) \
  TARRY_WAIT_FOR_SEVERAL(name, type, int, test_all, NoFacts(), value_type, suffix)                   \
  TARRY_WAIT_FOR_SEVERAL(name, type, std::size_t, test_any, NoFacts(), value_type, suffix)           \
  TARRY_WAIT_FOR_SOME(name, type, wait_until_some, Wait{nullptr}, value_type, suffix)                \
  TARRY_WAIT_FOR_SOME(name, type, test_some, NoFacts(), value_type, suffix)

#define TARRY_TEST(name, type)                                                                          \
  TARRY_SHMEM_ENTRY int shmem_##name##_test(volatile void* target, int comparison, type value) {        \
    TARRY_SHMEM_FUNCTION("shmem_" #name "_test", kPointToPoint);                                        \
    return run_shmem<int>(function, stack_of_caller_here(), Test{{target}}, target, comparison, value); \
  }
#define TARRY_WAITED_FOR(name, type)      \
  TARRY_WAIT_UNTIL(shmem_##name##_, type) \
  TARRY_TEST(name, type) TARRY_SEVERAL(name, type, type, ) TARRY_SEVERAL(name, type, const void*, _vector)

TARRY_SHMEM_SHORT_TYPES(TARRY_WAITED_FOR)
TARRY_SHMEM_ATOMIC_TYPES(TARRY_WAITED_FOR)
TARRY_WAIT_UNTIL(shmem_, long)

TARRY_SHMEM_ENTRY std::uint64_t shmem_signal_wait_until(std::uint64_t* target, int comparison, std::uint64_t value) {
  TARRY_SHMEM_FUNCTION("shmem_signal_wait_until", kPointToPoint);
  return run_shmem<std::uint64_t>(function, stack_of_caller_here(), Wait{target}, target, comparison, value);
}

TARRY_SHMEM_ENTRY void shmem_set_lock(volatile long* lock) {
  TARRY_SHMEM_FUNCTION("shmem_set_lock", kFunction);
  run_shmem<void>(function, stack_of_caller_here(), SetLock{place_of(lock)}, lock);
}
TARRY_SHMEM_ENTRY void shmem_clear_lock(volatile long* lock) {
  TARRY_SHMEM_FUNCTION("shmem_clear_lock", kFunction);
  run_shmem<void>(function, stack_of_caller_here(), ClearLock{place_of(lock)}, lock);
}
TARRY_SHMEM_ENTRY int shmem_test_lock(volatile long* lock) {
  TARRY_SHMEM_FUNCTION("shmem_test_lock", kFunction);
  return run_shmem<int>(function, stack_of_caller_here(), TestLock{place_of(lock)}, lock);
}

TARRY_SHMEM_ENTRY void shmem_quiet() {
  TARRY_SHMEM_FUNCTION("shmem_quiet", kFlush);
  run_shmem<void>(function, stack_of_caller_here(), Quiet());
}
TARRY_SHMEM_ENTRY void shmem_ctx_quiet(ShmemContext context) {
  TARRY_SHMEM_FUNCTION("shmem_ctx_quiet", kFlush);
  run_shmem<void>(function, stack_of_caller_here(), Quiet(), context);
}
TARRY_SHMEM_ENTRY void shmem_fence() {
  TARRY_SHMEM_FUNCTION("shmem_fence", kFlush);
  run_shmem<void>(function, stack_of_caller_here(), NoFacts());
}
TARRY_SHMEM_ENTRY void shmem_ctx_fence(ShmemContext context) {
  TARRY_SHMEM_FUNCTION("shmem_ctx_fence", kFlush);
  run_shmem<void>(function, stack_of_caller_here(), NoFacts(), context);
}
