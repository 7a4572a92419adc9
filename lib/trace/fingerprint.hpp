// fingerprint.hpp -- a checksum of the content of a trace that does not depend on the layout of its files.
//
// Each event is hashed with its location, its time since the origin, and the meaning of its fields. So names and facts
// of regions, communicators and windows replace their numbers. The sum of all hashes is the fingerprint, so locations
// may be read in any order. Events of one location at the same time differ by their order.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "defs/definitions.hpp"
#include "trace/event.hpp"

namespace tarry {

/// The sum over any number of events; the empty one is all zero.
struct Fingerprint {
  std::uint64_t events = 0;
  std::uint64_t high = 0, low = 0;

  Fingerprint& operator+=(const Fingerprint& other) {
    events += other.events;
    high += other.high;
    low += other.low;
    return *this;
  }
  bool operator==(const Fingerprint&) const = default;

  /// "12345 events, fingerprint 0123456789abcdef0123456789abcdef"
  std::string text() const;
};

/// Hashes of what definitions mean, by id.
struct FingerprintTables {
  explicit FingerprintTables(const Definitions& all);

  std::vector<std::uint64_t> locations, regions, comms, windows, groups, io_handles, counters;
  Ticks origin = 0;
};

/// Of one location, whose events must be added in order.
class LocationFingerprint {
 public:
  LocationFingerprint(const FingerprintTables& tables, LocationId location)
      : tables_(tables), location_(tables.locations[location.value]) {}

  void add(std::span<const Event> events);
  const Fingerprint& sum() const { return sum_; }

 private:
  template <class Record>
  std::uint64_t add_fields(std::uint64_t hash, const Record& record) const;

  const FingerprintTables& tables_;
  std::uint64_t location_;
  std::vector<RegionId> open_regions_;  // a LEAVE that names no region means the innermost one
  Ticks last_time_ = 0;
  std::uint64_t same_time_ = 0;  // events before this one at its time
  Fingerprint sum_;
};

}  // namespace tarry
