// metric_choice.cpp -- --metrics: what there is on this machine, and whether a list can be meant.
#include "metric_choice.hpp"

#include <algorithm>

#include "base/text/format.hpp"
#include "measure/metrics/metric_list.hpp"
#include "measure/metrics/papi_library.hpp"

namespace tarry {
namespace {

using measure::PapiLibrary;

constexpr std::size_t kNameWidth = 18, kUnitWidth = 6;
constexpr std::size_t kMostListed = 2000;  // native events of a large processor

std::string line(const std::string& name, const std::string& unit, const std::string& description) {
  return "  " + pad_right(name, kNameWidth) + " " + pad_right(unit, kUnitWidth) + " " + description + "\n";
}

std::string heading(CounterSource source) {
  switch (source) {
    case CounterSource::kSoftware: return "software: events of the kernel (perf_event_open)";
    case CounterSource::kResourceUsage: return "rusage: fields of getrusage";
    default: return "heap: malloc and its like";
  }
}

std::string papi_help() {
  std::string why;
  const PapiLibrary* papi = PapiLibrary::load(why);
  if (!papi) return "PAPI: " + why + "; with it, its presets and native events can be counted too\n";
  std::string text;
  if (papi->count_hardware_counters() == 0) {
    const std::string reason = papi->why_no_hardware_counters();
    text = "PAPI: no hardware counters on this machine" + (reason.empty() ? "" : " (" + reason + ")") + "\n";
  }
  const std::vector<std::string> names = papi->list(kMostListed);
  if (names.empty()) text += "PAPI: none of its events can be counted here; papi_component_avail tells why\n";
  else text += "PAPI: presets and native events that can be counted here\n";
  for (const std::string& name : names) {
    measure::PapiEvent event;
    if (papi->find(name, event, why)) text += line(name, event.unit, event.description);
  }
  if (names.size() == kMostListed) text += "  and more: see papi_native_avail\n";
  return text;
}

// "perf::" of "perf::PAGE-FAULTS", "net:::" of "net:::eth0".
std::string native_prefix(const std::string& name) {
  const std::size_t end = name.find_first_not_of(':', name.find("::"));
  return name.substr(0, end);
}

Status check_papi_name(const std::string& name) {
  std::string why;
  const PapiLibrary* papi = PapiLibrary::load(why);
  if (!papi || papi->knows(name)) return {};
  const bool is_preset = name.starts_with("PAPI_");
  if (!is_preset && !papi->has_native_prefix(native_prefix(name))) return {};
  return Error{"metrics", "PAPI has no event '" + name + "'",
               is_preset ? "papi_avail lists them" : "papi_native_avail lists them"};
}

// Whether a list names a counter of ours that is such a one.
bool has_any(const std::string& list, bool (*is_such)(const measure::MetricInfo&)) {
  const auto chosen = measure::parse_metrics(list);
  return chosen.ok() && std::ranges::any_of(chosen.value(), [&](const measure::ChosenMetric& metric) {
           return metric.info && is_such(*metric.info);
         });
}

}  // namespace

std::string metrics_help() {
  std::string text =
      "Counters for --metrics, in a list between commas; the word before a colon means all of a source.\n";
  for (const measure::MetricGroup& group : measure::metric_groups()) {
    text += "\n" + heading(group.source) + "\n";
    for (const measure::MetricInfo& info : measure::known_metrics())
      if (info.source == group.source) text += line(info.name, info.unit, info.description);
  }
  return text + "\n" + papi_help();
}

Status check_metrics(const std::string& list) {
  TARRY_TRY_ASSIGN(chosen, measure::parse_metrics(list));
  for (const measure::ChosenMetric& metric : chosen)
    if (!metric.info) TARRY_TRY(check_papi_name(metric.name));
  return {};
}

bool needs_heap_library(const std::string& list) {
  return has_any(list, [](const measure::MetricInfo& info) { return info.source == CounterSource::kHeap; });
}

bool needs_summary(const std::string& list) {
  return has_any(list, [](const measure::MetricInfo& info) { return measure::is_of_paths(info.source, info.code); });
}

}  // namespace tarry
