// read_machine.hpp -- what users write about the changed machine, read.
#pragma once

#include <string>

#include "prediction/simulation/machine.hpp"
#include "base/result.hpp"

namespace tarry {

/// "ideal", or "10us,1GB/s": latency and bandwidth, with 10^9 bytes to a GB.
Result<Network> parse_network(const std::string& text);

/// "ideal", or "16GB/s": seconds per byte.
Result<double> parse_copy_bandwidth(const std::string& text);

/// "log" or "linear".
Result<CollectiveLaw> parse_collective_law(const std::string& text);

/// "NAME=0.5". The name may hold '='.
Result<RegionFactor> parse_region_factor(const std::string& text);

/// "3", or "3=0.5" if half of the delay is left.
Result<DelayFactor> parse_delay(const std::string& text);

/// "4=0.8".
Result<RankFactor> parse_rank_factor(const std::string& text);

/// The options that make this machine; "unchanged" if none do.
std::string describe(const Machine& machine);

}  // namespace tarry
