// machine.hpp -- what a prediction changes: the network, the speed of computation, the protocol of messages.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "replay/trace_ids.hpp"

namespace tarry {

/// A network that takes the place of the recorded one. An ideal one has no latency, and any bandwidth.
struct Network {
  double latency = 0;           // seconds
  double seconds_per_byte = 0;  // 1 / bandwidth

  bool is_ideal() const { return latency == 0 && seconds_per_byte == 0; }
};

/// Computation within visits of regions of this name (or shell pattern) takes `factor` times as long.
struct RegionFactor {
  std::string name;
  double factor = 1;
  bool is_alone = false;  // not what it calls
};

/// Of a delay, by its number among those of the run (1: the most expensive one), `factor` is left.
struct DelayFactor {
  std::uint32_t number = 0;
  double factor = 0;
};

/// The same for all computation of one process.
struct RankFactor {
  WorldRank rank{};
  double factor = 1;
};

/// How the latency of a collective operation grows with its members.
enum class CollectiveLaw : std::uint8_t { kLogarithmic, kLinear };

struct RemovedWork;

/// Of a program and the machine it runs on: what differs from the recorded run. As it is here, nothing does.
struct Machine {
  std::optional<Network> network = {};                      // none: as recorded
  CollectiveLaw collectives = CollectiveLaw::kLogarithmic;  // of a network
  double cpu_speed = 1;                                     // 2: computation takes half the time
  std::vector<RegionFactor> regions = {};
  std::vector<RankFactor> ranks = {};
  std::vector<DelayFactor> delays = {};
  std::shared_ptr<const RemovedWork> removed = {};  // what these delays are in the trace (program_changes.hpp)
  std::optional<std::string> balanced =
      {};  // all processes compute as long as their mean in these regions; "": everywhere
  std::optional<Bytes> eager_limit =
      {};  // larger messages wait for their receiver; 0: all do. None: docs/SIMULATION.md
  std::optional<double> copy_seconds_per_byte =
      {};                        // of copies between host and accelerators; 0: they take no time. None: as recorded
  bool overlaps_copies = false;  // they run beside the kernels of other work: docs/SIMULATION.md
  bool binds_one_sided = false;  // one-sided synchronisation is a dependency in a network, too
  bool is_like_dimemas = false;  // that simulator's rules for collectives and protocols

  /// Whether one-sided synchronisation makes processes wait.
  bool has_window_waits() const { return !is_like_dimemas && (!network || binds_one_sided); }
};

}  // namespace tarry
