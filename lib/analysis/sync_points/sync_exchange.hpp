// sync_exchange.hpp -- what analysis processes tell one another about sync points.
#pragma once

#include <vector>

#include "analysis/sync_points/sync_points.hpp"

namespace tarry {

/// A sync point of a process.
struct SyncPlace {
  ThreadIndex thread{};
  SyncIndex point{};
};

/// Sync points by the number of the record that made them. Of several of one record the last counts.
class NumberedPlaces {
 public:
  explicit NumberedPlaces(MemoryBudget* budget = nullptr) noexcept : entries_(budget), blocks_(budget) {}

  void add(std::uint32_t record, const SyncPlace& at) { entries_.push_back({record, at}); }

  /// Nothing more is to be added; to be called before find().
  void finish();

  /// nullptr if there is none.
  const SyncPlace* find(std::uint32_t record) const;

  std::size_t size() const { return entries_.size(); }

  template <class Visit>
  void for_each(Visit visit) const {
    for (const Entry& entry : entries_) visit(entry.record, entry.at);
  }

 private:
  struct Entry {
    std::uint32_t record;
    SyncPlace at;
  };
  Rows<Entry> entries_;  // in order of records, once they are complete
  // Where entries of each block of 2^block_bits_ records begin: as many blocks as entries, or half as many.
  Rows<std::uint32_t> blocks_;
  int block_bits_ = 0;
};

/// The same for records of one type.
template <class RecordIndex>
class SyncPlaces {
 public:
  explicit SyncPlaces(MemoryBudget* budget = nullptr) noexcept : places_(budget) {}

  void add(RecordIndex record, const SyncPlace& at) { places_.add(record.value, at); }
  void finish() { places_.finish(); }
  const SyncPlace* find(RecordIndex record) const { return places_.find(record.value); }
  template <class Visit>
  void for_each(Visit visit) const {
    places_.for_each([&](std::uint32_t record, const SyncPlace& at) { visit(RecordIndex(record), at); });
  }

  NumberedPlaces& by_number() { return places_; }
  const NumberedPlaces& by_number() const { return places_; }

 private:
  NumberedPlaces places_;
};

/// Where the sync points of one process ended up, by the record that made them.
struct SyncRecordIndex {
  explicit SyncRecordIndex(MemoryBudget* budget = nullptr) noexcept
      : send_starts(budget),
        sends(budget),
        receive_starts(budget),
        receives(budget),
        probes(budget),
        collectives(budget),
        collective_starts(budget),
        window_starts(budget),
        windows(budget),
        polled(budget) {}

  SyncPlaces<SendIndex> send_starts, sends;
  SyncPlaces<ReceiveIndex> receive_starts, receives;
  SyncPlaces<ProbeIndex> probes;
  SyncPlaces<CollectiveIndex> collectives, collective_starts;  // starts: of non-blocking ones
  SyncPlaces<WindowRecordIndex> window_starts;
  SyncPlaces<WindowWaitIndex> windows;
  SyncPlaces<PolledWaitIndex> polled;

  void finish() {
    const auto finish_all = [](auto&... places) { (places.finish(), ...); };
    finish_all(send_starts, receive_starts, receives, sends, probes, collectives, collective_starts, window_starts,
               windows, polled);
  }
};

using SyncRecordIndices = Indexed<RankIndex, ParallelArray<SyncRecordIndex>>;

/// Whether a wait in one-sided communication is a synchronisation with the process that it waited for. It is one if it
/// is no part of another wait, and the call of that process is known.
bool has_sync_point(const WindowWait& wait);

/// A call of a process that another one waited for.
struct WindowCause {
  WindowRecordIndex record{};
  RankIndex waiter{};
};

/// Of the hosted processes, in the order of records.
using WindowCauses = Indexed<RankIndex, std::vector<Rows<WindowCause>>>;

/// Collective over the analysis processes.
WindowCauses collect_window_causes(const Trace& trace, const FoundWaits& waits);

/// Everybody gets the parts of the index that causes are looked up in.
void share_cause_index(const Trace& trace, SyncRecordIndices& index);

/// Everybody gets the sync points of all processes.
void share_points(const Trace& trace, AllSyncPoints& all);

}  // namespace tarry
