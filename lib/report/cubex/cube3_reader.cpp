// cube3_reader.cpp -- reads a report of version 3.
#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "report/cubex/cube3.hpp"
#include "report/tree/metric_tree.hpp"
#include "report/cubex/xml_scanner.hpp"

namespace tarry {
namespace {

template <class T>
bool parse_whole(std::string_view text, T& value) {
  return std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc();
}

using Ids = std::unordered_map<std::uint32_t, std::uint32_t>;

class Cube3Reader {
 public:
  Cube3Reader(std::string_view text, const std::string& path) : scanner_(text), path_(path) {}

  Result<Report> read() {
    for (;;) {
      switch (scanner_.next()) {
        case XmlScanner::Token::kOpen: open(); break;
        case XmlScanner::Token::kText: text_ += scanner_.text(); break;
        case XmlScanner::Token::kClose: close(); break;
        case XmlScanner::Token::kError: return Error{path_, scanner_.error_text(), ""};
        case XmlScanner::Token::kEnd: return finish();
      }
      if (!fault_.empty()) return Error{path_, fault_, ""};
    }
  }

 private:
  struct Frame {
    std::string name;
    std::uint32_t index = 0;
  };

  std::uint32_t id(std::string_view attribute) {
    std::uint32_t value = 0;
    if (!parse_whole(scanner_.attribute(attribute), value) && fault_.empty())
      fault_ = "an element '" + std::string(scanner_.name()) + "' has no number";
    return value;
  }

  // The element around the present one, if it is of that name.
  const Frame* enclosing(std::string_view name) const {
    return !frames_.empty() && frames_.back().name == name ? &frames_.back() : nullptr;
  }

  void open() {
    const std::string name(scanner_.name());
    text_.clear();
    Frame frame{name, 0};
    if (name == "cube") open_cube();
    else if (name == "metric") frame.index = open_metric();
    else if (name == "region") frame.index = open_region();
    else if (name == "cnode") frame.index = open_call_path();
    else if (name == "machine" || name == "node") frame.index = open_node(name);
    else if (name == "process") frame.index = open_process();
    else if (name == "thread") frame.index = open_thread();
    else if (name == "matrix") open_matrix();
    else if (name == "row") open_row();
    else if (name == "attr") s_.attributes.emplace_back(scanner_.attribute("key"), scanner_.attribute("value"));
    frames_.push_back(std::move(frame));
  }

  void open_cube() {
    has_cube_ = true;
    const std::string version(scanner_.attribute("version"));
    if (!version.starts_with("3.")) fault_ = "version '" + version + "' is not 3.x";
  }

  std::uint32_t open_metric() {
    const auto index = static_cast<std::uint32_t>(s_.metrics.size());
    ReportMetric metric;
    if (const Frame* parent = enclosing("metric")) metric.parent = MetricId(parent->index);
    metrics_[id("id")] = index;
    s_.metrics.push_back(std::move(metric));
    return index;
  }

  std::uint32_t open_region() {
    const auto index = static_cast<std::uint32_t>(s_.regions.size());
    ReportRegion region;
    region.module = scanner_.attribute("mod");
    parse_whole(scanner_.attribute("begin"), region.begin_line);
    parse_whole(scanner_.attribute("end"), region.end_line);
    regions_[id("id")] = index;
    s_.regions.push_back(std::move(region));
    return index;
  }

  std::uint32_t open_call_path() {
    const auto index = static_cast<std::uint32_t>(s_.call_paths.size());
    ReportCallPath path;
    const auto region = regions_.find(id("calleeId"));
    if (region == regions_.end()) fault_ = "a call path names a region that does not exist";
    else path.region = region->second;
    parse_whole(scanner_.attribute("line"), path.line);
    path.module = scanner_.attribute("mod");
    if (const Frame* parent = enclosing("cnode")) path.parent = CallPathId(parent->index);
    call_paths_[id("id")] = index;
    s_.call_paths.push_back(std::move(path));
    return index;
  }

  std::uint32_t open_node(const std::string& kind) {
    const auto index = static_cast<std::uint32_t>(s_.system_nodes.size());
    ReportSystemNode node;
    node.class_name = kind;
    if (const Frame* machine = enclosing("machine")) node.parent = machine->index;
    s_.system_nodes.push_back(std::move(node));
    return index;
  }

