// filter_proposal.cpp -- which regions to leave out so that a trace becomes small and cheap enough.
#include "score/filter_proposal.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "base/text/printable.hpp"
#include "trace/chunk.hpp"
#include "score/trace_estimate.hpp"

namespace tarry {
namespace {

// Sums by region of what a filter can change.
struct RegionCost {
  double buffer_bytes = 0, visits = 0, seconds = 0;
};

std::vector<RegionCost> costs_by_region(const ScoreTable& table, const ReportStructure& report) {
  std::vector<RegionCost> costs(report.regions.size());
  for (std::size_t path = 0; path < table.costs.size(); ++path) {
    RegionCost& cost = costs[report.call_paths[path].region];
    cost.buffer_bytes += table.costs[path].buffer_bytes;
    cost.visits += table.costs[path].visits;
    cost.seconds += table.costs[path].seconds;
  }
  return costs;
}

class Proposal {
 public:
  Proposal(const ScoreTable& table, const ReportStructure& report, const Dilation& dilation,
           const ScoreOptions& options)
      : table_(table),
        report_(report),
        dilation_(dilation),
        options_(options),
        max_buffer_(options.max_buffer),
        max_overhead_(options.max_overhead),
        costs_(costs_by_region(table, report)),
        is_dropped_(report.regions.size()) {}

  FilterProposal make() {
    drop_short_ones();
    std::vector<std::uint32_t> dropped = candidates(RegionGroup::kUser);
    const std::vector<std::uint32_t> next = candidates(RegionGroup::kCom);
    dropped.insert(dropped.end(), next.begin(), next.end());
    drop(dropped, dropped.size());
    if (options_.max_overhead > 0 && !meets_targets()) place_ = FilterPlace::kCompileTime;
    accept_what_is_possible();
    dropped.resize(least_number(dropped));
    drop(dropped, dropped.size());
    take_back(dropped);
    return {is_dropped_, place_};
  }

 private:
  // What a recording needs, by process.
  struct Sums {
    std::vector<double> buffers;
    std::vector<Seconds> added;
  };

  static double most(const std::vector<double>& values) { return *std::max_element(values.begin(), values.end()); }

  bool meets_targets() const { return meets_targets(sums_left()); }
  bool meets_targets(const Sums& sums) const {
    return (max_buffer_ <= 0 || most(sums.buffers) <= max_buffer_) &&
           (max_overhead_ <= 0 || dilation_.fraction(most(sums.added)) <= max_overhead_);
  }

  // A target may be out of reach though all is left out that can be. What is nearly as good will do then, so that
  // functions stay that make no difference.
  void accept_what_is_possible() {
    constexpr double kNearly = 1.1;
    const Sums sums = sums_left();
    const auto accept = [](double& target, double least) {
      if (target > 0 && least > target) target = kNearly * least;
    };
    accept(max_buffer_, most(sums.buffers));
    accept(max_overhead_, dilation_.fraction(most(sums.added)));
  }

  // Drops the first `count` of these regions, and none of the others.
  void drop(const std::vector<std::uint32_t>& regions, std::size_t count) {
    for (std::size_t i = 0; i < regions.size(); ++i) is_dropped_[regions[i]] = i < count;
  }

  // How many of these regions, from the first on, must go; all if that is not enough. The more go, the less is left.
  std::size_t least_number(const std::vector<std::uint32_t>& regions) {
    std::size_t least = 0, most = regions.size();
    while (least < most) {
      const std::size_t middle = least + (most - least) / 2;
      drop(regions, middle);
      if (meets_targets()) most = middle;
      else least = middle + 1;
    }
    return least;
  }

  bool is_short(std::uint32_t region) const {
    return costs_[region].visits > 0 && costs_[region].seconds < options_.min_time_per_visit * costs_[region].visits;
  }

  void drop_short_ones() {
    for (const RegionGroup kind : {RegionGroup::kUser, RegionGroup::kCom})
      for (const std::uint32_t region : candidates(kind))
        if (is_short(region)) is_dropped_[region] = true;
  }

