// throttled_functions.hpp -- short functions that were counted and not recorded, as the report tells.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/tree/report.hpp"

namespace tarry {

struct ThrottledFunction {
  std::string name;
  std::uint64_t calls = 0;  // that were counted, in all processes
};

/// Most calls first; empty if nothing was throttled.
std::vector<ThrottledFunction> read_throttled_functions(const ReportStructure& report);

/// "THROTTLED: 812345 calls of tiny, 1000 of get and of 3 more are only counted ..."; empty if there are none.
std::string throttled_text(const std::vector<ThrottledFunction>& functions);

}  // namespace tarry
