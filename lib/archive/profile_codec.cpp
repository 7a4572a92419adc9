// profile_codec.cpp -- the call-path summary of one thread, to bytes and back.
#include "archive/profile_codec.hpp"

namespace tarry {

void encode_profile(ByteWriter& out, std::span<const ProfileNode> nodes) {
  out.varint(nodes.size());
  for (const ProfileNode& node : nodes) {
    out.varint(node.parent == ProfileNode::kNoParent ? 0 : std::uint64_t{node.parent} + 1);
    out.varint(node.region);
    out.varint(node.visits);
    out.varint(static_cast<std::uint64_t>(node.time));
    out.varint(static_cast<std::uint64_t>(node.min_time));
    out.varint(static_cast<std::uint64_t>(node.max_time));
    out.varint(node.bytes_sent);
    out.varint(node.bytes_received);
  }
  for (const ProfileNode& node : nodes) {
    out.varint(node.trace_events);
    out.varint(node.trace_bytes);
  }
}

Result<std::vector<ProfileNode>> decode_profile(std::span<const std::uint8_t> bytes) {
  ByteReader in(bytes);
  const std::uint64_t count = in.varint();
  if (count > in.left()) in.fail();
  std::vector<ProfileNode> nodes;
  for (std::uint64_t i = 0; i < count && !in.failed(); ++i) {
    ProfileNode node;
    const std::uint64_t parent = in.varint();
    if (parent > i) in.fail();
    if (parent > 0) node.parent = static_cast<std::uint32_t>(parent - 1);
    node.region = in.varint32();
    node.visits = in.varint();
    node.time = static_cast<Ticks>(in.varint());
    node.min_time = static_cast<Ticks>(in.varint());
    node.max_time = static_cast<Ticks>(in.varint());
    node.bytes_sent = in.varint();
    node.bytes_received = in.varint();
    nodes.push_back(node);
  }
  // Profiles of version 0.1.0 end here.
  if (in.left() > 0)
    for (ProfileNode& node : nodes) {
      node.trace_events = in.varint();
      node.trace_bytes = in.varint();
    }
  if (in.failed()) return Error{"profile", "is malformed", ""};
  return nodes;
}

}  // namespace tarry
