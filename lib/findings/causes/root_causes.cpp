// root_causes.cpp -- judges what made the processes of a run wait: who, how much longer than others, and of what kind.
#include "findings/causes/root_causes.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "findings/causes/cause_costs.hpp"
#include "findings/causes/told_places.hpp"
#include "findings/causes/wait_metrics.hpp"
#include "report/algebra/metric_totals.hpp"
#include "report/metrics/time_classes.hpp"
#include "report/metrics/wait_kinds.hpp"

namespace tarry {
namespace {

// Shares that decide what is said of a cause.
constexpr double kMostOfIt = 0.75;      // those who have that much of a cause are "who"
constexpr double kFewProcesses = 0.25;  // of all: more are not named one by one
constexpr double kSameEachTime = 0.3;   // of a cause: what those who take longest on the whole account for
constexpr double kSameSmall = 0.7;      // the same of what is small: chance adds up, too
constexpr double kInSequence = 0.3;     // of a cause that works through other waits
constexpr double kNoiseShare = 0.1;     // waiting as a part of the time on the call path
constexpr std::size_t kMostNamed = 8;

bool is_of_threads(const CausedWaits& waits) { return cost_of(waits.kind).source == WaitSource::kThreads; }

// The places of a cause: most have one.
using Places = std::vector<const CausePlace*>;

// Who holds a lock for long ends late, too, and somebody may wait for that.
bool is_for_locks(const Places& places) {
  constexpr double kEnough = 0.25;
  Seconds for_locks = 0, for_threads = 0;
  for (const CausePlace* place : places)
    for (const CausedWaits& waits : place->of_kinds) {
      if (waits.kind == WaitKind::kThreadLock) for_locks += waits.seconds();
      else if (waits.kind == WaitKind::kThreadSignal) for_threads += waits.seconds();
      else return false;
    }
  return for_locks > 0 && for_locks >= kEnough * (for_locks + for_threads);
}

bool is_for_metadata(const Places& places) {
  Seconds all = 0, on_metadata = 0;
  for (const CausePlace* place : places) {
    all += place->seconds();
    on_metadata += place->on_metadata;
  }
  return on_metadata > all / 2;
}

class CauseJudge {
 public:
  CauseJudge(const Report& report, Seconds waiting)
      : report_(report), structure_(report.structure), waiting_(waiting) {}

  RootCause judge(const Places& places) const {
    RootCause cause;
    cause.path = places.front()->path;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Seconds> parts, through;
    for (const CausePlace* place : places) {
      cause.direct += place->direct();
      cause.indirect += place->indirect();
      for (const CausedWaits& waits : place->effects) add_effect(waits, cause.effects);
      for (const auto& [thread, seconds] : parts_of_threads(report_, *place)) parts[thread] += seconds;
      for (const auto& [thread, seconds] : place->passed_on_by) through[thread] += seconds;
      cause.threads = std::max(cause.threads, place->listed_threads);
    }
    cause.threads = std::max<std::uint64_t>(cause.threads, parts.size());
    cause.share = waiting_ > 0 ? cause.seconds() / waiting_ : 0;
    std::ranges::stable_sort(cause.effects, [](auto& a, auto& b) { return a.seconds() > b.seconds(); });
    cause.who = largest(parts);
    cause.through = largest(through);
    cause.through.resize(std::min(cause.through.size(), kMostNamed));
    const Spread spread = spread_at(places, cause.who);
    cause.excess = spread.excess;
    cause.excess_share = spread.sum > 0 ? cause.seconds() / spread.sum : 0;
    cause.blocked_share = spread.blocked_share;
    cause.nature = nature_of(cause, places, spread);
    cause.are_all_named = keep_few(cause.who, cause.seconds(), structure_.processes.size());
    return cause;
  }

  TimeClass class_of(CallPathId path) const {
    return time_class(structure_.regions[structure_.call_paths[path.value].region]);
  }