  // Most bytes for the time first: their records say least.
  std::vector<std::uint32_t> candidates(RegionGroup kind) const {
    std::vector<std::uint32_t> regions;
    for (std::uint32_t region = 0; region < report_.regions.size(); ++region)
      if (table_.classes[region] == kind && costs_[region].visits > 0 && !is_dropped_[region] &&
          table_.is_filterable[region])
        regions.push_back(region);
    std::stable_sort(regions.begin(), regions.end(), [this](std::uint32_t left, std::uint32_t right) {
      const RegionCost &a = costs_[left], &b = costs_[right];
      return a.buffer_bytes * b.seconds > b.buffer_bytes * a.seconds;
    });
    return regions;
  }

  // Some that went early may not have been needed once a large one went, too. Those with most time come back first.
  void take_back(std::vector<std::uint32_t> dropped) {
    if (!meets_targets()) return;
    std::stable_sort(dropped.begin(), dropped.end(),
                     [this](std::uint32_t a, std::uint32_t b) { return costs_[a].seconds > costs_[b].seconds; });
    std::vector<std::vector<std::uint32_t>> paths(report_.regions.size());  // of the dropped regions
    for (std::uint32_t path = 0; path < table_.costs.size(); ++path)
      if (const std::uint32_t region = report_.call_paths[path].region; is_dropped_[region])
        paths[region].push_back(path);
    Sums left = sums_left();
    for (const std::uint32_t region : dropped) {
      Sums more = left;
      for (const std::uint32_t path : paths[region]) {
        add(path, true, -1, more);
        add(path, false, 1, more);
      }
      if (!meets_targets(more)) continue;
      is_dropped_[region] = false;
      left = std::move(more);
    }
  }

  Sums sums_left() const {
    const std::vector<double> none(std::max<std::size_t>(table_.buffers.size(), 1));
    Sums sums{none, none};
    for (std::uint32_t path = 0; path < table_.costs.size(); ++path)
      add(path, is_dropped_[report_.call_paths[path].region], 1, sums);
    return sums;
  }

  // Adds a call path, or takes it away with a sign of -1.
  void add(std::uint32_t path, bool is_dropped, double sign, Sums& sums) const {
    for (std::uint32_t process = 0; process < table_.buffers.size(); ++process) {
      if (!is_dropped) sums.buffers[process] += sign * table_.buffers[process][path];
      sums.added[process] += sign * (is_dropped ? dilation_.filtered(process, path, place_)
                                                : dilation_.recorded(process, path, options_.recording));
    }
  }

