// profile_codec.cpp -- the call-path summary of one thread, to bytes and back.
#include "archive/profile/profile_codec.hpp"

namespace tarry {
namespace {

// Parts behind the call paths: each with its number and its length, so that readers go past what they do not know.
constexpr std::uint64_t kClustersPart = 1, kCountersPart = 2;
constexpr std::uint64_t kFilesPart = 3;  // of versions before 0.2: replaced by the next
constexpr std::uint64_t kTransfersPart = 4, kReceiversPart = 5;
constexpr std::uint64_t kForksPart = 6, kTeamsPart = 7, kFileCountsPart = 8;

void put_part(ByteWriter& out, std::uint64_t number, const ByteWriter& part) {
  out.varint(number);
  out.varint(part.bytes().size());
  out.raw(part.bytes().data(), part.bytes().size());
}

void encode_clusters(ByteWriter& out, const std::vector<IterationCluster>& clusters) {
  ByteWriter part;
  part.varint(clusters.size());
  for (const IterationCluster& cluster : clusters) {
    part.varint(cluster.node);
    part.varint(cluster.runs.size());
    for (const IterationRun& run : cluster.runs) {
      part.varint(zigzag(run.first));
      part.varint(run.count);
    }
  }
  put_part(out, kClustersPart, part);
}

void decode_clusters(ByteReader& in, Profile& profile) {
  const std::uint64_t count = in.varint();
  for (std::uint64_t i = 0; i < count && !in.failed(); ++i) {
    IterationCluster cluster;
    cluster.node = in.varint32();
    if (cluster.node >= profile.nodes.size()) in.fail();
    const std::uint64_t runs = in.varint();
    for (std::uint64_t run = 0; run < runs && !in.failed(); ++run) {
      const std::int64_t first = unzigzag(in.varint());
      cluster.runs.push_back({first, in.varint()});
    }
    profile.clusters.push_back(std::move(cluster));
  }
}

// Few call paths have any.
void encode_transfers(ByteWriter& out, const std::vector<ProfileNode>& nodes) {
  ByteWriter part;
  part.varint(kTransferCount);
  const std::size_t empty = part.bytes().size();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].transfers == TransferCounts()) continue;
    part.varint(i);
    for (std::size_t what = 0; what < kTransferCount; ++what)
      part.varint(nodes[i].transfers[static_cast<Transfer>(what)]);
  }
  if (part.bytes().size() > empty) put_part(out, kTransfersPart, part);
}

void encode_counters(ByteWriter& out, const Profile& profile) {
  ByteWriter part;
  part.varint(profile.counters.size());
  for (const std::uint32_t counter : profile.counters) part.varint(counter);
  for (const std::uint64_t value : profile.counter_values) part.varint(value);
  put_part(out, kCountersPart, part);
}

void encode_receivers(ByteWriter& out, const std::vector<ReceiverCount>& receivers) {
  ByteWriter part;
  for (const ReceiverCount& receiver : receivers) {
    part.varint(receiver.comm);
    part.varint(receiver.receiver);
    part.varint(receiver.messages);
    part.varint(receiver.bytes);
  }
  put_part(out, kReceiversPart, part);
}

void encode_file_counts(ByteWriter& out, const std::vector<FileCount>& files) {
  ByteWriter part;
  for (const FileCount& file : files) {
    part.varint(file.file);
    part.varint(file.opens);
    part.varint(file.reads);
    part.varint(file.writes);
    part.varint(file.bytes_read);
    part.varint(file.bytes_written);
    part.varint(static_cast<std::uint64_t>(file.time));
  }
  put_part(out, kFileCountsPart, part);
}

void decode_file_counts(ByteReader& in, Profile& profile) {
  while (in.left() > 0 && !in.failed()) {
    FileCount file{.file = in.varint32()};
    file.opens = in.varint();
    file.reads = in.varint();
    file.writes = in.varint();
    file.bytes_read = in.varint();
    file.bytes_written = in.varint();
    file.time = static_cast<Ticks>(in.varint());
    profile.files.push_back(file);
  }
}

void decode_files(ByteReader& in, Profile& profile) {
  while (in.left() > 0 && !in.failed()) {
    const std::uint64_t index = in.varint();
    const Bytes read = in.varint(), written = in.varint();
    if (index >= profile.nodes.size()) in.fail();
    if (in.failed()) break;
    profile.nodes[index].transfers[Transfer::kBytesRead] = read;
    profile.nodes[index].transfers[Transfer::kBytesWritten] = written;
  }
}

