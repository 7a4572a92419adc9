// unify_reports.cpp -- the union of the trees of several reports.
#include "report/tree/unify_reports.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/text/text.hpp"
#include "defs/processor_use.hpp"
#include "report/tables/instance_files.hpp"
#include "report/tree/metric_tree.hpp"

namespace tarry {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;
using Index = std::unordered_map<std::string, std::uint32_t>;

// Parts of a key, with a mark between them that no name holds.
std::string& operator<<(std::string& key, std::string_view part) { return key.append(part).append(1, '\0'); }
std::string& operator<<(std::string& key, std::int64_t part) { return key << std::string_view(std::to_string(part)); }

void append_sorted(std::string& key, Pairs pairs) {
  std::sort(pairs.begin(), pairs.end());
  for (const auto& [name, value] : pairs) key << name << value;
  key << "";
}

// Attributes that tell about one file or its rows, so not about the union.
bool is_of_one_file(std::string_view key) {
  return is_one_of(key, {kBoxPlotAttribute, "Creator", "Cube Version", "CUBE Library version"});
}

void add_attributes(Pairs& into, const Pairs& from) {
  std::unordered_set<std::string> known;
  for (const auto& pair : into) known.insert(pair.first);
  for (const auto& pair : from)
    if (!is_of_one_file(pair.first) && known.insert(pair.first).second) into.push_back(pair);
}

// A process of several runs has no account of its processors.
void compare_processor_use(const ReportProcess& other, ReportProcess& process) {
  if (other.attributes == process.attributes) return;
  std::erase_if(process.attributes, [](const auto& pair) { return pair.first == kProcessorUseAttribute; });
}

void add_mirrors(std::vector<std::string>& into, const std::vector<std::string>& from) {
  std::unordered_set<std::string> known(into.begin(), into.end());
  for (const std::string& mirror : from)
    if (known.insert(mirror).second) into.push_back(mirror);
}

// Adds one report after the other to the union.
class Union {
 public:
  explicit Union(const UnifyOptions& options) : options_(options) {}

  Status add(const ReportStructure& report, const std::string& name) {
    ReportMap& map = result_.maps.emplace_back();
    add_attributes(structure().attributes, report.attributes);
    add_mirrors(structure().mirrors, report.mirrors);
    TARRY_TRY(add_metrics(report, name, map));
    places_.push_back(add_call_paths(report));
    map.locations = add_locations(report);
    add_topologies(report, map);
    return {};
  }

  MappedReports finish() {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      result_.maps[i].metrics.resize(structure().metrics.size(), kNowhere);
      result_.maps[i].exclusive = PathLists(places_[i], structure().call_paths.size());
      result_.maps[i].inclusive = result_.maps[i].exclusive;
    }
    return std::move(result_);
  }

 private:
  ReportStructure& structure() { return result_.structure; }

  Status add_metrics(const ReportStructure& report, const std::string& name, ReportMap& map) {
    map.metrics.resize(structure().metrics.size(), kNowhere);
    std::vector<MetricId> places(report.metrics.size());
    for (std::uint32_t metric = 0; metric < report.metrics.size(); ++metric) {
      const ReportMetric& facts = report.metrics[metric];
      const MetricId parent = facts.parent.value < metric ? places[facts.parent.value] : MetricId();
      places[metric] = parent;  // of a void metric: where its children go
      if (facts.is_void) continue;
      const auto [known, is_new] = metrics_.try_emplace(facts.unique_name, structure().metrics.size());
      places[metric] = MetricId(known->second);
      if (is_new) {
        structure().metrics.push_back(facts);
        structure().metrics.back().parent = parent;
        map.metrics.push_back(metric);
      } else {
        TARRY_TRY(check_same_kind(structure().metrics[known->second], facts, name));
        map.metrics[known->second] = metric;
      }
    }
    return {};
  }

  static Status check_same_kind(const ReportMetric& left, const ReportMetric& right, const std::string& name) {
    if (is_derived(left.kind) || is_derived(right.kind)) return {};
    const bool is_tuple = left.format().components() > 1 || right.format().components() > 1;
    const bool is_limit = !is_additive(left.type) || !is_additive(right.type);
    const bool is_same = left.type == right.type && left.tuple_size == right.tuple_size;
    if (is_same || (!is_tuple && !is_limit)) return {};
    return Error{name,
                 "metric '" + right.unique_name + "' is of type " + dtype_text(right.format()) + " here and " +
                     dtype_text(left.format()) + " in the first report",
                 ""};
  }

  std::uint32_t add_region(const ReportRegion& region) {
    std::string key;
    key << region.name;
    if (!options_.is_by_name) key << region.module << region.begin_line << region.end_line;
    const auto [known, is_new] = regions_.try_emplace(std::move(key), structure().regions.size());
    if (is_new) structure().regions.push_back(region);
    return known->second;
  }

  std::vector<std::uint32_t> add_call_paths(const ReportStructure& report) {
    std::vector<std::uint32_t> places(report.call_paths.size(), kNowhere);
    std::vector<std::uint32_t> regions(report.regions.size(), kNowhere);
    for (std::uint32_t path = 0; path < report.call_paths.size(); ++path) {
      const ReportCallPath& facts = report.call_paths[path];
      std::uint32_t& region = regions[facts.region];
      if (region == kNowhere) region = add_region(report.regions[facts.region]);
      const std::uint32_t parent = facts.parent.value < path ? places[facts.parent.value] : kNowhere;
      const auto [known, is_new] =
          call_paths_.try_emplace(key_of(facts, parent, region), structure().call_paths.size());
      places[path] = known->second;
      if (!is_new) continue;
      structure().call_paths.push_back(facts);
      structure().call_paths.back().region = region;
      structure().call_paths.back().parent = parent == kNowhere ? CallPathId() : CallPathId(parent);
    }
    return places;
  }

