// findings_data.cpp -- findings for programs: CSV and JSON.
#include "findings/findings_data.hpp"

#include <algorithm>

#include "base/text/csv.hpp"
#include "base/text/json.hpp"
#include "findings/causes/advice.hpp"
#include "findings/path_place.hpp"
#include "findings/imbalance/imbalance_data.hpp"
#include "report/tree/call_path_tree.hpp"

namespace tarry {
namespace {

constexpr int kJsonVersion = 1;
constexpr std::size_t kAdviceListed = 20;

// By blanks.
std::string join_ranks(const std::vector<ReportRank>& ranks) {
  std::string text;
  for (const ReportRank rank : ranks) text += (text.empty() ? "" : " ") + std::to_string(rank.value);
  return text;
}

// The first columns of a row: kind, name, seconds and their part of the allocation time.
CsvWriter& begin_row(CsvWriter& out, const Findings& findings, std::string_view kind, std::string_view name,
                     Seconds seconds) {
  const Seconds allocation = findings.shares.total;
  return out.add(kind).add(name).add(seconds).add(allocation > 0 ? seconds / allocation : 0.0);
}

// Columns: function, file and line, where the report has them.
CsvWriter& add_code_place(CsvWriter& out, const Report& report, CallPathId path) {
  const auto place = find_place(report.structure, path);
  if (!place) return out.skip(3);
  return out.add(report.structure.regions[place->region].name).add(place->file).add(place->line);
}

// The same as members, and the line of the source if it is there.
void add_code_place(JsonWriter& out, const Report& report, CallPathId path, const SourceLines& sources) {
  const auto place = find_place(report.structure, path);
  if (!place) return;
  out.member("function", report.structure.regions[place->region].name);
  out.member("file", place->file).member("line", place->line);
  if (const std::string source = sources.find(place->file, place->line); !source.empty()) out.member("source", source);
}

// "" where there is no call path.
std::string path_of(const Report& report, CallPathId path) {
  return path.is_valid() ? call_path_text(report.structure, path) : "";
}

void add_place(JsonWriter& out, const Report& report, CallPathId path, Seconds seconds, const RankTime& worst) {
  out.member("callpath", path_of(report, path)).member("seconds", seconds);
  out.name("worst").begin_object().member("rank", worst.rank.value).member("seconds", worst.seconds).end();
}

void add_longest(JsonWriter& out, const SevereWait& wait) {
  out.name("longest").begin_object();
  out.member("seconds", wait.waiting).member("rank", wait.rank.value).member("enter", wait.enter).name("delaying_rank");
  if (wait.delaying_rank) out.add(wait.delaying_rank->value);
  else out.add_null();
  out.member("delaying_callpath", wait.delaying_call_path).end();
}

// Parts of threads of a cause, named by their ranks in the report.
void add_causing_threads(JsonWriter& out, const char* name, const std::vector<CausingThread>& parts) {
  out.name(name).begin_array();
  for (const CausingThread& part : parts) {
    out.begin_object().member("rank", part.rank.value).member("thread", part.thread.value);
    out.member("seconds", part.seconds).end();
  }
  out.end();
}

void add_effect(JsonWriter& out, const Report& report, const CauseEffect& effect) {
  out.begin_object().member("kind", effect.kind).member("callpath", path_of(report, effect.path));
  out.member("direct", effect.direct).member("indirect", effect.indirect).member("share", effect.share()).end();
}

// Of a cause: the function that does the work, and its first line.
void add_work(JsonWriter& out, const Report& report, CallPathId path, const SourceLines& sources) {
  out.member("callpath", path_of(report, path));
  const std::uint32_t region = report.structure.call_paths[path.value].region;
  const auto place = find_work(report.structure, path);
  out.member("function", report.structure.regions[place ? place->region : region].name);
  if (!place) return;
  out.member("file", place->file).member("line", place->line);
  if (const std::string source = sources.find(place->file, place->line); !source.empty()) out.member("source", source);
}

void add_cause(JsonWriter& out, const Report& report, const RootCause& cause, const SourceLines& sources) {
  out.begin_object().member("number", cause.number).member("nature", name_of(cause.nature));
  add_work(out, report, cause.path, sources);
  out.member("seconds", cause.seconds()).member("direct", cause.direct).member("indirect", cause.indirect);
  out.member("share", cause.share).member("excess", cause.excess).member("excess_share", cause.excess_share);
  out.member("blocked_share", cause.blocked_share);
  out.member("threads", cause.threads);
  if (cause.outside) {
    out.member("outside", name_of(cause.outside->cause)).member("outside_share", cause.outside->share);
    out.member("outside_least_share", cause.outside->known_share());
    out.member("outside_seconds", cause.outside->seconds).member("outside_in_region", cause.outside->is_of_region);
  }
  add_causing_threads(out, "who", cause.who);
  add_causing_threads(out, "through", cause.through);
  out.name("effects").begin_array();
  for (const CauseEffect& effect : cause.effects) add_effect(out, report, effect);
  out.end().end();
}

void add_advice(JsonWriter& out, const Report&, const Advice& advice, const SourceLines&) {
  out.begin_object().member("sentence", advice.sentence).member("detail", advice.detail);
  if (!advice.causes.empty()) {
    out.member("share", advice.share).name("causes").begin_array();
    for (const std::uint64_t number : advice.causes) out.add(number);
    out.end();
  }
  out.end();
}

// What caused one wait, where the report tells: by call path of the cause.
void add_causes_of(JsonWriter& out, const Report& report, const WaitCauses& waits, Seconds waiting) {
  out.name("causes").begin_array();
  for (const CauseAtPath& cause : waits.delays) {
    out.begin_object().member("callpath", path_of(report, cause.path));
    out.member("direct", cause.direct).member("indirect", cause.indirect);
    out.member("share", cause.seconds() / std::max(waits.waiting, waiting));
    out.name("ranks").begin_array();
    for (const CauseOfThread& part : cause.worst) out.add(report.structure.processes[part.process].rank);
    out.end().end();
  }
  out.end();
}

void add_wait(JsonWriter& out, const Report& report, const WaitFinding& wait, const SourceLines& sources) {
  out.begin_object().member("metric", wait.metric).member("name", wait.name);
  add_place(out, report, wait.call_path, wait.seconds, wait.worst);
  out.name("ranks").begin_array();
  for (const ReportRank rank : wait.waiting_most) out.add(rank.value);
  out.end();
  if (!wait.waiting_threads.empty()) {
    out.name("threads").begin_array();
    for (const ReportThread thread : wait.waiting_threads) out.add(thread.value);
    out.end();
  }
  if (wait.longest) add_longest(out, *wait.longest);
  if (wait.causes) add_causes_of(out, report, *wait.causes, wait.seconds);
  add_code_place(out, report, wait.call_path, sources);
  out.end();
}

void add_wait_total(JsonWriter& out, const Report&, const WaitTotal& total, const SourceLines&) {
  out.begin_object().member("metric", total.metric).member("name", total.name).member("seconds", total.seconds);
  out.member("callpaths", total.call_paths).name("worst").begin_object();
  out.member("rank", total.worst.rank.value).member("seconds", total.worst.seconds).end().end();
}

void add_path(JsonWriter& out, const Report& report, const PathFinding& path, const SourceLines& sources) {
  out.begin_object();
  add_place(out, report, path.call_path, path.seconds, path.worst);
  out.member("visits", path.visits);
  add_code_place(out, report, path.call_path, sources);
  out.end();
}

void add_part(JsonWriter& out, const Report& report, const PathPart& part, const SourceLines&) {
  out.begin_object().member("callpath", path_of(report, part.call_path)).member("seconds", part.seconds);
  out.member("imbalance", part.imbalance).member("inter_partition", part.inter);
  out.member("processes", part.processes).member("worst_rank", part.worst.value);
  if (part.threads > 0) out.member("threads", part.threads).member("worst_thread", part.worst_thread.value);
  out.end();
}

void add_cluster(JsonWriter& out, const Report& report, const ClusterFinding& cluster, const SourceLines&) {
  out.begin_object().member("callpath", path_of(report, cluster.call_path)).member("seconds", cluster.seconds);
  out.member("count", cluster.iterations).member("numbers", cluster.numbers).end();
}

void add_counter(JsonWriter& out, const Report& report, const CounterFinding& counter, const SourceLines&) {
  out.begin_object().member("name", counter.name).member("unit", counter.unit).member("value", counter.value);
  if (counter.call_path.is_valid()) out.member("callpath", path_of(report, counter.call_path));
  else out.name("callpath").add_null();
  out.end();
}

void add_heap(JsonWriter& out, const Report& report, const HeapFindings& heap) {
  if (heap.leak) {
    out.name("heap_leak").begin_object().member("region", report.structure.regions[heap.leak->region].name);
    out.member("bytes", heap.leak->bytes).member("blocks", heap.leak->blocks);
    out.member("callpath", path_of(report, heap.leak->call_path)).member("worst_rank", heap.leak->worst.value).end();
  }
  if (heap.peak) {
    out.name("heap_peak").begin_object().member("rank", heap.peak->rank.value).member("bytes", heap.peak->bytes);
    out.member("callpath", path_of(report, heap.peak->call_path)).member("at_callpath", heap.peak->at_path).end();
  }
}

void add_outlying(JsonWriter& out, const IterationFinding& finding) {
  out.name("outlying_iterations").begin_object().member("region", finding.region).member("metric", finding.metric);
  out.name("iterations").begin_array(JsonWriter::Layout::kLines);
  for (std::size_t i = 0; i < finding.outliers.size(); ++i) {
    out.begin_object().member("first", finding.iterations[i].first).member("last", finding.iterations[i].last);
    out.member("seconds", finding.outliers[i].mean).member("median", finding.outliers[i].median);
    out.member("worst_rank", finding.ranks[i]).member("worst_seconds", finding.outliers[i].most).end();
  }
  out.end().end();
}

void add_samples(JsonWriter& out, const SampleLosses& samples) {
  out.name("samples").begin_object().member("taken", samples.taken).member("inside_calls", samples.inside_calls);
  for (std::size_t why = 0; why < kLostSampleReasons; ++why) out.member(kLostSamples[why].key, samples.lost[why]);
  out.end();
}

void add_stacks(JsonWriter& out, const StackLosses& stacks) {
  out.name("stacks").begin_object().member("looked_at", stacks.stacks);
  for (std::size_t why = 0; why < kCutStackReasons; ++why) out.member(kCutStacks[why].key, stacks.cut[why]);
  if (!stacks.module.empty()) out.member("module", stacks.module).member("in_module", stacks.in_module);
  out.end();
}

void add_missing_names(JsonWriter& out, const MissingNames& names) {
  out.name("missing_names").begin_object().member("functions", names.functions).member("share", names.share);
  out.member("module", names.module).member("lacks_libdw", names.lacks_libdw).end();
}

// A member that is an array, an element a line.
template <class Item>
void add_list(JsonWriter& out, const char* name, const Report& report, const std::vector<Item>& items,
              const SourceLines& sources, void (*add)(JsonWriter&, const Report&, const Item&, const SourceLines&)) {
  out.name(name).begin_array(JsonWriter::Layout::kLines);
  for (const Item& item : items) add(out, report, item, sources);
  out.end();
}

void add_critical_path(JsonWriter& out, const Report& report, const CriticalPathFinding& found,
                       const SourceLines& sources) {
  out.name("critical_path").begin_object().member("seconds", found.length).member("imbalance", found.imbalance);
  out.member("intra_partition", found.intra).member("inter_partition", found.inter).name("lacked");
  if (found.lacked) add_part(out, report, *found.lacked, sources);
  else out.add_null();
  add_list(out, "callpaths", report, found.parts, sources, add_part);
  out.end();
}

void add_kernel(JsonWriter& out, const Report& report, const KernelFinding& kernel, const SourceLines&) {
  out.begin_object().member("callpath", path_of(report, kernel.call_path));
  out.member("seconds", kernel.seconds).member("executions", kernel.executions);
  out.member("mean", kernel.mean).member("worst_rank", kernel.worst.value).member("worst_seconds", kernel.largest);
  out.end();
}

void add_queue_order(JsonWriter& out, const Report& report, const QueueOrderFinding& found) {
  const auto add = [&](std::string_view name, const QueuedPath& path) {
    out.name(name).begin_object().member("callpath", path_of(report, path.call_path)).member("seconds", path.seconds);
    out.end();
  };
  out.begin_object().member("waiting", found.waiting).member("holding", found.holding);
  add("waits", found.waits);
  add("holds", found.holds);
  out.end();
}

void add_devices(JsonWriter& out, const Report& report, const DeviceFindings& found, const SourceLines& sources) {
  out.name("devices").begin_object().member("queues", found.queues).member("seconds", found.time);
  out.member("kernels", found.kernels).member("copies", found.copies).member("exposed_copies", found.exposed);
  out.member("idle", found.idle).member("late_launch", found.late_launch).member("bytes", found.bytes);
  out.name("queue_order");
  if (found.order) add_queue_order(out, report, *found.order);
  else out.add_null();
  out.name("efficiencies").begin_object().member("devices", found.efficiencies.all());
  out.member("load_balance", found.efficiencies.load_balance);
  out.member("communication", found.efficiencies.communication);
  out.member("orchestration", found.efficiencies.orchestration).member("offload", found.offload_efficiency).end();
  add_list(out, "longest_kernels", report, found.longest, sources, add_kernel);
  out.end();
}

}  // namespace

std::string findings_csv(const Report& report, const Findings& findings) {
  CsvWriter out("kind,name,seconds,fraction,callpath,worst_rank,worst_seconds,ranks,function,file,line");
  const auto begin = [&](std::string_view kind, std::string_view name, Seconds seconds) -> CsvWriter& {
    return begin_row(out, findings, kind, name, seconds);
  };
  begin("total", "wall", findings.wall).skip(7).end_row();
  begin("total", "allocation", findings.shares.total).skip(7).end_row();
  begin("total", "waiting", findings.waiting).skip(7).end_row();
  for (std::size_t i = 0; i < kTimeClasses; ++i)
    begin("class", name_of(static_cast<TimeClass>(i)), findings.shares.seconds[i]).skip(7).end_row();
  for (const WaitFinding& wait : findings.waits) {
    begin("wait", wait.metric, wait.seconds)
        .add(path_of(report, wait.call_path))
        .add(wait.worst.rank.value)
        .add(wait.worst.seconds)
        .add(join_ranks(wait.waiting_most));
    add_code_place(out, report, wait.call_path).end_row();
  }
  for (const PathFinding& path : findings.paths) {
    begin("callpath", "time", path.seconds)
        .add(path_of(report, path.call_path))
        .add(path.worst.rank.value)
        .add(path.worst.seconds)
        .skip();
    add_code_place(out, report, path.call_path).end_row();
  }
  for (const ClusterFinding& cluster : findings.clusters)
    begin("iterations", cluster.numbers, cluster.seconds).add(path_of(report, cluster.call_path)).skip(6).end_row();
  // In the column of seconds is the value in the counter's unit; it has no fraction.
  for (const CounterFinding& counter : findings.counters)
    out.add("counter")
        .add(counter.name)
        .add(counter.value)
        .skip()
        .add(path_of(report, counter.call_path))
        .skip(6)
        .end_row();
  return out.take();
}

std::string findings_json(const Report& report, const Findings& findings, const SourceLines& sources) {
  JsonWriter out;
  out.begin_object(JsonWriter::Layout::kLines).member("version", kJsonVersion).member("program", findings.program);
  out.member("processes", findings.processes).member("locations", findings.locations);
  out.member("is_analysis", findings.is_analysis).member("incomplete", findings.incomplete);
  if (!findings.unreceived.empty()) out.member("unreceived", findings.unreceived);
  if (!findings.left_out.empty()) out.member("left_out", findings.left_out);
  if (!findings.calls_left_out.empty()) out.member("calls_left_out", findings.calls_left_out);
  if (!findings.unfollowed.empty()) out.member("heap_not_followed", findings.unfollowed);
  if (!findings.unseen_openmp.empty()) out.member("openmp_not_recorded", findings.unseen_openmp);
  if (!findings.covers.empty()) out.member("covers", findings.covers);
  if (!findings.predicted.empty()) out.member("predicted", findings.predicted);
  if (findings.samples) add_samples(out, *findings.samples);
  if (findings.stacks) add_stacks(out, *findings.stacks);
  if (!findings.throttled.empty()) {
    out.name("throttled").begin_array(JsonWriter::Layout::kLines);
    for (const ThrottledFunction& function : findings.throttled)
      out.begin_object().member("name", function.name).member("calls", function.calls).end();
    out.end();
  }
  if (findings.missing_names.functions > 0) add_missing_names(out, findings.missing_names);
  out.member("wall", findings.wall).member("allocation", findings.shares.total).member("waiting", findings.waiting);
  out.name("classes").begin_object();
  for (std::size_t i = 0; i < kTimeClasses; ++i)
    out.member(name_of(static_cast<TimeClass>(i)), findings.shares.seconds[i]);
  out.end();
  out.member("init_and_finalize", findings.init_and_finalize);
  out.member("file_metadata", findings.shares.file_metadata).member("recording_off", findings.shares.recording_off);
  out.member("explained", findings.root_causes.explained);
  add_list(out, "advice", report, give_advice(report, findings, kAdviceListed), sources, add_advice);
  add_list(out, "causes", report, findings.root_causes.causes, sources, add_cause);
  add_list(out, "wait_totals", report, findings.wait_totals, sources, add_wait_total);
  add_list(out, "waits", report, findings.waits, sources, add_wait);
  if (findings.critical_path) add_critical_path(out, report, *findings.critical_path, sources);
  if (findings.devices) add_devices(out, report, *findings.devices, sources);
  add_list(out, "callpaths", report, findings.paths, sources, add_path);
  if (!findings.clusters.empty()) add_list(out, "iterations", report, findings.clusters, sources, add_cluster);
  if (findings.iterations) add_outlying(out, *findings.iterations);
  if (!findings.counters.empty()) add_list(out, "counters", report, findings.counters, sources, add_counter);
  add_heap(out, report, findings.heap);
  add_imbalances(out, report, findings);
  return out.end().take();
}

}  // namespace tarry
