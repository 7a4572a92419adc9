// thread_scan.hpp -- the pass over the events of one thread; only for the files of scan_process().
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "replay/scan/barrier_scan.hpp"
#include "replay/scan/collective_scan.hpp"
#include "replay/scan/device_scan.hpp"
#include "replay/scan/event_times.hpp"
#include "replay/scan/file_scan.hpp"
#include "replay/scan/lock_scan.hpp"
#include "replay/scan/message_scan.hpp"
#include "replay/scan/poll_scan.hpp"
#include "replay/scan/scanned_thread.hpp"
#include "replay/scan/team_scan.hpp"
#include "replay/scan/thread_life_scan.hpp"
#include "trace/record.hpp"
#include "trace/source.hpp"

namespace tarry {

/// Reads the events of one thread into its LogicalThread and the records of its process. It follows the regions and
/// their time itself, and hands records to its parts. These know the thread (ScannedThread), and not each other.
class [[gnu::visibility("hidden")]] ThreadScan {
 public:
  ThreadScan(ProcessScan & process, LogicalThread & thread, ThreadIndex number);

  /// Reads on. False if a team has to be forked or joined first, by a thread that is read later: to be called again.
  bool run();

  /// No thread does that: from now on it does without.
  void stop_waiting() { teams_.stop_waiting(); }

  /// The same completion once more, now that all threads have been scanned.
  void complete_late(const LateCompletion& late);

 private:
  void start();
  void finish();

  // Visits of plain functions, where nothing else is to be kept of them. False: handle() has to look at the event.
  bool handle_plain(const Event& event);
  bool enter_plain(Ticks time, RegionId region);
  bool leave_plain(Ticks time, RegionId region);

  // Each hands on what is none of its own.
  void handle(const Event& event);
  void handle_mpi(const Event& event);
  void handle_threads(const Event& event);
  void handle_files(const Event& event);
  void handle_window(const Event& event);

  void handle_retimed(const Event& event);
  void complete(const Event& event, CallIndex call);
  void attribute(Ticks time, const record::Attribute& attribute);

  RegionId known_region(RegionId region);
  PathIndex path_of(RegionId region, const RegionClass& facts);
  void enter(Ticks time, RegionId region);
  void enter_construct(OpenVisit & visit, ThreadClass construct);
  void leave(Ticks time, RegionId region);
  void leave_innermost(Ticks time);
  void left_mpi(OpenVisit & visit, CallClass call, Ticks time);
  void leave_open_regions();
  void leave_while_off(Ticks time, RegionId region);
  void buffer_flush(Ticks time, const record::BufferFlush& flush);
  void measurement_on_off(Ticks time, const record::MeasurementOnOff& change);

  ScannedThread thread_;
  MessageScan messages_{thread_};
  CollectiveScan collectives_{thread_};
  PollScan polls_{thread_};
  TeamScan teams_{thread_};
  BarrierScan barriers_{thread_};
  LockScan locks_{thread_};
  ThreadLifeScan life_{thread_};
  FileScan files_{thread_};
  DeviceScan devices_{thread_};
  std::unique_ptr<EventReader> reader_;
  std::unique_ptr<EventTimes> other_times_;  // than in the events; nullptr: none
  std::span<const Event> block_;             // what is to be read next of it
  std::uint64_t iteration_visits_ = 0;       // of this thread, among those that have no numbers
};

}  // namespace tarry
