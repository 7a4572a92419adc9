// changes.cpp -- how old reports and a new one differ, in words: what cmp and diff say.
#include "changes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/text/format.hpp"

namespace tarry {
namespace {

constexpr double kLargestPercentage = 10;  // from this factor on, a factor reads better than percent

std::string size_of(const ReportStructure& report) {
  std::string processes = format_count(report.processes.size(), "process", "processes");
  if (report.locations.size() == report.processes.size()) return processes;
  return processes + " with " + format_count(report.locations.size(), "thread");
}

// The regions at which call trees start, each once.
std::string programs_of(const ReportStructure& report) {
  std::vector<std::string> names;
  for (const ReportCallPath& path : report.call_paths) {
    if (path.parent.is_valid()) continue;
    const std::string& name = report.regions[path.region].name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

std::string relative_text(double before, double now) {
  if (before == now) return {};
  if (before == 0) return "new";
  if (now == 0) return "gone";
  char text[48];
  const double factor = now / before;
  if (factor >= kLargestPercentage)
    std::snprintf(text, sizeof text, factor < 1000 ? "%.3g times as much" : "%.0f times as much", factor);
  else std::snprintf(text, sizeof text, "%+.1f%%", 100 * (now - before) / std::abs(before));
  return text;
}

std::vector<std::string> structure_differences(const std::vector<const ReportStructure*>& reports,
                                               const std::vector<std::string>& names) {
  std::vector<std::string> lines;
  const ReportStructure& now = *reports.back();
  for (std::size_t i = 0; i + 1 < reports.size(); ++i) {
    const std::string old_is = "OLD " + names[i] + " is of ", new_is = ", NEW " + names.back() + " of ";
    if (size_of(*reports[i]) != size_of(now)) lines.push_back(old_is + size_of(*reports[i]) + new_is + size_of(now));
    const std::string before = programs_of(*reports[i]), after = programs_of(now);
    if (before != after) lines.push_back(old_is + "program " + before + new_is + after);
  }
  return lines;
}

}  // namespace tarry
