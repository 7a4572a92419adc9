// sets_and_teams.cpp -- barriers, collective operations and teams of OpenSHMEM.
//
// Up to OpenSHMEM 1.4 a set of processes is given by its first one, the logarithm of its stride, and its size. Later
// versions have teams.
#include "measure/shmem/shmem_facts.hpp"
#include "measure/shmem/shmem_teams.hpp"
#include "measure/shmem/shmem_types.def"

using namespace tarry;
using namespace tarry::measure;

namespace tarry::measure {
namespace {

// What the arguments of a collective of a set begin or end with.
struct ActiveSet {
  int start, log_stride, size;

  WindowId window() const {
    return log_stride >= 0 && log_stride < 31 ? shmem_set(start, 1 << log_stride, size) : WindowId();
  }
  Bytes of_all(Bytes bytes) const { return bytes * static_cast<Bytes>(size < 0 ? 0 : size); }
};

ShmemCollective barrier_of(WindowId window) {
  return {.window = window, .operation = CollectiveOp::kBarrier, .is_quiet = true};
}
ShmemCollective sync_of(WindowId window) { return {.window = window, .operation = CollectiveOp::kBarrier}; }

ShmemCollective broadcast_of(WindowId window, Bytes bytes, int root) {
  return {.window = window,
          .operation = CollectiveOp::kBcast,
          .sent = bytes,
          .received = bytes,
          .root = rank_of_process(root)};
}

// All give and get something.
ShmemCollective exchange_of(WindowId window, CollectiveOp operation, Bytes sent, Bytes received) {
  return {.window = window, .operation = operation, .sent = sent, .received = received};
}

}  // namespace
}  // namespace tarry::measure

// ---- of all, and of sets --------------------------------------------------------------------------------------------

TARRY_SHMEM_ENTRY void shmem_barrier_all() {
  TARRY_SHMEM_FUNCTION("shmem_barrier_all", kBarrier);
  run_shmem<void>(function, stack_of_caller_here(), barrier_of(shmem_world()));
}
TARRY_SHMEM_ENTRY void shmem_sync_all() {
  TARRY_SHMEM_FUNCTION("shmem_sync_all", kBarrier);
  run_shmem<void>(function, stack_of_caller_here(), sync_of(shmem_world()));
}
TARRY_SHMEM_ENTRY void shmem_barrier(int start, int log_stride, int size, long* work) {
  TARRY_SHMEM_FUNCTION("shmem_barrier", kBarrier);
  run_shmem<void>(function, stack_of_caller_here(), barrier_of(ActiveSet{start, log_stride, size}.window()), start,
                  log_stride, size, work);
}
TARRY_SHMEM_ENTRY void shmem_sync(int start, int log_stride, int size, long* work) {
  TARRY_SHMEM_FUNCTION("shmem_sync", kBarrier);
  run_shmem<void>(function, stack_of_caller_here(), sync_of(ActiveSet{start, log_stride, size}.window()), start,
                  log_stride, size, work);
}