  std::string key_of(const ReportCallPath& path, std::uint32_t parent, std::uint32_t region) const {
    std::string key;
    key << parent << region;
    if (!options_.is_by_name) key << path.line << path.module;
    append_sorted(key, path.numeric_parameters);
    append_sorted(key, path.string_parameters);
    return key;
  }

  // Processes and locations that occur several times in one report are told apart by their order.
  std::vector<std::uint32_t> add_locations(const ReportStructure& report) {
    std::vector<std::uint32_t> processes(report.processes.size()), places(report.locations.size());
    node_places_.assign(report.system_nodes.size(), kNowhere);
    Index occurrences;
    for (std::uint32_t process = 0; process < report.processes.size(); ++process) {
      const ReportProcess& facts = report.processes[process];
      std::string key;
      key << facts.type << facts.rank;
      key << occurrences[key]++;
      const auto [known, is_new] = processes_.try_emplace(std::move(key), structure().processes.size());
      processes[process] = known->second;
      if (!is_new) compare_processor_use(facts, structure().processes[known->second]);
      if (!is_new) continue;
      structure().processes.push_back(facts);
      structure().processes.back().node = add_node(report, facts.node);
    }
    occurrences.clear();
    for (std::uint32_t location = 0; location < report.locations.size(); ++location) {
      const ReportLocation& facts = report.locations[location];
      std::string key;
      key << processes[facts.process] << facts.type << facts.rank;
      key << occurrences[key]++;
      const auto [known, is_new] = locations_.try_emplace(std::move(key), structure().locations.size());
      places[location] = known->second;
      if (!is_new) continue;
      structure().locations.push_back(facts);
      structure().locations.back().process = processes[facts.process];
    }
    return places;
  }

  // The node of the union that represents one of a report, its ancestors included.
  std::uint32_t add_node(const ReportStructure& report, std::uint32_t node) {
    if (options_.system == SystemShape::kCollapsed)
      return find_node(find_node(kNowhere, {"Virtual machine", "machine", "", kNowhere, {}}),
                       {"Virtual node", "node", "", kNowhere, {}});
    std::vector<std::uint32_t> chain;
    std::uint32_t place = kNowhere;
    for (std::uint32_t at = node; at < report.system_nodes.size(); at = report.system_nodes[at].parent) {
      // What lies above has been added, unless the choice of what is kept depends on where the way up began.
      if (at == node || options_.system == SystemShape::kAsIs) place = node_places_[at];
      if (place != kNowhere) break;
      const ReportSystemNode& facts = report.system_nodes[at];
      const bool is_root = facts.parent >= at;
      const bool is_kept = options_.system == SystemShape::kAsIs ||
                           is_one_of(facts.class_name, {"machine", "node", "nodecard"}) || (is_root && chain.empty());
      if (is_kept) chain.push_back(at);
      if (is_root) break;
    }
    for (auto at = chain.rbegin(); at != chain.rend(); ++at) {
      place = find_node(place, report.system_nodes[*at]);
      if (options_.system == SystemShape::kAsIs) node_places_[*at] = place;
    }
    if (node < node_places_.size()) node_places_[node] = place;
    return place;
  }

  std::uint32_t find_node(std::uint32_t parent, const ReportSystemNode& facts) {
    std::string key;
    key << parent << facts.class_name << facts.name;
    const auto [known, is_new] = nodes_.try_emplace(std::move(key), structure().system_nodes.size());
    if (is_new) {
      structure().system_nodes.push_back(facts);
      structure().system_nodes.back().parent = parent;
    }
    return known->second;
  }

  void add_topologies(const ReportStructure& report, const ReportMap& map) {
    for (const ReportTopology& topology : report.topologies) {
      ReportTopology moved = topology;
      moved.coordinates.clear();
      for (const auto& [location, place] : topology.coordinates)
        if (location < map.locations.size()) moved.coordinates[map.locations[location]] = place;
      const auto is_equal = [&](const ReportTopology& known) { return is_same_grid(known, moved); };
      auto& all = structure().topologies;
      const auto known = std::find_if(all.begin(), all.end(), is_equal);
      if (known == all.end()) {
        all.push_back(std::move(moved));
      } else {
        known->coordinates.insert(moved.coordinates.begin(), moved.coordinates.end());
      }
    }
  }

  // Equal grids in which no location has two places.
  static bool is_same_grid(const ReportTopology& left, const ReportTopology& right) {
    const auto is_same = [](const auto& a, const auto& b) {
      return a.name == b.name && a.size == b.size && a.is_periodic == b.is_periodic;
    };
    if (left.name != right.name || !std::equal(left.dimensions.begin(), left.dimensions.end(), right.dimensions.begin(),
                                               right.dimensions.end(), is_same))
      return false;
    return std::all_of(right.coordinates.begin(), right.coordinates.end(), [&](const auto& entry) {
      const auto known = left.coordinates.find(entry.first);
      return known == left.coordinates.end() || known->second == entry.second;
    });
  }

  const UnifyOptions& options_;
  MappedReports result_;
  std::vector<std::vector<std::uint32_t>> places_;  // [report][call path]
  std::vector<std::uint32_t> node_places_;          // [system node of the report at hand], once they are known
  Index metrics_, regions_, call_paths_, nodes_, processes_, locations_;
};

}  // namespace

Result<MappedReports> unify_reports(std::span<const ReportStructure* const> reports, std::span<const std::string> names,
                                    const UnifyOptions& options) {
  Union all(options);
  for (std::size_t i = 0; i < reports.size(); ++i) TARRY_TRY(all.add(*reports[i], names[i]));
  return all.finish();
}

}  // namespace tarry
