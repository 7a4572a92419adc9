// scanned_thread.hpp -- a thread while its events are read: what all parts of ThreadScan work on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "replay/scan/open_visits.hpp"
#include "replay/scan/path_times.hpp"
#include "replay/scan/process_scan.hpp"

namespace tarry {

/// Where a thread has come to, and the records of its process and its own that grow with it. Each part of ThreadScan
/// refers to it, and none to another part. Hidden: in position-independent code the compiler inlines nothing that
/// another library could replace.
struct [[gnu::visibility("hidden")]] ScannedThread {
  static constexpr std::uint64_t kCurrentEvent = ~std::uint64_t{0};

  ScannedThread(ProcessScan & process, LogicalThread & thread, ThreadIndex number)
      : process(process), rank(process.rank), logical(thread), number(number), times(thread) {}
  ScannedThread(const ScannedThread&) = delete;

  ProcessScan& process;
  LogicalRank& rank;
  LogicalThread& logical;
  const ThreadIndex number;
  OpenVisits open;  // regions
  PathTimes times;
  std::uint64_t event_number = kCurrentEvent;  // of a completion that is looked at once more

  bool is_master() const { return number == kMaster; }

  /// What is known of the innermost region; one must be open.
  const RegionClass& facts() const { return process.regions[open.innermost().region]; }
  bool is_in_mpi() const { return !open.is_empty() && facts().is_mpi; }
  /// Whether nothing is measured: records there mean nothing.
  bool is_off() const { return !open.is_empty() && open.innermost().region == process.regions.measurement_off(); }

  /// Time since the last enter or leave belongs to the innermost region.
  void credit(Ticks time) { times.credit(open.path(), time); }

  /// The call that a visit is; made when its first record is met.
  CallIndex call_of(OpenVisit & visit) {
    if (!visit.call.is_valid()) visit.call = add_call(visit);
    return visit.call;
  }
  CallIndex current_call() { return call_of(open.innermost()); }

  /// Whether moments are kept, and the current one has a place in the time log: no time is going to move there.
  bool keeps_moments() const { return process.keeps.lock_places && !times.is_moving(); }

  /// A moment that may become a synchronisation point, in the innermost region. `position`: in the time log.
  ThreadMoment moment(Ticks time, LogPosition position) const;

  /// Number of the current event, where moments of threads are kept; else 0.
  std::uint32_t ordinal() const {
    return process.keeps.lock_places ? static_cast<std::uint32_t>(logical.event_count) : 0;
  }

  /// Within the thread; also of a completion that is looked at once more.
  std::uint64_t record_number() const { return is_looking_again() ? event_number : logical.event_count; }
  bool is_looking_again() const { return event_number != kCurrentEvent; }

  /// Notes what cannot be understood of the current event.
  void fault(Fault kind, std::string detail = {}, std::uint64_t count = 1);

 private:
  CallIndex add_call(const OpenVisit& visit);
};

}  // namespace tarry
