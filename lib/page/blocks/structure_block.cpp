// structure_block.cpp -- the three trees of a report as JSON.
#include "base/text/json.hpp"
#include "page/blocks/blocks.hpp"
#include "report/tree/metric_tree.hpp"

namespace tarry {
namespace {

using NamedValues = std::vector<std::pair<std::string, std::string>>;

// Members that say nothing are left out.
void member_if(JsonWriter& out, std::string_view name, const std::string& text, std::string_view plain = "") {
  if (!text.empty() && text != plain) out.member(name, text);
}

void add_pairs(JsonWriter& out, const NamedValues& pairs) {
  for (const auto& [key, value] : pairs) out.begin_array().add(key).add(value).end();
}

std::string_view text_of(Together together) {
  switch (together) {
    case Together::kMinimum: return "min";
    case Together::kMaximum: return "max";
    case Together::kNotAtAll: return "ratio";
    case Together::kSum: break;
  }
  return "sum";
}

void add_metrics(JsonWriter& out, const ExploredRun& run) {
  out.name("metrics").begin_array();
  for (const PageMetric& metric : run.metrics()) {
    const ReportMetric& facts = run.structure().metrics[metric.id.value];
    out.begin_object().member("name", facts.unique_name);
    member_if(out, "title", facts.display_name);
    member_if(out, "unit", facts.unit);
    out.member("parent", metric.parent).member("kind", text_of(metric.together));
    out.member("type", is_integer(facts.type) ? "integer" : "double");
    member_if(out, "what", facts.description);
    member_if(out, "expression", facts.expression);
    out.end();
  }
  out.end();
}

void add_regions(JsonWriter& out, const ReportStructure& structure) {
  out.name("regions").begin_array();
  for (const ReportRegion& region : structure.regions) {
    out.begin_object().member("name", region.name);
    member_if(out, "mangled", region.mangled_name, region.name);
    member_if(out, "module", region.module);
    if (region.begin_line > 0) out.member("begin", region.begin_line);
    if (region.end_line > 0) out.member("end", region.end_line);
    member_if(out, "paradigm", region.paradigm, "unknown");
    member_if(out, "role", region.role, "unknown");
    member_if(out, "what", region.description);
    out.end();
  }
  out.end();
}

// A column: of each element, in order, what `value_of` gives.
template <class Elements, class ValueOf>
void add_column(JsonWriter& out, std::string_view name, const Elements& elements, ValueOf value_of) {
  out.name(name).begin_array();
  for (const auto& element : elements) out.add(value_of(element));
  out.end();
}

void add_parameters(JsonWriter& out, const ExploredRun& run) {
  out.name("parameters").begin_object();
  for (std::uint32_t path = 0; path < run.paths().size(); ++path) {
    const ReportCallPath& facts = run.structure().call_paths[run.paths()[path]];
    if (facts.numeric_parameters.empty() && facts.string_parameters.empty()) continue;
    out.name(std::to_string(path)).begin_array();
    add_pairs(out, facts.numeric_parameters);
    add_pairs(out, facts.string_parameters);
    out.end();
  }
  out.end();
}

void add_paths(JsonWriter& out, const ExploredRun& run) {
  const std::vector<ReportCallPath>& all = run.structure().call_paths;
  out.name("paths").begin_object();
  add_column(out, "region", run.paths(), [&](std::uint32_t path) { return all[path].region; });
  add_column(out, "parent", run.paths(), [&](std::uint32_t path) {
    const CallPathId parent = all[path].parent;
    return parent.is_valid() ? static_cast<std::int64_t>(run.page_paths()[parent.value]) : -1;
  });
  add_column(out, "line", run.paths(), [&](std::uint32_t path) { return all[path].line; });
  out.name("module").begin_object();
  for (std::uint32_t path = 0; path < run.paths().size(); ++path)
    member_if(out, std::to_string(path), all[run.paths()[path]].module);
  out.end();
  add_parameters(out, run);
  out.end();
}

void add_processes(JsonWriter& out, const ReportStructure& structure) {
  out.name("nodes").begin_array();
  for (const ReportSystemNode& node : structure.system_nodes) {
    out.begin_object().member("name", node.name).member("class", node.class_name);
    out.member("parent", node.parent < structure.system_nodes.size() ? static_cast<std::int64_t>(node.parent) : -1)
        .end();
  }
  out.end().name("processes").begin_array();
  for (const ReportProcess& process : structure.processes) {
    out.begin_object().member("name", process.name).member("rank", process.rank);
    member_if(out, "type", process.type, "process");
    out.member("node", process.node).end();
  }
  out.end();
}

// The names of threads that measurement systems give by themselves say no more than their numbers.
bool is_usual_name(const ReportLocation& location) {
  return location.name.empty() || location.name == "Master thread" ||
         location.name == "OMP thread " + std::to_string(location.rank);
}

void add_locations(JsonWriter& out, const std::vector<ReportLocation>& locations) {
  out.name("locations").begin_object();
  add_column(out, "process", locations, [](const ReportLocation& location) { return location.process; });
  add_column(out, "thread", locations, [](const ReportLocation& location) { return location.rank; });
  out.name("name").begin_object();
  for (std::size_t i = 0; i < locations.size(); ++i)
    if (!is_usual_name(locations[i])) out.member(std::to_string(i), locations[i].name);
  out.end().name("type").begin_object();
  for (std::size_t i = 0; i < locations.size(); ++i) member_if(out, std::to_string(i), locations[i].type, "thread");
  out.end().end();
}

void add_topology(JsonWriter& out, const ReportTopology& topology) {
  out.begin_object().member("name", topology.name).name("dimensions").begin_array();
  for (const ReportTopology::Dimension& dimension : topology.dimensions) {
    out.begin_object().member("name", dimension.name).member("size", dimension.size);
    out.member("periodic", dimension.is_periodic).end();
  }
  out.end();
  add_column(out, "locations", topology.coordinates, [](const auto& place) { return place.first; });
  out.name("coordinates").begin_array();
  for (std::size_t i = 0; i < topology.dimensions.size(); ++i) {
    out.begin_array();
    for (const auto& [location, coordinates] : topology.coordinates)
      out.add(i < coordinates.size() ? coordinates[i] : std::int64_t{0});
    out.end();
  }
  out.end().end();
}

}  // namespace

std::string structure_block(const ExploredRun& run) {
  const ReportStructure& structure = run.structure();
  JsonWriter out;
  out.begin_object().name("attributes").begin_array();
  add_pairs(out, structure.attributes);
  out.end();
  add_metrics(out, run);
  add_regions(out, structure);
  add_paths(out, run);
  add_processes(out, structure);
  add_locations(out, structure.locations);
  out.name("topologies").begin_array();
  for (const ReportTopology& topology : structure.topologies) add_topology(out, topology);
  out.end().end();
  return out.take();
}

}  // namespace tarry
