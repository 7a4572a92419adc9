// protocol.cpp -- which messages make their senders wait for the receivers: eager and rendezvous protocol.
//
//   sender      [ MPI_Send ]                       eager: it was done before the receive was posted
//   receiver                    [ MPI_Recv ]
//
//   sender      [ MPI_Send ............... ]       may have waited. It did if no message of this size is known
//   receiver                    [ MPI_Recv ]       to be eager, or if it took as long as only flow control makes it
#include "prediction/simulation/protocol.hpp"

#include <algorithm>

#include "base/text/text.hpp"

namespace tarry {

Protocol::Protocol(const Trace& trace, const Machine& machine) : trace_(trace), machine_(machine) {
  for (std::size_t r = 0; r < trace.regions().size(); ++r) {
    const std::string name = plain_name(trace.regions().name(RegionId(r)));
    is_synchronous_.push_back(is_one_of(name, {"mpi_ssend", "mpi_issend"}));
    is_blocking_.push_back(is_one_of(name, {"mpi_send", "mpi_ssend", "mpi_rsend"}));
  }
  Indexed<RankIndex, std::vector<EagerSends>> eager(trace.ranks().size());
  trace.for_each_hosted([&](RankIndex r) { eager[r] = eager_sends(trace.ranks()[r]); });
  EagerSends all;
  for (const EagerSends& of_rank : eager) {
    all.least_waiting = std::max(all.least_waiting, of_rank.least_waiting);
    all.time += of_rank.time;
    all.count += of_rank.count;
  }
  least_waiting_ = all.least_waiting;
  if (all.count > 0) eager_time_ = all.time / all.count;
}

Protocol::EagerSends Protocol::eager_sends(const LogicalRank& rank) const {
  EagerSends found;
  for (const Send& send : rank.sends) {
    if (!send.is_matched() || !send.completion_call.is_valid() || is_synchronous(rank, send)) continue;
    const MpiCall& call = rank.calls[send.completion_call];
    if (call.leave() >= posting_call(rank, send).enter) continue;
    found.least_waiting = std::max<Bytes>(found.least_waiting, send.bytes + 1);
    found.time += call.leave() - call.enter;
    ++found.count;
  }
  return found;
}

const MpiCall& Protocol::posting_call(const LogicalRank& sender, const Send& send) const {
  const LogicalRank& receiver = trace_.ranks()[sender.receiver_of(send)];
  return receiver.calls[receiver.receives[send.receive].request_call];
}

bool Protocol::is_synchronous(const LogicalRank& sender, const Send& send) const {
  return is_synchronous_[sender.tree[sender.calls[send.call].path].region.value];
}

bool Protocol::is_blocking(const LogicalRank& sender, const Send& send) const {
  return is_blocking_[sender.tree[sender.calls[send.call].path].region.value];
}

SendWait Protocol::wait_of(const LogicalRank& sender, const Send& send) const {
  if (!send.is_matched()) return SendWait::kNone;
  if (machine_.eager_limit) {
    const bool is_large = *machine_.eager_limit == 0 || send.bytes > *machine_.eager_limit;
    if (is_large && (!machine_.is_like_dimemas || is_blocking(sender, send))) return SendWait::kImposed;
  }
  if (machine_.is_like_dimemas) return SendWait::kNone;
  return recorded_wait(sender, send);
}

// In another network messages are eager; those of synchronous sends are in none. What was done before the receive was
// posted has not waited, whatever it is called: clocks may be wrong.
SendWait Protocol::recorded_wait(const LogicalRank& sender, const Send& send) const {
  if (!send.completion_call.is_valid()) return SendWait::kNone;
  if (sender.calls[send.completion_call].leave() < posting_call(sender, send).enter) return SendWait::kNone;
  if (is_synchronous(sender, send)) return SendWait::kRecorded;
  if (machine_.network || machine_.eager_limit) return SendWait::kNone;
  return send.bytes >= least_waiting_ || is_held_up(sender, send) ? SendWait::kRecorded : SendWait::kNone;
}

// Messages that nobody takes fill buffers. Then a send goes on as soon as its receiver is there, however small it is.
bool Protocol::is_held_up(const LogicalRank& sender, const Send& send) const {
  if (!eager_time_ || send.call != send.completion_call) return false;
  const MpiCall& call = sender.calls[send.call];
  const Ticks posted = posting_call(sender, send).enter, before = posted - call.enter;
  return before > 9 * (call.leave() - posted) && before > 10 * *eager_time_;
}

}  // namespace tarry
