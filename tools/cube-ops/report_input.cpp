// report_input.cpp -- what every operation does with its input.
#include "report_input.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "base/file.hpp"
#include "base/log.hpp"
#include "report/cubex_reader.hpp"

namespace tarry {
namespace {

// "a.cubex, b.cubex", or what to do if there is none.
std::string reports_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".cubex") names.push_back(entry.path().string());
  std::sort(names.begin(), names.end());
  if (names.empty()) return "it holds no report yet: run tarry replay on it";
  std::string list = "name one of its reports: ";
  for (std::size_t i = 0; i < names.size(); ++i) list += (i ? ", " : "") + names[i];
  return list;
}

}  // namespace

Result<Report> open_report(const std::string& path) {
  if (is_directory(path)) return Error{path, "is a folder, not a report", reports_in(path)};
  return read_cubex(path);
}

Result<std::vector<MetricId>> select_metrics(const Report& report, const std::string& list) {
  std::vector<MetricId> chosen;
  const auto& metrics = report.structure.metrics;
  if (list.empty()) {
    for (std::size_t i = 0; i < metrics.size(); ++i)
      if (!metrics[i].is_ghost && !metrics[i].is_void) chosen.emplace_back(i);
    return chosen;
  }
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t comma = std::min(list.find(',', at), list.size());
    const std::string name = list.substr(at, comma - at);
    chosen.push_back(report.find_metric(name));
    if (!chosen.back().is_valid())
      return Error{"metric '" + name + "'", "is not in this report", "tarry cube info lists its metrics"};
    at = comma + 1;
  }
  return chosen;
}

int conclude(const Report& report, bool is_strict) {
  if (report.damage.empty()) return 0;
  for (const std::string& line : report.damage) log_detail(line);
  const std::size_t more = report.damage.size() - 1;
  const std::string text = report.damage[0] + (more ? ", and " + std::to_string(more) + " more" : "");
  if (is_strict) {
    log_error({"the report is damaged", text, "-v lists everything"});
    return 1;
  }
  log_warning("the report is damaged: " + text + (more ? " (-v lists them)" : ""));
  return 0;
}

std::string number_for_people(ValueType type, double value) {
  if (is_neutral_number(type, value)) return "-";
  const double size = std::abs(value);
  char text[32];
  std::snprintf(text, sizeof text, size >= 1000 && size < 1e15 ? "%.0f" : "%.4g", value);
  return text;
}

Status print(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size()) return {};
  return Error{"standard output", system_error(), "results are incomplete"};
}

}  // namespace tarry
