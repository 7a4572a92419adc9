// export_jsonl.cpp -- runs as JSON Lines, from which they can be made again (docs/STORE.md, "From store to store").
#include "base/text/json.hpp"
#include "export_forms.hpp"
#include "report/tree/metric_tree.hpp"
#include "run_tables.hpp"
#include "store/content_key.hpp"

namespace tarry {
namespace {

using JsonPairs = std::vector<std::pair<std::string, std::string>>;

void add_pairs(JsonWriter& json, const char* name, const JsonPairs& pairs) {
  if (pairs.empty()) return;
  json.name(name).begin_array();
  for (const auto& [key, value] : pairs) json.begin_array().add(key).add(value).end();
  json.end();
}

// -1 for what has no parent.
std::int64_t parent_number(std::uint32_t parent) { return parent == ~std::uint32_t{0} ? -1 : std::int64_t{parent}; }

// One object a line.
class JsonLines {
 public:
  explicit JsonLines(const ExportedRun& exported) : exported_(exported), structure_(exported.report.structure()) {}

  std::string trees() {
    add_run();
    for (const ReportMetric& metric : structure_.metrics) add_metric(metric);
    for (const ReportRegion& region : structure_.regions) add_region(region);
    for (const ReportCallPath& path : structure_.call_paths) add_call_path(path);
    add_system();
    for (const ReportTopology& topology : structure_.topologies) add_topology(topology);
    for (const ReportFile& file : exported_.report.files()) {
      begin("file").member("name", file.name).member("bytes", key_text(file.bytes));
      end();
    }
    return std::move(text_);
  }

  std::string values(MetricId metric) {
    text_.clear();
    const ReportMetric& facts = structure_.metrics[metric.value];
    if (is_derived(facts.kind)) return "";
    std::vector<double> row(structure_.locations.size() * facts.format().components());
    for (std::size_t path = 0; path < structure_.call_paths.size(); ++path) {
      if (!exported_.report.has_row(metric, CallPathId(path))) continue;
      exported_.report.read_row(metric, CallPathId(path), row);
      begin("values").member("metric", metric.value).member("callpath", path).name("values").begin_array();
      for (const double value : row) json_.add(value);
      json_.end();
      end();
    }
    return std::move(text_);
  }

 private:
  JsonWriter& begin(const char* type) { return json_.begin_object().member("type", type); }

  void end() {
    text_ += json_.end().take();
    json_ = JsonWriter();
  }

  void add_run() {
    const RunFacts& facts = exported_.facts;
    begin("run").member("version", 1).member("program", facts.program).member("commit", facts.revision);
    json_.member("flags", facts.flags).member("modules", facts.modules).member("command", facts.command);
    json_.member("kind", facts.kind).member("source", facts.source).member("incomplete", facts.incomplete);
    if (facts.started) json_.member("started", *facts.started);
    if (facts.ended) json_.member("ended", *facts.ended);
    if (facts.exit_status) json_.member("exit_status", *facts.exit_status);
    if (facts.transfer) json_.member("transfer", *facts.transfer);
    json_.member("machine", facts.machine.name).member("network", facts.machine.network);
    json_.member("clocks", facts.machine.clocks).member("mpi", facts.machine.mpi).name("nodes").begin_array();
    for (const NodeFacts& node : facts.machine.nodes) json_.add(node.name);
    json_.end().name("node_facts").begin_array();
    for (const NodeFacts& node : facts.machine.nodes) {
      json_.begin_object().name("cores");
      node.cores ? json_.add(*node.cores) : json_.add_null();
      json_.member("processor", node.processor).member("network", node.network).end();
    }
    json_.end();
    add_pairs(json_, "parameters", facts.parameters);
    json_.name("tags").begin_array();
    for (const std::string& tag : facts.tags) json_.add(tag);
    json_.end().member("key", exported_.run.key).member("report_bytes", exported_.run.report_bytes);
    add_pairs(json_, "attributes", structure_.attributes);
    json_.name("mirrors").begin_array();
    for (const std::string& mirror : structure_.mirrors) json_.add(mirror);
    json_.end();
    end();
  }

