// cubex_anchor_reader.cpp -- reads a report's trees from the XML member anchor.xml.
#include "report/cubex/cubex_anchor_reader.hpp"

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "report/tree/metric_tree.hpp"
#include "report/cubex/xml_scanner.hpp"

namespace tarry {
namespace {

// What an open element is; everything that only holds a text, or that we do not know, is kLeaf.
enum class Element {
  kDocument,
  kSection,
  kMetric,
  kRegion,
  kCallPath,
  kSystemNode,
  kProcess,
  kLocation,
  kTopology,
  kLeaf,
};

struct Frame {
  Element element = Element::kLeaf;
  std::uint32_t index = 0;  // in the vector of its kind
};

template <class T>
bool parse_number(std::string_view text, T& value) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\n')) text.remove_prefix(1);
  return std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc();
}

std::vector<std::int64_t> parse_numbers(std::string_view text) {
  std::vector<std::int64_t> numbers;
  for (std::size_t at = 0; at < text.size();) {
    std::int64_t value = 0;
    const auto parsed = std::from_chars(text.data() + at, text.data() + text.size(), value);
    if (parsed.ec == std::errc()) numbers.push_back(value);
    at = std::max(at + 1, static_cast<std::size_t>(parsed.ptr - text.data()));
  }
  return numbers;
}

// Readers see a line break as a space.
std::string on_one_line(std::string_view text) {
  std::string line(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

class AnchorReader {
 public:
  AnchorReader(std::string_view text, const std::string& path) : scanner_(text), path_(path) {}

  Result<Anchor> read() {
    for (;;) {
      switch (scanner_.next()) {
        case XmlScanner::Token::kOpen: open(); break;
        case XmlScanner::Token::kText:
          if (frames_.size() > 1 && frames_.back().element == Element::kLeaf) text_ += scanner_.text();
          break;
        case XmlScanner::Token::kClose: close(); break;
        case XmlScanner::Token::kError: return error(scanner_.error_text());
        case XmlScanner::Token::kEnd: return finish();
      }
      if (!fault_.empty()) return error(fault_);
    }
  }

 private:
  Error error(const std::string& why) const { return Error{path_, "anchor.xml: " + why, ""}; }
  Frame parent() const { return frames_.empty() ? Frame{Element::kDocument, 0} : frames_.back(); }
  std::string line_attribute(std::string_view name) const { return on_one_line(scanner_.attribute(name)); }

  void open() {
    const std::string_view name = scanner_.name();
    Frame frame;
    text_.clear();
    if (name == "cube") open_cube(frame);
    else if (name == "metrics" || name == "program" || name == "system" || name == "topologies" || name == "doc" ||
             name == "mirrors")
      frame.element = Element::kSection;
    else if (name == "metric") open_metric(frame);
    else if (name == "region") open_region(frame);
    else if (name == "cnode") open_call_path(frame);
    else if (name == "systemtreenode") open_system_node(frame);
    else if (name == "locationgroup") open_process(frame);
    else if (name == "location") open_location(frame);
    else if (name == "cart") open_topology(frame);
    else if (name == "attr") add_attribute();
    else if (name == "parameter") add_parameter();
    else if (name == "dim") add_dimension();
    else open_leaf(name);
    frames_.push_back(frame);
  }

  void open_cube(Frame& frame) {
    if (!frames_.empty()) fault_ = "an element 'cube' inside another";
    frame.element = Element::kSection;
    has_cube_ = true;
    const std::string version(scanner_.attribute("version"));
    if (!version.starts_with("4.")) fault_ = "version '" + version + "' is not supported, only 4.x is";
  }

  void open_metric(Frame& frame) {
    frame = {Element::kMetric, static_cast<std::uint32_t>(structure().metrics.size())};
    ReportMetric metric;
    metric.kind = find_metric_kind(scanner_.attribute("type"));
    metric.is_ghost = scanner_.attribute("viztype") == "GHOST";
    metric.is_convertible = scanner_.attribute("convertible") != "false";
    metric.is_cacheable = scanner_.attribute("cacheable") != "false";
    if (parent().element == Element::kMetric) metric.parent = MetricId(parent().index);
    anchor_.member_stems.push_back((metric.is_ghost ? "ghost_" : "") + std::string(scanner_.attribute("id")));
    structure().metrics.push_back(std::move(metric));
  }

  void open_region(Frame& frame) {
    frame = {Element::kRegion, static_cast<std::uint32_t>(structure().regions.size())};
    std::uint32_t id = frame.index;
    parse_number(scanner_.attribute("id"), id);
    region_by_id_[id] = frame.index;
    ReportRegion region;
    region.module = line_attribute("mod");
    parse_number(scanner_.attribute("begin"), region.begin_line);
    parse_number(scanner_.attribute("end"), region.end_line);
    structure().regions.push_back(std::move(region));
  }

  void open_call_path(Frame& frame) {
    frame = {Element::kCallPath, static_cast<std::uint32_t>(structure().call_paths.size())};
    ReportCallPath path;
    std::uint32_t callee = 0;
    if (!parse_number(scanner_.attribute("calleeId"), callee)) fault_ = "a call path without region";
    path.region = callee;  // the id for now: regions may follow
    parse_number(scanner_.attribute("line"), path.line);
    path.module = line_attribute("mod");
    if (parent().element == Element::kCallPath) path.parent = CallPathId(parent().index);
    structure().call_paths.push_back(std::move(path));
  }

  void open_system_node(Frame& frame) {
    frame = {Element::kSystemNode, static_cast<std::uint32_t>(structure().system_nodes.size())};
    ReportSystemNode node;
    if (parent().element == Element::kSystemNode) node.parent = parent().index;
    structure().system_nodes.push_back(std::move(node));
  }

  void open_process(Frame& frame) {
    frame = {Element::kProcess, static_cast<std::uint32_t>(structure().processes.size())};
    if (parent().element != Element::kSystemNode) fault_ = "a location group outside the system tree";
    ReportProcess process;
    process.node = parent().index;
    structure().processes.push_back(std::move(process));
  }

  void open_location(Frame& frame) {
    frame = {Element::kLocation, static_cast<std::uint32_t>(structure().locations.size())};
    if (parent().element != Element::kProcess) fault_ = "a location outside a location group";
    ReportLocation location;
    location.process = parent().index;
    std::uint32_t column = 0xffffffffu;
    parse_number(scanner_.attribute("Id"), column);
    columns_.push_back(column);
    structure().locations.push_back(std::move(location));
  }

  void open_topology(Frame& frame) {
    frame = {Element::kTopology, static_cast<std::uint32_t>(structure().topologies.size())};
    structure().topologies.emplace_back().name = line_attribute("name");
  }

  void open_leaf(std::string_view name) {
    if (parent().element == Element::kTopology && name == "coord") {
      coordinate_location_ = 0xffffffffu;
      parse_number(scanner_.attribute("locId"), coordinate_location_);
    }
    if (parent().element != Element::kMetric) return;
    ReportMetric& metric = structure().metrics[parent().index];
    if (name == "cubepl") metric.is_rowwise = scanner_.attribute("rowwise") != "false";
    if (name == "cubeplaggr") operation_ = scanner_.attribute("cubeplaggrtype");
  }

  void add_attribute() {
    std::pair<std::string, std::string> pair(line_attribute("key"), line_attribute("value"));
    const Frame at = parent();
    switch (at.element) {
      case Element::kSection: structure().attributes.push_back(std::move(pair)); break;
      case Element::kMetric: structure().metrics[at.index].attributes.push_back(std::move(pair)); break;
      case Element::kRegion: structure().regions[at.index].attributes.push_back(std::move(pair)); break;
      case Element::kCallPath: structure().call_paths[at.index].attributes.push_back(std::move(pair)); break;
      case Element::kSystemNode: structure().system_nodes[at.index].attributes.push_back(std::move(pair)); break;
      case Element::kProcess: structure().processes[at.index].attributes.push_back(std::move(pair)); break;
      case Element::kLocation: structure().locations[at.index].attributes.push_back(std::move(pair)); break;
      default: break;
    }
  }

  void add_parameter() {
    if (parent().element != Element::kCallPath) return;
    ReportCallPath& path = structure().call_paths[parent().index];
    auto& parameters = scanner_.attribute("partype") == "numeric" ? path.numeric_parameters : path.string_parameters;
    parameters.emplace_back(line_attribute("parkey"), line_attribute("parvalue"));
  }

  void add_dimension() {
    if (parent().element != Element::kTopology) return;
    auto& dimension = structure().topologies[parent().index].dimensions.emplace_back();
    dimension.name = line_attribute("name");
    parse_number(scanner_.attribute("size"), dimension.size);
    dimension.is_periodic = scanner_.attribute("periodic") == "true";
  }

  void close() {
    const Frame closed = frames_.back();
    frames_.pop_back();
    if (closed.element == Element::kLeaf) take_text(parent(), scanner_.name());
    text_.clear();
  }

  // Gives the text of a leaf to the element it belongs to.
  void take_text(Frame owner, std::string_view name) {
    switch (owner.element) {
      case Element::kSection:
        if (name == "murl") structure().mirrors.push_back(on_one_line(text_));
        break;
      case Element::kMetric: take_metric_text(structure().metrics[owner.index], name); break;
      case Element::kRegion: take_region_text(structure().regions[owner.index], name); break;
      case Element::kSystemNode: {
        ReportSystemNode& node = structure().system_nodes[owner.index];
        if (name == "name") node.name = on_one_line(text_);
        if (name == "class") node.class_name = on_one_line(text_);
        if (name == "descr") node.description = on_one_line(text_);
        break;
      }
      case Element::kProcess: take_place_text(structure().processes[owner.index], name); break;
      case Element::kLocation: take_place_text(structure().locations[owner.index], name); break;
      case Element::kTopology:
        if (name == "coord")
          structure().topologies[owner.index].coordinates[coordinate_location_] = parse_numbers(text_);
        break;
      default: break;
    }
  }

  void take_metric_text(ReportMetric& metric, std::string_view name) {
    if (name == "disp_name") metric.display_name = on_one_line(text_);
    else if (name == "uniq_name") metric.unique_name = on_one_line(text_);
    else if (name == "dtype") take_dtype(metric);
    else if (name == "uom") metric.unit = on_one_line(text_);
    else if (name == "url") metric.url = on_one_line(text_);
    else if (name == "descr") metric.description = on_one_line(text_);
    else if (name == "val") metric.is_void = text_.find("VOID") != text_.npos;
    else if (name == "cubepl") metric.expression = text_;
    else if (name == "cubeplinit") metric.init_expression = text_;
    else if (name == "cubeplaggr" && (operation_ == "plus" || operation_ == "minus" || operation_ == "aggr"))
      metric.aggregations.emplace_back(operation_, text_);
  }

  void take_dtype(ReportMetric& metric) {
    const auto format = find_value_format(on_one_line(text_));
    if (!format)
      anchor_.damage.push_back("metric '" + metric.unique_name + "': unknown type '" + text_ + "', read as DOUBLE");
    metric.type = format.value_or(ValueFormat{}).type;
    metric.tuple_size = format.value_or(ValueFormat{}).tuple_size;
  }

  void take_region_text(ReportRegion& region, std::string_view name) {
    if (name == "name") region.name = on_one_line(text_);
    else if (name == "mangled_name") region.mangled_name = on_one_line(text_);
    else if (name == "paradigm") region.paradigm = on_one_line(text_);
    else if (name == "role") region.role = on_one_line(text_);
    else if (name == "url") region.url = on_one_line(text_);
    else if (name == "descr") region.description = on_one_line(text_);
  }

  template <class Place>
  void take_place_text(Place& place, std::string_view name) {
    if (name == "name") place.name = on_one_line(text_);
    if (name == "rank") parse_number(text_, place.rank);
    if (name == "type") place.type = text_ == "gpu" ? "accelerator stream" : on_one_line(text_);
  }

  Result<Anchor> finish() {
    if (!has_cube_) return error("there is no element 'cube'");
    for (ReportCallPath& path : structure().call_paths) {
      const auto region = region_by_id_.find(path.region);
      if (region == region_by_id_.end()) return error("region " + std::to_string(path.region) + " does not exist");
      path.region = region->second;
    }
    for (ReportRegion& region : structure().regions)
      if (region.mangled_name.empty()) region.mangled_name = region.name;
    sort_columns();
    return std::move(anchor_);
  }

  // Location ids are columns, wherever the location is in the document.
  void sort_columns() {
    std::vector<std::uint32_t> location_of(columns_.size(), 0xffffffffu);
    bool is_permutation = true;
    for (std::uint32_t location = 0; location < columns_.size(); ++location) {
      const std::uint32_t column = columns_[location];
      is_permutation = is_permutation && column < columns_.size() && location_of[column] == 0xffffffffu;
      if (is_permutation) location_of[column] = location;
    }
    if (!is_permutation) {
      anchor_.damage.push_back("location ids have gaps, columns are taken in document order");
      return;
    }
    std::vector<ReportLocation> sorted;
    sorted.reserve(columns_.size());
    for (const std::uint32_t location : location_of) sorted.push_back(std::move(structure().locations[location]));
    structure().locations = std::move(sorted);
  }

  ReportStructure& structure() { return anchor_.structure; }

  XmlScanner scanner_;
  const std::string& path_;
  Anchor anchor_;
  std::vector<Frame> frames_;
  std::string text_;
  std::string operation_;  // of the cubeplaggr that is open
  std::uint32_t coordinate_location_ = 0;
  std::unordered_map<std::uint32_t, std::uint32_t> region_by_id_;
  std::vector<std::uint32_t> columns_;  // [location in document order]
  std::string fault_;
  bool has_cube_ = false;
};

}  // namespace

Result<Anchor> read_anchor(std::string_view text, const std::string& path) { return AnchorReader(text, path).read(); }

}  // namespace tarry
