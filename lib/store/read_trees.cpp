// read_trees.cpp -- the trees of a report, from the store.
#include <limits>
#include <unordered_map>

#include "report/tree/metric_tree.hpp"
#include "store/stored_trees.hpp"
#include "store/structure_codec.hpp"

namespace tarry {
namespace {

Error broken_tree(const Database& database) {
  return {database.name(), "holds trees that contradict each other", "see 'tarry store verify'"};
}

std::uint32_t index_or_none(const SqlRow& row, std::size_t column) {
  if (row.is_null(column) || row.integer(column) < 0) return std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(row.integer(column));
}

// Rows come in the order of their positions, which must be 0, 1, 2, ...
Status read_items(Database& database, std::string_view sql, std::int64_t tree, const SqlRowReader& read) {
  std::int64_t next = 0;
  return database.query(sql, {tree}, [&](const SqlRow& row) -> Status {
    if (row.integer(0) != next++) return broken_tree(database);
    return read(row);
  });
}

Status read_metrics(Database& database, TreeRows& rows, ReportStructure& structure) {
  return read_items(
      database,
      "SELECT n.position, n.parent, m.id, m.name, m.display_name, m.unit, m.description, m.kind, m.type, m.details "
      "FROM metric_tree_node n JOIN metric m ON m.id = n.metric WHERE n.tree = $1 ORDER BY n.position",
      rows.metric_tree, [&](const SqlRow& row) -> Status {
        ReportMetric metric;
        metric.parent = MetricId(index_or_none(row, 1));
        metric.unique_name = row.text(3);
        metric.display_name = row.text(4);
        metric.unit = row.text(5);
        metric.description = row.text(6);
        const auto format = find_value_format(row.text(8));
        const bool is_placed = !metric.parent.is_valid() || metric.parent.value < structure.metrics.size();
        if (!format || !is_placed || row.integer(7) < 0 || row.integer(7) > 4) return broken_tree(database);
        metric.kind = static_cast<MetricKind>(row.integer(7));
        metric.type = format->type;
        metric.tuple_size = format->tuple_size;
        TARRY_TRY(read_metric_details(row.bytes(9), metric));
        rows.metrics.push_back(row.integer(2));
        structure.metrics.push_back(std::move(metric));
        return {};
      });
}

Status read_regions(Database& database, std::int64_t tree, ReportStructure& structure,
                    std::vector<std::int64_t>& rows) {
  return read_items(
      database,
      "SELECT n.position, r.id, r.name, r.mangled_name, f.path, r.begin_line, r.end_line, r.paradigm, r.role, "
      "r.details FROM call_tree_region n JOIN code_region r ON r.id = n.region "
      "JOIN source_file f ON f.id = r.source_file WHERE n.tree = $1 ORDER BY n.position",
      tree, [&](const SqlRow& row) -> Status {
        ReportRegion region;
        region.name = row.text(2);
        region.mangled_name = row.text(3);
        region.module = row.text(4);
        region.begin_line = row.integer(5);
        region.end_line = row.integer(6);
        region.paradigm = row.text(7);
        region.role = row.text(8);
        TARRY_TRY(read_region_details(row.bytes(9), region));
        rows.push_back(row.integer(1));
        structure.regions.push_back(std::move(region));
        return {};
      });
}

Status read_call_paths(Database& database, std::int64_t tree, ReportStructure& structure) {
  std::vector<std::int64_t> rows;
  TARRY_TRY(read_regions(database, tree, structure, rows));
  // Of equal regions the first one.
  std::unordered_map<std::int64_t, std::uint32_t> region_of;
  for (std::size_t i = 0; i < rows.size(); ++i) region_of.try_emplace(rows[i], static_cast<std::uint32_t>(i));
  return read_items(database,
                    "SELECT n.position, n.parent, n.region, n.line, f.path, n.details FROM call_tree_node n "
                    "JOIN source_file f ON f.id = n.source_file WHERE n.tree = $1 ORDER BY n.position",
                    tree, [&](const SqlRow& row) -> Status {
                      ReportCallPath path;
                      path.parent = CallPathId(index_or_none(row, 1));
                      const auto region = region_of.find(row.integer(2));
                      const bool is_placed = !path.parent.is_valid() || path.parent.value < structure.call_paths.size();
                      if (region == region_of.end() || !is_placed) return broken_tree(database);
                      path.region = region->second;
                      path.line = row.integer(3);
                      path.module = row.text(4);
                      TARRY_TRY(read_call_path_details(row.bytes(5), path));
                      structure.call_paths.push_back(std::move(path));
                      return {};
                    });
}

Status read_system(Database& database, std::int64_t machine, ReportStructure& structure) {
  TARRY_TRY(read_items(database,
                       "SELECT position, parent, name, class, description FROM virtual_node WHERE machine = $1 "
                       "ORDER BY position",
                       machine, [&](const SqlRow& row) -> Status {
                         ReportSystemNode node;
                         node.parent = index_or_none(row, 1);
                         if (!row.is_null(1) && node.parent >= structure.system_nodes.size())
                           return broken_tree(database);
                         node.name = row.text(2);
                         node.class_name = row.text(3);
                         node.description = row.text(4);
                         structure.system_nodes.push_back(std::move(node));
                         return {};
                       }));
  TARRY_TRY(read_items(database,
                       "SELECT position, node, rank, name, type FROM process WHERE machine = $1 ORDER BY position",
                       machine, [&](const SqlRow& row) -> Status {
                         ReportProcess process;
                         process.node = index_or_none(row, 1);
                         if (process.node >= structure.system_nodes.size()) return broken_tree(database);
                         process.rank = row.integer(2);
                         process.name = row.text(3);
                         process.type = row.text(4);
                         structure.processes.push_back(std::move(process));
                         return {};
                       }));
  return read_items(database,
                    "SELECT position, process, thread, name, type FROM location WHERE machine = $1 ORDER BY position",
                    machine, [&](const SqlRow& row) -> Status {
                      ReportLocation location;
                      location.process = index_or_none(row, 1);
                      if (location.process >= structure.processes.size()) return broken_tree(database);
                      location.rank = row.integer(2);
                      location.name = row.text(3);
                      location.type = row.text(4);
                      structure.locations.push_back(std::move(location));
                      return {};
                    });
}

}  // namespace

Result<ReportStructure> read_trees(Database& database, TreeRows& rows) {
  ReportStructure structure;
  TARRY_TRY(read_metrics(database, rows, structure));
  TARRY_TRY(read_call_paths(database, rows.call_tree, structure));
  TARRY_TRY(read_system(database, rows.virtual_machine, structure));
  Status topologies = database.query("SELECT topologies FROM virtual_machine WHERE id = $1", {rows.virtual_machine},
                                     [&](const SqlRow& row) -> Status {
                                       TARRY_TRY_ASSIGN(read, read_topologies(row.bytes(0)));
                                       structure.topologies = std::move(read);
                                       return {};
                                     });
  TARRY_TRY(topologies);
  return structure;
}

}  // namespace tarry
