// points_file.cpp -- reads measured values from a table.
#include "points_file.hpp"

#include <algorithm>
#include <optional>

#include "base/text/csv.hpp"
#include "base/files/file.hpp"
#include "base/text/text.hpp"
#include "scaling/series_builder.hpp"

namespace tarry {
namespace {

constexpr const char* kColumnsHint = "the first line reads callpath,metric,PARAMETER...,value";

Result<std::vector<std::string>> parameters_of(const CsvTable& table, const std::string& path) {
  std::vector<std::string> parameters;
  for (const std::string& name : table.header()) {
    if (is_one_of(name, {"callpath", "metric", "value"})) continue;
    if (name.empty()) return Error{path, "has a column without a name", kColumnsHint};
    if (std::find(parameters.begin(), parameters.end(), name) != parameters.end())
      return Error{path, "has two columns '" + name + "'", kColumnsHint};
    parameters.push_back(name);
  }
  for (const char* name : {"callpath", "metric", "value"})
    if (!table.has_column(name)) return Error{path, "has no column " + std::string(name), kColumnsHint};
  if (parameters.empty()) return Error{path, "has no column of a parameter", kColumnsHint};
  return parameters;
}

Result<std::optional<double>> parameter_at(const CsvTable& table, std::size_t row, const std::string& name,
                                           const std::string& place) {
  const std::string& text = table.text(row, name);
  if (text.empty()) return std::optional<double>();
  const auto value = table.number(row, name);
  if (!value || *value <= 0)
    return Error{place, "the parameter " + name + " is '" + text + "'", "parameters are numbers above 0"};
  return value;
}

}  // namespace

Result<std::vector<MeasuredSeries>> read_points_file(const std::string& path) {
  TARRY_TRY_ASSIGN(bytes, read_file(path));
  const CsvTable table = CsvTable::parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (table.is_cut())
    return Error{path, "has quotes without an end behind row " + std::to_string(table.size() + 1),
                 "fields in quotes double the quotes in them"};
  TARRY_TRY_ASSIGN(parameters, parameters_of(table, path));
  SeriesBuilder builder(parameters);
  for (std::size_t row = 0; row < table.size(); ++row) {
    const std::string place = path + ", row " + std::to_string(row + 2);
    std::vector<std::optional<double>> at;
    for (const std::string& name : parameters) {
      TARRY_TRY_ASSIGN(value, parameter_at(table, row, name, place));
      at.push_back(value);
    }
    const auto value = table.number(row, "value");
    if (!value) return Error{place, "the value is '" + table.text(row, "value") + "'", "values are finite numbers"};
    builder.add(table.text(row, "callpath"), table.text(row, "metric"), at, *value);
  }
  if (table.size() == 0) return Error{path, "holds no values", "one row for each value of each run"};
  return builder.finish(path);
}

}  // namespace tarry
