// series_builder.cpp -- collects values by call path and metric, and by the parameters they were measured with.
#include "scaling/series_builder.hpp"

#include <set>

namespace tarry {

void SeriesBuilder::add(const std::string& call_path, const std::string& metric,
                        const std::vector<std::optional<double>>& at, double value) {
  const auto [found, is_new] = index_.try_emplace({call_path, metric}, collected_.size());
  if (is_new) collected_.push_back({.call_path = call_path, .metric = metric, .values = {}});
  collected_[found->second].values[at].push_back(value);
}

Result<MeasuredSeries> SeriesBuilder::series_of(const Collected& collected, const std::string& input) const {
  MeasuredSeries series{.call_path = collected.call_path, .metric = collected.metric, .parameters = {}, .points = {}};
  const auto name = [&] { return "'" + collected.metric + "' of '" + collected.call_path + "'"; };
  std::vector<std::size_t> varying;
  for (std::size_t k = 0; k < parameters_.size(); ++k) {
    std::set<std::optional<double>> values;
    for (const auto& [at, unused] : collected.values) values.insert(at[k]);
    if (values.size() < 2) continue;
    if (!values.begin()->has_value())
      return Error{input, name() + " has the parameter " + parameters_[k] + " in some rows only", "give it in all"};
    varying.push_back(k);
    series.parameters.push_back(parameters_[k]);
  }
  if (varying.size() > kMostParameters)
    return Error{input, name() + " varies with " + std::to_string(varying.size()) + " parameters",
                 "models have up to " + std::to_string(kMostParameters) + ": keep the others fixed"};
  for (const auto& [at, values] : collected.values) {
    MeasuredPoint point{.at = {}, .values = values};
    for (const std::size_t k : varying) point.at.push_back(*at[k]);
    series.points.push_back(std::move(point));
  }
  if (series.points.size() > kMostPoints)
    return Error{input, name() + " has " + std::to_string(series.points.size()) + " points",
                 "models take up to " + std::to_string(kMostPoints)};
  return series;
}

Result<std::vector<MeasuredSeries>> SeriesBuilder::finish(const std::string& input) const {
  std::vector<MeasuredSeries> all;
  for (const Collected& collected : collected_) {
    TARRY_TRY_ASSIGN(series, series_of(collected, input));
    all.push_back(std::move(series));
  }
  return all;
}

}  // namespace tarry
