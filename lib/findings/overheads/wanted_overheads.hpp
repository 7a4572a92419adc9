// wanted_overheads.hpp -- the overheads that directives in the source ask for (TARRY_REGION_OVERHEADS).
#pragma once

#include <string>
#include <vector>

#include "findings/overheads/overheads.hpp"

namespace tarry {

/// Classes in a region, with what it calls. A directive is a parameter of the region: "overheads=OSYN,ODATA_COL".
struct WantedOverheads {
  std::uint32_t region = 0;
  std::string mnemonics;          // as written
  std::vector<Overhead> classes;  // those that there are
  std::string unknown;            // the others, by commas
  OverheadTimes times;            // all classes
};

/// True for the region that a directive records inside of its own.
bool is_overhead_directive(const ReportRegion& region);

/// In the order of the report. Of directives that are nested deeper than 64 the outer ones miss the inner ones' time.
std::vector<WantedOverheads> wanted_overheads(const Report& report, const Overheads& overheads);

}  // namespace tarry
