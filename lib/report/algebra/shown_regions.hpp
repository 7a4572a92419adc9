// shown_regions.hpp -- names of the regions that a listing for people shows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "report/tree/report.hpp"

namespace tarry {

/// Short names of regions (short_names), or the whole ones. Regions of one name in different files are told apart by
/// these: "init (grid.c)". So are calls of one function by one caller, in call paths: "MPI_Send (line 12)".
class ShownRegions {
 public:
  /// For all regions on `paths`: those of the call paths and of the ones above them. `structure` must outlive it.
  ShownRegions(const ReportStructure& structure, const std::vector<CallPathId>& paths, bool is_whole);

  /// Of a region on the paths; else its whole name.
  const std::string& name_of(std::uint32_t region) const;
  /// Names from the root down, joined by '/' (call_path_text).
  std::string path_text(CallPathId path) const;

 private:
  const ReportStructure& structure_;
  std::unordered_map<std::uint32_t, std::string> names_;
  std::unordered_map<std::uint32_t, std::int64_t> lines_;  // of call paths that differ in nothing else
};

/// Items that are known by text only, shown together: the names in call paths as call_path_text() has them become
/// short. [item]
std::vector<std::string> short_path_texts(const std::vector<std::string>& paths);

/// The text of a call path in `width` columns at most: "main/.../solve/MPI_Send". Names stay whole where the last one
/// fits.
std::string shorten_path(const std::string& path, std::size_t width);

}  // namespace tarry
