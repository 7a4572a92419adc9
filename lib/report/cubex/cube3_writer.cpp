// cube3_writer.cpp -- writes a report in version 3.
#include <algorithm>

#include "base/text/text.hpp"
#include "report/tree/call_path_tree.hpp"
#include "report/cubex/cube3.hpp"
#include "report/cubex/cubex_layout.hpp"
#include "report/cubex/cubex_output.hpp"
#include "report/algebra/flavour.hpp"
#include "report/cubex/xml_scanner.hpp"

namespace tarry {
namespace {

class Cube3Writer {
 public:
  Cube3Writer(const CubeSource& report, const CubexLayout& layout, CubexOutput& out)
      : s_(report.structure()), layout_(layout), out_(out), reader_(report) {
    for (const ListedMetric& listed : layout.metrics) {
      const ReportMetric& facts = s_.metrics[listed.metric.value];
      if (!is_derived(facts.kind) && !facts.is_ghost) metrics_.push_back(listed);
    }
  }

  void write() {
    put("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cube version=\"3.0\">\n");
    for (const auto& [key, value] : s_.attributes)
      put("<attr key=\"" + encode_xml(key) + "\" value=\"" + encode_xml(value) + "\"/>\n");
    put("<doc>\n<mirrors>\n");
    for (const std::string& mirror : s_.mirrors) element("murl", mirror);
    put("</mirrors>\n</doc>\n");
    write_metrics();
    write_program();
    write_system();
    put("<severity>\n");
    for (std::size_t id = 0; id < metrics_.size(); ++id) write_matrix(id);
    put("</severity>\n</cube>\n");
  }

 private:
  void put(std::string_view text) { out_.append(text); }
  void element(const std::string& name, const std::string& text) {
    put("<" + name + ">" + encode_xml(text) + "</" + name + ">\n");
  }

  void close_to(std::uint32_t& open, std::uint32_t depth, std::string_view closing) {
    for (; open > depth; --open) put(closing);
  }

  void write_metrics() {
    put("<metrics>\n");
    std::uint32_t open = 0;
    for (std::size_t id = 0; id < metrics_.size(); ++id) {
      const ReportMetric& metric = s_.metrics[metrics_[id].metric.value];
      close_to(open, std::min(open, metrics_[id].depth), "</metric>\n");
      put("<metric id=\"" + std::to_string(id) + "\">\n");
      element("disp_name", metric.display_name.empty() ? metric.unique_name : metric.display_name);
      element("uniq_name", metric.unique_name);
      element("dtype", is_integer(metric.type) ? "INTEGER" : "FLOAT");
      element("uom", metric.unit);
      element("val", "");
      element("url", metric.url);
      element("descr", metric.description);
      ++open;
    }
    close_to(open, 0, "</metric>\n");
    put("</metrics>\n");
  }

  void write_program() {
    put("<program>\n");
    for (std::size_t id = 0; id < s_.regions.size(); ++id) {
      const ReportRegion& region = s_.regions[id];
      put("<region id=\"" + std::to_string(id) + "\" mod=\"" + encode_xml(region.module) + "\" begin=\"" +
          std::to_string(region.begin_line) + "\" end=\"" + std::to_string(region.end_line) + "\">\n");
      element("name", region.name);
      element("url", region.url);
      element("descr", region.description);
      put("</region>\n");
    }
    std::uint32_t open = 0;
    for (std::size_t id = 0; id < layout_.call_paths.size(); ++id) {
      const ReportCallPath& path = s_.call_paths[layout_.call_paths[id]];
      close_to(open, layout_.call_path_depths[layout_.call_paths[id]], "</cnode>\n");
      put("<cnode id=\"" + std::to_string(id) + "\" line=\"" + std::to_string(path.line) + "\" mod=\"" +
          encode_xml(path.module) + "\" calleeId=\"" + std::to_string(path.region) + "\">\n");
      ++open;
    }
    close_to(open, 0, "</cnode>\n");
    put("</program>\n");
  }

  // One machine; a node for each system node that holds processes.
  void write_system() {
    put("<system>\n<machine Id=\"0\">\n");
    element("name", s_.system_nodes.empty() ? "machine" : s_.system_nodes[layout_.system_nodes[0].node].name);
    std::size_t nodes = 0, processes = 0;
    for (const auto& [node, depth] : layout_.system_nodes) {
      if (layout_.node_processes[node].empty()) continue;
      put("<node Id=\"" + std::to_string(nodes++) + "\">\n");
      element("name", s_.system_nodes[node].name);
      for (const std::uint32_t process : layout_.node_processes[node]) {
        put("<process Id=\"" + std::to_string(processes++) + "\">\n");
        element("name", s_.processes[process].name);
        element("rank", std::to_string(s_.processes[process].rank));
        for (const std::uint32_t location : layout_.process_locations[process]) {
          put("<thread Id=\"" + std::to_string(layout_.column_of[location]) + "\">\n");
          element("name", s_.locations[location].name);
          element("rank", std::to_string(s_.locations[location].rank));
          put("</thread>\n");
        }
        put("</process>\n");
      }
      put("</node>\n");
    }
    put("</machine>\n</system>\n");
  }

  // Exclusive along both trees: what the metrics below hold is taken off.
  void write_matrix(std::size_t id) {
    const MetricId metric = metrics_[id].metric;
    std::vector<MetricId> below;
    for (std::size_t at = id + 1; at < metrics_.size() && metrics_[at].depth > metrics_[id].depth; ++at)
      if (metrics_[at].depth == metrics_[id].depth + 1) below.push_back(metrics_[at].metric);
    put("<matrix metricId=\"" + std::to_string(id) + "\">\n");
    std::vector<double> values, part;
    for (std::size_t path = 0; path < layout_.call_paths.size(); ++path) {
      const CallPathId call_path(layout_.call_paths[path]);
      bool has_values = read(metric, call_path, values);
      for (const MetricId child : below)
        if (read(child, call_path, part)) {
          has_values = true;
          for (std::size_t i = 0; i < values.size(); ++i) values[i] = without_children(values[i], part[i]);
        }
      if (!has_values) continue;
      put("<row cnodeId=\"" + std::to_string(path) + "\">\n");
      for (const std::uint32_t location : layout_.columns) put(exact_number(values[location]) + "\n");
      put("</row>\n");
    }
    put("</matrix>\n");
  }

  bool read(MetricId metric, CallPathId path, std::vector<double>& numbers) {
    const ValueFormat format = s_.metrics[metric.value].format();
    numbers.assign(s_.locations.size(), 0);
    if (!reader_.has_exclusive(metric, path)) return false;
    row_.resize(s_.locations.size() * format.components());
    reader_.read_exclusive(metric, path, row_);
    numbers_of_row(format, row_, numbers);
    for (double& number : numbers)
      if (is_neutral_number(format.type, number)) number = 0;
    return true;
  }

  const ReportStructure& s_;
  const CubexLayout& layout_;
  CubexOutput& out_;
  FlavourReader reader_;
  std::vector<ListedMetric> metrics_;
  std::vector<double> row_;
};

}  // namespace

Status write_cube3(const CubeSource& report, const std::string& path) {
  TARRY_TRY_ASSIGN(layout, plan_cubex(report.structure(), path));
  return write_file_with(path, [&](const File& file) {
    CubexOutput out(file, output_name(path));
    Cube3Writer(report, layout, out).write();
    return out.finish();
  });
}

}  // namespace tarry
