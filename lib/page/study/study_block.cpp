// study_block.cpp -- a scaling study as the page holds it.
#include "page/study/study_block.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/processes/worker_pool.hpp"
#include "scaling/modelled_rows.hpp"
#include "scaling/scale_data.hpp"
#include "scaling/scale_runs.hpp"
#include "scaling/speedups.hpp"

namespace tarry {
namespace {

constexpr std::size_t kMostCells = 20'000;        // of regions, by configuration
constexpr std::size_t kMostConfigurations = 500;  // in tables and charts
constexpr std::size_t kMostRepeats = 16;          // of a point that are drawn
constexpr std::size_t kMostMeasuredPlaces = 24;   // of a curve, beside those between

// A model along one parameter, and its band; the others stay at their largest values.
struct Curve {
  std::vector<double> at, value, lower, upper;
};

std::vector<double> places_along(const ModelledRow& row, std::size_t parameter) {
  std::vector<double> measured;
  for (const MeasuredPoint& point : row.series.points) measured.push_back(point.at[parameter]);
  std::sort(measured.begin(), measured.end());
  measured.erase(std::unique(measured.begin(), measured.end()), measured.end());
  const double least = measured.front(), most = std::max(measured.back(), row.at[parameter]);
  std::vector<double> places = {least, measured.back(), most};
  const std::size_t stride = (measured.size() + kMostMeasuredPlaces - 1) / kMostMeasuredPlaces;
  for (std::size_t i = 0; i < measured.size(); i += stride) places.push_back(measured[i]);
  const int first = static_cast<int>(std::floor(std::log10(least))), last = static_cast<int>(std::log10(most)) + 1;
  const int step = std::max(1, (last - first) / 20);
  for (int power = first; power <= last; power += step)
    for (const double factor : {1.0, 2.0, 5.0})
      if (const double place = factor * std::pow(10, power); place > least && place < most) places.push_back(place);
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

Curve curve_along(const ModelledRow& row, std::size_t parameter) {
  std::vector<double> at;
  for (std::size_t k = 0; k < row.series.parameters.size(); ++k) at.push_back(largest_of(row.series.points, k));
  Curve curve;
  curve.at = places_along(row, parameter);
  for (const double place : curve.at) {
    at[parameter] = place;
    const auto band = band_at(row, at);
    curve.value.push_back(row.model->at(at));
    curve.lower.push_back(band ? band->lower : std::nan(""));
    curve.upper.push_back(band ? band->upper : std::nan(""));
  }
  return curve;
}

void add_numbers(JsonWriter& json, const char* name, const std::vector<double>& numbers) {
  json.name(name).begin_array();
  for (const double number : numbers) json.add(number);
  json.end();
}

void add_curves(JsonWriter& json, const std::vector<Curve>& curves) {
  json.begin_array();
  for (const Curve& curve : curves) {
    json.begin_object();
    add_numbers(json, "at", curve.at);
    add_numbers(json, "value", curve.value);
    add_numbers(json, "lower", curve.lower);
    add_numbers(json, "upper", curve.upper);
    json.end();
  }
  json.end();
}

// Of many repeats the page has some, from the least to the most.
void thin_repeats(MeasuredSeries& series) {
  for (MeasuredPoint& point : series.points) {
    if (point.values.size() <= kMostRepeats) continue;
    std::sort(point.values.begin(), point.values.end());
    std::vector<double> some;
    for (std::size_t i = 0; i < kMostRepeats; ++i)
      some.push_back(point.values[i * (point.values.size() - 1) / (kMostRepeats - 1)]);
    point.values = std::move(some);
  }
}

// What is known of all repeats: their means and how many there are, by point.
void add_means(JsonWriter& json, const std::vector<ModelledRow>& rows, const std::vector<std::size_t>& kept) {
  json.name("means").begin_array(JsonWriter::Layout::kLines);
  for (const std::size_t index : kept) {
    json.begin_array();
    for (const MeasuredPoint& point : rows[index].series.points) json.add(point.mean());
    json.end();
  }
  json.end().name("counts").begin_array(JsonWriter::Layout::kLines);
  for (const std::size_t index : kept) {
    json.begin_array();
    for (const MeasuredPoint& point : rows[index].series.points) json.add(point.values.size());
    json.end();
  }
  json.end();
}

// Of each metric those that predict most, and then those that have no model.
std::vector<std::size_t> kept_rows(const std::vector<ModelledRow>& rows) {
  std::vector<std::size_t> kept;
  std::map<std::string, std::size_t> counts;  // by metric
  std::size_t values = 0;
  for (const std::size_t index : ranked_rows(rows)) {
    const MeasuredSeries& series = rows[index].series;
    if (++counts[series.metric] > kMostStudyRows) continue;
    for (const MeasuredPoint& point : series.points) values += std::min(point.values.size(), kMostRepeats);
    if (values > kMostStudyValues && !kept.empty()) break;
    kept.push_back(index);
  }
  return kept;
}

void add_models(JsonWriter& json, std::vector<ModelledRow>& rows, unsigned workers) {
  const std::vector<std::size_t> kept = kept_rows(rows);
  std::vector<std::vector<Curve>> curves(kept.size());
  run_parallel(workers ? workers : available_processors(), kept.size(), [&](std::size_t i) {
    const ModelledRow& row = rows[kept[i]];
    if (!row.model) return;
    for (std::size_t k = 0; k < row.series.parameters.size(); ++k) curves[i].push_back(curve_along(row, k));
  });
  add_means(json, rows, kept);
  for (const std::size_t index : kept) thin_repeats(rows[index].series);
  json.name("models").begin_array(JsonWriter::Layout::kLines);
  for (const std::size_t index : kept) add_row_object(json, rows[index]);
  json.end().name("curves").begin_array(JsonWriter::Layout::kLines);
  for (const auto& of_row : curves) add_curves(json, of_row);
  json.end().member("rows_left_out", rows.size() - kept.size());
}

void add_no_models(JsonWriter& json, const Error& error) {
  for (const char* name : {"models", "curves", "means", "counts"}) json.name(name).begin_array().end();
  json.member("rows_left_out", 0).member("why", error.text());
}

// The page has the longest regions.
Study shortened(Study study) {
  const std::size_t configurations = study.configurations.size();
  const std::size_t most = std::min(kMostStudyRows, std::max<std::size_t>(1, kMostCells / configurations));
  if (study.regions.size() > most) study.regions.resize(most);
  return study;
}

Status add_level(JsonWriter& json, const ScaleOptions& options) {
  TARRY_TRY_ASSIGN(runs, read_scale_runs(options));
  for (const Scaling scaling : {Scaling::kStrong, Scaling::kWeak}) {
    const Study study = make_study(runs, scaling);
    if (study.configurations.size() > kMostConfigurations)
      return Error{std::to_string(study.configurations.size()) + " choices of parameters",
                   "the page takes up to " + std::to_string(kMostConfigurations), "choose runs: --where"};
    json.name(scaling == Scaling::kWeak ? "weak" : "strong").begin_object();
    const std::size_t all = study.regions.size();
    const Study kept = shortened(study);
    add_study(json, kept);
    json.member("regions_left_out", all - kept.regions.size()).end();
  }
  auto series = series_of_runs(runs);
  auto rows = series.ok() ? model_series(std::move(series).value(), options) : series.error();
  if (rows.ok()) add_models(json, rows.value(), options.workers);
  else add_no_models(json, rows.error());
  return {};
}

}  // namespace

Result<std::string> study_block(ScaleOptions options) {
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kLines);
  for (const bool is_by_region : {false, true}) {
    options.is_by_region = is_by_region;
    json.name(is_by_region ? "region" : "callpath").begin_object(JsonWriter::Layout::kLines);
    TARRY_TRY(add_level(json, options));
    json.end();
  }
  return json.end().take();
}

}  // namespace tarry
