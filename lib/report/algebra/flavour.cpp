// flavour.cpp -- exclusive and inclusive values of stored metrics.
#include "report/algebra/flavour.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "report/tree/call_path_tree.hpp"

namespace tarry {

double without_children(double whole, double children) {
  const double own = whole - children;
  const double scale = std::max(std::abs(whole), std::abs(children));
  if (std::abs(own) > 4 * DBL_EPSILON * scale) return own;
  const double last_place = std::nextafter(scale, DBL_MAX) - scale;
  return std::abs(own) <= 2 * last_place ? 0 : own;
}

void combine_rows(ValueFormat format, std::span<double> into, std::span<const double> from) {
  const std::size_t width = format.components();
  if (width == 1 && is_additive(format.type)) {
    for (std::size_t i = 0; i < into.size(); ++i) into[i] += from[i];
    return;
  }
  for (std::size_t at = 0; at < into.size(); at += width)
    combine_values(format, into.subspan(at, width), from.subspan(at, width));
}

void numbers_of_row(ValueFormat format, std::span<const double> row, std::vector<double>& numbers) {
  const std::size_t width = format.components();
  numbers.resize(row.size() / width);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = number_of(format, row.subspan(i * width, width));
}

void FlavourReader::add_row(MetricId metric, CallPathId path, std::span<double> into) {
  if (!source_.has_row(metric, path)) return;
  scratch_.resize(into.size());
  source_.read_row(metric, path, scratch_);
  combine_rows(source_.structure().metrics[metric.value].format(), into, scratch_);
}

bool FlavourReader::has_exclusive(MetricId metric, CallPathId path) const {
  if (source_.has_row(metric, path)) return true;
  if (!is_stored_inclusive(metric)) return false;
  const auto children = source_.call_tree().children(path.value);
  return std::any_of(children.begin(), children.end(),
                     [&](std::uint32_t child) { return source_.has_row(metric, CallPathId(child)); });
}

bool FlavourReader::has_inclusive(MetricId metric, CallPathId path) const {
  if (is_stored_inclusive(metric)) return source_.has_row(metric, path);
  std::vector<std::uint32_t> open{path.value};
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    if (source_.has_row(metric, CallPathId(at))) return true;
    const auto children = source_.call_tree().children(at);
    open.insert(open.end(), children.begin(), children.end());
  }
  return false;
}

bool FlavourReader::read_exclusive(MetricId metric, CallPathId path, std::span<double> row) {
  const bool is_stored = has_exclusive(metric, path);
  source_.read_row(metric, path, row);
  if (!is_stored || !is_stored_inclusive(metric)) return is_stored;
  children_.assign(row.size(), 0);
  for (const std::uint32_t child : source_.call_tree().children(path.value))
    add_row(metric, CallPathId(child), children_);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = without_children(row[i], children_[i]);
  return true;
}

bool FlavourReader::read_inclusive(MetricId metric, CallPathId path, std::span<double> row) {
  if (is_stored_inclusive(metric)) {
    source_.read_row(metric, path, row);
    return source_.has_row(metric, path);
  }
  fill_neutral(source_.structure().metrics[metric.value].format(), row);
  bool is_stored = false;
  std::vector<std::uint32_t> open{path.value};
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    is_stored = is_stored || source_.has_row(metric, CallPathId(at));
    add_row(metric, CallPathId(at), row);
    const auto children = source_.call_tree().children(at);
    open.insert(open.end(), children.begin(), children.end());
  }
  return is_stored;
}

}  // namespace tarry
