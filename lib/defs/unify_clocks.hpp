// unify_clocks.hpp -- one clock for a run: domains of processes that share a clock, and how they lie to each other.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes/bytes.hpp"
#include "defs/definitions.hpp"

namespace tarry {

/// Collects what the processes state about their clocks and derives the global one; the rules are stated at unify().
class ClockUnifier {
 public:
  /// Processes come in the order of their global ids; the first one's domain gives the global clock.
  void add(const Definitions& process);

  /// Adds the processes of another one, which follow.
  void append(const ClockUnifier& next);

  void encode(ByteWriter& out) const;
  void decode(ByteReader& in);

  /// Sets `global.clock` and `global.clock_offsets`, and adds the property "clock_domains", their number.
  void finish(Definitions& global) const;

 private:
  // One reading of the three clocks of a node at the same moment.
  struct Reading {
    Ticks ticks = 0;
    std::int64_t monotonic_ns = 0;
    std::int64_t realtime_ns = 0;
  };
  struct Domain {
    std::optional<Reading> first, last;
    double declared_rate = 1e9;
    std::vector<ClockOffset> offsets;  // without process

    double rate() const;
    void add(const std::optional<Reading>& reading);
  };

  static std::optional<Reading> parse_reading(std::string_view text);
  Domain& find_or_add(std::string_view name, double declared_rate, std::size_t& index);
  static std::vector<ClockOffset> offsets_to(const Domain& master, const Domain& domain);

  std::map<std::string, std::size_t, std::less<>> domain_of_name_;
  std::vector<Domain> domains_;
  std::vector<std::size_t> domain_of_process_;
};

}  // namespace tarry
