// otf2_definitions.hpp -- the global definitions of an OTF2 trace as our tables, and the way from its numbers to ours.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "defs/definitions.hpp"
#include "trace/faults.hpp"
#include "trace/otf2/otf2_contexts.hpp"
#include "trace/otf2/otf2_facts.hpp"
#include "trace/otf2/otf2_records.hpp"

namespace tarry {

/// From references in an OTF2 trace to indices of ours. References are mostly dense, but they need not be.
class Otf2Index {
 public:
  static constexpr std::uint32_t kMissing = 0xffffffffu;

  /// The first definition of a reference counts.
  void add(std::uint64_t reference, std::size_t index);

  std::uint32_t find(std::uint64_t reference) const {
    if (reference < dense_.size() && dense_[reference] != kMissing) return dense_[reference];
    return sparse_.empty() ? kMissing : find_sparse(reference);
  }

 private:
  std::uint32_t find_sparse(std::uint64_t reference) const;

  std::vector<std::uint32_t> dense_;
  std::unordered_map<std::uint64_t, std::uint32_t> sparse_;
  std::size_t count_ = 0;
};

/// Events that OTF2 has no record for are parameters with this in front of their name, and fields attributes likewise.
inline constexpr std::string_view kOwnPrefix = "tarry::";

/// Property of a trace: ticks per second exactly, where OTF2 takes a whole number.
inline constexpr char kTicksProperty[] = "TARRY::TICKS_PER_SECOND";

/// Name of the list of processes in traces of ours: it is no group of the program.
inline constexpr char kMastersName[] = "tarry::processes";

/// Property of a process that did not close its recording.
inline constexpr char kIncompleteProperty[] = "tarry::incomplete";

/// Property of a process that holds its neighbourhood in a graph. Behind the blank is the reference of the
/// communicator. The value is its rank there, the number of sources, these, and the destinations.
inline constexpr std::string_view kNeighborhoodProperty = "tarry::neighborhood ";

/// What the readers of all locations share; constant while events are read.
struct Otf2Model {
  Definitions definitions;
  std::vector<OTF2_LocationRef> locations;                      // by LocationId
  Otf2References references;                                    // the same for the other tables
  std::vector<std::pair<std::string, std::uint64_t>> left_out;  // locations that are no CPU threads, and their events
  Otf2Index strings;
  Otf2Index regions;
  Otf2Index groups;
  Otf2Index comms;
  Otf2Index windows;
  Otf2Index io_handles;
  Otf2Index calling_contexts;                                 // to `contexts`
  std::vector<Otf2ContextNode> contexts;                      // a parent is in front of its children
  Otf2Index metrics;                                          // of metric classes and instances, to `metric_classes`
  std::vector<std::vector<std::uint32_t>> metric_classes;     // their members, as indices of counters
  std::size_t most_events = 1;                                // that one record can become
  Otf2Index own_kinds;                                        // of parameters, to EventKind
  std::unordered_map<std::uint32_t, std::string> own_fields;  // of attributes, to the name of a field
  std::vector<std::uint32_t> queue_attributes;                // that name a queue, by its location
  std::vector<std::uint32_t> work_parameters;                 // of a call and of the work that it starts
  Otf2Index location_ids;                                     // to LocationId

  /// "rank 3 thread 0"
  std::string name_of(LocationId location) const;

  /// The root region of the program whose path is string `reference`: recorders define an artificial region with the
  /// base name. kMissing if this one did not.
  std::uint32_t find_program(OTF2_StringRef reference) const;

  /// Adds that region. Returns false if it was there already, or the string is not.
  bool add_program(OTF2_StringRef reference);
};

/// Paradigms are numbered differently; those we have no name for become kOther.
Paradigm paradigm_of(OTF2_Paradigm paradigm);
/// And back; kOther, kIo and kMemory have no counterpart.
OTF2_Paradigm otf2_paradigm_of(Paradigm paradigm);

/// Modes and sources of counters, and back.
CounterMode mode_of(OTF2_MetricMode mode);
OTF2_MetricMode otf2_mode_of(CounterMode mode);
CounterSource source_of(OTF2_MetricType type);
OTF2_MetricType otf2_metric_type_of(CounterSource source);

/// Types of their values, and back.
CounterType counter_type_of(OTF2_Type type);
OTF2_Type otf2_type_of(CounterType type);

/// Roles and flags of regions, and back.
RegionRole role_of(OTF2_RegionRole role, OTF2_RegionFlag flags);
std::pair<OTF2_RegionRole, OTF2_RegionFlag> otf2_role_of(RegionRole role);

/// Reads all global definitions. References to nothing are counted in `faults` under the name of the file.
Result<Otf2Model> read_otf2_definitions(const std::string& anchor_path, FaultLog& faults);

}  // namespace tarry
