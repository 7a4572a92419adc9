// metric_catalogue.cpp -- the tables of metrics and of kinds of waits, made of metrics.def and wait_kinds.def.
#include <algorithm>
#include <array>
#include <vector>

#include "report/metrics/metrics.hpp"
#include "report/metrics/wait_kinds.hpp"

namespace tarry {
namespace {

using enum Metric;

constexpr std::uint8_t needs_of(WaitSource source) {
  switch (source) {
    case WaitSource::kMessages: return kNeedsMessages;
    case WaitSource::kRequests: return kNeedsMessages | kNeedsCollectives;
    case WaitSource::kCollectives: return kNeedsCollectives;
    case WaitSource::kWindows: return kNeedsWindows;
    case WaitSource::kThreads:
    case WaitSource::kDevices: break;
  }
  return kNeedsNothing;
}

constexpr MetricInfo kMetrics[] = {
#define TREE(id, name, display, unit, needs, file, description) \
  {id, kNone, name, display, unit, file, description, needs},
#define METRIC(id, parent, name, display, unit, file, description) {id, parent, name, display, unit, file, description},
#include "report/metrics/metrics.def"
#define WAIT(id, parent, name, display, file, description, source, ...) \
  {k##id, parent, name, display, "sec", "lib/analysis/waits/" file, description, needs_of(WaitSource::source)},
#define COST(id, parent, stem, display, waits, short_term, long_term, label, source, pairing, reference, file)   \
  {kDelay##id##All,                                                                                              \
   parent,                                                                                                       \
   "delay_" stem "_aggregate",                                                                                   \
   display,                                                                                                      \
   "sec",                                                                                                        \
   "lib/analysis/" file,                                                                                         \
   waits ", short-term and long-term"},                                                                          \
      {kDelay##id, kDelay##id##All, "delay_" stem, "Short-term", "sec", "lib/analysis/" file, waits short_term}, \
      {kDelay##id##LongTerm, kDelay##id##All, "delay_" stem "_longterm", "Long-term", "sec",                     \
       "lib/analysis/" file, waits long_term},
#include "report/metrics/wait_kinds.def"
};

constexpr bool is_in_place() {
  for (std::size_t i = 0; i < std::size(kMetrics); ++i)
    if (kMetrics[i].metric != static_cast<Metric>(i)) return false;
  return std::size(kMetrics) == kMetricCount;
}
static_assert(is_in_place());

struct ReportOrder {
  std::vector<Metric> metrics;
  std::array<std::size_t, kMetricCount> position{};

  ReportOrder() { add_children(kNone); }

  void add_children(Metric parent) {
    for (const MetricInfo& info : kMetrics) {
      if (info.parent != parent) continue;
      position[static_cast<std::size_t>(info.metric)] = metrics.size();
      metrics.push_back(info.metric);
      add_children(info.metric);
    }
  }
};

const ReportOrder& report_order() {
  static const ReportOrder order;
  return order;
}

using enum WaitSource;
using enum WaitRole;

constexpr CostInfo kCosts[] = {
#define COST(id, parent, stem, display, waits, short_term, long_term, label, source, pairing, reference, file) \
  {WaitKind::k##id,      label,  kDelay##id##All,  kDelay##id,                                                 \
   kDelay##id##LongTerm, source, Pairing::pairing, Reference::reference},
#include "report/metrics/wait_kinds.def"
};
static_assert(std::size(kCosts) == kWaitKinds);

constexpr WaitInfo kWaits[] = {
#define WAIT(id, parent, name, display, file, description, source, role, cost, reference, family) \
  {Metric::k##id, source, role, WaitKind::k##cost, Reference::reference, WaitFamily::family},
#include "report/metrics/wait_kinds.def"
};

}  // namespace

std::span<const Metric> catalogue() { return report_order().metrics; }

const MetricInfo& info_of(Metric metric) { return kMetrics[static_cast<std::size_t>(metric)]; }

std::size_t report_position(Metric metric) { return report_order().position[static_cast<std::size_t>(metric)]; }

std::span<const WaitInfo> wait_states() { return kWaits; }

const WaitInfo* wait_state(Metric metric) {
  const auto* const found = std::ranges::find(kWaits, metric, &WaitInfo::metric);
  return found == std::end(kWaits) ? nullptr : found;
}

std::span<const CostInfo> wait_costs() { return kCosts; }

const CostInfo& cost_of(WaitKind kind) { return kCosts[static_cast<std::size_t>(kind)]; }

}  // namespace tarry
