// findings_data.cpp -- findings for programs: CSV and JSON.
#include "findings_data.hpp"

#include "base/text.hpp"
#include "report/call_path_tree.hpp"

namespace tarry {
namespace {

constexpr int kJsonVersion = 1;

std::string join_ranks(const std::vector<std::int64_t>& ranks, const char* separator) {
  std::string text;
  for (const std::int64_t rank : ranks) text += (text.empty() ? "" : separator) + std::to_string(rank);
  return text;
}

class CsvWriter {
 public:
  explicit CsvWriter(const Findings& findings) : allocation_(findings.shares.total) {}

  void row(const std::string& kind, const std::string& name, Seconds seconds, const std::string& rest = ",,,") {
    text_ += kind + "," + csv_field(name) + "," + exact_number(seconds) + "," +
             exact_number(allocation_ > 0 ? seconds / allocation_ : 0) + "," + rest + "\n";
  }
  /// In the column of seconds stands the value in the counter's unit; it has no fraction.
  void counter(const std::string& name, double value, const std::string& path) {
    text_ += "counter," + csv_field(name) + "," + exact_number(value) + ",," + csv_field(path) + ",,,\n";
  }
  std::string take() { return std::move(text_); }

 private:
  Seconds allocation_;
  std::string text_ = "kind,name,seconds,fraction,callpath,worst_rank,worst_seconds,ranks\n";
};

std::string json_place(const Report& report, CallPathId path, Seconds seconds, const RankTime& worst) {
  return "\"callpath\": " + json_string(call_path_text(report.structure, path)) +
         ", \"seconds\": " + exact_number(seconds) + ", \"worst\": {\"rank\": " + std::to_string(worst.rank) +
         ", \"seconds\": " + exact_number(worst.seconds) + "}";
}

// Elements of an array, one per line.
std::string json_array(const std::vector<std::string>& elements) {
  std::string text;
  for (const std::string& element : elements) text += (text.empty() ? "\n    " : ",\n    ") + element;
  return "[" + text + (elements.empty() ? "]" : "\n  ]");
}

std::string json_classes(const Findings& findings) {
  std::string text;
  for (std::size_t i = 0; i < kTimeClasses; ++i)
    text += (i ? ", " : "") + json_string(std::string(name_of(static_cast<TimeClass>(i)))) + ": " +
            exact_number(findings.shares.seconds[i]);
  return "{" + text + "}";
}

// A further member where the report lists the longest wait.
std::string json_longest(const std::optional<SevereWait>& wait) {
  if (!wait) return "";
  return ", \"longest\": {\"seconds\": " + exact_number(wait->waiting) + ", \"rank\": " + std::to_string(wait->rank) + ", \"enter\": " +
         exact_number(wait->enter) + ", \"delaying_rank\": " +
         (wait->delaying_rank ? std::to_string(*wait->delaying_rank) : "null") + ", \"delaying_callpath\": " +
         json_string(wait->delaying_call_path) + "}";
}

}  // namespace

std::string findings_csv(const Report& report, const Findings& findings) {
  CsvWriter out(findings);
  out.row("total", "wall", findings.wall);
  out.row("total", "allocation", findings.shares.total);
  out.row("total", "waiting", findings.waiting);
  for (std::size_t i = 0; i < kTimeClasses; ++i)
    out.row("class", std::string(name_of(static_cast<TimeClass>(i))), findings.shares.seconds[i]);
  const auto place = [&report](CallPathId path, const RankTime& worst, const std::string& ranks) {
    return csv_field(call_path_text(report.structure, path)) + "," + std::to_string(worst.rank) + "," +
           exact_number(worst.seconds) + "," + ranks;
  };
  for (const WaitFinding& wait : findings.waits)
    out.row("wait", wait.metric, wait.seconds, place(wait.call_path, wait.worst, join_ranks(wait.waiting_most, " ")));
  for (const PathFinding& path : findings.paths)
    out.row("callpath", "time", path.seconds, place(path.call_path, path.worst, ""));
  for (const ClusterFinding& cluster : findings.clusters)
    out.row("iterations", cluster.numbers, cluster.seconds,
            csv_field(call_path_text(report.structure, cluster.call_path)) + ",,,");
  for (const CounterFinding& counter : findings.counters)
    out.counter(counter.name, counter.value, counter.call_path.is_valid() ? call_path_text(report.structure, counter.call_path) : "");
  return out.take();
}

std::string findings_json(const Report& report, const Findings& findings) {
  std::vector<std::string> waits, paths, clusters;
  for (const WaitFinding& wait : findings.waits)
    waits.push_back("{\"metric\": " + json_string(wait.metric) + ", \"name\": " + json_string(wait.name) + ", " +
                    json_place(report, wait.call_path, wait.seconds, wait.worst) + ", \"ranks\": [" +
                    join_ranks(wait.waiting_most, ", ") + "]" + json_longest(wait.longest) + "}");
  for (const PathFinding& path : findings.paths)
    paths.push_back("{" + json_place(report, path.call_path, path.seconds, path.worst) + ", \"visits\": " +
                    exact_number(path.visits) + "}");
  for (const ClusterFinding& cluster : findings.clusters)
    clusters.push_back("{\"callpath\": " + json_string(call_path_text(report.structure, cluster.call_path)) +
                       ", \"seconds\": " + exact_number(cluster.seconds) + ", \"count\": " +
                       exact_number(cluster.iterations) + ", \"numbers\": " + json_string(cluster.numbers) + "}");
  std::vector<std::string> counters;
  for (const CounterFinding& counter : findings.counters)
    counters.push_back("{\"name\": " + json_string(counter.name) + ", \"unit\": " + json_string(counter.unit) +
                       ", \"value\": " + exact_number(counter.value) + ", \"callpath\": " +
                       (counter.call_path.is_valid() ? json_string(call_path_text(report.structure, counter.call_path)) : "null") + "}");
  return "{\n  \"version\": " + std::to_string(kJsonVersion) + ",\n  \"program\": " + json_string(findings.program) +
         ",\n  \"processes\": " + std::to_string(findings.processes) +
         ",\n  \"locations\": " + std::to_string(findings.locations) +
         ",\n  \"is_analysis\": " + (findings.is_analysis ? "true" : "false") +
         ",\n  \"incomplete\": " + json_string(findings.incomplete) + ",\n  \"wall\": " + exact_number(findings.wall) +
         ",\n  \"allocation\": " + exact_number(findings.shares.total) +
         ",\n  \"waiting\": " + exact_number(findings.waiting) +
         ",\n  \"classes\": " + json_classes(findings) + ",\n  \"waits\": " + json_array(waits) +
         ",\n  \"callpaths\": " + json_array(paths) +
         (clusters.empty() ? "" : ",\n  \"iterations\": " + json_array(clusters)) + (counters.empty() ? "" : ",\n  \"counters\": " + json_array(counters)) + "\n}\n";
}

}  // namespace tarry
