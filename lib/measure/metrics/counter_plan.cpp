// counter_plan.cpp -- tries the counters out that were asked for.
#include "measure/metrics/counter_plan.hpp"

#include <algorithm>
#include <cstring>

#include "measure/metrics/counter_set.hpp"
#include "measure/metrics/metric_plugin.hpp"
#include "measure/metrics/papi_library.hpp"
#include "measure/user/tarry/metric_plugin.h"

namespace tarry::measure {
namespace {

class Planner {
 public:
  CounterPlan make(const std::string& list, const std::string& plugins) {
    const auto chosen =
        list.empty() ? Result<std::vector<ChosenMetric>>(std::vector<ChosenMetric>()) : parse_metrics(list);
    if (!chosen.ok()) return {{}, chosen.error().why};
    for (const ChosenMetric& metric : chosen.value()) metric.info ? plan_own(metric) : plan_papi(metric);
    for (const PluginChoice& plugin : parse_plugins(plugins)) plan_plugin(plugin);
    for (std::size_t i = 0; i < missing_.size(); ++i)
      plan_.complaints += (i ? "; " : "") + missing_[i].second + ": not counted: " + missing_[i].first;
    return std::move(plan_);
  }

 private:
  void plan_own(const ChosenMetric& metric) {
    const MetricInfo& info = *metric.info;
    plan_.counters.push_back({info.name, info.unit, info.description, info.mode, info.source, info.code});
    if (std::string why = try_counter(plan_.counters.back()); !why.empty()) {
      plan_.counters.pop_back();
      miss(metric.name, std::move(why));
    }
  }

  void plan_papi(const ChosenMetric& metric) {
    std::string why;
    PapiLibrary* const papi = PapiLibrary::load(why);
    if (!papi) return miss(metric.name, why);
    PapiEvent event;
    if (!papi->find(metric.name, event, why)) return miss(metric.name, why_papi_cannot(*papi, metric.name, why));
    plan_.counters.push_back(
        {metric.name, event.unit, event.description, event.mode, CounterSource::kPapi, 0, event.component});
    if (why = try_papi(*papi, event.component); why.empty()) return;
    plan_.counters.pop_back();
    miss(metric.name, why);
  }

  void plan_plugin(const PluginChoice& choice) {
    auto started = MetricPlugin::start(choice, kMaxMetrics - plan_.counters.size());
    if (!started.ok()) return miss(choice.path, started.error().why);
    for (const tarry_plugin_metric& metric : (*started)->metrics())
      plan_.counters.push_back(
          {.name = text_of(metric.name, "(no name)"),
           .unit = text_of(metric.unit, ""),
           .description = text_of(metric.description, ""),
           .mode = metric.kind == TARRY_PLUGIN_LEVEL ? CounterMode::kAbsolutePoint : CounterMode::kSinceStart,
           .source = CounterSource::kOther,
           .plugin = *started});
  }

  // A plug-in's texts may have any length.
  static std::string text_of(const char* text, const char* otherwise) {
    constexpr std::size_t kMostBytes = 200;
    return text && *text ? std::string(text, ::strnlen(text, kMostBytes)) : otherwise;
  }

  // With the ones of its component that were taken before: there may not be room for all.
  std::string try_papi(const PapiLibrary& papi, int component) const {
    std::vector<std::string> names;
    for (const PlannedCounter& counter : plan_.counters)
      if (counter.source == CounterSource::kPapi && counter.component == component) names.push_back(counter.name);
    std::string why;
    const int set = papi.start(names, why);
    if (set >= 0) papi.stop(set, names.size());
    return set >= 0 ? "" : "PAPI: " + why;
  }

  static std::string why_papi_cannot(const PapiLibrary& papi, const std::string& name, const std::string& why) {
    const bool is_of_processor = name.find(":::") == std::string::npos;
    if (is_of_processor && papi.count_hardware_counters() == 0) {
      const std::string reason = papi.why_no_hardware_counters();
      return "no hardware counters on this machine" + (reason.empty() ? "" : " (" + reason + ")");
    }
    return "PAPI: " + why;
  }

  // Names that lack for the same reason are together.
  void miss(const std::string& name, std::string why) {
    const auto same = std::find_if(missing_.begin(), missing_.end(), [&](auto& each) { return each.second == why; });
    if (same == missing_.end()) missing_.emplace_back(name, std::move(why));
    else same->first += ", " + name;
  }

  CounterPlan plan_;
  std::vector<std::pair<std::string, std::string>> missing_;  // names, reason
};

}  // namespace

CounterPlan plan_counters(const std::string& list, const std::string& plugins) { return Planner().make(list, plugins); }

}  // namespace tarry::measure
