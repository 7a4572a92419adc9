// profile_receivers.hpp -- how many messages a thread sends to whom.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>

#include "base/units.hpp"
#include "defs/definitions.hpp"
#include "measure/core/count_nodes.hpp"
#include "measure/core/path_tree.hpp"

namespace tarry::measure {

/// A receiver of messages, by its rank in a communicator.
struct ReceiverKey {
  ReceiverKey(CommId comm, CommRank receiver) : comm(comm), receiver(receiver) {}
  explicit ReceiverKey(const ReceiverNode& node) : comm(node.count.comm), receiver(node.count.receiver) {}
  bool operator==(const ReceiverKey&) const = default;
  std::uint64_t hash() const { return std::uint64_t{comm.value} << 32 | receiver.value; }

  CommId comm;
  CommRank receiver;
};

class ProfileReceivers {
 public:
  explicit ProfileReceivers(PathTree& paths) : paths_(paths) {}

  void count_message(CommId comm, CommRank receiver, Bytes bytes) {
    ReceiverNode* const known = nodes_.find({comm, receiver});
    ReceiverCount& sum = (known ? *known : make(comm, receiver)).count;
    ++sum.messages;
    sum.bytes += bytes;
  }

  /// Takes nothing more.
  void release() { nodes_.release(); }

 private:
  [[gnu::noinline]] ReceiverNode& make(CommId comm, CommRank receiver) {
    const ReceiverCount none = {.comm = comm.value, .receiver = receiver.value};
    return nodes_.make({.count = none}, paths_.slabs(), paths_.head().receivers);
  }

  PathTree& paths_;
  CountNodes<ReceiverNode, ReceiverKey> nodes_{kMostReceivers};
};

}  // namespace tarry::measure
