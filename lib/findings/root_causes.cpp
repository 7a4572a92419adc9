// root_causes.cpp -- what made the processes of a run wait: costs of delays, gathered by the call path that caused
// them.
#include "findings/root_causes.hpp"

#include <algorithm>
#include <map>

#include "report/metric_totals.hpp"
#include "report/time_classes.hpp"
#include "report/wait_kinds.hpp"

namespace tarry {
namespace {

// Shares that decide what is said of a cause.
constexpr double kMostOfIt = 0.75;      // those who have that much of a cause are "who"
constexpr double kFewProcesses = 0.25;  // of all: more are not named one by one
constexpr double kSameEachTime = 0.3;   // of a cause: what those who take longest on the whole account for
constexpr double kSameSmall = 0.7;      // the same of what is small: chance adds up, too
constexpr double kInSequence = 0.3;     // of a cause that works through other waits
constexpr double kNoise = 0.1;          // waiting as a part of the time on the call path
constexpr std::size_t kMostNamed = 8;

const CostInfo* find_cost(std::string_view metric) {
  const auto found =
      std::ranges::find_if(wait_costs(), [&](const CostInfo& cost) { return metric == info_of(cost.all).unique_name; });
  return found == wait_costs().end() ? nullptr : &*found;
}

bool is_of_threads(const CostInfo& cost) { return cost.source == WaitSource::kThreads; }

// ---- the causes of a kind of waits as a whole, for reports without a table of causes

// Adds the values of one metric of costs.
void add_costs(const Report& report, MetricId metric, bool is_direct, CauseSums& into) {
  if (!metric.is_valid()) return;
  const ReportStructure& structure = report.structure;
  std::vector<double> row;
  for (std::uint32_t path = 0; path < structure.call_paths.size(); ++path) {
    if (!report.exclusive_row(metric, CallPathId(path), row)) continue;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] <= 0) continue;
      const ReportLocation& location = structure.locations[i];
      into.add({.path = CallPathId(path),
                .direct = is_direct ? row[i] : 0,
                .indirect = is_direct ? 0 : row[i],
                .threads = 1,
                .worst = {{location.process, static_cast<std::uint32_t>(location.rank), row[i]}}});
    }
  }
}

Seconds whole_of(const Report& report, Metric metric) {
  const MetricId id = report.find_metric(info_of(metric).unique_name);
  return id.is_valid() ? total_of(report, id).whole : 0;
}

std::vector<WaitCauses> causes_by_kind(const Report& report) {
  std::vector<WaitCauses> all;
  for (const CostInfo& cost : wait_costs()) {
    CauseSums sums;
    add_costs(report, report.find_metric(info_of(cost.short_term).unique_name), true, sums);
    add_costs(report, report.find_metric(info_of(cost.long_term).unique_name), false, sums);
    WaitCauses waits{
        .kind = info_of(cost.all).unique_name, .path = {}, .waiting = 0, .delays = sums.take(), .passed_on = {}};
    if (waits.delays.empty()) continue;
    for (const WaitInfo& wait : wait_states())
      if (wait.cost == cost.kind && wait.role != WaitRole::kPart) waits.waiting += whole_of(report, wait.metric);
    if (cost.kind == WaitKind::kIdleThreads) waits.waiting = whole_of(report, Metric::kIdleThreads);
    all.push_back(std::move(waits));
  }
  return all;
}

// ---- causes by call path

// Sums of one causing call path over all waits.
struct Gathered {
  RootCause cause;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Seconds> parts, through;  // by process and thread
  bool is_lock = true;                                                        // all its effects are waits for locks
  bool is_file = false;                                                       // it is what its functions of files take
  bool is_of_threads = false;  // some are waits of threads for one another
};

void add_parts(const std::vector<CauseOfThread>& from, auto& into) {
  for (const CauseOfThread& part : from) into[{part.process, part.thread}] += part.seconds;
}

class CauseGathering {
 public:
  explicit CauseGathering(const Report& report) : report_(report), structure_(report.structure) {}

  void add(const WaitCauses& waits) {
    const CostInfo* const cost = find_cost(waits.kind);
    if (!cost) return;
    waiting_ += waits.waiting;
    for (const CauseAtPath& delay : waits.delays) {
      explained_ += delay.seconds();
      if (delay.path.is_valid()) add(waits, *cost, delay);
    }
  }

  RootCauses take() {
    RootCauses all{.causes = {}, .waiting = waiting_, .explained = explained_};
    for (auto& [place, gathered] : of_path_) all.causes.push_back(finished(gathered));
    std::ranges::stable_sort(all.causes, [](auto& a, auto& b) { return a.seconds() > b.seconds(); });
    for (std::size_t i = 0; i < all.causes.size(); ++i) all.causes[i].number = i + 1;
    return all;
  }

 private:
  void add(const WaitCauses& waits, const CostInfo& cost, const CauseAtPath& delay) {
    const bool is_file = is_file_operation(delay.path);
    const CallPathId place = is_file ? structure_.call_paths[delay.path.value].parent : delay.path;
    Gathered& gathered = of_path_[{place, is_file}];
    gathered.is_file = is_file;
    RootCause& cause = gathered.cause;
    cause.path = place;
    cause.direct += delay.direct;
    cause.indirect += delay.indirect;
    cause.threads = std::max(cause.threads, delay.threads);
    CauseEffect& effect = effect_on(waits, cost, cause.effects);
    effect.direct += delay.direct;
    effect.indirect += delay.indirect;
    effect.share = waits.waiting > 0 ? effect.seconds() / waits.waiting : 0;
    add_parts(delay.worst, gathered.parts);
    gathered.is_lock &= cost.kind == WaitKind::kThreadLock;
    gathered.is_of_threads |= is_of_threads(cost);
    if (delay.indirect <= 0) return;
    for (const CauseAtPath& passed : waits.passed_on) add_parts(passed.worst, gathered.through);
  }

