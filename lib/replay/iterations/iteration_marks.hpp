// iteration_marks.hpp -- which regions are the iterations of a time series, and how their visits are numbered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "defs/definitions.hpp"

namespace tarry {

/// A range of the numbers that the iterations of one process have in order: 0, 1, 2 ... Later ones are in larger
/// groups. So a process has few of them, however many iterations it has.
struct IterationGroup {
  std::uint64_t first = 0;
  std::uint32_t key = 0;  // no other group has the same
};

/// The iterations of a marked loop have numbers ("step=7"). All others are numbered by the order of their visits.
class IterationMarks {
 public:
  IterationMarks() = default;

  /// The iterations of the marked loop `name`; if there is none, the visits of regions of that name or shell pattern.
  /// Fails if there are none either.
  static Result<IterationMarks> find(const Definitions& definitions, const std::string& name);

  /// Those of the loop whose first iteration is defined first: the outermost one. Empty if no loop is marked.
  static IterationMarks of_marked_loop(const Definitions& definitions);

  bool is_empty() const { return kinds_.empty(); }
  const std::string& name() const { return name_; }
  bool is_marked_loop() const { return is_marked_loop_; }

  bool has(RegionId region) const { return region.value < kinds_.size() && kinds_[region.value] != kNone; }
  /// Whether the region itself has a number: all its visits are the same iteration.
  bool is_numbered(RegionId region) const { return kinds_[region.value] < kByVisits; }
  /// The place of that number among all of them.
  std::uint64_t ordinal_of(RegionId region) const { return kinds_[region.value]; }
  /// The place of a visit that has no number: `before` of them came before.
  std::uint64_t ordinal_of_visit(std::uint64_t before) const { return numbers_.size() + before; }

  /// The number that an iteration has for people.
  std::int64_t number_at(std::uint64_t ordinal) const;

  /// How many groups a series has at most. Bounds groups x locations.
  std::size_t most_groups() const { return most_groups_; }
  IterationGroup group_of(std::uint64_t ordinal) const;

  /// Groups of a series of `count` iterations have 2^shift of them.
  int shift_of(std::uint64_t count) const;

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max(), kByVisits = kNone - 1;

  IterationMarks(const Definitions& definitions, std::string name, bool is_marked_loop);

  std::string name_;
  bool is_marked_loop_ = false;
  std::vector<std::uint32_t> kinds_;   // [region]: kNone, kByVisits, or the ordinal of its number
  std::vector<std::int64_t> numbers_;  // of numbered regions, sorted
  std::size_t most_groups_ = 1;
};

}  // namespace tarry
