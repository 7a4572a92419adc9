// protocol.cpp -- which messages make their senders wait for the receivers: eager and rendezvous protocol.
//
//   sender      [ MPI_Send ]                       eager: it was done before the receive was posted
//   receiver                    [ MPI_Recv ]
//
//   sender      [ MPI_Send ............... ]       may have waited. It did if no message of this size is known
//   receiver                    [ MPI_Recv ]       to be eager
#include "analysis/simulation/protocol.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace tarry {

Protocol::Protocol(const Trace& trace, const Machine& machine) : trace_(trace), machine_(machine) {
  for (std::size_t r = 0; r < trace.regions().size(); ++r) {
    const std::string name = plain_name(trace.regions().name(RegionId(r)));
    is_synchronous_.push_back(is_one_of(name, {"mpi_ssend", "mpi_issend"}));
    is_blocking_.push_back(is_one_of(name, {"mpi_send", "mpi_ssend", "mpi_rsend"}));
  }
  Indexed<RankIndex, std::vector<Bytes>> least(trace.ranks().size(), 0);
  trace.for_each_hosted([&](RankIndex r) {
    const LogicalRank& rank = trace.ranks()[r];
    for (const Send& send : rank.sends)
      if (send.is_matched() && send.completion_call.is_valid() && !is_synchronous(rank, send) &&
          rank.calls[send.completion_call].leave() < posting_call(rank, send).enter)
        least[r] = std::max<Bytes>(least[r], send.bytes + 1);
  });
  for (const Bytes of_rank : least) least_waiting_ = std::max(least_waiting_, of_rank);
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
  return send.bytes >= least_waiting_ ? SendWait::kRecorded : SendWait::kNone;
}

}  // namespace tarry