 private:
  static void add_effect(const CausedWaits& waits, std::vector<CauseEffect>& effects) {
    const std::string_view kind = info_of(cost_of(waits.kind).all).display_name;
    const auto same = std::ranges::find_if(
        effects, [&](const CauseEffect& effect) { return effect.path == waits.path && effect.kind == kind; });
    if (same == effects.end())
      return void(effects.push_back({std::string(kind), waits.path, waits.direct, waits.indirect, waits.waiting}));
    same->direct += waits.direct;
    same->indirect += waits.indirect;
  }

  std::vector<CausingThread> largest(const auto& parts) const {
    std::vector<CausingThread> threads;
    for (const auto& [of, seconds] : parts)
      threads.push_back({ReportRank(structure_.processes[of.first].rank), ReportThread(of.second), seconds});
    std::ranges::stable_sort(threads, [](auto& a, auto& b) { return a.seconds > b.seconds; });
    return threads;
  }

  // By process and, where threads wait for each other, by thread.
  using Times = std::map<std::pair<std::int64_t, std::int64_t>, Seconds>;

  // Of call paths themselves.
  Times times_at(const Places& places, bool by_thread, std::span<const std::pair<const char*, double>> metrics) const {
    Times times;
    std::vector<double> row;
    const auto add = [&](MetricId metric, CallPathId path, double factor) {
      if (!metric.is_valid() || !report_.exclusive_row(metric, path, row)) return;
      for (std::size_t i = 0; i < row.size(); ++i) {
        const ReportLocation& location = structure_.locations[i];
        if (by_thread && !location.is_thread()) continue;  // an accelerator has no such time
        times[{structure_.processes[location.process].rank, by_thread ? location.rank : 0}] += factor * row[i];
      }
    };
    for (const CausePlace* place : places)
      for (const auto& [metric, factor] : metrics) add(report_.find_metric(metric), place->path, factor);
    return times;
  }

  // How that time is spread over processes, or over threads.
  struct Spread {
    Seconds sum = 0, mean = 0, largest = 0;
    Seconds excess = 0;        // of the one with the largest part of the cause
    double blocked_share = 0;  // of that one's time
    Seconds most_waiting = 0;  // of all together for the one with the largest time
  };

  Spread spread_at(const Places& places, const std::vector<CausingThread>& who) const {
    Spread spread;
    const bool by_thread = std::ranges::any_of(
        places, [](const CausePlace* place) { return std::ranges::any_of(place->of_kinds, is_of_threads); });
    // A thread that is idle makes nobody wait.
    static constexpr std::pair<const char*, double> kNotIdle[] = {{"time", 1}, {"omp_idle_threads", -1}};
    static constexpr std::pair<const char*, double> kBlocked[] = {{"blocked", 1}};
    Times times = times_at(places, by_thread, kNotIdle), blocked = times_at(places, by_thread, kBlocked);
    for (const auto& [of, seconds] : times) {
      spread.sum += seconds;
      spread.largest = std::max(spread.largest, seconds);
    }
    spread.mean = spread.sum / static_cast<double>(std::max<std::size_t>(1, times.size()));
    spread.most_waiting = static_cast<double>(times.size()) * (spread.largest - spread.mean);
    if (who.empty() || times.empty()) return spread;
    const std::pair first(who[0].rank.value, by_thread ? who[0].thread.value : 0);
    spread.excess = std::max(0.0, times[first] - spread.mean);
    spread.blocked_share = times[first] > 0 ? blocked[first] / times[first] : 0;
    return spread;
  }

  CauseNature nature_of(const RootCause& cause, const Places& places, const Spread& spread) const {
    if (is_for_locks(places)) return CauseNature::kLock;
    if (!cause.who.empty() && is_queue(structure_, cause.who.front())) return CauseNature::kDevice;
    if (places.front()->is_file) return is_for_metadata(places) ? CauseNature::kFileMetadata : CauseNature::kFiles;
    if (class_of(cause.path) != TimeClass::kComputation) return CauseNature::kOperation;
    // If always the same were late, all others would have waited for what it takes longer on the whole.
    const bool is_small = cause.excess_share < kNoiseShare;
    const double same = is_small ? kSameSmall : kSameEachTime;
    if (cause.threads <= 1 || spread.most_waiting >= same * cause.seconds()) return CauseNature::kLoad;
    if (cause.indirect > kInSequence * cause.seconds()) return CauseNature::kSequence;
    return is_small ? CauseNature::kNoise : CauseNature::kShiftingLoad;
  }

