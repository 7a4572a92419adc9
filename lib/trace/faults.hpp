// faults.hpp -- the table of what can be wrong with a trace, and a log that counts it.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "defs/definitions.hpp"

namespace tarry {

/// Kinds of damage. Each has a one-line explanation (explain()).
enum class Fault : std::uint8_t {
  kChunkDamaged,        // checksum, length or framing of a chunk is wrong
  kChunkMissing,        // the sequence numbers of a location's chunks have a gap
  kRecordMalformed,     // a record cannot be decoded
  kLocationMissing,     // a location has no events at all
  kLocationIncomplete,  // a location's events end early
  kEventsLost,          // the measurement itself dropped events for want of memory
  kUndefinedReference,  // an event names a region, communicator or process that is not defined
  kLeaveWithoutEnter,   // or the leave of another region than the innermost open one
  kUnclosedRegion,      // still open at the end
  kTimeBackwards,       // a time stamp is smaller than its predecessor's
  kUnmatchedSend,
  kUnmatchedReceive,
  kUnknownRequest,          // completion of a request that was never started
  kIncompleteCollective,    // not all members took part
  kInconsistentCollective,  // members disagree on operation or root
  kUnknownRecord,           // a kind of record this version does not know
  kCount,
};

/// One sentence for people.
std::string_view explain(Fault fault);

/// Machine name ("unmatched_send").
std::string_view name_of(Fault fault);

/// Counts faults and remembers the first few of each kind with their place. Thread-safe.
class FaultLog {
 public:
  struct Place {
    Fault fault;
    std::string location;    // "rank 3 thread 0", or a file name
    std::uint64_t position;  // event number within the location, or byte offset in the file
    std::string detail;      // may be empty
  };

  void add(Fault fault, std::string location, std::uint64_t position, std::string detail = {}, std::uint64_t count = 1);

  std::uint64_t count(Fault fault) const;
  std::uint64_t total() const;

  /// The first places of each kind (at most 5 of a kind), ordered by kind, then location and position.
  std::vector<Place> places() const;

  /// "12 records skipped: 7 unmatched receives (first: rank 3, event 120), ..."; empty if there were none.
  std::string summary() const;

 private:
  mutable std::mutex mutex_;
  std::array<std::uint64_t, static_cast<std::size_t>(Fault::kCount)> counts_{};
  std::vector<Place> places_;
};

}  // namespace tarry
