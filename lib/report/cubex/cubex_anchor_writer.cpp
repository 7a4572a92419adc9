// cubex_anchor_writer.cpp -- a report's trees as the XML member anchor.xml.
//
// Readers parse a fixed grammar, not XML: order of elements and attributes, quotes and line ends are as they must be
// (docs/CUBEX.md, "The anchor").
#include "report/cubex/cubex_anchor_writer.hpp"

#include <algorithm>
#include <charconv>

#include "report/cubex/xml_scanner.hpp"

namespace tarry {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

// Formats elements and attributes into the output.
class AnchorText {
 public:
  explicit AnchorText(std::string& out) : out_(out) {}

  AnchorText& raw(std::string_view text) {
    out_.append(text);
    return *this;
  }
  AnchorText& number(std::int64_t value) {
    char text[24];
    out_.append(text, std::to_chars(text, text + sizeof text, value).ptr);
    return *this;
  }
  AnchorText& text(std::string_view text) {
    if (is_plain(text)) return raw(text);
    return raw(encode_xml(text));
  }
  AnchorText& element(std::string_view name, std::string_view content) {
    return raw("<").raw(name).raw(">").text(content).raw("</").raw(name).raw(">\n");
  }
  AnchorText& element(std::string_view name, std::int64_t content) {
    return raw("<").raw(name).raw(">").number(content).raw("</").raw(name).raw(">\n");
  }
  AnchorText& attribute(std::string_view name, std::string_view value) {
    return raw(" ").raw(name).raw("=\"").text(value).raw("\"");
  }
  AnchorText& attribute(std::string_view name, std::int64_t value) {
    return raw(" ").raw(name).raw("=\"").number(value).raw("\"");
  }
  AnchorText& pairs(const Pairs& pairs) {
    for (const auto& [key, value] : pairs) raw("<attr").attribute("key", key).attribute("value", value).raw("/>\n");
    return *this;
  }

 private:
  static bool is_plain(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) {
      return c >= 0x20 && c < 0x7f && c != '&' && c != '<' && c != '>' && c != '"' && c != '\'';
    });
  }

  std::string& out_;
};

// Some texts are not unescaped by readers, so they must not need it: percent signs for addresses.
std::string without_markup(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&') safe += "%26";
    else if (c == '<') safe += "%3C";
    else if (c == '>') safe += "%3E";
    else safe.push_back(c);
  }
  return safe;
}

// Closes elements until `depth` are open.
void close_to(AnchorText& anchor, std::uint32_t& open, std::uint32_t depth, std::string_view closing) {
  for (; open > depth; --open) anchor.raw(closing);
}

// Accelerators came with version 4.7; everything else is readable by older readers.
std::string_view version_of(const ReportStructure& structure) {
  const bool has_accelerator =
      std::any_of(structure.processes.begin(), structure.processes.end(),
                  [](const ReportProcess& process) { return process.type == "accelerator"; }) ||
      std::any_of(structure.locations.begin(), structure.locations.end(),
                  [](const ReportLocation& location) { return location.type == "accelerator stream"; });
  return has_accelerator ? "4.7" : "4.4";
}

bool has_key(const Pairs& pairs, std::string_view key) {
  return std::any_of(pairs.begin(), pairs.end(), [&](const auto& pair) { return pair.first == key; });
}

void write_report_attributes(const ReportStructure& structure, AnchorText& anchor) {
  Pairs attributes;
  if (!has_key(structure.attributes, "CubePL Version")) attributes.emplace_back("CubePL Version", "1.1");
  if (!has_key(structure.attributes, "Creator")) attributes.emplace_back("Creator", "Tarry " TARRY_VERSION);
  if (!has_key(structure.attributes, "CUBE_CT_AGGR")) attributes.emplace_back("CUBE_CT_AGGR", "SUM");
  anchor.pairs(attributes).pairs(structure.attributes);
  if (structure.mirrors.empty()) return;
  anchor.raw("<doc>\n<mirrors>\n");
  for (const std::string& mirror : structure.mirrors) anchor.element("murl", mirror);
  anchor.raw("</mirrors>\n</doc>\n");
}

