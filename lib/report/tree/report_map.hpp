// report_map.hpp -- where the parts of reports went in a report made of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "report/tree/report.hpp"

namespace tarry {

inline constexpr std::uint32_t kNowhere = 0xffffffffu;

/// For each call path of a result the call paths of one input whose values go into it; mostly one or none.
class PathLists {
 public:
  /// `places[path of the input]` is the path of the result that gets its values, or kNowhere.
  PathLists(const std::vector<std::uint32_t>& places, std::size_t result_size);
  PathLists() = default;

  std::span<const std::uint32_t> of(std::uint32_t path) const {
    return std::span(list_).subspan(first_[path], first_[path + 1] - first_[path]);
  }

 private:
  std::vector<std::uint32_t> first_, list_;
};

/// One input of a computation on reports.
struct ReportMap {
  std::vector<std::uint32_t> metrics;    // [metric of the result]: metric of the input, or kNowhere
  PathLists exclusive, inclusive;        // whose exclusive, whose inclusive values add up to those of a path
  std::vector<std::uint32_t> locations;  // [location of the input]: location of the result, or kNowhere
};

/// The trees of a result and how each input fits in.
struct MappedReports {
  ReportStructure structure;
  std::vector<ReportMap> maps;
};

}  // namespace tarry
