// modelled_rows.cpp -- the model of each call path and metric, and what it predicts.
#include "scaling/modelled_rows.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/text/format.hpp"
#include "base/text/text.hpp"
#include "base/processes/worker_pool.hpp"
#include "scaling/model/reference_choice.hpp"
#include "scaling/scale_runs.hpp"

namespace tarry {
namespace {

constexpr double kManyProcesses = 100'000;
constexpr double kFarBeyond = 16;  // of other parameters, times the largest

// Squares of larger values, or of smaller ones, are no numbers.
constexpr double kLargestValue = 1e100;

bool has_extreme_values(const std::vector<MeasuredPoint>& points) {
  const auto is_extreme = [](double value) {
    return value != 0 && !(std::abs(value) <= kLargestValue && std::abs(value) >= 1 / kLargestValue);
  };
  return std::any_of(points.begin(), points.end(), [&](const MeasuredPoint& point) {
    return std::any_of(point.values.begin(), point.values.end(), is_extreme);
  });
}

double default_place(const MeasuredSeries& series, std::size_t parameter) {
  const double largest = largest_of(series.points, parameter);
  if (parameter > 0) return largest;
  const bool is_processes = is_one_of(series.parameters[0], {kProcesses, "p", "procs", "ranks"});
  return is_processes ? std::max(kManyProcesses, largest) : kFarBeyond * largest;
}

std::vector<double> place_of(const MeasuredSeries& series, const ScaleOptions& options) {
  std::vector<double> at;
  for (std::size_t k = 0; k < series.parameters.size(); ++k) {
    at.push_back(default_place(series, k));
    for (const auto& [name, value] : options.at)
      if (name == series.parameters[k] || (name.empty() && k == 0)) at.back() = value;
  }
  return at;
}

void model_row(ModelledRow& row, const ScaleOptions& options) {
  const std::vector<MeasuredPoint>& points = row.series.points;
  if (row.series.parameters.empty()) return;
  if (has_extreme_values(points)) {
    row.why_none = "values beyond 1e100 or below 1e-100";
    return;
  }
  if (options.is_like_reference) {
    row.model = reference_choice(points);
  } else {
    row.choice = evidence_choice(points);
    if (row.choice) row.model = row.choice->model;
  }
  if (!row.model) return;
  for (ModelTerm& term : row.model->terms) term.growths.resize(row.series.parameters.size());
  row.at = place_of(row.series, options);
  row.prediction = row.model->at(row.at);
  row.band = band_at(row, row.at);
}

void set_shares(std::vector<ModelledRow>& rows) {
  std::map<std::string, double> sums;
  for (const ModelledRow& row : rows)
    if (row.model) sums[row.series.metric] += std::max(row.prediction, 0.0);
  for (ModelledRow& row : rows) {
    const double sum = sums[row.series.metric];
    if (row.model && sum > 0) row.share = std::max(row.prediction, 0.0) / sum;
  }
}

Status check_places(const std::vector<MeasuredSeries>& series, const ScaleOptions& options) {
  for (const auto& [name, value] : options.at) {
    const bool is_known =
        name.empty() || std::any_of(series.begin(), series.end(), [&](const MeasuredSeries& one) {
          return std::find(one.parameters.begin(), one.parameters.end(), name) != one.parameters.end();
        });
    if (!is_known) return Error{"--at " + name, "no value varies with this parameter", "name one that does"};
  }
  return {};
}

}  // namespace

std::optional<ConfidenceBand> band_at(const ModelledRow& row, std::span<const double> parameters) {
  if (row.choice) return band_of(*row.choice, parameters);
  return row.model ? band_of(*row.model, row.series.points, parameters) : std::nullopt;
}

Result<std::vector<ModelledRow>> model_series(std::vector<MeasuredSeries> series, const ScaleOptions& options) {
  TARRY_TRY(check_places(series, options));
  std::vector<ModelledRow> rows(series.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].series = std::move(series[i]);
  run_parallel(options.workers ? options.workers : available_processors(), rows.size(),
               [&](std::size_t i) { model_row(rows[i], options); });
  set_shares(rows);
  return rows;
}

std::vector<std::size_t> ranked_rows(const std::vector<ModelledRow>& rows) {
  std::map<std::string, std::size_t> metrics;  // in the order they come
  for (const ModelledRow& row : rows) metrics.try_emplace(row.series.metric, metrics.size());
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
    const ModelledRow &a = rows[left], &b = rows[right];
    if (a.series.metric != b.series.metric) return metrics[a.series.metric] < metrics[b.series.metric];
    if (a.model.has_value() != b.model.has_value()) return a.model.has_value();
    return a.prediction > b.prediction;
  });
  return order;
}

std::string place_text(const ModelledRow& row) {
  std::string text;
  for (std::size_t k = 0; k < row.at.size(); ++k)
    text += (text.empty() ? "" : ", ") + row.series.parameters[k] + " = " + format_number(row.at[k], "%.10g");
  return text;
}

}  // namespace tarry