  void add_metric(const ReportMetric& metric) {
    begin("metric").member("name", metric.unique_name).member("display_name", metric.display_name);
    json_.member("unit", metric.unit).member("description", metric.description).member("url", metric.url);
    json_.member("kind", metric_kind_text(metric.kind)).member("value_type", dtype_text(metric.format()));
    json_.member("parent", parent_number(metric.parent.value));
    if (metric.is_ghost) json_.member("ghost", true);
    if (!metric.is_convertible) json_.member("convertible", false);
    if (!metric.is_cacheable) json_.member("cacheable", false);
    if (!metric.is_rowwise) json_.member("rowwise", false);
    if (!metric.expression.empty()) json_.member("expression", metric.expression);
    if (!metric.init_expression.empty()) json_.member("init_expression", metric.init_expression);
    add_pairs(json_, "aggregations", metric.aggregations);
    add_pairs(json_, "attributes", metric.attributes);
    end();
  }

  void add_region(const ReportRegion& region) {
    begin("region").member("name", region.name).member("mangled_name", region.mangled_name);
    json_.member("file", region.module).member("begin_line", region.begin_line).member("end_line", region.end_line);
    json_.member("paradigm", region.paradigm).member("role", region.role).member("url", region.url);
    json_.member("description", region.description);
    add_pairs(json_, "attributes", region.attributes);
    end();
  }

  void add_call_path(const ReportCallPath& path) {
    begin("callpath").member("region", path.region).member("parent", parent_number(path.parent.value));
    json_.member("line", path.line).member("file", path.module);
    add_pairs(json_, "numeric_parameters", path.numeric_parameters);
    add_pairs(json_, "string_parameters", path.string_parameters);
    add_pairs(json_, "attributes", path.attributes);
    end();
  }

  void add_system() {
    for (const ReportSystemNode& node : structure_.system_nodes) {
      begin("node").member("name", node.name).member("class", node.class_name);
      json_.member("description", node.description).member("parent", parent_number(node.parent));
      add_pairs(json_, "attributes", node.attributes);
      end();
    }
    for (const ReportProcess& process : structure_.processes) {
      begin("process").member("name", process.name).member("process_type", process.type);
      json_.member("rank", process.rank).member("node", process.node);
      add_pairs(json_, "attributes", process.attributes);
      end();
    }
    for (const ReportLocation& location : structure_.locations) {
      begin("location").member("name", location.name).member("location_type", location.type);
      json_.member("thread", location.rank).member("process", location.process);
      add_pairs(json_, "attributes", location.attributes);
      end();
    }
  }

  void add_topology(const ReportTopology& topology) {
    begin("topology").member("name", topology.name).name("dimensions").begin_array();
    for (const ReportTopology::Dimension& dimension : topology.dimensions) {
      json_.begin_object().member("name", dimension.name).member("size", dimension.size);
      json_.member("periodic", dimension.is_periodic).end();
    }
    json_.end().name("coordinates").begin_array();
    for (const auto& [location, coordinates] : topology.coordinates) {
      json_.begin_array().add(location);
      for (const std::int64_t coordinate : coordinates) json_.add(coordinate);
      json_.end();
    }
    json_.end();
    end();
  }

  const ExportedRun& exported_;
  const ReportStructure& structure_;
  JsonWriter json_;
  std::string text_;
};

}  // namespace

Status export_jsonl(const ExportedRun& exported, const TextSink& sink) {
  JsonLines lines(exported);
  TARRY_TRY(sink(lines.trees()));
  for (std::size_t m = 0; m < exported.report.structure().metrics.size(); ++m)
    TARRY_TRY(sink(lines.values(MetricId(m))));
  return sink("{\"type\": \"end\"}\n");
}

}  // namespace tarry
