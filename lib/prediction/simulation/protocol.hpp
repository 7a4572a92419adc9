// protocol.hpp -- which messages make their senders wait for the receivers: eager and rendezvous protocol.
#pragma once

#include <optional>
#include <vector>

#include "prediction/simulation/machine.hpp"
#include "replay/trace.hpp"

namespace tarry {

/// What a sender waits for.
enum class SendWait : std::uint8_t {
  kNone,      // nothing: eager
  kRecorded,  // the receiver, as in the recorded run
  kImposed,   // the receiver, as the machine demands
};

/// The protocol of each message: of the changed machine, or as the recorded run shows it.
class Protocol {
 public:
  Protocol(const Trace& trace, const Machine& machine);

  SendWait wait_of(const LogicalRank& sender, const Send& send) const;

 private:
  // Messages that were sent before their receive was posted.
  struct EagerSends {
    Bytes least_waiting = 0;  // one byte more than the largest
    Ticks time = 0;           // in the calls that completed them
    Ticks count = 0;
  };

  EagerSends eager_sends(const LogicalRank& rank) const;
  bool is_held_up(const LogicalRank& sender, const Send& send) const;
  bool is_synchronous(const LogicalRank& sender, const Send& send) const;
  bool is_blocking(const LogicalRank& sender, const Send& send) const;
  SendWait recorded_wait(const LogicalRank& sender, const Send& send) const;
  const MpiCall& posting_call(const LogicalRank& sender, const Send& send) const;

  const Trace& trace_;
  const Machine& machine_;
  std::vector<bool> is_synchronous_, is_blocking_;  // by region
  Bytes least_waiting_ = 0;                         // of EagerSends, of all processes
  std::optional<Ticks> eager_time_;                 // mean time of the calls that completed one of them
};

}  // namespace tarry