  const ScoreTable& table_;
  const ReportStructure& report_;
  const Dilation& dilation_;
  const ScoreOptions& options_;
  double max_buffer_, max_overhead_;  // the targets, or what comes nearest
  FilterPlace place_ = FilterPlace::kRunTime;
  std::vector<RegionCost> costs_;
  std::vector<bool> is_dropped_;
};

}  // namespace

namespace {

// What does not shrink enough is stored as it is (trace/chunk.hpp): small threads are.
double disk_bytes_of(const ScoreCost& all, double threads) {
  const double compressed = all.disk_bytes + kDiskBytesPerThread * threads;
  const bool is_compressed = all.buffer_bytes - compressed >= static_cast<double>(kLeastSavedBytes) * threads;
  return is_compressed || compressed > all.buffer_bytes ? compressed : all.buffer_bytes;
}

// Of the process where it is most.
double largest_dilation(const ScoreTable& table, const ReportStructure& report, const Dilation& dilation,
                        const std::vector<bool>& is_dropped, FilterPlace place, RecordingMode mode) {
  Seconds most = 0;
  for (std::uint32_t process = 0; process < table.buffers.size(); ++process) {
    Seconds added = 0;
    for (std::uint32_t path = 0; path < table.costs.size(); ++path)
      added += is_dropped[report.call_paths[path].region] ? dilation.filtered(process, path, place)
                                                          : dilation.recorded(process, path, mode);
    most = std::max(most, added);
  }
  return dilation.fraction(most);
}

}  // namespace

ScoreTotals totals_without(const ScoreTable& table, const ReportStructure& report, const Dilation& dilation,
                           const std::vector<bool>& is_dropped) {
  ScoreTotals totals;
  for (std::size_t path = 0; path < table.costs.size(); ++path)
    if (!is_dropped[report.call_paths[path].region]) totals.all += table.costs[path];
  totals.all.disk_bytes = disk_bytes_of(totals.all, std::accumulate(table.threads.begin(), table.threads.end(), 0.0));
  for (std::size_t process = 0; process < table.buffers.size(); ++process) {
    double bytes = 0;
    for (std::size_t path = 0; path < table.costs.size(); ++path)
      if (!is_dropped[report.call_paths[path].region]) bytes += table.buffers[process][path];
    if (bytes <= totals.largest_buffer) continue;
    totals.largest_buffer = bytes;
    totals.largest_rank = table.ranks[process];
  }
  for (std::size_t place = 0; place < kFilterPlaces; ++place)
    for (std::size_t mode = 0; mode < kRecordingModes; ++mode)
      totals.dilation[place][mode] = largest_dilation(
          table, report, dilation, is_dropped, static_cast<FilterPlace>(place), static_cast<RecordingMode>(mode));
  return totals;
}

FilterProposal propose_filter(const ScoreTable& table, const ReportStructure& report, const Dilation& dilation,
                              const ScoreOptions& options) {
  return Proposal(table, report, dilation, options).make();
}

std::vector<bool> apply_filter(const RegionFilter& filter, const ScoreTable& table, const ReportStructure& report) {
  std::vector<bool> is_dropped(report.regions.size());
  for (std::uint32_t region = 0; region < report.regions.size(); ++region) {
    const ReportRegion& facts = report.regions[region];
    is_dropped[region] = table.is_filterable[region] && !filter.includes(facts.name, facts.mangled_name, facts.module);
  }
  return is_dropped;
}

namespace {

constexpr std::size_t kMostUnusedRules = 10;

bool is_used(const RegionFilter::Rule& rule, const ScoreTable& table, const ReportStructure& report) {
  const bool is_on_mpi = rule.subject == RegionFilter::Subject::kName && rule.pattern.starts_with(kMpiRulePrefix);
  for (std::uint32_t region = 0; region < report.regions.size(); ++region) {
    const ReportRegion& facts = report.regions[region];
    const bool may_match = table.is_filterable[region] || is_on_mpi;
    if (may_match && RegionFilter::matches(rule, facts.name, facts.mangled_name, facts.module)) return true;
  }
  return false;
}

std::string rule_text(const RegionFilter::Rule& rule) {
  const std::string_view kind = rule.subject == RegionFilter::Subject::kMangledName ? "MANGLED " : "";
  return (rule.includes ? "'INCLUDE " : "'EXCLUDE ") + std::string(kind) + printable(rule.pattern) + "'";
}

}  // namespace

std::string unused_rules_text(const RegionFilter& filter, const ScoreTable& table, const ReportStructure& report) {
  std::string shown;
  std::size_t unused = 0;
  for (const RegionFilter::Rule& rule : filter.rules())
    if (!is_used(rule, table, report) && ++unused <= kMostUnusedRules)
      shown += (unused > 1 ? ", " : "") + rule_text(rule);
  if (unused > kMostUnusedRules) shown += " and " + std::to_string(unused - kMostUnusedRules) + " more";
  return unused > 0 ? "no function of this run matches " + shown : "";
}

std::string filter_text(const ReportStructure& report, const std::vector<bool>& is_dropped, const std::string& remark) {
  std::string text = remark + "SCOREP_REGION_NAMES_BEGIN\n";
  std::set<std::string> known;
  for (std::size_t region = 0; region < report.regions.size(); ++region) {
    if (!is_dropped[region]) continue;
    const ReportRegion& facts = report.regions[region];
    const bool is_mangled = !facts.mangled_name.empty() && facts.mangled_name != facts.name;
    const std::string rule =
        is_mangled ? "  EXCLUDE MANGLED " + filter_word(facts.mangled_name) + "  # " + printable(facts.name)
                   : "  EXCLUDE " + filter_word(facts.name);
    if (known.insert(rule).second) text += rule + "\n";
  }
  return text + "SCOREP_REGION_NAMES_END\n";
}

}  // namespace tarry
