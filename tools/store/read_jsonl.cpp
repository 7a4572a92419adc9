// read_jsonl.cpp -- runs from JSON Lines.
#include "read_jsonl.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include <rapidjson/document.h>

#include "base/files/file.hpp"
#include "report/tree/metric_tree.hpp"
#include "store/content_key.hpp"
#include "store/stored_facts.hpp"

namespace tarry {
namespace {

using Json = rapidjson::Value;

std::string text_of(const Json& object, const char* name) {
  const auto member = object.FindMember(name);
  if (member == object.MemberEnd() || !member->value.IsString()) return "";
  return {member->value.GetString(), member->value.GetStringLength()};
}

std::int64_t whole_of(const Json& object, const char* name, std::int64_t fallback) {
  const auto member = object.FindMember(name);
  return member != object.MemberEnd() && member->value.IsInt64() ? member->value.GetInt64() : fallback;
}

bool flag_of(const Json& object, const char* name, bool fallback) {
  const auto member = object.FindMember(name);
  return member != object.MemberEnd() && member->value.IsBool() ? member->value.GetBool() : fallback;
}

const Json& array_of(const Json& object, const char* name) {
  static const Json empty(rapidjson::kArrayType);
  const auto member = object.FindMember(name);
  return member != object.MemberEnd() && member->value.IsArray() ? member->value : empty;
}

std::vector<std::pair<std::string, std::string>> pairs_of(const Json& object, const char* name) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const Json& pair : array_of(object, name).GetArray())
    if (pair.IsArray() && pair.Size() == 2 && pair[0].IsString() && pair[1].IsString())
      pairs.emplace_back(pair[0].GetString(), pair[1].GetString());
  return pairs;
}

std::vector<std::string> texts_of(const Json& object, const char* name) {
  std::vector<std::string> texts;
  for (const Json& text : array_of(object, name).GetArray())
    if (text.IsString()) texts.emplace_back(text.GetString(), text.GetStringLength());
  return texts;
}

std::vector<NodeFacts> nodes_of(const Json& line) {
  std::vector<NodeFacts> nodes;
  const Json& list = array_of(line, "node_facts");
  for (std::string& name : texts_of(line, "nodes")) {
    NodeFacts& node = nodes.emplace_back();
    node.name = std::move(name);
    const std::size_t i = nodes.size() - 1;
    if (i >= list.Size() || !list[static_cast<rapidjson::SizeType>(i)].IsObject()) continue;
    const Json& facts = list[static_cast<rapidjson::SizeType>(i)];
    if (const std::int64_t cores = whole_of(facts, "cores", 0); cores > 0) node.cores = cores;
    node.processor = text_of(facts, "processor");
    node.network = text_of(facts, "network");
  }
  return nodes;
}

// Takes lines until a run is complete. What refers to an item that is not there makes a line wrong.
class RunBuilder {
 public:
  explicit RunBuilder(const std::function<Status(const ReadRun&)>& use) : use_(use) {}

  bool is_within() const { return run_ != nullptr; }

  // Empty if the line is fine, else what is wrong.
  Result<std::string> take(const Json& line) {
    const std::string type = text_of(line, "type");
    if (type == "run") return begin(line);
    if (!run_) return std::string("stands before a line of type run");
    if (type == "end") return finish();
    if (type == "metric") return metric(line);
    if (type == "region") return region(line);
    if (type == "callpath") return call_path(line);
    if (type == "node") return node(line);
    if (type == "process") return process(line);
    if (type == "location") return location(line);
    if (type == "topology") return topology(line);
    if (type == "file") return file(line);
    if (type == "values") return values(line);
    return std::string("is of no known type");
  }

 private:
  ReportStructure& structure() { return run_->report.structure; }

