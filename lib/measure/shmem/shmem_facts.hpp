// shmem_facts.hpp -- what is recorded with calls of OpenSHMEM, beside their enter and leave.
//
// Each has begin(call), at the entry, and end(call, result...), at the return (shmem_call.hpp).
//
// Calls: may block.
#pragma once

#include "trace/event.hpp"
#include "trace/record.hpp"
#include "measure/shmem/shmem_call.hpp"
#include "measure/shmem/shmem_world.hpp"

namespace tarry::measure {

/// shmem_ctx_t: as large as a pointer in all libraries.
using ShmemContext = std::intptr_t;

inline void put_place(ShmemCall& call, std::uint64_t place) {
  call.put(record::Attribute{.attribute = kPlaceAttribute, .value = place});
}

/// Of a number as the interface has it.
inline CommRank rank_of_process(int pe) { return CommRank(static_cast<unsigned>(pe)); }

/// The number of an access that is complete at the return, or with the next quiet; and what is recorded at the return.
inline std::uint64_t number_of_access(bool is_blocking) { return is_blocking ? next_operation() : open_operations(); }
inline void put_end_of_access(ShmemCall& call, bool is_blocking, std::uint64_t number) {
  if (is_blocking && number != 0) call.put(record::RmaOpCompleteBlocking{.window = shmem_world(), .matching = number});
}

/// Writes to another process's memory. The next quiet completes it.
struct Put {
  const volatile void* target;
  Bytes bytes;
  int process;

  void begin(ShmemCall& call) const {
    if (!is_process(process)) return;
    put_place(call, place_of(target));
    call.put(record::RmaPut{
        .window = shmem_world(), .remote = rank_of_process(process), .bytes = bytes, .matching = open_operations()});
  }
  void end(ShmemCall&) const {}
};

/// A put, and behind it a value that the other process waits for.
struct PutSignal : Put {
  const std::uint64_t* signal;

  void begin(ShmemCall& call) const {
    Put::begin(call);
    Put{signal, sizeof *signal, process}.begin(call);
  }
};

/// Reads another process's memory; complete at the return, or with the next quiet.
struct Get {
  Bytes bytes;
  int process;
  bool is_blocking;
  std::uint64_t number = 0;

  void begin(ShmemCall& call) {
    if (!is_process(process)) return;
    number = number_of_access(is_blocking);
    call.put(record::RmaGet{
        .window = shmem_world(), .remote = rank_of_process(process), .bytes = bytes, .matching = number});
  }
  template <class... Result>
  void end(ShmemCall& call, Result...) const {
    put_end_of_access(call, is_blocking, number);
  }
};

/// Numbers as in OTF2_RmaAtomicType.
enum class ShmemAtomic : std::uint8_t {
  kAccumulate = 0,
  kIncrement = 1,
  kCompareAndSwap = 3,
  kSwap = 4,
  kFetchAndAdd = 5,
  kFetchAndIncrement = 6,
  kFetchAndAccumulate = 7,
};

/// Changes or reads a value in another process's memory at once. What fetches is complete at the return, unless it is
/// non-blocking; all else with the next quiet.
struct Atomic {
  const volatile void* target;
  ShmemAtomic type;
  Bytes sent, received;
  int process;
  bool is_blocking = received > 0;
  std::uint64_t number = 0;

  void begin(ShmemCall& call) {
    if (!is_process(process)) return;
    number = number_of_access(is_blocking);
    put_place(call, place_of(target));
    call.put(record::RmaAtomic{.window = shmem_world(),
                               .remote = rank_of_process(process),
                               .atomic_type = static_cast<unsigned>(type),
                               .sent = sent,
                               .received = received,
                               .matching = number});
  }
  template <class... Result>
  void end(ShmemCall& call, Result...) const {
    put_end_of_access(call, is_blocking, number);
  }
};

/// Puts and the like before it are complete behind it.
struct Quiet {
  std::uint64_t number = 0;

  void begin(ShmemCall&) { number = take_open_operations(); }
  void end(ShmemCall& call) const {
    if (number != 0) call.put(record::RmaOpCompleteRemote{.window = shmem_world(), .matching = number});
  }
};

/// Waits for a value in the own memory to change. Without a target it is one of several, or all of them.
struct Wait {
  const volatile void* target;

  void begin(ShmemCall&) const {}
  template <class... Result>
  void end(ShmemCall& call, Result...) const {
    if (!shmem_world().is_valid()) return;
    if (target) put_place(call, place_of(target));
    call.put(record::RmaWaitChange{.window = shmem_world()});
  }
};

/// The same, without waiting: true if it has changed.
struct Test : Wait {
  void end(ShmemCall& call, int has_changed) const {
    if (has_changed) Wait::end(call);
  }
};

/// An operation in which all processes of a set take part.
struct ShmemCollective {
  WindowId window;
  CollectiveOp operation;
  Bytes sent = 0, received = 0;
  CommRank root{};
  bool is_quiet = false;  // a barrier, which completes operations, too
  std::uint64_t number = 0;

  void begin(ShmemCall& call) {
    if (is_quiet) number = take_open_operations();
    if (window.is_valid()) call.put(record::RmaCollectiveBegin());
  }
  template <class... Result>
  void end(ShmemCall& call, Result...) const {
    if (number != 0) call.put(record::RmaOpCompleteRemote{.window = shmem_world(), .matching = number});
    if (!window.is_valid()) return;
    call.put(record::RmaCollectiveEnd{.operation = operation,
                                      .sync_level = kProcesses | (is_quiet ? kMemory : 0),
                                      .window = window,
                                      .root = root,
                                      .sent = sent,
                                      .received = received});
  }

  static constexpr unsigned kProcesses = 1, kMemory = 2;  // as in OTF2_RmaSyncLevel
};

}  // namespace tarry::measure
