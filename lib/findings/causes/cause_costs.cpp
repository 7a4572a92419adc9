// cause_costs.cpp -- gathers delay costs by call path: all of them from the metrics, their effects from the table.
#include "findings/causes/cause_costs.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <string_view>
#include <tuple>

#include "defs/definitions.hpp"
#include "report/algebra/metric_totals.hpp"
#include "report/metrics/time_classes.hpp"

namespace tarry {
namespace {

constexpr double kRounding = 1e-9;  // of the costs: less is no rest

struct CostMetrics {
  MetricId direct, indirect;

  bool any() const { return direct.is_valid() || indirect.is_valid(); }
};

CostMetrics cost_metrics_of(const Report& report, const CostInfo& cost) {
  return {report.find_metric(info_of(cost.short_term).unique_name),
          report.find_metric(info_of(cost.long_term).unique_name)};
}

// Idle threads are no wait states. Their time is a class of its own, as is that of queues of accelerators.
bool is_looked_for(const CostInfo& cost) {
  return cost.kind != WaitKind::kIdleThreads && cost.kind != WaitKind::kLateLaunch;
}

bool is_iteration(const ReportRegion& region) {
  return region.role == name_of(RegionRole::kDynamic) || region.role == name_of(RegionRole::kDynamicPhase) ||
         region.role == name_of(RegionRole::kDynamicLoop);
}

// For each call path the first one that differs from it only in numbers of iterations.
std::vector<CallPathId> first_iterations(const ReportStructure& structure) {
  std::map<std::tuple<std::string_view, std::string_view, std::int64_t>, std::uint32_t> loops;
  std::vector<std::uint32_t> first;
  for (std::uint32_t i = 0; i < structure.regions.size(); ++i) {
    const ReportRegion& region = structure.regions[i];
    const std::size_t mark = is_iteration(region) ? region.name.rfind('=') : region.name.npos;
    if (mark == region.name.npos) first.push_back(i);
    else {
      const std::string_view loop = std::string_view(region.name).substr(0, mark);
      first.push_back(loops.try_emplace({loop, region.module, region.begin_line}, i).first->second);
    }
  }
  std::vector<CallPathId> merged;
  std::map<std::pair<CallPathId, std::uint32_t>, CallPathId> paths;
  const bool has_loops =
      std::ranges::any_of(first, [&, i = 0u](std::uint32_t region) mutable { return region != i++; });
  for (std::uint32_t path = 0; path < structure.call_paths.size(); ++path) {
    const CallPathId own(path), parent = structure.call_paths[path].parent;
    if (!has_loops || parent.value >= path) merged.push_back(own);
    else
      merged.push_back(
          paths.try_emplace({merged[parent.value], first[structure.call_paths[path].region]}, own).first->second);
  }
  return merged;
}

void add_parts(const std::vector<CauseOfThread>& from, ThreadParts& into) {
  for (const CauseOfThread& part : from) into[{part.process, part.thread}] += part.seconds;
}

class CostGathering {
 public:
  CostGathering(const Report& report, const std::vector<WaitCauses>& table)
      : report_(report), structure_(report.structure), table_(table), shown_(first_iterations(report.structure)) {}

  CauseCosts run() {
    for (const CostInfo& cost : wait_costs())
      if (is_looked_for(cost)) add_kind(cost);
    CauseCosts all{.places = {}, .caused = caused_};
    for (auto& [at, place] : places_) {
      std::ranges::sort(place.paid_at);
      const auto rest = std::ranges::unique(place.paid_at);
      place.paid_at.erase(rest.begin(), rest.end());
      all.places.push_back(std::move(place));
    }
    return all;
  }

 private:
  void add_kind(const CostInfo& cost) {
    const CostMetrics metrics = cost_metrics_of(report_, cost);
    if (metrics.any()) add_costs(cost, metrics);
    Seconds listed = 0;
    for (const WaitCauses& waits : table_) {
      if (waits.kind != info_of(cost.all).unique_name) continue;
      listed += waits.waiting;
      for (const CauseAtPath& delay : waits.delays) add_listed(cost, waits, delay, !metrics.any());
    }
    add_rests(cost, listed);
  }

