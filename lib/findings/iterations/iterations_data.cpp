// iterations_data.cpp -- values by iteration and process for programs: CSV and JSON.
#include "findings/iterations/iterations_data.hpp"

#include "base/text/csv.hpp"
#include "base/text/json.hpp"
#include "findings/imbalance/imbalance_over_time.hpp"
#include "findings/iterations/iteration_spread.hpp"

namespace tarry {
namespace {

constexpr int kIterationsVersion = 1;

void add_spread(JsonWriter& json, const IterationSeries& series, std::size_t row) {
  const Spread spread = spread_over_processes(series.mean_row(row));
  json.begin_object().member("min", spread.least).member("q1", spread.first_quartile).member("median", spread.median);
  json.member("q3", spread.third_quartile).member("max", spread.most);
  json.member("rank", series.ranks[spread.largest]).end();
}

void add_course(JsonWriter& json, const IterationSeries& series) {
  const ImbalanceOverTime found = classify_over_time(series);
  json.name("over_time").begin_object().member("course", name_of(found.course)).member("left_out", found.left_out);
  json.member("imbalance", found.imbalance);
  json.member("static_fraction", found.static_fraction).member("slow_fraction", found.slow_fraction);
  json.member("neighbour_correlation", found.neighbour_correlation);
  json.member("distant_correlation", found.distant_correlation).end();
}

void add_series(JsonWriter& json, const IterationSeries& series) {
  json.begin_object(JsonWriter::Layout::kLines).member("metric", series.metric).member("unit", series.unit);
  json.name("values").begin_array(JsonWriter::Layout::kLines);
  for (std::size_t row = 0; row < series.iterations.size(); ++row) {
    json.begin_array();
    for (const double value : series.row(row)) json.add(value);
    json.end();
  }
  json.end().name("spread").begin_array(JsonWriter::Layout::kLines);
  for (std::size_t row = 0; row < series.iterations.size(); ++row) add_spread(json, series, row);
  json.end().name("outliers").begin_array(JsonWriter::Layout::kLines);
  for (const OutlyingIteration& outlier : find_outlying(series)) {
    const IterationRange& range = series.iterations[outlier.row];
    json.begin_object().member("iteration", range.first).member("mean", outlier.mean).member("median", outlier.median);
    json.member("rank", series.ranks[outlier.largest]).member("most", outlier.most).end();
  }
  json.end();
  add_course(json, series);
  json.end();
}

}  // namespace

std::string iterations_csv(const IterationTable& table) {
  CsvWriter csv("iteration,count,metric,rank,value");
  for (const IterationMetric& metric : table.metrics) {
    const IterationSeries series = series_of(table, metric);
    for (std::size_t row = 0; row < series.iterations.size(); ++row)
      for (std::size_t p = 0; p < series.ranks.size(); ++p) {
        csv.add(series.iterations[row].first).add(series.iterations[row].count).add(series.metric);
        csv.add(series.ranks[p]).add(series.row(row)[p]).end_row();
      }
  }
  return csv.take();
}

std::string iterations_json(const IterationTable& table) {
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kLines).member("version", kIterationsVersion).member("region", table.region);
  json.member("is_marked_loop", table.is_marked_loop);
  json.name("ranks").begin_array();
  for (const std::int64_t rank : table.ranks) json.add(rank);
  json.end().name("iterations").begin_array(JsonWriter::Layout::kLines);
  for (const IterationRange& range : table.rows)
    json.begin_object().member("first", range.first).member("last", range.last).member("count", range.count).end();
  json.end().name("metrics").begin_array(JsonWriter::Layout::kLines);
  for (const IterationMetric& metric : table.metrics) add_series(json, series_of(table, metric));
  json.end().end();
  return json.take();
}

}  // namespace tarry
