// ranges.hpp -- what users write for a part of something: "0-63,128" for numbers, "2:5.5" for seconds.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace tarry {

/// Whole numbers from 0 on. The empty text, and no text, represent all of them.
class NumberRanges {
 public:
  static Result<NumberRanges> parse(const std::string& list);

  bool is_all() const { return ranges_.empty(); }
  bool contains(std::int64_t number) const;

 private:
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges_;  // first and last
};

/// "2:5.5", "2:", ":5.5": seconds from the start of a trace.
struct TimeWindow {
  double begin = 0;
  double end = std::numeric_limits<double>::infinity();

  static Result<TimeWindow> parse(const std::string& text);
};

}  // namespace tarry
