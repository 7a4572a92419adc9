// path_place.hpp -- where in the source a call path is: function, file and line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/tree/report.hpp"

namespace tarry {

struct PathPlace {
  std::uint32_t region = 0;  // the function
  std::string file;          // as recorded
  std::int64_t line = 0;     // of the call, where the report has it; else where the function begins
};

/// The innermost function of the program on the path whose file and line the report has.
std::optional<PathPlace> find_place(const ReportStructure& structure, CallPathId path);

/// Where the work of a call path itself is: the function at its end where that begins, if the report knows; else as
/// find_place().
std::optional<PathPlace> find_work(const ReportStructure& structure, CallPathId path);

/// The same for many call paths: looks at each one of the report once.
class PathPlaces {
 public:
  explicit PathPlaces(const ReportStructure& structure);

  std::optional<PathPlace> find(CallPathId path) const { return find_place(structure_, nearest_[path.value]); }

 private:
  const ReportStructure& structure_;
  std::vector<CallPathId> nearest_;  // [call path] the next one at or above it that has a place; none
};

}  // namespace tarry