void write_metric(const ReportMetric& metric, std::size_t id, AnchorText& anchor) {
  anchor.raw("<metric").attribute("id", static_cast<std::int64_t>(id)).attribute("type", metric_kind_text(metric.kind));
  if (metric.is_ghost) anchor.attribute("viztype", "GHOST");
  if (!metric.is_convertible) anchor.attribute("convertible", "false");
  if (!metric.is_cacheable) anchor.attribute("cacheable", "false");
  anchor.raw(">\n");
  anchor.element("disp_name", metric.display_name.empty() ? metric.unique_name : metric.display_name);
  anchor.element("uniq_name", metric.unique_name).element("dtype", dtype_text(metric.format()));
  anchor.element("uom", metric.unit).element("url", metric.url).element("descr", metric.description);
  // The attributes of these three are without quotes; readers insist.
  if (is_derived(metric.kind)) {
    anchor.raw(metric.is_rowwise ? "<cubepl>" : "<cubepl rowwise=false>").text(metric.expression).raw("</cubepl>\n");
    if (!metric.init_expression.empty()) anchor.element("cubeplinit", metric.init_expression);
    for (const auto& [operation, program] : metric.aggregations)
      anchor.raw("<cubeplaggr cubeplaggrtype=").raw(operation).raw(">").text(program).raw("</cubeplaggr>\n");
  }
  anchor.pairs(metric.attributes);
}

void write_metrics(const ReportStructure& structure, const CubexLayout& layout, AnchorText& anchor) {
  anchor.raw("<metrics>\n");
  std::uint32_t open = 0;
  for (std::size_t id = 0; id < layout.metrics.size(); ++id) {
    close_to(anchor, open, layout.metrics[id].depth, "</metric>\n");
    write_metric(structure.metrics[layout.metrics[id].metric.value], id, anchor);
    ++open;
  }
  close_to(anchor, open, 0, "</metric>\n");
  anchor.raw("</metrics>\n");
}

void write_region(const ReportRegion& region, std::size_t id, AnchorText& anchor) {
  anchor.raw("<region").attribute("id", static_cast<std::int64_t>(id)).attribute("mod", region.module);
  anchor.attribute("begin", region.begin_line).attribute("end", region.end_line).raw(">\n");
  anchor.element("name", region.name);
  anchor.element("mangled_name", region.mangled_name.empty() ? region.name : region.mangled_name);
  anchor.element("paradigm", region.paradigm).element("role", region.role);
  anchor.element("url", without_markup(region.url)).element("descr", region.description);
  anchor.pairs(region.attributes).raw("</region>\n");
}

void write_parameters(std::string_view type, const Pairs& parameters, AnchorText& anchor) {
  for (const auto& [key, value] : parameters)
    anchor.raw("<parameter")
        .attribute("partype", type)
        .attribute("parkey", key)
        .attribute("parvalue", value)
        .raw("/>\n");
}

void write_program(const ReportStructure& structure, const CubexLayout& layout, AnchorText& anchor) {
  anchor.raw("<program>\n");
  for (std::size_t id = 0; id < structure.regions.size(); ++id) write_region(structure.regions[id], id, anchor);
  std::uint32_t open = 0;
  for (std::size_t id = 0; id < layout.call_paths.size(); ++id) {
    const std::uint32_t at = layout.call_paths[id];
    const ReportCallPath& path = structure.call_paths[at];
    close_to(anchor, open, layout.call_path_depths[at], "</cnode>\n");
    anchor.raw("<cnode").attribute("id", static_cast<std::int64_t>(id));
    if (path.line >= 0) anchor.attribute("line", path.line);
    if (!path.module.empty()) anchor.attribute("mod", path.module);
    anchor.attribute("calleeId", path.region).raw(">\n");
    write_parameters("numeric", path.numeric_parameters, anchor);
    write_parameters("string", path.string_parameters, anchor);
    // On inner nodes, readers would hang attributes on a descendant.
    const bool is_leaf = id + 1 == layout.call_paths.size() ||
                         layout.call_path_depths[layout.call_paths[id + 1]] <= layout.call_path_depths[at];
    if (is_leaf) anchor.pairs(path.attributes);
    ++open;
  }
  close_to(anchor, open, 0, "</cnode>\n");
  anchor.raw("</program>\n");
}