  // All costs of a kind, by the metrics.
  void add_costs(const CostInfo& cost, const CostMetrics& metrics) {
    const std::vector<double> direct = exclusive(metrics.direct), indirect = exclusive(metrics.indirect);
    for (std::uint32_t path = 0; path < structure_.call_paths.size(); ++path) {
      const Seconds now = direct[path], later = indirect[path];
      if (now + later <= 0) continue;
      caused_ += now + later;
      CausePlace& place = place_of(CallPathId(path));
      place.paid_at.push_back(CallPathId(path));
      if (is_metadata(CallPathId(path))) place.on_metadata += now + later;
      CausedWaits& sum = of_kind(place, cost.kind);
      sum.direct += now;
      sum.indirect += later;
    }
  }

  std::vector<double> exclusive(MetricId metric) const {
    if (!metric.is_valid()) return std::vector<double>(structure_.call_paths.size());
    return total_of(report_, metric).exclusive;
  }

  // One cause of the table. `has_costs`: it has the costs, too, as there are no metrics of them.
  void add_listed(const CostInfo& cost, const WaitCauses& waits, const CauseAtPath& delay, bool has_costs) {
    if (has_costs) caused_ += delay.seconds();
    if (!delay.path.is_valid()) return;
    CausePlace& place = place_of(delay.path);
    CausedWaits& effect = effect_on(place, {cost.kind, shown_[waits.path.value], 0, 0, waits.waiting});
    effect.direct += delay.direct;
    effect.indirect += delay.indirect;
    if (has_costs) {
      if (is_metadata(delay.path)) place.on_metadata += delay.seconds();
      CausedWaits& sum = of_kind(place, cost.kind);
      sum.direct += delay.direct;
      sum.indirect += delay.indirect;
      place.listed_threads = std::max(place.listed_threads, delay.threads);
      add_parts(delay.worst, place.listed_parts);
    }
    if (delay.indirect <= 0) return;
    for (const CauseAtPath& passed : waits.passed_on) add_parts(passed.worst, place.passed_on_by);
  }

  // Costs that the table does not list. Their waits are at call paths that are not known, unless the report has one
  // only. `listed`: waiting in the table.
  void add_rests(const CostInfo& cost, Seconds listed) {
    const CallPathId only = only_path_of(cost);
    const Seconds all_waiting = waiting_of(cost);
    const Seconds waiting = only.is_valid() ? all_waiting : std::max(0.0, all_waiting - listed);
    for (auto& [at, place] : places_) {
      const auto all = std::ranges::find(place.of_kinds, cost.kind, &CausedWaits::kind);
      if (all == place.of_kinds.end()) continue;
      CausedWaits rest{cost.kind, {}, all->direct, all->indirect, 0};
      for (const CausedWaits& effect : place.effects) {
        if (effect.kind != cost.kind) continue;
        rest.direct -= effect.direct;
        rest.indirect -= effect.indirect;
      }
      if (rest.seconds() <= kRounding * all->seconds()) continue;
      CausedWaits& effect = effect_on(place, {cost.kind, only, 0, 0, 0});
      effect.direct += rest.direct;
      effect.indirect += rest.indirect;
      effect.waiting = waiting;
    }
  }

  // Calls `visit` for the metric of each wait state that costs so much, where the report has one.
  template <class Visit>
  void each_wait_of(const CostInfo& cost, Visit visit) const {
    for (const WaitInfo& wait : wait_states()) {
      if (wait.cost != cost.kind || wait.role == WaitRole::kPart) continue;
      const MetricId metric = report_.find_metric(info_of(wait.metric).unique_name);
      if (metric.is_valid()) visit(metric);
    }
  }

