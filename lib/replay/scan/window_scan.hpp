// window_scan.hpp -- the part of the pass over the events that keeps records of one-sided communication.
#pragma once

#include "base/arrays/flat_map.hpp"
#include "defs/communicator_table.hpp"
#include "replay/logical_rank.hpp"
#include "replay/trees/region_table.hpp"
#include "trace/record.hpp"

namespace tarry {

/// Collects the window records of one process. Programs without windows leave nothing.
class WindowScan {
 public:
  WindowScan(const Definitions& definitions, const CommunicatorTable& communicators, LogicalRank& rank)
      : definitions_(definitions),
        communicators_(communicators),
        rank_(rank),
        has_windows_(!definitions.windows.empty()) {}

  /// Whether the trace has windows at all.
  bool has_windows() const { return has_windows_; }

  /// Takes an event in a call of a function. False if it names a window, group or
  /// process that is not defined.
  bool record(const Event& event, CallIndex call, const RegionClass& function);

  /// The record that comes next is about that place (kPlaceAttribute).
  void at_place(std::uint64_t place) { place_ = place; }

  /// None if the window or its communicator is not defined.
  CommId comm_if_defined(WindowId window) const { return is_defined(window) ? comm_of(window) : CommId(); }

  /// A visit of an MPI function has ended.
  void left_mpi(const MpiVisit& visit) { rank_.mpi_visits.push_back(visit); }

  /// All threads have been read: completes the records by their calls, in the order of time.
  void finish();

 private:
  struct MatchingKey {
    std::uint64_t window = 0, matching = 0;
    bool operator==(const MatchingKey&) const = default;
    std::uint64_t hash() const { return mix_bits(matching ^ mix_bits(window)); }
  };

  // The call that a record lies in.
  struct Visit {
    Ticks time;  // of the record
    CallIndex call;
    const RegionClass& function;
    std::uint64_t place;
  };

  template <class Record>
  bool take(const Visit& visit, const Record& record);
  bool keep(const Visit& visit, const record::RmaCollectiveEnd& end);
  bool keep(const Visit& visit, const record::RmaGroupSync& sync);
  bool keep(const Visit& visit, const record::RmaPut& put);
  bool keep(const Visit& visit, const record::RmaGet& get);
  bool keep(const Visit& visit, const record::RmaAtomic& atomic);
  bool keep(const Visit& visit, const record::RmaRequestLock& lock);
  bool keep(const Visit& visit, const record::RmaAcquireLock& lock);
  bool keep(const Visit& visit, const record::RmaReleaseLock& lock);
  bool keep(const Visit& visit, const record::RmaOpCompleteRemote& completion);
  bool keep(const Visit& visit, const record::RmaWaitChange& change);
  template <class Access>
  bool keep_access(const Visit& visit, const Access& access, WindowRecord record);
  template <class Lock>
  bool keep_lock(const Visit& visit, const Lock& lock);
  static Visit at_lock(Visit visit, std::uint64_t lock);
  bool add(const Visit& visit, WindowRecord record, WindowId window);

  bool is_defined(WindowId window) const;
  CommId comm_of(WindowId window) const;
  WorldRank target(WindowId window, CommRank remote) const;
  MatchingKey lock_key(WindowId window, WorldRank target, std::uint64_t place = WindowRecord::kNoPlace) const {
    return {std::uint64_t{window.value} << 32 | target.value, place};
  }
  void merge_visits();

  const Definitions& definitions_;
  const CommunicatorTable& communicators_;
  LogicalRank& rank_;
  bool has_windows_;
  Ticks begin_ = 0;  // of the collective that is open
  std::uint64_t place_ = WindowRecord::kNoPlace;
  FlatMap<MatchingKey, bool> locked_;        // by window, target and place: locks that are held or asked for
  FlatMap<MatchingKey, WorldRank> targets_;  // of the accesses under way, by their number
};

/// Whether events of a kind are for WindowScan::record.
constexpr bool is_window_event(EventKind kind) {
  switch (kind) {
    case EventKind::kRmaCollectiveBegin:
    case EventKind::kRmaCollectiveEnd:
    case EventKind::kRmaGroupSync:
    case EventKind::kRmaRequestLock:
    case EventKind::kRmaAcquireLock:
    case EventKind::kRmaReleaseLock:
    case EventKind::kRmaPut:
    case EventKind::kRmaGet:
    case EventKind::kRmaOpCompleteRemote:
    case EventKind::kRmaWaitChange:
    case EventKind::kRmaAtomic: return true;
    default: return false;
  }
}

}  // namespace tarry
