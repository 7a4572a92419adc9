// message_scan.hpp -- the part of the pass over the events that keeps messages of one thread, and their requests.
#pragma once

#include <cstddef>
#include <vector>

#include "replay/scan/scanned_thread.hpp"
#include "trace/record.hpp"

namespace tarry {

/// Leaves: LogicalRank::sends, receives, probes and the channels.
class [[gnu::visibility("hidden")]] MessageScan {
 public:
  explicit MessageScan(ScannedThread & thread) : thread_(thread) {}

  void send(Ticks time, const record::MpiSend& record);
  void start(Ticks time, const record::MpiIsend& record);
  void receive(Ticks time, const record::MpiRecv& record);
  void start(Ticks time, const record::MpiIrecvRequest& record);

  /// A request has completed. `call`: the one that completes; none if the record is in none.
  void finish(Ticks time, CallIndex call, const record::MpiIsendComplete& end);
  void finish(Ticks time, CallIndex call, const record::MpiIrecv& end);
  void finish(Ticks time, CallIndex call, const record::MpiRequestCancelled& end);

  /// A visit of MPI_Probe or MPI_Mprobe has ended.
  void probe(OpenVisit & visit, CallClass call);

 private:
  ChannelIndex channel(ChannelTable & table, CommRank other, CommId comm, MessageTag tag);
  Send& add_send(Ticks time, ChannelIndex channel, Bytes bytes);
  void add_receive(Receive receive, ChannelIndex channel, Ticks time);
  PostingIndex post_receive(Ticks time);

  ScannedThread& thread_;
  std::vector<ProbeIndex> probes_, matched_probes_;  // whose messages have not been received yet
  std::size_t next_matched_ = 0;                     // the oldest of the matched ones
};

}  // namespace tarry
