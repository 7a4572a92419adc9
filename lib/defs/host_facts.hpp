// host_facts.hpp -- what a node has: cores, processor and network.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tarry {

/// Property of a run: the key is followed by the name of the node.
inline constexpr std::string_view kHostFactsKey = "host.";

/// What is not known is 0 or empty.
struct HostFacts {
  std::uint32_t cores = 0;  // that the system has, whether the run may use them or not
  std::string processor;    // its model
  std::string network;      // "mlx5_0 200 Gb/sec (4X HDR), eth0 1000 Mb/s"

  bool operator==(const HostFacts&) const = default;
};

/// Lines "cores=64", "processor=..." and "network=...".
std::string host_facts_text(const HostFacts& facts);

/// Lines that are of no known kind are left out.
HostFacts parse_host_facts(std::string_view text);

}  // namespace tarry
