// atomics.cpp -- atomic operations of OpenSHMEM.
#include "measure/shmem/shmem_facts.hpp"
#include "measure/shmem/shmem_types.def"

using namespace tarry::measure;

// `parameters` are behind the target and in front of the process.
#define TARRY_ATOMIC(prefix, suffix, type, kind, sent, received, result, context, passed, parameters, arguments)      \
  TARRY_SHMEM_ENTRY result prefix##suffix(TARRY_GIVEN context void* target TARRY_GIVEN parameters, int pe) {          \
    TARRY_SHMEM_FUNCTION(#prefix #suffix, kRma);                                                                      \
    return run_shmem<result>(function, stack_of_caller_here(), Atomic{target, ShmemAtomic::kind, sent, received, pe}, \
                             TARRY_GIVEN passed target TARRY_GIVEN arguments, pe);                                    \
  }
#define TARRY_GIVEN(...) __VA_ARGS__

// By the default context; also by any other; also by a name that is out of use.
#define TARRY_PLAIN(suffix, type, kind, sent, received, result, parameters, arguments) \
  TARRY_ATOMIC(shmem_, suffix, type, kind, sent, received, result, (), (), parameters, arguments)
#define TARRY_EITHER(suffix, type, kind, sent, received, result, parameters, arguments)                       \
  TARRY_PLAIN(suffix, type, kind, sent, received, result, parameters, arguments)                              \
  TARRY_ATOMIC(shmem_ctx_, suffix, type, kind, sent, received, result, (ShmemContext context, ), (context, ), \
               parameters, arguments)
#define TARRY_NAMED_TWICE(name, suffix, old_suffix, type, kind, sent, received, result, parameters, arguments) \
  TARRY_EITHER(name##_atomic_##suffix, type, kind, sent, received, result, parameters, arguments)              \
  TARRY_PLAIN(name##_##old_suffix, type, kind, sent, received, result, parameters, arguments)

#define TARRY_SWAPPED(name, type)                                                                        \
  TARRY_NAMED_TWICE(name, fetch, fetch, type, kFetchAndAccumulate, 0, sizeof(type), type, (), ())        \
  TARRY_NAMED_TWICE(name, set, set, type, kAccumulate, sizeof(type), 0, void, (, type value), (, value)) \
  TARRY_NAMED_TWICE(name, swap, swap, type, kSwap, sizeof(type), sizeof(type), type, (, type value), (, value))

#define TARRY_BITS(name, type, operation)                                                                      \
  TARRY_EITHER(name##_atomic_##operation, type, kAccumulate, sizeof(type), 0, void, (, type value), (, value)) \
  TARRY_EITHER(name##_atomic_fetch_##operation, type, kFetchAndAccumulate, sizeof(type), sizeof(type), type,   \
               (, type value), (, value))

#define TARRY_CHANGED(name, type)                                                                                \
  TARRY_SWAPPED(name, type)                                                                                      \
  TARRY_NAMED_TWICE(name, compare_swap, cswap, type, kCompareAndSwap, sizeof(type), sizeof(type), type,          \
                    (, type expected, type value), (, expected, value))                                          \
  TARRY_NAMED_TWICE(name, fetch_add, fadd, type, kFetchAndAdd, sizeof(type), sizeof(type), type, (, type value), \
                    (, value))                                                                                   \
  TARRY_NAMED_TWICE(name, fetch_inc, finc, type, kFetchAndIncrement, sizeof(type), sizeof(type), type, (), ())   \
  TARRY_NAMED_TWICE(name, add, add, type, kAccumulate, sizeof(type), 0, void, (, type value), (, value))         \
  TARRY_NAMED_TWICE(name, inc, inc, type, kIncrement, sizeof(type), 0, void, (), ())                             \
  TARRY_BITS(name, type, and) TARRY_BITS(name, type, or) TARRY_BITS(name, type, xor)

TARRY_SHMEM_SWAPPED_TYPES(TARRY_SWAPPED)
TARRY_SHMEM_ATOMIC_TYPES(TARRY_CHANGED)
