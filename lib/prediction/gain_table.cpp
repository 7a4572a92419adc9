// gain_table.cpp -- what a program would gain if its delays and heaviest regions were gone, or faster.
//
// Each row is a curve: what is gained of the run if its work takes no time, or less. All points of all rows are
// variants of one plan.
#include "prediction/gain_table.hpp"

#include <algorithm>

#include "prediction/simulation/computing_paths.hpp"
#include "prediction/simulation/predict.hpp"
#include "prediction/simulation/predict_variants.hpp"
#include "prediction/simulation/program_changes.hpp"

namespace tarry {
namespace {

class GainTableMaker {
 public:
  GainTableMaker(Analysis& analysis, const Machine& machine, const GainOptions& options)
      : trace_(analysis.trace), analysis_(analysis), machine_(machine), options_(options) {}

  GainTable make() {
    std::vector<std::vector<PathIndex>> paths;
    add_delays(list_delays(analysis_), paths);
    std::vector<std::string> regions;
    for (const HeavyRegion& region : heaviest_regions(trace_, options_.most)) {
      regions.push_back(region.name);
      table_.rows.push_back({.name = region.name, .cost = trace_.seconds(region.work)});
    }
    predict_rows(Changes(analysis_, paths, regions));
    std::ranges::stable_sort(table_.rows, [](const GainRow& a, const GainRow& b) { return a.gain > b.gain; });
    return std::move(table_);
  }

 private:
  void add_delays(std::vector<ListedDelay> delays, std::vector<std::vector<PathIndex>>& paths) {
    for (std::size_t d = 0; d < delays.size() && table_.rows.size() < options_.most; ++d) {
      ListedDelay& delay = delays[d];
      if (delay.is_in_init && !options_.is_whole) continue;
      paths.push_back(delay.paths);
      GainRow row{.number = d + 1, .name = delay.name, .cost = delay.cause.seconds()};
      row.delay = std::move(delay);
      table_.rows.push_back(std::move(row));
    }
  }

  void predict_rows(const Changes& changes) {
    Plan plan(trace_, machine_, &changes);
    std::vector<Variant> variants;
    for (std::size_t i = 0; i < table_.rows.size(); ++i)
      for (const GainPoint& point : kGainPoints) variants.push_back({ChangeIndex(i), point.strength});
    const std::vector<double> seconds = predict_variants(plan, variants, options_.is_whole);
    const Prediction base = predict(plan);
    table_.predicted = options_.is_whole ? base.whole_predicted : base.predicted;
    table_.traced = options_.is_whole ? base.whole_recorded : base.recorded;
    table_.outcome = base.outcome;
    for (std::size_t i = 0; i < seconds.size(); ++i)
      table_.rows[i / kGainPoints.size()].gain[i % kGainPoints.size()] = table_.predicted - seconds[i];
  }

  const Trace& trace_;
  Analysis& analysis_;
  const Machine& machine_;
  const GainOptions& options_;
  GainTable table_;
};

}  // namespace

GainTable make_gain_table(const Trace& trace, const Machine& machine, const GainOptions& options) {
  Analysis analysis = analyse(trace, trace.copy_locks(), options_for_delays());
  return make_gain_table(analysis, machine, options);
}

GainTable make_gain_table(Analysis& analysis, const Machine& machine, const GainOptions& options) {
  return GainTableMaker(analysis, machine, options).make();
}

}  // namespace tarry
