// profile_receivers.hpp -- how many messages a thread sends to whom.
#pragma once

#include <cstdint>

#include "base/units.hpp"
#include "measure/core/count_nodes.hpp"
#include "measure/core/path_tree.hpp"

namespace tarry::measure {

/// A receiver of messages, by its rank in a communicator.
struct ReceiverKey {
  ReceiverKey(std::uint32_t comm, std::uint32_t receiver) : comm(comm), receiver(receiver) {}
  explicit ReceiverKey(const ReceiverNode& node) : comm(node.count.comm), receiver(node.count.receiver) {}
  bool operator==(const ReceiverKey&) const = default;
  std::uint64_t hash() const { return std::uint64_t{comm} << 32 | receiver; }

  std::uint32_t comm, receiver;
};

class ProfileReceivers {
 public:
  explicit ProfileReceivers(PathTree& paths) : paths_(paths) {}

  void count_message(std::uint32_t comm, std::uint32_t receiver, Bytes bytes) {
    ReceiverNode* const known = nodes_.find({comm, receiver});
    ReceiverCount& sum = (known ? *known : make(comm, receiver)).count;
    ++sum.messages;
    sum.bytes += bytes;
  }

  /// Takes nothing more.
  void release() { nodes_.release(); }

 private:
  [[gnu::noinline]] ReceiverNode& make(std::uint32_t comm, std::uint32_t receiver) {
    return nodes_.make({.count = {.comm = comm, .receiver = receiver}}, paths_.slabs(), paths_.head().receivers);
  }

  PathTree& paths_;
  CountNodes<ReceiverNode, ReceiverKey> nodes_{kMostReceivers};
};

}  // namespace tarry::measure