  static CauseEffect& effect_on(const WaitCauses& waits, const CostInfo& cost, std::vector<CauseEffect>& effects) {
    const std::string_view kind = info_of(cost.all).display_name;
    const auto same = std::ranges::find_if(
        effects, [&](const CauseEffect& effect) { return effect.path == waits.path && effect.kind == kind; });
    return same != effects.end() ? *same : effects.emplace_back(std::string(kind), waits.path);
  }

  TimeClass class_of(CallPathId path) const {
    return time_class(structure_.regions[structure_.call_paths[path.value].region]);
  }

  bool is_file_operation(CallPathId path) const {
    const TimeClass kind = class_of(path);
    return (kind == TimeClass::kOwnFileIo || kind == TimeClass::kFileIo) &&
           structure_.call_paths[path.value].parent.is_valid();
  }

  std::vector<CausingThread> largest(const auto& parts) const {
    std::vector<CausingThread> threads;
    for (const auto& [of, seconds] : parts)
      threads.push_back({ReportRank(structure_.processes[of.first].rank), ReportThread(of.second), seconds});
    std::ranges::stable_sort(threads, [](auto& a, auto& b) { return a.seconds > b.seconds; });
    return threads;
  }

  RootCause finished(Gathered& gathered) const {
    RootCause& cause = gathered.cause;
    cause.share = waiting_ > 0 ? cause.seconds() / waiting_ : 0;
    std::ranges::stable_sort(cause.effects, [](auto& a, auto& b) { return a.seconds() > b.seconds(); });
    cause.who = largest(gathered.parts);
    cause.through = largest(gathered.through);
    cause.through.resize(std::min(cause.through.size(), kMostNamed));
    const Spread spread = spread_at(cause.path, gathered.is_of_threads, cause.who);
    cause.excess = spread.excess;
    cause.excess_share = spread.sum > 0 ? cause.seconds() / spread.sum : 0;
    cause.nature = nature_of(gathered, spread);
    cause.are_all_named = keep_few(cause.who, cause.seconds(), structure_.processes.size());
    return std::move(cause);
  }

  // How the time of a call path itself is spread over processes, or over threads.
  struct Spread {
    Seconds sum = 0, mean = 0, largest = 0;
    Seconds excess = 0;        // of the one with the largest part of the cause
    Seconds most_waiting = 0;  // of all together for the one with the largest time
  };

  Spread spread_at(CallPathId path, bool by_thread, const std::vector<CausingThread>& who) const {
    Spread spread;
    const MetricId time = report_.find_metric("time");
    std::vector<double> row;
    if (!time.is_valid() || !report_.exclusive_row(time, path, row)) return spread;
    std::map<std::pair<std::int64_t, std::int64_t>, Seconds> times;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const ReportLocation& location = structure_.locations[i];
      times[{structure_.processes[location.process].rank, by_thread ? location.rank : 0}] += row[i];
    }
    for (const auto& [of, seconds] : times) {
      spread.sum += seconds;
      spread.largest = std::max(spread.largest, seconds);
    }
    spread.mean = spread.sum / static_cast<double>(std::max<std::size_t>(1, times.size()));
    spread.most_waiting = static_cast<double>(times.size()) * (spread.largest - spread.mean);
    if (!who.empty())
      spread.excess = std::max(0.0, times[{who[0].rank.value, by_thread ? who[0].thread.value : 0}] - spread.mean);
    return spread;
  }

  CauseNature nature_of(const Gathered& gathered, const Spread& spread) const {
    const RootCause& cause = gathered.cause;
    if (gathered.is_lock) return CauseNature::kLock;
    if (gathered.is_file) return CauseNature::kFiles;
    if (class_of(cause.path) != TimeClass::kComputation) return CauseNature::kOperation;
    // If always the same were late, all others would have waited for what it takes longer on the whole.
    const bool is_small = cause.excess_share < kNoise;
    const double same = is_small ? kSameSmall : kSameEachTime;
    if (cause.threads <= 1 || spread.most_waiting >= same * cause.seconds()) return CauseNature::kLoad;
    if (cause.indirect > kInSequence * cause.seconds()) return CauseNature::kSequence;
    return is_small ? CauseNature::kNoise : CauseNature::kShiftingLoad;
  }

  const Report& report_;
  const ReportStructure& structure_;
  std::map<std::pair<CallPathId, bool>, Gathered> of_path_;  // operations on files: all of a function together
  Seconds waiting_ = 0, explained_ = 0;
};

}  // namespace

std::string_view name_of(CauseNature nature) {
  switch (nature) {
    case CauseNature::kLoad: return "load";
    case CauseNature::kSequence: return "sequence";
    case CauseNature::kShiftingLoad: return "shifting_load";
    case CauseNature::kNoise: return "noise";
    case CauseNature::kOperation: return "operation";
    case CauseNature::kFiles: return "files";
    case CauseNature::kLock: return "lock";
  }
  return "";
}

std::vector<WaitCauses> table_of_causes(const Report& report) {
  auto table = read_causes(report.structure, report.files);
  return table.ok() ? std::move(*table) : std::vector<WaitCauses>();
}

RootCauses find_root_causes(const Report& report, const std::vector<WaitCauses>& table) {
  CauseGathering gathering(report);
  for (const WaitCauses& waits : table.empty() ? causes_by_kind(report) : table) gathering.add(waits);
  return gathering.take();
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
