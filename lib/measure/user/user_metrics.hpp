// user_metrics.hpp -- metrics that the program counts itself: TARRY_METRIC_* and SCOREP_USER_METRIC_*.
//
// A metric is known by its name. A trace has a record for each value, and a summary has their sum for each call path,
// or the highest one (core/counter_sums.hpp).
//
// Calls: handler-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "defs/definitions.hpp"
#include "measure/core/adapter.hpp"

namespace tarry::measure {

struct UserMetric {
  UserMetric(std::string_view metric_name, std::string_view metric_unit, CounterType value_type, bool has_levels)
      : name(metric_name), unit(metric_unit), type(value_type), is_level(has_levels) {}

  const std::string name, unit;
  const CounterType type;
  const bool is_level;
  std::atomic<std::uint32_t> number{0};  // from 1 on
  std::atomic<CounterId> definition{};
};

/// The one metric of that name; trailing blanks do not count. Unit, type and kind are those that it is asked for with
/// first. nullptr: there are too many.
UserMetric* user_metric(std::string_view name, std::string_view unit, CounterType type, bool is_level);

/// By UserMetric::number; nullptr: there is none.
UserMetric* find_user_metric(std::uint32_t number);

/// A value of the metric for the call path that is open, made a value of the metric's type.
void record_user_metric(UserMetric& metric, std::int64_t value);
void record_user_metric(UserMetric& metric, std::uint64_t value);
void record_user_metric(UserMetric& metric, double value);

/// Where the program calls the functions behind the macros, each call path has room for values.
extern const Adapter kUserMetricAdapter;

}  // namespace tarry::measure
