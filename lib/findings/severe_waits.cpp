// severe_waits.cpp -- reads the table of single waits that a report may hold.
#include "findings/severe_waits.hpp"

#include <cmath>
#include <cstdlib>
#include <string_view>

#include "report/instance_files.hpp"

namespace tarry {
namespace {

using Row = std::vector<std::string>;

// The rows of a table in the form of RFC 4180.
std::vector<Row> parse_csv(std::string_view text) {
  std::vector<Row> rows;
  Row row;
  std::string field;
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' && is_quoted && i + 1 < text.size() && text[i + 1] == '"') {
      field += text[++i];
    } else if (c == '"') {
      is_quoted = !is_quoted;
    } else if (!is_quoted && (c == ',' || c == '\n')) {
      row.push_back(std::move(field));
      field.clear();
      if (c == '\n') rows.push_back(std::move(row));
      if (c == '\n') row.clear();
    } else {
      field += c;
    }
  }
  return rows;
}

std::optional<double> number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end || !std::isfinite(value)) return std::nullopt;
  return value;
}

// Columns by name, so that tables may grow.
class Columns {
 public:
  explicit Columns(const Row& header) : header_(header) {}

  std::string at(const Row& row, std::string_view name) const {
    for (std::size_t i = 0; i < header_.size() && i < row.size(); ++i)
      if (header_[i] == name) return row[i];
    return "";
  }

 private:
  const Row& header_;
};

}  // namespace

std::vector<SevereWait> severe_waits(const Report& report) {
  std::vector<SevereWait> waits;
  for (const ReportFile& file : report.files) {
    if (file.name != kInstancesFile || file.bytes.empty()) continue;
    const std::vector<Row> rows = parse_csv({reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()});
    if (rows.empty()) continue;
    const Columns columns(rows[0]);
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const auto waiting = number(columns.at(rows[i], "waiting"));
      const auto rank = number(columns.at(rows[i], "rank"));
      const auto enter = number(columns.at(rows[i], "enter"));
      if (!waiting || !rank || !enter) continue;
      SevereWait& wait = waits.emplace_back();
      wait.metric = columns.at(rows[i], "metric");
      wait.call_path = columns.at(rows[i], "callpath");
      wait.waiting = *waiting;
      wait.enter = *enter;
      wait.rank = static_cast<std::int64_t>(*rank);
      if (const auto delaying = number(columns.at(rows[i], "delaying_rank")))
        wait.delaying_rank = static_cast<std::int64_t>(*delaying);
      wait.delaying_call_path = columns.at(rows[i], "delaying_callpath");
    }
  }
  return waits;
}

}  // namespace tarry
