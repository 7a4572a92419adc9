// score_table.cpp -- what a trace would need, by call path and thread.
#include "score/score_table.hpp"

#include <algorithm>

#include "base/text/text.hpp"
#include "defs/definitions.hpp"
#include "report/tree/call_path_tree.hpp"
#include "report/tree/metric_tree.hpp"
#include "score/trace_estimate.hpp"

namespace tarry {
namespace {

constexpr double kBytesPerCounter = 7;      // a record of a value of four bytes: a clock's has five, one of faults two
constexpr double kDiskBytesPerCounter = 2;  // values change little from one record to the next

CostKind cost_kind(const ReportRegion& region) {
  if (is_one_of(region.paradigm, {"mpi", "pthread"})) return CostKind::kCall;
  if (region.paradigm == "openmp") return CostKind::kOpenMp;
  return region.paradigm == name_of(Paradigm::kIo) ? CostKind::kFile : CostKind::kFunction;
}

// Rows of one metric, or zeros if the report has no such metric.
class MetricRows {
 public:
  MetricRows(CubeValues& values, std::string_view name)
      : values_(values),
        metric_(find_metric(values.source().structure(), name)),
        row_(values.source().structure().locations.size()) {}

  bool exists() const { return metric_.is_valid(); }

  const std::vector<double>& at(std::uint32_t path) {
    if (!metric_.is_valid()) return row_;
    values_.row(metric_, CallPathId(path), Flavour::kExclusive, row_);
    for (double& value : row_)
      if (is_neutral_number(values_.source().structure().metrics[metric_.value].type, value)) value = 0;
    return row_;
  }

 private:
  CubeValues& values_;
  MetricId metric_;
  std::vector<double> row_;
};

class TableMaker {
 public:
  TableMaker(CubeValues& values, const ScoreModel& model)
      : report_(values.source().structure()),
        tree_(values.source().call_tree()),
        model_(model),
        visits_(values, "visits"),
        child_visits_(values, "visits"),
        time_(values, "time"),
        least_(values, "min_time"),
        most_(values, "max_time"),
        sent_(values, "bytes_sent"),
        received_(values, "bytes_received"),
        counted_events_(values, "trace_events"),
        counted_bytes_(values, "trace_bytes") {}

  Result<ScoreTable> make() {
    if (!visits_.exists() || !time_.exists())
      return Error{"the report", "has no visits or no time", "name a summary: tarry measure -s writes one"};
    table_.classes = classify_regions(report_);
    table_.is_filterable = filterable_regions(report_);
    table_.is_counted = counted_events_.exists() && counted_bytes_.exists();
    for (const ReportRegion& region : report_.regions) table_.kinds.push_back(cost_kind(region));
    const std::vector<double> none(report_.call_paths.size());
    for (auto* of_process : {&table_.buffers, &table_.visits, &table_.records})
      of_process->assign(report_.processes.size(), none);
    seconds_.resize(report_.locations.size());
    table_.seconds.resize(report_.processes.size());
    table_.threads.resize(report_.processes.size());
    for (const ReportLocation& location : report_.locations) ++table_.threads[location.process];
    for (const ReportProcess& process : report_.processes) table_.ranks.push_back(process.rank);
    table_.costs.resize(report_.call_paths.size());
    for (std::uint32_t path = 0; path < report_.call_paths.size(); ++path) add_path(path);
    for (std::size_t i = 0; i < seconds_.size(); ++i) raise(table_.seconds[report_.locations[i].process], seconds_[i]);
    return std::move(table_);
  }

 private:
  static void raise(double& most, double value) { most = std::max(most, value); }

  void add_path(std::uint32_t path) {
    std::vector<double> below(report_.locations.size());
    for (const std::uint32_t child : tree_.children(path)) {
      const auto& visits = child_visits_.at(child);
      for (std::size_t i = 0; i < below.size(); ++i) below[i] += visits[i];
    }
    const auto &visits = visits_.at(path), &time = time_.at(path), &least = least_.at(path), &most = most_.at(path),
               &sent = sent_.at(path), &received = received_.at(path), &events = counted_events_.at(path),
               &bytes = counted_bytes_.at(path);
    const ReportRegion& region = report_.regions[report_.call_paths[path].region];
    std::vector<double> ticks(below.size());  // between two events of this path
    // A trace may have one visit for several calls.
    const auto entered = [&](std::size_t i) {
      return table_.is_counted ? std::min(visits[i], events[i] / 2) : visits[i];
    };
    for (std::size_t i = 0; i < below.size(); ++i)
      if (visits[i] > 0) ticks[i] = time[i] / (entered(i) + below[i]) * model_.ticks_per_second;
    const std::vector<double>& caller_ticks = enter_chain(path, std::move(ticks));
    for (std::size_t i = 0; i < below.size(); ++i) {
      if (visits[i] <= 0) continue;
      PathRecords records{events[i], bytes[i]};
      if (!table_.is_counted)
        records = estimate_records(region, {visits[i], below[i], time[i], least[i], most[i], sent[i], received[i]},
                                   model_.ticks_per_second);
      const double disk = estimate_disk_bytes(records.events, entered(i), chain_.back().second[i], caller_ticks[i]) +
                          2 * visits[i] * model_.counters * kDiskBytesPerCounter;
      const std::uint32_t process = report_.locations[i].process;
      raise(table_.visits[process][path], entered(i));
      raise(table_.records[process][path], std::max(0.0, records.events - 2 * entered(i)));
      seconds_[i] += time[i];
      records.buffer_bytes += 2 * visits[i] * model_.counters * kBytesPerCounter;
      records.events += 2 * visits[i] * model_.counters;
      table_.costs[path] += {records.events, records.buffer_bytes, disk, visits[i], time[i]};
      table_.buffers[process][path] += records.buffer_bytes;
      table_.total_seconds += time[i];
    }
  }

  // Makes `path` the end of the chain of call paths being looked at; returns what is there of its caller.
  const std::vector<double>& enter_chain(std::uint32_t path, std::vector<double> ticks) {
    while (!chain_.empty() && chain_.back().first != report_.call_paths[path].parent.value) chain_.pop_back();
    if (chain_.empty()) chain_.emplace_back(CallPathId::kNone, ticks);
    chain_.emplace_back(path, std::move(ticks));
    return chain_[chain_.size() - 2].second;
  }

  const ReportStructure& report_;
  const CallPathTree& tree_;
  const ScoreModel& model_;
  MetricRows visits_, child_visits_, time_, least_, most_, sent_, received_, counted_events_, counted_bytes_;
  std::vector<std::pair<std::uint32_t, std::vector<double>>> chain_;  // (call path, ticks between its events)
  std::vector<Seconds> seconds_;                                      // [location]
  ScoreTable table_;
};

}  // namespace

ScoreCost& ScoreCost::operator+=(const ScoreCost& other) {
  events += other.events;
  buffer_bytes += other.buffer_bytes;
  disk_bytes += other.disk_bytes;
  visits += other.visits;
  seconds += other.seconds;
  return *this;
}

Result<ScoreTable> make_score_table(CubeValues& values, const ScoreModel& model) {
  return TableMaker(values, model).make();
}

}  // namespace tarry
