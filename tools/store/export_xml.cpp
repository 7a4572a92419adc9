// export_xml.cpp -- runs as XML, by the terms of SCALEA's performance data repository (docs/STORE.md).
#include <concepts>
#include <utility>

#include "base/text/text.hpp"
#include "export_forms.hpp"
#include "report/tree/call_path_tree.hpp"
#include "report/algebra/cube_values.hpp"
#include "report/cubex/xml_scanner.hpp"

namespace tarry {
namespace {

// Attributes and elements, escaped.
class XmlText {
 public:
  XmlText& open(std::string_view name) {
    text_ += std::string(2 * ++depth_, ' ') + "<" + std::string(name);
    return *this;
  }
  XmlText& with(std::string_view name, std::string_view value) {
    text_ += " " + std::string(name) + "=\"" + encode_xml(value) + "\"";
    return *this;
  }
  template <std::integral T>
  XmlText& with(std::string_view name, T value) {
    return with(name, std::to_string(value));
  }
  XmlText& with(std::string_view name, double value) { return with(name, exact_number(value)); }
  void end() {
    text_ += "/>\n";
    --depth_;
  }
  void begin() { text_ += ">\n"; }
  void close(std::string_view name) { text_ += std::string(2 * depth_--, ' ') + "</" + std::string(name) + ">\n"; }

  std::string take() { return std::exchange(text_, std::string()); }

 private:
  std::string text_;
  std::size_t depth_ = 0;
};

class XmlRun {
 public:
  XmlRun(const ExportedRun& exported, const TextSink& sink)
      : exported_(exported), sink_(sink), structure_(exported.report.structure()), values_(exported.report) {}

  Status write() {
    begin_experiment();
    write_machines();
    write_code();
    TARRY_TRY(sink_(xml_.take()));
    for (std::size_t path = 0; path < structure_.call_paths.size(); ++path) {
      write_summaries(CallPathId(path));
      TARRY_TRY(sink_(xml_.take()));
    }
    xml_.close("experiment");
    return sink_(xml_.take());
  }

 private:
  void begin_experiment() {
    const RunFacts& facts = exported_.facts;
    xml_.open("experiment").with("id", exported_.run.id).with("startTime", exported_.run.date);
    if (exported_.run.wall_seconds) xml_.with("wallSeconds", *exported_.run.wall_seconds);
    xml_.with("commandLine", facts.command).with("kind", facts.kind).begin();
    xml_.open("application").with("name", facts.program).begin();
    xml_.open("codeVersion").with("revision", facts.revision).with("flags", facts.flags);
    xml_.with("modules", facts.modules).end();
    xml_.close("application");
    for (const auto& [name, value] : facts.parameters)
      xml_.open("parameter").with("name", name).with("value", value).end();
    for (const std::string& tag : facts.tags) xml_.open("tag").with("name", tag).end();
  }

  void write_machines() {
    const MachineFacts& machine = exported_.facts.machine;
    xml_.open("physicalMachine").with("name", machine.name).with("network", machine.network);
    xml_.with("clocks", machine.clocks).with("mpi", machine.mpi).begin();
    for (const NodeFacts& node : machine.nodes) {
      xml_.open("computationalNode").with("name", node.name);
      if (node.cores) xml_.with("cores", *node.cores);
      xml_.with("processor", node.processor).with("network", node.network).end();
    }
    xml_.close("physicalMachine");
    xml_.open("virtualMachine").begin();
    for (std::size_t i = 0; i < structure_.system_nodes.size(); ++i)
      xml_.open("virtualNode").with("id", i).with("name", structure_.system_nodes[i].name).end();
    for (std::size_t i = 0; i < structure_.locations.size(); ++i) {
      const ReportLocation& location = structure_.locations[i];
      const ReportProcess& process = structure_.processes[location.process];
      xml_.open("processingUnit").with("id", i).with("virtualNode", process.node).with("process", process.rank);
      xml_.with("thread", location.rank).end();
    }
    xml_.close("virtualMachine");
  }

  void write_code() {
    for (std::size_t i = 0; i < structure_.regions.size(); ++i) {
      const ReportRegion& region = structure_.regions[i];
      xml_.open("codeRegion").with("id", i).with("name", region.name).with("sourceFile", region.module);
      xml_.with("startPos", region.begin_line).with("endPos", region.end_line).end();
    }
  }

  // A region summary for each processing unit, with the metrics that are not zero there.
  void write_summaries(CallPathId path) {
    std::vector<std::vector<double>> rows(structure_.metrics.size());
    for (std::size_t m = 0; m < rows.size(); ++m)
      if (structure_.metrics[m].is_ghost || values_.is_void(MetricId(m)) ||
          !values_.row(MetricId(m), path, Flavour::kExclusive, rows[m]))
        rows[m].clear();
    for (std::size_t i = 0; i < structure_.locations.size(); ++i) {
      bool is_open = false;
      for (std::size_t m = 0; m < rows.size(); ++m) {
        if (i >= rows[m].size() || rows[m][i] == 0) continue;
        if (!std::exchange(is_open, true)) {
          xml_.open("regionSummary").with("codeRegion", structure_.call_paths[path.value].region);
          xml_.with("callPath", call_path_text(structure_, path)).with("processingUnit", i).begin();
        }
        const ReportMetric& metric = structure_.metrics[m];
        xml_.open("performanceMetric").with("name", metric.unique_name).with("unit", metric.unit);
        xml_.with("value", rows[m][i]).end();
      }
      if (is_open) xml_.close("regionSummary");
    }
  }

  const ExportedRun& exported_;
  const TextSink& sink_;
  const ReportStructure& structure_;
  CubeValues values_;
  XmlText xml_;
};

}  // namespace

Status export_xml(const ExportedRun& exported, const TextSink& sink) { return XmlRun(exported, sink).write(); }

}  // namespace tarry