  std::uint32_t open_process() {
    const auto index = static_cast<std::uint32_t>(s_.processes.size());
    const Frame* node = enclosing("node");
    if (!node) fault_ = "a process is on no node";
    s_.processes.push_back({"", "process", 0, node ? node->index : 0, {}});
    return index;
  }

  std::uint32_t open_thread() {
    const auto index = static_cast<std::uint32_t>(s_.locations.size());
    const Frame* process = enclosing("process");
    if (!process) fault_ = "a thread is in no process";
    s_.locations.push_back({"", "thread", 0, process ? process->index : 0, {}});
    threads_[id("Id")] = index;
    return index;
  }

  void open_matrix() {
    const auto metric = metrics_.find(id("metricId"));
    if (metric == metrics_.end()) fault_ = "values of a metric that does not exist";
    else metric_ = MetricId(metric->second);
  }

  void open_row() {
    const auto path = call_paths_.find(id("cnodeId"));
    if (path == call_paths_.end() || !metric_.is_valid()) fault_ = "values of a call path that does not exist";
    else path_id_ = CallPathId(path->second);
  }

  void close() {
    const Frame closed = std::move(frames_.back());
    frames_.pop_back();
    if (closed.name == "row") take_row();
    if (!frames_.empty()) take_text(frames_.back(), closed.name);
    text_.clear();
  }

  void take_row() {
    std::vector<double> values;
    const char *at = text_.data(), *end = at + text_.size();
    while (at < end && values.size() < s_.locations.size()) {
      double value = 0;
      const auto parsed = std::from_chars(at, end, value);
      if (parsed.ec == std::errc()) values.push_back(value);
      at = parsed.ec == std::errc() ? parsed.ptr : at + 1;
    }
    if (std::all_of(values.begin(), values.end(), [](double value) { return value == 0; })) return;
    // A value counts for the metric and all above it: here a metric's value contains those of its children.
    for (MetricId metric = metric_; metric.is_valid(); metric = s_.metrics[metric.value].parent) {
      auto row = report_.row(metric, path_id_);
      for (std::uint32_t i = 0; i < values.size(); ++i)
        if (const auto thread = threads_.find(i); thread != threads_.end()) row[thread->second] += values[i];
    }
  }

  void take_text(const Frame& owner, const std::string& name) {
    if (owner.name == "metric") take_metric_text(s_.metrics[owner.index], name);
    if (owner.name == "region" && name == "name")
      s_.regions[owner.index].name = s_.regions[owner.index].mangled_name = text_;
    if (owner.name == "region" && name == "url") s_.regions[owner.index].url = text_;
    if (owner.name == "region" && name == "descr") s_.regions[owner.index].description = text_;
    if ((owner.name == "machine" || owner.name == "node") && name == "name") s_.system_nodes[owner.index].name = text_;
    if (owner.name == "process") take_place_text(s_.processes[owner.index], name);
    if (owner.name == "thread") take_place_text(s_.locations[owner.index], name);
    if (owner.name == "mirrors" && name == "murl") s_.mirrors.push_back(text_);
  }

  void take_metric_text(ReportMetric& metric, const std::string& name) {
    if (name == "disp_name") metric.display_name = text_;
    else if (name == "uniq_name") metric.unique_name = text_;
    else if (name == "dtype" && (text_ == "INTEGER" || text_ == "INT64")) metric.type = ValueType::kInt64;
    else if (name == "uom") metric.unit = text_;
    else if (name == "url") metric.url = text_;
    else if (name == "descr") metric.description = text_;
  }

  template <class Place>
  void take_place_text(Place& place, const std::string& name) {
    if (name == "name") place.name = text_;
    if (name == "rank") parse_whole(text_, place.rank);
  }

  Result<Report> finish() {
    if (!has_cube_) return Error{path_, "there is no element 'cube'", ""};
    return std::move(report_);
  }

  XmlScanner scanner_;
  const std::string& path_;
  Report report_;
  ReportStructure& s_ = report_.structure;
  std::vector<Frame> frames_;
  std::string text_, fault_;
  Ids metrics_, regions_, call_paths_, threads_;
  MetricId metric_;
  CallPathId path_id_;
  bool has_cube_ = false;
};

}  // namespace

bool is_cube3(std::string_view bytes) { return bytes.starts_with("<?xml") || bytes.starts_with("<cube"); }

Result<Report> read_cube3(std::string_view text, const std::string& path) { return Cube3Reader(text, path).read(); }

}  // namespace tarry
