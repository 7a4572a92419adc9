// otf2_definitions.hpp -- the global definitions of an OTF2 trace as our tables, and the way from its numbers to ours.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.hpp"
#include "defs/definitions.hpp"
#include "trace/faults.hpp"
#include "trace/otf2_records.hpp"

namespace tarry {

/// From references in an OTF2 trace to indices of ours. References are mostly dense, but nothing says they must be.
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

/// What the readers of all locations share; constant while events are read.
struct Otf2Model {
  Definitions definitions;
  std::vector<OTF2_LocationRef> locations;  // by LocationId
  Otf2Index strings;
  Otf2Index regions;
  Otf2Index groups;
  Otf2Index comms;
  Otf2Index windows;
  Otf2Index calling_contexts;  // to the index of their region

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

/// Reads all global definitions. References to nothing are counted in `faults` under the name of the file.
Result<Otf2Model> read_otf2_definitions(const std::string& anchor_path, FaultLog& faults);

}  // namespace tarry