  Seconds waiting_of(const CostInfo& cost) const {
    Seconds waiting = 0;
    each_wait_of(cost, [&](MetricId metric) { waiting += total_of(report_, metric).whole; });
    return waiting;
  }

  // Where all of these waits are; none if that is more than one call path.
  CallPathId only_path_of(const CostInfo& cost) const {
    std::set<CallPathId> paths;
    each_wait_of(cost, [&](MetricId metric) {
      const std::vector<double> waits = exclusive(metric);
      for (std::uint32_t path = 0; path < waits.size(); ++path)
        if (waits[path] > 0) paths.insert(shown_[path]);
    });
    return paths.size() == 1 ? *paths.begin() : CallPathId();
  }

  CausePlace& place_of(CallPathId path) {
    const bool is_file = is_file_operation(path);
    const CallPathId at = shown_[is_file ? structure_.call_paths[path.value].parent.value : path.value];
    CausePlace& place = places_[{at, is_file}];
    place.path = at;
    place.is_file = is_file;
    return place;
  }

  bool is_file_operation(CallPathId path) const {
    const ReportCallPath& facts = structure_.call_paths[path.value];
    const TimeClass kind = time_class(structure_.regions[facts.region]);
    return (kind == TimeClass::kOwnFileIo || kind == TimeClass::kFileIo) && facts.parent.is_valid();
  }

  bool is_metadata(CallPathId path) const {
    return is_file_metadata(structure_.regions[structure_.call_paths[path.value].region]);
  }

  static CausedWaits& of_kind(CausePlace& place, WaitKind kind) {
    const auto found = std::ranges::find(place.of_kinds, kind, &CausedWaits::kind);
    return found != place.of_kinds.end() ? *found : place.of_kinds.emplace_back(CausedWaits{.kind = kind, .path = {}});
  }

  static CausedWaits& effect_on(CausePlace& place, const CausedWaits& waits) {
    const auto found = std::ranges::find_if(place.effects, [&](const CausedWaits& effect) {
      return effect.kind == waits.kind && effect.path == waits.path;
    });
    return found != place.effects.end() ? *found : place.effects.emplace_back(waits);
  }

  const Report& report_;
  const ReportStructure& structure_;
  const std::vector<WaitCauses>& table_;
  const std::vector<CallPathId> shown_;  // [call path] the one that stands for it in all iterations of its loop
  std::map<std::pair<CallPathId, bool>, CausePlace> places_;
  Seconds caused_ = 0;
};

Seconds sum_of(const std::vector<CausedWaits>& waits, Seconds CausedWaits::*part) {
  return std::accumulate(waits.begin(), waits.end(), 0.0,
                         [&](Seconds sum, const CausedWaits& each) { return sum + each.*part; });
}

}  // namespace

Seconds CausePlace::direct() const { return sum_of(of_kinds, &CausedWaits::direct); }
Seconds CausePlace::indirect() const { return sum_of(of_kinds, &CausedWaits::indirect); }

CauseCosts gather_cause_costs(const Report& report, const std::vector<WaitCauses>& table) {
  return CostGathering(report, table).run();
}

ThreadParts parts_of_threads(const Report& report, const CausePlace& place) {
  ThreadParts parts = place.listed_parts;
  std::vector<double> row;
  for (const CausedWaits& waits : place.of_kinds) {
    const CostMetrics metrics = cost_metrics_of(report, cost_of(waits.kind));
    for (const MetricId metric : {metrics.direct, metrics.indirect})
      for (const CallPathId path : place.paid_at) {
        if (!metric.is_valid() || !report.exclusive_row(metric, path, row)) continue;
        for (std::size_t i = 0; i < row.size(); ++i) {
          const ReportLocation& location = report.structure.locations[i];
          if (row[i] > 0) parts[{location.process, static_cast<std::uint32_t>(location.rank)}] += row[i];
        }
      }
  }
  return parts;
}

}  // namespace tarry