// Numbers of processes and columns go up in the order of writing.
class SystemWriter {
 public:
  SystemWriter(const ReportStructure& structure, const CubexLayout& layout, AnchorText& anchor)
      : structure_(structure), layout_(layout), anchor_(anchor) {}

  void write() {
    anchor_.raw("<system>\n");
    std::uint32_t open = 0;
    for (std::size_t id = 0; id < layout_.system_nodes.size(); ++id) {
      close_to(anchor_, open, layout_.system_nodes[id].depth, "</systemtreenode>\n");
      write_node(layout_.system_nodes[id].node, id);
      ++open;
    }
    close_to(anchor_, open, 0, "</systemtreenode>\n");
    write_topologies();
    anchor_.raw("</system>\n");
  }

 private:
  void write_node(std::uint32_t node, std::size_t id) {
    const ReportSystemNode& facts = structure_.system_nodes[node];
    anchor_.raw("<systemtreenode").attribute("Id", static_cast<std::int64_t>(id)).raw(">\n");
    anchor_.element("name", facts.name).element("class", without_markup(facts.class_name));
    if (!facts.description.empty()) anchor_.element("descr", facts.description);
    anchor_.pairs(facts.attributes);
    for (const std::uint32_t process : layout_.node_processes[node]) write_process(process);
  }

  void write_process(std::uint32_t process) {
    const ReportProcess& facts = structure_.processes[process];
    anchor_.raw("<locationgroup").attribute("Id", process_count_++).raw(">\n");
    anchor_.element("name", facts.name).element("rank", std::max<std::int64_t>(0, facts.rank));
    anchor_.element("type", facts.type).pairs(facts.attributes);
    for (const std::uint32_t location : layout_.process_locations[process]) write_location(location);
    anchor_.raw("</locationgroup>\n");
  }

  void write_location(std::uint32_t location) {
    const ReportLocation& facts = structure_.locations[location];
    anchor_.raw("<location").attribute("Id", layout_.column_of[location]).raw(">\n");
    anchor_.element("name", facts.name).element("rank", std::max<std::int64_t>(0, facts.rank));
    anchor_.element("type", facts.type).pairs(facts.attributes).raw("</location>\n");
  }

  void write_topologies() {
    if (structure_.topologies.empty()) return;
    anchor_.raw("<topologies>\n");
    for (const ReportTopology& topology : structure_.topologies) write_topology(topology);
    anchor_.raw("</topologies>\n");
  }

  void write_topology(const ReportTopology& topology) {
    anchor_.raw("<cart");
    if (!topology.name.empty()) anchor_.attribute("name", topology.name);
    anchor_.attribute("ndims", static_cast<std::int64_t>(topology.dimensions.size())).raw(">\n");
    for (const auto& dimension : topology.dimensions) {
      anchor_.raw("<dim");
      if (!dimension.name.empty()) anchor_.attribute("name", dimension.name);
      anchor_.attribute("size", dimension.size).attribute("periodic", dimension.is_periodic ? "true" : "false");
      anchor_.raw("/>\n");
    }
    for (const auto& [location, place] : topology.coordinates) {
      if (location >= layout_.column_of.size() || place.size() != topology.dimensions.size()) continue;
      anchor_.raw("<coord").attribute("locId", layout_.column_of[location]).raw(">");
      for (std::size_t i = 0; i < place.size(); ++i) anchor_.raw(i ? " " : "").number(place[i]);
      anchor_.raw("</coord>\n");
    }
    anchor_.raw("</cart>\n");
  }

  const ReportStructure& structure_;
  const CubexLayout& layout_;
  AnchorText& anchor_;
  std::int64_t process_count_ = 0;
};

}  // namespace

std::string anchor_text(const ReportStructure& structure, const CubexLayout& layout) {
  std::string text;
  AnchorText anchor(text);
  anchor.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  anchor.raw("<cube").attribute("version", version_of(structure)).raw(">\n");
  write_report_attributes(structure, anchor);
  write_metrics(structure, layout, anchor);
  write_program(structure, layout, anchor);
  SystemWriter(structure, layout, anchor).write();
  anchor.raw("</cube>\n");
  return text;
}

}  // namespace tarry
