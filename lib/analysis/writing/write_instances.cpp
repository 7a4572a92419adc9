// write_instances.cpp -- the most severe instances and the statistics of waits, as tables kept in a report.
#include "analysis/writing/write_instances.hpp"

#include <cstdarg>
#include <cstdio>

#include "base/text/csv.hpp"
#include "report/tree/call_path_tree.hpp"
#include "report/tables/instance_files.hpp"

namespace tarry {
namespace {

class InstanceTables {
 public:
  InstanceTables(const Definitions& definitions, const std::vector<PathIndex>& position,
                 const ReportStructure& structure)
      : clock_(definitions.clock), position_(position), structure_(structure) {}

  std::string instances(const Instances& all) const {
    CsvWriter csv(
        "metric,number,waiting,rank,thread,callpath,enter,exit,delaying_rank,delaying_thread,delaying_callpath,"
        "delaying_operation");
    for (const auto& [metric, kind] : all)
      for (std::size_t i = 0; i < kind.worst.size(); ++i) add_row(csv, kind.worst[i], i + 1);
    return csv.take();
  }

  std::string statistics(const Instances& all) const {
    CsvWriter csv("metric,count,sum,mean,minimum,quartile25,median,quartile75,maximum,variance,quantile_error");
    for (const auto& [metric, kind] : all) {
      const WaitStatistics& facts = kind.statistics;
      csv.add(info_of(metric).unique_name).add(facts.count());
      for (const double ticks : {facts.sum(), facts.mean(), static_cast<double>(facts.minimum()), facts.quantile(0.25),
                                 facts.quantile(0.5), facts.quantile(0.75), static_cast<double>(facts.maximum())})
        csv.add(seconds(ticks));
      csv.add(facts.variance() * seconds(1) * seconds(1));
      csv.add(facts.is_exact() ? 0.0 : WaitStatistics::kSketchError).end_row();
    }
    return csv.take();
  }

  // Fixed columns; the variance from two samples on, the quartiles from five.
  std::string box_plots(const Instances& all) const {
    std::string text = "PatternName               Count Mean Median Minimum Maximum Sum Variance Quartil25 Quartil75\n";
    for (const auto& [metric, kind] : all) {
      const WaitStatistics& facts = kind.statistics;
      text += print("%-26s%9.0f %.7f %.7f %.10f %.10f %.10f", info_of(metric).unique_name,
                    static_cast<double>(facts.count()), seconds(facts.mean()), seconds(facts.quantile(0.5)),
                    seconds(static_cast<double>(facts.minimum())), seconds(static_cast<double>(facts.maximum())),
                    seconds(facts.sum()));
      if (facts.count() >= 2) text += print(" %.10f", facts.variance() * seconds(1) * seconds(1));
      if (facts.count() >= 5)
        text += print(" %.10f %.10f", seconds(facts.quantile(0.25)), seconds(facts.quantile(0.75)));
      text += '\n';
      for (const WaitInstance& instance : kind.worst)
        text += print("- cnode %u enter: %.10f exit: %.10f duration: %.10f rank: %u\n", position_[instance.path],
                      time(instance.enter), time(instance.exit), seconds(static_cast<double>(instance.wait)),
                      instance.world_rank.value);
      text += '\n';
    }
    return text;
  }

 private:
  double seconds(double ticks) const { return ticks / clock_.ticks_per_second; }
  // From the origin of the trace.
  double time(Ticks ticks) const { return seconds(static_cast<double>(ticks - clock_.origin)); }

  std::string path_text(PathIndex path) const {
    return path == kNoPath ? "" : call_path_text(structure_, CallPathId(position_[path]));
  }

  void add_row(CsvWriter& csv, const WaitInstance& instance, std::size_t number) const {
    csv.add(info_of(instance.metric).unique_name).add(number).add(seconds(static_cast<double>(instance.wait)));
    csv.add(instance.world_rank.value).add(instance.thread.value).add(path_text(instance.path));
    csv.add(time(instance.enter)).add(time(instance.exit));
    const WaitCause& cause = instance.cause;
    if (cause.rank.is_valid())
      csv.add(cause.world_rank.value)
          .add(cause.thread.value)
          .add(path_text(instance.delay_path))
          .add(path_text(cause.path));
    else csv.skip(4);
    csv.end_row();
  }

  [[gnu::format(printf, 1, 2)]] static std::string print(const char* format, ...) {
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    return line;
  }

  const Clock& clock_;
  const std::vector<PathIndex>& position_;
  const ReportStructure& structure_;
};

void add_file(Report& report, const char* name, const std::string& text) {
  report.files.push_back({name, {text.begin(), text.end()}});
}

}  // namespace

void add_instance_files(const Definitions& definitions, const std::vector<PathIndex>& position,
                        const AnalysisResult& result, Report& report) {
  if (result.instances.empty()) return;
  const InstanceTables tables(definitions, position, report.structure);
  add_file(report, kInstancesFile, tables.instances(result.instances));
  add_file(report, kStatisticsFile, tables.statistics(result.instances));
  add_file(report, kBoxPlotFile, tables.box_plots(result.instances));
  report.structure.attributes.push_back({kBoxPlotAttribute, kBoxPlotFile});
}

std::string file_text(const Report& report, const std::string& name) {
  for (const ReportFile& file : report.files)
    if (file.name == name) return {file.bytes.begin(), file.bytes.end()};
  return "";
}

}  // namespace tarry
