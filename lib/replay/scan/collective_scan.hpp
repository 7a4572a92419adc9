// collective_scan.hpp -- the part of the pass over the events that keeps collective operations of one thread.
#pragma once

#include "replay/scan/scanned_thread.hpp"
#include "trace/record.hpp"

namespace tarry {

/// Leaves: LogicalRank::collectives, partner_masks and spawns.
class [[gnu::visibility("hidden")]] CollectiveScan {
 public:
  explicit CollectiveScan(ScannedThread & thread) : thread_(thread) {}

  /// The END record of a blocking operation comes next.
  void begin(Ticks time) { begin_ = time; }
  void end(Ticks time, const record::MpiCollectiveEnd& end);
  /// The same of OpenSHMEM, whose windows have communicators.
  void end_on_window(Ticks time, const record::RmaCollectiveEnd& end, CommId comm);

  void start(Ticks time, const record::NonBlockingCollectiveRequest& record);
  /// `call`: the one that completes; none if the record is in none.
  void finish(Ticks time, CallIndex call, const record::NonBlockingCollectiveComplete& end);

  /// Partners of the operation whose record comes next.
  void add_partners(const record::MpiCollectivePartners& partners);

  /// In a call that starts processes: the communicator to them.
  void comm_created(const record::CommCreate& created);

  /// MPI_Init or MPI_Finalize has been left. They synchronise all processes of a world.
  void synchronise_all(OpenVisit & visit, CallClass call, Ticks time);

 private:
  template <class End>
  bool describe(Collective & collective, Ticks time, const End& end, CallIndex call, RegionId started_in);
  MaskIndex take_masks();
  Spawn& current_spawn();

  ScannedThread& thread_;
  Ticks begin_ = 0;  // of the latest blocking operation
  MaskIndex masks_;  // of the operation whose record comes next
};

}  // namespace tarry