#define TARRY_BROADCAST(suffix, size_of_one)                                                                        \
  TARRY_SHMEM_ENTRY void shmem_broadcast##suffix(void* target, const void* source, std::size_t count, int root,     \
                                                 int start, int log_stride, int size, long* work) {                 \
    TARRY_SHMEM_FUNCTION("shmem_broadcast" #suffix, kOneToAll);                                                     \
    run_shmem<void>(function, stack_of_caller_here(),                                                               \
                    broadcast_of(ActiveSet{start, log_stride, size}.window(), count * (size_of_one), root), target, \
                    source, count, root, start, log_stride, size, work);                                            \
  }
TARRY_BROADCAST(32, 4)
TARRY_BROADCAST(64, 8)

#define TARRY_SET_EXCHANGE(suffix, operation, size_of_one, sent_bytes, received_bytes)                              \
  TARRY_SHMEM_ENTRY void shmem_##suffix(void* target, const void* source, std::size_t count, int start,             \
                                        int log_stride, int size, long* work) {                                     \
    TARRY_SHMEM_FUNCTION("shmem_" #suffix, kAllToAll);                                                              \
    const ActiveSet set{start, log_stride, size};                                                                   \
    const Bytes bytes = count * (size_of_one);                                                                      \
    run_shmem<void>(function, stack_of_caller_here(),                                                               \
                    exchange_of(set.window(), CollectiveOp::operation, sent_bytes, received_bytes), target, source, \
                    count, start, log_stride, size, work);                                                          \
  }
#define TARRY_SET_EXCHANGES(name, size)                                          \
  TARRY_SET_EXCHANGE(collect##name, kAllgatherv, size, bytes, bytes)             \
  TARRY_SET_EXCHANGE(fcollect##name, kAllgather, size, bytes, set.of_all(bytes)) \
  TARRY_SET_EXCHANGE(alltoall##name, kAlltoall, size, set.of_all(bytes), set.of_all(bytes))
TARRY_SET_EXCHANGES(32, 4)
TARRY_SET_EXCHANGES(64, 8)

#define TARRY_SET_ALLTOALLS(suffix, size_of_one)                                                               \
  TARRY_SHMEM_ENTRY void shmem_alltoalls##suffix(void* target, const void* source, std::ptrdiff_t to_step,     \
                                                 std::ptrdiff_t from_step, std::size_t count, int start,       \
                                                 int log_stride, int size, long* work) {                       \
    TARRY_SHMEM_FUNCTION("shmem_alltoalls" #suffix, kAllToAll);                                                \
    const ActiveSet set{start, log_stride, size};                                                              \
    const Bytes bytes = set.of_all(count * (size_of_one));                                                     \
    run_shmem<void>(function, stack_of_caller_here(),                                                          \
                    exchange_of(set.window(), CollectiveOp::kAlltoall, bytes, bytes), target, source, to_step, \
                    from_step, count, start, log_stride, size, work);                                          \
  }
TARRY_SET_ALLTOALLS(32, 4)
TARRY_SET_ALLTOALLS(64, 8)

#define TARRY_TO_ALL(name, type, operation)                                                                           \
  TARRY_SHMEM_ENTRY void shmem_##name##_##operation##_to_all(void* target, const void* source, int count, int start,  \
                                                             int log_stride, int size, void* values, long* work) {    \
    TARRY_SHMEM_FUNCTION("shmem_" #name "_" #operation "_to_all", kAllToAll);                                         \
    const Bytes bytes = static_cast<Bytes>(count) * sizeof(type);                                                     \
    run_shmem<void>(function, stack_of_caller_here(),                                                                 \
                    exchange_of(ActiveSet{start, log_stride, size}.window(), CollectiveOp::kAllreduce, bytes, bytes), \
                    target, source, count, start, log_stride, size, values, work);                                    \
  }
#define TARRY_BITS_TO_ALL(name, type) \
  TARRY_TO_ALL(name, type, and) TARRY_TO_ALL(name, type, or) TARRY_TO_ALL(name, type, xor)
#define TARRY_ORDER_TO_ALL(name, type) TARRY_TO_ALL(name, type, max) TARRY_TO_ALL(name, type, min)
#define TARRY_NUMBERS_TO_ALL(name, type) TARRY_TO_ALL(name, type, sum) TARRY_TO_ALL(name, type, prod)
TARRY_SHMEM_BIT_TYPES(TARRY_BITS_TO_ALL)
TARRY_SHMEM_ORDER_TYPES(TARRY_ORDER_TO_ALL)
TARRY_SHMEM_NUMBER_TYPES(TARRY_NUMBERS_TO_ALL)

// ---- of teams -------------------------------------------------------------------------------------------------------

TARRY_SHMEM_ENTRY int shmem_team_sync(ShmemTeam team) {
  TARRY_SHMEM_FUNCTION("shmem_team_sync", kBarrier);
  return run_shmem<int>(function, stack_of_caller_here(), sync_of(window_of_team(team)), team);
}

#define TARRY_TEAM_EXCHANGE(suffix, operation, size_of_one)                                                       \
  TARRY_SHMEM_ENTRY int shmem_##suffix(ShmemTeam team, void* target, const void* source, std::size_t count) {     \
    TARRY_SHMEM_FUNCTION("shmem_" #suffix, kAllToAll);                                                            \
    const Bytes bytes = count * (size_of_one);                                                                    \
    return run_shmem<int>(function, stack_of_caller_here(),                                                       \
                          exchange_of(window_of_team(team), CollectiveOp::operation, bytes, bytes), team, target, \
                          source, count);                                                                         \
  }
#define TARRY_TEAM_BROADCAST(suffix, size_of_one)                                                                \
  TARRY_SHMEM_ENTRY int shmem_##suffix(ShmemTeam team, void* target, const void* source, std::size_t count,      \
                                       int root) {                                                               \
    TARRY_SHMEM_FUNCTION("shmem_" #suffix, kOneToAll);                                                           \
    return run_shmem<int>(function, stack_of_caller_here(),                                                      \
                          broadcast_of(window_of_team(team), count * (size_of_one), root), team, target, source, \
                          count, root);                                                                          \
  }
#define TARRY_TEAM_ALLTOALLS(suffix, size_of_one)                                                                 \
  TARRY_SHMEM_ENTRY int shmem_##suffix(ShmemTeam team, void* target, const void* source, std::ptrdiff_t to_step,  \
                                       std::ptrdiff_t from_step, std::size_t count) {                             \
    TARRY_SHMEM_FUNCTION("shmem_" #suffix, kAllToAll);                                                            \
    const Bytes bytes = count * (size_of_one);                                                                    \
    return run_shmem<int>(function, stack_of_caller_here(),                                                       \
                          exchange_of(window_of_team(team), CollectiveOp::kAlltoall, bytes, bytes), team, target, \
                          source, to_step, from_step, count);                                                     \
  }
#define TARRY_OF_TEAM(collect, fcollect, alltoall, alltoalls, broadcast, size) \
  TARRY_TEAM_EXCHANGE(collect, kAllgatherv, size)                              \
  TARRY_TEAM_EXCHANGE(fcollect, kAllgather, size)                              \
  TARRY_TEAM_EXCHANGE(alltoall, kAlltoall, size)                               \
  TARRY_TEAM_ALLTOALLS(alltoalls, size) TARRY_TEAM_BROADCAST(broadcast, size)
#define TARRY_OF_TEAM_AND_TYPE(name, type) \
  TARRY_OF_TEAM(name##_collect, name##_fcollect, name##_alltoall, name##_alltoalls, name##_broadcast, sizeof(type))
#define TARRY_REDUCE(name, type, operation) TARRY_TEAM_EXCHANGE(name##_##operation##_reduce, kAllreduce, sizeof(type))
#define TARRY_REDUCE_NUMBERS(name, type) TARRY_REDUCE(name, type, sum) TARRY_REDUCE(name, type, prod)
#define TARRY_REDUCE_ANY(name, type) \
  TARRY_REDUCE_NUMBERS(name, type)   \
  TARRY_REDUCE(name, type, max)      \
  TARRY_REDUCE(name, type, min) TARRY_REDUCE(name, type, and) TARRY_REDUCE(name, type, or) TARRY_REDUCE(name, type, xor)
TARRY_OF_TEAM(collectmem, fcollectmem, alltoallmem, alltoallsmem, broadcastmem, 1)
TARRY_SHMEM_RMA_TYPES(TARRY_OF_TEAM_AND_TYPE)
TARRY_SHMEM_RMA_TYPES(TARRY_REDUCE_ANY)
TARRY_REDUCE_NUMBERS(complexf, float[2])
TARRY_REDUCE_NUMBERS(complexd, double[2])

TARRY_SHMEM_ENTRY int shmem_team_split_strided(ShmemTeam parent, int start, int stride, int size, const void* config,
                                               long mask, ShmemTeam* made) {
  TARRY_SHMEM_FUNCTION("shmem_team_split_strided", kBarrier);
  const int outcome = run_shmem<int>(function, stack_of_caller_here(), sync_of(window_of_team(parent)), parent, start,
                                     stride, size, config, mask, made);
  if (outcome == 0 && shmem_world().is_valid()) note_team(parent, start, stride, size, *made);
  return outcome;
}

TARRY_SHMEM_ENTRY int shmem_team_split_2d(ShmemTeam parent, int columns, const void* x_config, long x_mask,
                                          ShmemTeam* x, const void* y_config, long y_mask, ShmemTeam* y) {
  TARRY_SHMEM_FUNCTION("shmem_team_split_2d", kBarrier);
  const int outcome = run_shmem<int>(function, stack_of_caller_here(), sync_of(window_of_team(parent)), parent, columns,
                                     x_config, x_mask, x, y_config, y_mask, y);
  if (outcome == 0 && shmem_world().is_valid()) note_grid_teams(parent, columns, *x, *y);
  return outcome;
}

TARRY_SHMEM_ENTRY void shmem_team_destroy(ShmemTeam team) {
  TARRY_SHMEM_FUNCTION("shmem_team_destroy", kFunction);
  forget_team(team);
  run_shmem<void>(function, stack_of_caller_here(), NoFacts(), team);
}
