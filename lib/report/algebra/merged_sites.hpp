// merged_sites.hpp -- a report in which the calls of a function from several lines of another are one call path.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/result.hpp"
#include "report/algebra/cube_source.hpp"
#include "report/tree/report_map.hpp"

namespace tarry {

/// Which call sites to forget: all, or those that are no line but an address.
enum class CallSites : std::uint8_t { kAll, kUnknownLines };

/// Call paths of equal regions and parameters below one parent become one, whatever their call sites. So reports of a
/// program and of its edited source have the same call paths. For CombinedCube, with one map; nothing if there is no
/// such call site.
Result<std::optional<MappedReports>> merge_call_sites(const ReportStructure& report, CallSites sites);

/// The same report where nothing is to be merged.
Result<std::unique_ptr<CubeSource>> without_call_sites(std::unique_ptr<CubeSource> report,
                                                       CallSites sites = CallSites::kAll);

}  // namespace tarry
