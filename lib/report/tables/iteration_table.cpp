// iteration_table.cpp -- the table of iterations, to bytes and back.
#include "report/tables/iteration_table.hpp"

#include <algorithm>
#include <cmath>

#include "base/bytes/bytes.hpp"
#include "report/tables/file_end.hpp"

namespace tarry {
namespace {

constexpr char kIterationFile[] = "iterations.table";
constexpr std::uint64_t kIterationFileVersion = 1;
constexpr double kLargestWhole = 9007199254740992.0;  // 2^53

bool are_whole(const std::vector<double>& values) {
  return std::ranges::all_of(
      values, [](double value) { return value >= 0 && value <= kLargestWhole && value == std::floor(value); });
}

void put_metric(ByteWriter& out, const IterationMetric& metric) {
  const bool is_whole = are_whole(metric.values);
  out.text(metric.name);
  out.text(metric.unit);
  out.f64(metric.factor);
  out.u8(is_whole);
  for (const double value : metric.values)
    if (is_whole) out.varint(static_cast<std::uint64_t>(value));
    else out.f64(value);
}

// Each value takes a byte at least: what is not there is never made room for.
IterationMetric get_metric(ByteReader& in, std::size_t values) {
  IterationMetric metric;
  metric.name = in.text();
  metric.unit = in.text();
  metric.factor = in.f64();
  const std::uint8_t is_whole = in.u8();
  if (is_whole > 1 || values > in.left() / (is_whole ? 1 : sizeof(double))) in.fail();
  for (std::size_t i = 0; i < values && !in.failed(); ++i)
    metric.values.push_back(is_whole ? static_cast<double>(in.varint()) : in.f64());
  if (!std::isfinite(metric.factor) ||
      !std::ranges::all_of(metric.values, [](double value) { return std::isfinite(value); }))
    in.fail();
  return metric;
}

std::int64_t get_signed(ByteReader& in) { return unzigzag(in.varint()); }

}  // namespace

const IterationMetric* IterationTable::find(std::string_view metric) const {
  const auto found = std::ranges::find(metrics, metric, &IterationMetric::name);
  return found == metrics.end() ? nullptr : &*found;
}

void drop_empty_rows(IterationTable& table) {
  const std::size_t width = table.ranks.size();
  std::size_t kept = 0;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const auto begin = static_cast<std::ptrdiff_t>(row * width), end = static_cast<std::ptrdiff_t>((row + 1) * width);
    const auto has_values = [&](const IterationMetric& metric) {
      return std::any_of(metric.values.begin() + begin, metric.values.begin() + end, [](double v) { return v != 0; });
    };
    if (!std::ranges::any_of(table.metrics, has_values)) continue;
    for (IterationMetric& metric : table.metrics)
      std::copy(metric.values.begin() + begin, metric.values.begin() + end,
                metric.values.begin() + static_cast<std::ptrdiff_t>(kept * width));
    table.rows[kept++] = table.rows[row];
  }
  table.rows.resize(kept);
  for (IterationMetric& metric : table.metrics) metric.values.resize(kept * width);
}

void add_iteration_table(const IterationTable& table, std::vector<ReportFile>& files) {
  if (table.rows.empty()) return;
  ByteWriter out;
  out.varint(kIterationFileVersion);
  out.text(table.region);
  out.u8(table.is_marked_loop);
  out.varint(table.ranks.size());
  for (const std::int64_t rank : table.ranks) out.varint(zigzag(rank));
  out.varint(table.rows.size());
  for (const IterationRange& row : table.rows) {
    out.varint(zigzag(row.first));
    out.varint(zigzag(row.last));
    out.varint(row.count);
  }
  for (const IterationMetric& metric : table.metrics) put_metric(out, metric);
  files.push_back({kIterationFile, std::move(out.bytes())});
}

Result<IterationTable> read_iteration_table(const std::vector<ReportFile>& files) {
  const auto file = std::ranges::find(files, kIterationFile, &ReportFile::name);
  if (file == files.end()) return IterationTable();
  ByteReader in(file->bytes);
  if (in.varint() != kIterationFileVersion)
    return Error{kIterationFile, "has a form that this version does not know", "use the version that wrote the report"};
  IterationTable table;
  table.region = in.text();
  table.is_marked_loop = in.u8() != 0;
  for (std::uint64_t left = in.varint(); left > 0 && !in.failed(); --left) table.ranks.push_back(get_signed(in));
  for (std::uint64_t left = in.varint(); left > 0 && !in.failed(); --left) {
    const std::int64_t first = get_signed(in), last = get_signed(in);
    table.rows.push_back({first, last, in.varint()});
  }
  const std::size_t width = table.ranks.size();
  const bool fits = width == 0 || table.rows.size() <= file->bytes.size() / width;
  while (fits && !is_at_end(in, *file) && !in.failed())
    table.metrics.push_back(get_metric(in, table.rows.size() * width));
  const auto is_malformed = [](const IterationRange& row) { return row.count == 0 || row.last < row.first; };
  if (in.failed() || !fits || width == 0 || std::ranges::any_of(table.rows, is_malformed))
    return Error{kIterationFile, "is malformed", ""};
  return table;
}

}  // namespace tarry
