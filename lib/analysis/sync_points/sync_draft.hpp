// sync_draft.hpp -- a sync point on its way into order: where it belongs in its thread, and what it is made from.
#pragma once

#include <compare>
#include <cstdint>

#include "replay/scan/time_log.hpp"
#include "replay/trace_ids.hpp"

namespace tarry {

/// Small, as there are many: the sync point is made when its place is known. Drafts compare by their order in a thread;
/// those of one record stay in the order in which they came.
struct SyncDraft {
  /// What makes a sync point of MPI. Polls in front of a call come first, then records that start an operation.
  enum class Record : std::uint8_t {
    kPolled,
    kSendStart,
    kReceiveStart,
    kCollectiveStart,
    kWindowStart,
    kReceive,
    kProbe,
    kSend,
    kCollective,
    kWindow,
    kPolledInCall,
    kSpawn,
  };

  static constexpr unsigned kPhaseBits = 3;

  std::uint64_t call_and_phase = 0;
  std::uint64_t within = 0;
  std::uint32_t detail = 0;  // index of a wait, a list or a sync point, as the maker wants it

  /// Of the record `index` in a call of the process.
  static SyncDraft of_mpi(Record record, std::uint32_t index, CallIndex call, std::uint32_t detail = 0) {
    return {std::uint64_t{call.value} << kPhaseBits | phase_of(record),
            std::uint64_t{index} << 32 | static_cast<std::uint64_t>(record), detail};
  }

  /// Of an event of a thread, between calls of the process.
  static SyncDraft of_thread(std::uint32_t calls_before, LogPosition position, std::uint32_t event,
                             std::uint32_t detail) {
    return {std::uint64_t{calls_before} << kPhaseBits, std::uint64_t{position} << 32 | event, detail};
  }

  bool is_of_thread() const { return (call_and_phase & ((1u << kPhaseBits) - 1)) == 0; }
  CallIndex call() const { return CallIndex(call_and_phase >> kPhaseBits); }
  Record record() const { return static_cast<Record>(within & 0xff); }
  /// The index of the record, of the type that record() calls for.
  template <class Id>
  Id index() const {
    return Id(within >> 32);
  }

  bool operator<(const SyncDraft& other) const {
    return call_and_phase != other.call_and_phase ? call_and_phase < other.call_and_phase : within < other.within;
  }

 private:
  // Records that start an operation come before those that complete one in the same call. Parents have waited for one
  // another before the processes that they spawn are there.
  static std::uint64_t phase_of(Record record) {
    if (record == Record::kPolled) return 1;
    return record <= Record::kWindowStart ? 2 : record == Record::kSpawn ? 4 : 3;
  }
};

}  // namespace tarry