// A later version may know more of them.
void decode_transfers(ByteReader& in, Profile& profile) {
  const std::uint64_t kinds = in.varint();
  while (in.left() > 0 && !in.failed()) {
    const std::uint64_t index = in.varint();
    if (index >= profile.nodes.size()) in.fail();
    for (std::uint64_t what = 0; what < kinds && !in.failed(); ++what) {
      const std::uint64_t count = in.varint();
      if (what < kTransferCount) profile.nodes[index].transfers[static_cast<Transfer>(what)] = count;
    }
  }
}

void decode_receivers(ByteReader& in, Profile& profile) {
  while (in.left() > 0 && !in.failed()) {
    const std::uint32_t comm = in.varint32(), receiver = in.varint32();
    const std::uint64_t messages = in.varint();
    profile.receivers.push_back({comm, receiver, messages, in.varint()});
  }
}

void encode_places(ByteWriter& out, std::uint64_t number, const std::vector<ForkPlace>& places) {
  if (places.empty()) return;
  ByteWriter part;
  for (const ForkPlace& place : places) {
    part.varint(place.node);
    part.varint(place.fork);
  }
  put_part(out, number, part);
}

void decode_places(ByteReader& in, std::size_t nodes, std::vector<ForkPlace>& places) {
  while (in.left() > 0 && !in.failed()) {
    const std::uint32_t node = in.varint32();
    if (node >= nodes || (!places.empty() && node <= places.back().node)) in.fail();
    places.push_back({node, in.varint()});
  }
}

void decode_counters(ByteReader& in, Profile& profile) {
  const std::uint64_t counters = in.varint();
  if (counters > in.left()) in.fail();
  for (std::uint64_t i = 0; i < counters && !in.failed(); ++i) profile.counters.push_back(in.varint32());
  if (counters > 0 && profile.nodes.size() > in.left() / counters) in.fail();
  for (std::uint64_t i = 0; i < counters * profile.nodes.size() && !in.failed(); ++i)
    profile.counter_values.push_back(in.varint());
}

}  // namespace

void encode_profile(ByteWriter& out, const Profile& profile) {
  const std::vector<ProfileNode>& nodes = profile.nodes;
  out.varint(nodes.size());
  for (const ProfileNode& node : nodes) {
    out.varint(node.parent == ProfileNode::kNoParent ? 0 : std::uint64_t{node.parent} + 1);
    out.varint(node.region);
    out.varint(node.visits);
    out.varint(static_cast<std::uint64_t>(node.time));
    out.varint(static_cast<std::uint64_t>(node.min_time));
    out.varint(static_cast<std::uint64_t>(node.max_time));
    out.varint(node.transfers[Transfer::kBytesSent]);
    out.varint(node.transfers[Transfer::kBytesReceived]);
  }
  for (const ProfileNode& node : nodes) {
    out.varint(node.trace_events);
    out.varint(node.trace_bytes);
  }
  if (!profile.clusters.empty()) encode_clusters(out, profile.clusters);
  if (!profile.counters.empty()) encode_counters(out, profile);
  encode_transfers(out, nodes);
  if (!profile.receivers.empty()) encode_receivers(out, profile.receivers);
  if (!profile.files.empty()) encode_file_counts(out, profile.files);
  encode_places(out, kForksPart, profile.forks);
  encode_places(out, kTeamsPart, profile.teams);
}

Result<Profile> decode_profile(std::span<const std::uint8_t> bytes) {
  ByteReader in(bytes);
  const std::uint64_t count = in.varint();
  if (count > in.left()) in.fail();
  Profile profile;
  std::vector<ProfileNode>& nodes = profile.nodes;
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
    node.transfers[Transfer::kBytesSent] = in.varint();
    node.transfers[Transfer::kBytesReceived] = in.varint();
    nodes.push_back(node);
  }
  // Profiles of version 0.1.0 end here.
  if (in.left() > 0)
    for (ProfileNode& node : nodes) {
      node.trace_events = in.varint();
      node.trace_bytes = in.varint();
    }
  while (in.left() > 0 && !in.failed()) {
    const std::uint64_t number = in.varint();
    ByteReader part(in.take(in.varint()));
    if (number == kClustersPart) decode_clusters(part, profile);
    if (number == kCountersPart) decode_counters(part, profile);
    if (number == kFilesPart) decode_files(part, profile);
    if (number == kTransfersPart) decode_transfers(part, profile);
    if (number == kReceiversPart) decode_receivers(part, profile);
    if (number == kFileCountsPart) decode_file_counts(part, profile);
    if (number == kForksPart) decode_places(part, nodes.size(), profile.forks);
    if (number == kTeamsPart) decode_places(part, nodes.size(), profile.teams);
    if (part.failed()) in.fail();
  }
  if (in.failed()) return Error{"profile", "is malformed", ""};
  return profile;
}

}  // namespace tarry