  const Report& report_;
  const ReportStructure& structure_;
  const Seconds waiting_;
};

Seconds waiting_in(const Report& report) {
  Seconds waiting = 0;
  for (const MetricId metric : wait_metrics(report.structure)) waiting += total_of(report, metric).whole;
  return waiting;
}

}  // namespace

std::string_view name_of(CauseNature nature) {
  switch (nature) {
    case CauseNature::kLoad: return "load";
    case CauseNature::kSequence: return "sequence";
    case CauseNature::kShiftingLoad: return "shifting_load";
    case CauseNature::kNoise: return "noise";
    case CauseNature::kOperation: return "operation";
    case CauseNature::kFiles: return "files";
    case CauseNature::kFileMetadata: return "file_metadata";
    case CauseNature::kLock: return "lock";
    case CauseNature::kDevice: return "device";
  }
  return "";
}

const ReportLocation* location_of(const ReportStructure& structure, const CausingThread& of) {
  for (const ReportLocation& location : structure.locations)
    if (location.rank == of.thread.value && structure.processes[location.process].rank == of.rank.value)
      return &location;
  return nullptr;
}

bool is_queue(const ReportStructure& structure, const CausingThread& of) {
  const ReportLocation* const location = location_of(structure, of);
  return location && !location->is_thread();
}

std::vector<WaitCauses> table_of_causes(const Report& report) {
  auto table = read_causes(report.structure, report.files);
  return table.ok() ? std::move(*table) : std::vector<WaitCauses>();
}

RootCauses find_root_causes(const Report& report, const std::vector<WaitCauses>& table) {
  CauseCosts costs = gather_cause_costs(report, table);
  RootCauses all{.causes = {}, .told = {}, .waiting = waiting_in(report), .explained = costs.caused};
  const CauseJudge judge(report, all.waiting);
  std::ranges::stable_sort(costs.places, [](auto& a, auto& b) { return a.seconds() > b.seconds(); });
  for (const CausePlace& place : costs.places) {
    all.causes.push_back(judge.judge({&place}));
    all.causes.back().number = all.causes.size();
  }
  for (ToldPlaces& told : group_places(report.structure, costs.places, all.waiting)) {
    Places places;
    ToldCause& cause = all.told.emplace_back();
    for (const std::size_t at : told.places) {
      places.push_back(&costs.places[at]);
      cause.numbers.push_back(at + 1);
    }
    cause.cause = places.size() == 1 ? all.causes[told.places.front()] : judge.judge(places);
    cause.cause.number = cause.numbers.front();
    cause.separators = std::move(told.separators);
    cause.callers = std::move(told.callers);
  }
  return all;
}

bool keep_few(std::vector<CausingThread>& who, Seconds whole, std::size_t processes) {
  Seconds sum = 0;
  std::size_t count = 0;
  while (count < who.size() && sum < kMostOfIt * whole) sum += who[count++].seconds;
  const double few = std::max(2.0, kFewProcesses * static_cast<double>(processes));
  const bool are_few = sum >= kMostOfIt * whole && static_cast<double>(count) <= few;
  who.resize(are_few ? count : std::min(who.size(), kMostNamed));
  return are_few;
}

const WaitCauses* causes_of(const std::vector<WaitCauses>& all, std::string_view metric, CallPathId path) {
  for (const WaitInfo& wait : wait_states()) {
    if (metric != info_of(wait.metric).unique_name || wait.cost == WaitKind::kNone) continue;
    const std::string_view kind = info_of(cost_of(wait.cost).all).unique_name;
    const auto found =
        std::ranges::find_if(all, [&](const WaitCauses& waits) { return waits.kind == kind && waits.path == path; });
    return found == all.end() ? nullptr : &*found;
  }
  return nullptr;
}

}  // namespace tarry