  Result<std::string> begin(const Json& line) {
    if (run_) return std::string("begins a run before the one above it has ended");
    if (whole_of(line, "version", 0) != 1) return std::string("is of a version that this tool does not know");
    run_ = std::make_unique<ReadRun>();
    RunFacts& facts = run_->facts;
    facts.program = text_of(line, "program");
    facts.revision = text_of(line, "commit");
    facts.flags = text_of(line, "flags");
    facts.modules = text_of(line, "modules");
    facts.command = text_of(line, "command");
    facts.kind = text_of(line, "kind");
    facts.source = text_of(line, "source");
    facts.incomplete = text_of(line, "incomplete");
    if (line.HasMember("started")) facts.started = text_of(line, "started");
    if (line.HasMember("ended")) facts.ended = text_of(line, "ended");
    if (line.HasMember("exit_status")) facts.exit_status = whole_of(line, "exit_status", 0);
    if (line.HasMember("transfer") && line["transfer"].IsNumber() && line["transfer"].GetDouble() > 0)
      facts.transfer = line["transfer"].GetDouble();
    facts.machine = {text_of(line, "machine"), nodes_of(line), text_of(line, "network"), text_of(line, "clocks"),
                     text_of(line, "mpi")};
    facts.parameters = pairs_of(line, "parameters");
    facts.tags = texts_of(line, "tags");
    run_->key = key_of_text(text_of(line, "key"));
    run_->report_bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(0, whole_of(line, "report_bytes", 0)));
    structure().attributes = pairs_of(line, "attributes");
    structure().mirrors = texts_of(line, "mirrors");
    return std::string(run_->key.empty() ? "has no key" : "");
  }

  Result<std::string> finish() {
    TARRY_TRY(use_(*run_));
    run_.reset();
    return std::string();
  }

  // An index below `count`, or none if `may_lack` it.
  static bool is_index(std::int64_t number, std::size_t count, bool may_lack) {
    return (may_lack && number == -1) || (number >= 0 && number < static_cast<std::int64_t>(count));
  }

  Result<std::string> metric(const Json& line) {
    ReportMetric metric;
    metric.unique_name = text_of(line, "name");
    metric.display_name = text_of(line, "display_name");
    metric.unit = text_of(line, "unit");
    metric.description = text_of(line, "description");
    metric.url = text_of(line, "url");
    metric.kind = find_metric_kind(text_of(line, "kind"));
    const auto format = find_value_format(text_of(line, "value_type"));
    const std::int64_t parent = whole_of(line, "parent", -1);
    if (!format) return std::string("has no known value_type");
    if (!is_index(parent, structure().metrics.size(), true)) return std::string("has a parent that is not above it");
    metric.type = format->type;
    metric.tuple_size = format->tuple_size;
    if (parent >= 0) metric.parent = MetricId(static_cast<std::uint64_t>(parent));
    metric.is_ghost = flag_of(line, "ghost", false);
    metric.is_convertible = flag_of(line, "convertible", true);
    metric.is_cacheable = flag_of(line, "cacheable", true);
    metric.is_rowwise = flag_of(line, "rowwise", true);
    metric.expression = text_of(line, "expression");
    metric.init_expression = text_of(line, "init_expression");
    metric.aggregations = pairs_of(line, "aggregations");
    metric.attributes = pairs_of(line, "attributes");
    run_->report.add_metric(std::move(metric));
    return std::string();
  }

  Result<std::string> region(const Json& line) {
    ReportRegion region;
    region.name = text_of(line, "name");
    region.mangled_name = text_of(line, "mangled_name");
    region.module = text_of(line, "file");
    region.begin_line = whole_of(line, "begin_line", -1);
    region.end_line = whole_of(line, "end_line", -1);
    region.paradigm = text_of(line, "paradigm");
    region.role = text_of(line, "role");
    region.url = text_of(line, "url");
    region.description = text_of(line, "description");
    region.attributes = pairs_of(line, "attributes");
    structure().regions.push_back(std::move(region));
    return std::string();
  }

  Result<std::string> call_path(const Json& line) {
    const std::int64_t region = whole_of(line, "region", -1), parent = whole_of(line, "parent", -1);
    if (!is_index(region, structure().regions.size(), false)) return std::string("names no region above it");
    if (!is_index(parent, structure().call_paths.size(), true)) return std::string("has a parent that is not above it");
    ReportCallPath path;
    path.region = static_cast<std::uint32_t>(region);
    if (parent >= 0) path.parent = CallPathId(static_cast<std::uint64_t>(parent));
    path.line = whole_of(line, "line", -1);
    path.module = text_of(line, "file");
    path.numeric_parameters = pairs_of(line, "numeric_parameters");
    path.string_parameters = pairs_of(line, "string_parameters");
    path.attributes = pairs_of(line, "attributes");
    structure().call_paths.push_back(std::move(path));
    return std::string();
  }

  Result<std::string> node(const Json& line) {
    const std::int64_t parent = whole_of(line, "parent", -1);
    if (!is_index(parent, structure().system_nodes.size(), true))
      return std::string("has a parent that is not above it");
    structure().system_nodes.push_back({text_of(line, "name"), text_of(line, "class"), text_of(line, "description"),
                                        static_cast<std::uint32_t>(parent), pairs_of(line, "attributes")});
    return std::string();
  }

  Result<std::string> process(const Json& line) {
    const std::int64_t node = whole_of(line, "node", -1);
    if (!is_index(node, structure().system_nodes.size(), false)) return std::string("names no node above it");
    structure().processes.push_back({text_of(line, "name"), text_of(line, "process_type"), whole_of(line, "rank", 0),
                                     static_cast<std::uint32_t>(node), pairs_of(line, "attributes")});
    return std::string();
  }

  Result<std::string> location(const Json& line) {
    const std::int64_t process = whole_of(line, "process", -1);
    if (!is_index(process, structure().processes.size(), false)) return std::string("names no process above it");
    structure().locations.push_back({text_of(line, "name"), text_of(line, "location_type"), whole_of(line, "thread", 0),
                                     static_cast<std::uint32_t>(process), pairs_of(line, "attributes")});
    return std::string();
  }

  Result<std::string> topology(const Json& line) {
    ReportTopology topology;
    topology.name = text_of(line, "name");
    for (const Json& dimension : array_of(line, "dimensions").GetArray())
      if (dimension.IsObject())
        topology.dimensions.push_back(
            {text_of(dimension, "name"), whole_of(dimension, "size", 0), flag_of(dimension, "periodic", false)});
    for (const Json& item : array_of(line, "coordinates").GetArray()) {
      if (!item.IsArray() || item.Size() != topology.dimensions.size() + 1 || !item[0].IsUint())
        return std::string("has coordinates of another number of dimensions");
      std::vector<std::int64_t>& coordinates = topology.coordinates[item[0].GetUint()];
      for (rapidjson::SizeType d = 1; d < item.Size(); ++d)
        coordinates.push_back(item[d].IsInt64() ? item[d].GetInt64() : 0);
    }
    structure().topologies.push_back(std::move(topology));
    return std::string();
  }

  Result<std::string> file(const Json& line) {
    const std::string digits = text_of(line, "bytes");
    ReportFile& file = run_->report.files.emplace_back();
    file.name = text_of(line, "name");
    if (!bytes_of_digits(digits, file.bytes)) return std::string("has bytes that are no hexadecimal digits");
    return std::string();
  }

  Result<std::string> values(const Json& line) {
    const std::int64_t metric = whole_of(line, "metric", -1), path = whole_of(line, "callpath", -1);
    if (!is_index(metric, structure().metrics.size(), false)) return std::string("names no metric above it");
    if (!is_index(path, structure().call_paths.size(), false)) return std::string("names no call path above it");
    const ReportMetric& facts = structure().metrics[static_cast<std::size_t>(metric)];
    const Json& list = array_of(line, "values");
    const std::size_t count = structure().locations.size() * facts.format().components();
    if (is_derived(facts.kind) || list.Size() != count || count == 0)
      return std::string("has not one value for each location");
    const std::span<double> row =
        run_->report.row(MetricId(static_cast<std::uint64_t>(metric)), CallPathId(static_cast<std::uint64_t>(path)));
    for (rapidjson::SizeType i = 0; i < list.Size(); ++i)
      row[i] = list[i].IsNumber() ? list[i].GetDouble() : std::numeric_limits<double>::quiet_NaN();
    return std::string();
  }

  const std::function<Status(const ReadRun&)>& use_;
  std::unique_ptr<ReadRun> run_;
};

}  // namespace

Status read_jsonl(const std::string& path, const std::function<Status(const ReadRun&)>& use) {
  TARRY_TRY_ASSIGN(file, MappedFile::open(path));
  const std::string_view text(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
  RunBuilder builder(use);
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    ++number;
    if (line.empty()) continue;
    const std::string place = path + ":" + std::to_string(number);
    rapidjson::Document document;
    document.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseFullPrecisionFlag>(line.data(), line.size());
    if (document.HasParseError() || !document.IsObject())
      return Error{place, "is no JSON object", "give what 'tarry store export --format jsonl' wrote"};
    TARRY_TRY_ASSIGN(wrong, builder.take(document));
    if (!wrong.empty()) return Error{place, wrong, "give what 'tarry store export --format jsonl' wrote"};
  }
  if (builder.is_within()) return Error{path, "ends within a run", "it was not written to its end"};
  return {};
}

}  // namespace tarry
