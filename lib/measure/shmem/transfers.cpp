// transfers.cpp -- puts and gets of OpenSHMEM.
//
// A wrapper passes its pointers on whatever they point to, so that one code serves all types of a shape.
#include "measure/shmem/shmem_facts.hpp"
#include "measure/shmem/shmem_types.def"

using namespace tarry::measure;

// Blocks of elements of `size` bytes, and what has other arguments in front of the process or behind the context.
#define TARRY_TRANSFER(suffix, facts, parameters, arguments)                                                  \
  TARRY_SHMEM_ENTRY void shmem_##suffix(void* target, const void* source, TARRY_GIVEN parameters) {           \
    TARRY_SHMEM_FUNCTION("shmem_" #suffix, kRma);                                                             \
    run_shmem<void>(function, stack_of_caller_here(), facts, target, source, TARRY_GIVEN arguments);          \
  }                                                                                                           \
  TARRY_SHMEM_ENTRY void shmem_ctx_##suffix(ShmemContext context, void* target, const void* source,           \
                                            TARRY_GIVEN parameters) {                                         \
    TARRY_SHMEM_FUNCTION("shmem_ctx_" #suffix, kRma);                                                         \
    run_shmem<void>(function, stack_of_caller_here(), facts, context, target, source, TARRY_GIVEN arguments); \
  }

#define TARRY_GIVEN(...) __VA_ARGS__
#define TARRY_BLOCK(suffix, facts) TARRY_TRANSFER(suffix, facts, (std::size_t count, int pe), (count, pe))
#define TARRY_STRIDED(suffix, facts)                                                                           \
  TARRY_TRANSFER(suffix, facts, (std::ptrdiff_t to_step, std::ptrdiff_t from_step, std::size_t count, int pe), \
                 (to_step, from_step, count, pe))

#define TARRY_PUT(suffix, size) TARRY_BLOCK(suffix, (Put{target, count * (size), pe}))
#define TARRY_GET(suffix, size) TARRY_BLOCK(suffix, (Get{count * (size), pe, true}))
#define TARRY_GET_NBI(suffix, size) TARRY_BLOCK(suffix, (Get{count * (size), pe, false}))
#define TARRY_IPUT(suffix, size) TARRY_STRIDED(suffix, (Put{target, count * (size), pe}))
#define TARRY_IGET(suffix, size) TARRY_STRIDED(suffix, (Get{count * (size), pe, true}))

// A single element.
#define TARRY_P(suffix, type)                                                                                     \
  TARRY_SHMEM_ENTRY void shmem_##suffix(void* target, type value, int pe) {                                       \
    TARRY_SHMEM_FUNCTION("shmem_" #suffix, kRma);                                                                 \
    run_shmem<void>(function, stack_of_caller_here(), Put{target, sizeof value, pe}, target, value, pe);          \
  }                                                                                                               \
  TARRY_SHMEM_ENTRY void shmem_ctx_##suffix(ShmemContext context, void* target, type value, int pe) {             \
    TARRY_SHMEM_FUNCTION("shmem_ctx_" #suffix, kRma);                                                             \
    run_shmem<void>(function, stack_of_caller_here(), Put{target, sizeof value, pe}, context, target, value, pe); \
  }
#define TARRY_G(suffix, type)                                                                                   \
  TARRY_SHMEM_ENTRY type shmem_##suffix(const void* source, int pe) {                                           \
    TARRY_SHMEM_FUNCTION("shmem_" #suffix, kRma);                                                               \
    return run_shmem<type>(function, stack_of_caller_here(), Get{sizeof(type), pe, true}, source, pe);          \
  }                                                                                                             \
  TARRY_SHMEM_ENTRY type shmem_ctx_##suffix(ShmemContext context, const void* source, int pe) {                 \
    TARRY_SHMEM_FUNCTION("shmem_ctx_" #suffix, kRma);                                                           \
    return run_shmem<type>(function, stack_of_caller_here(), Get{sizeof(type), pe, true}, context, source, pe); \
  }

#define TARRY_OF_TYPE(name, type)             \
  TARRY_PUT(name##_put, sizeof(type))         \
  TARRY_PUT(name##_put_nbi, sizeof(type))     \
  TARRY_GET(name##_get, sizeof(type))         \
  TARRY_GET_NBI(name##_get_nbi, sizeof(type)) \
  TARRY_IPUT(name##_iput, sizeof(type))       \
  TARRY_IGET(name##_iget, sizeof(type)) TARRY_P(name##_p, type) TARRY_G(name##_g, type)
#define TARRY_OF_SIZE(name, size)  \
  TARRY_PUT(put##name, size)       \
  TARRY_PUT(put##name##_nbi, size) \
  TARRY_GET(get##name, size)       \
  TARRY_GET_NBI(get##name##_nbi, size) TARRY_IPUT(iput##name, size) TARRY_IGET(iget##name, size)

TARRY_SHMEM_RMA_TYPES(TARRY_OF_TYPE)
TARRY_SHMEM_SIZES(TARRY_OF_SIZE)
TARRY_PUT(putmem, 1)
TARRY_PUT(putmem_nbi, 1)
TARRY_GET(getmem, 1)
TARRY_GET_NBI(getmem_nbi, 1)

// A put, and behind it a value that the other process waits for.
#define TARRY_PUT_SIGNAL(suffix, size)                                                                    \
  TARRY_TRANSFER(suffix, (PutSignal{{target, count * (size), pe}, signal}),                               \
                 (std::size_t count, std::uint64_t * signal, std::uint64_t value, int operation, int pe), \
                 (count, signal, value, operation, pe))
#define TARRY_SIGNALS_OF_TYPE(name, type) \
  TARRY_PUT_SIGNAL(name##_put_signal, sizeof(type)) TARRY_PUT_SIGNAL(name##_put_signal_nbi, sizeof(type))
#define TARRY_SIGNALS_OF_SIZE(name, size) \
  TARRY_PUT_SIGNAL(put##name##_signal, size) TARRY_PUT_SIGNAL(put##name##_signal_nbi, size)

TARRY_SHMEM_RMA_TYPES(TARRY_SIGNALS_OF_TYPE)
TARRY_SHMEM_SIZES(TARRY_SIGNALS_OF_SIZE)
TARRY_PUT_SIGNAL(putmem_signal, 1)
TARRY_PUT_SIGNAL(putmem_signal_nbi, 1)
