// series_builder.hpp -- collects values by call path and metric, and by the parameters they were measured with.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "scaling/model/measured_points.hpp"

namespace tarry {

/// Values of one or more runs become one series for each call path and metric, in the order they came.
class SeriesBuilder {
 public:
  explicit SeriesBuilder(std::vector<std::string> parameters) : parameters_(std::move(parameters)) {}

  /// One value of one run. `at` has a place for each parameter, empty where the series does not know it.
  void add(const std::string& call_path, const std::string& metric, const std::vector<std::optional<double>>& at,
           double value);

  /// All series. Fails if some values of a series have a parameter and others have not, or if there are too many
  /// points. Parameters that do not vary are left out.
  Result<std::vector<MeasuredSeries>> finish(const std::string& input) const;

 private:
  using Key = std::vector<std::optional<double>>;
  struct Collected {
    std::string call_path, metric;
    std::map<Key, std::vector<double>> values;
  };

  Result<MeasuredSeries> series_of(const Collected& collected, const std::string& input) const;

  std::vector<std::string> parameters_;
  std::map<std::pair<std::string, std::string>, std::size_t> index_;
  std::vector<Collected> collected_;
};

}  // namespace tarry
