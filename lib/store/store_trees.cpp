// store_trees.cpp -- adds the trees of a report to the store.
//
// A key is the SHA-256 of what a row holds. If the key of a whole tree is there, nothing of it is looked at.
#include <map>

#include "base/bytes/bytes.hpp"
#include "base/text/format.hpp"
#include "base/text/text.hpp"
#include "store/content_key.hpp"
#include "store/stored_trees.hpp"
#include "store/structure_codec.hpp"

namespace tarry {
namespace {

constexpr std::size_t kLongestPath = 1000;  // characters of a call path's text

SqlParam bytes_or_null(const std::vector<std::uint8_t>& bytes) { return bytes.empty() ? SqlParam() : SqlParam(bytes); }

template <class Number>
SqlParam parent_or_null(Number parent) {
  return parent == static_cast<Number>(~Number{0}) ? SqlParam() : SqlParam(parent);
}

// The row of a key; `insert` makes it if there is none.
template <class Insert>
Result<std::int64_t> row_of(Database& database, std::string_view find, const ContentKey& key, const Insert& insert) {
  TARRY_TRY_ASSIGN(found, find_integer(database, find, {std::span<const std::uint8_t>(key)}));
  if (found) return *found;
  return insert();
}

Result<std::int64_t> insert_row(Database& database, std::string_view sql, const SqlParams& params) {
  TARRY_TRY_ASSIGN(id, find_integer(database, sql, params));
  if (!id) return Error{database.name(), "gives a new row no number", ""};
  return *id;
}

// ---- metrics

std::vector<std::uint8_t> metric_content(const ReportMetric& metric) {
  ByteWriter writer;
  writer.text(metric.unique_name);
  writer.text(metric.display_name);
  writer.text(metric.unit);
  writer.text(metric.description);
  writer.u8(static_cast<std::uint8_t>(metric.kind));
  writer.text(dtype_text(metric.format()));
  const auto details = metric_details(metric);
  writer.raw(details.data(), details.size());
  return std::move(writer.bytes());
}

Result<std::int64_t> store_metric(Database& database, const ReportMetric& metric, const ContentKey& key) {
  return row_of(database, "SELECT id FROM metric WHERE key = $1", key, [&]() -> Result<std::int64_t> {
    const auto details = metric_details(metric);
    const std::string name = sql_text(metric.unique_name), display = sql_text(metric.display_name);
    const std::string unit = sql_text(metric.unit), description = sql_text(metric.description);
    const std::string type = dtype_text(metric.format());
    return insert_row(database,
                      "INSERT INTO metric (key, name, display_name, unit, description, kind, type, details) "
                      "VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id",
                      {std::span<const std::uint8_t>(key), name, display, unit, description,
                       static_cast<int>(metric.kind), type, bytes_or_null(details)});
  });
}

Status store_metric_tree(Database& database, const ReportStructure& structure, TreeRows& rows) {
  ByteWriter content;
  std::vector<ContentKey> keys;
  for (const ReportMetric& metric : structure.metrics) {
    keys.push_back(content_key(metric_content(metric)));
    content.raw(keys.back().data(), keys.back().size());
    content.u32(metric.parent.value);
  }
  const ContentKey key = content_key(content.bytes());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    TARRY_TRY_ASSIGN(id, store_metric(database, structure.metrics[i], keys[i]));
    rows.metrics.push_back(id);
  }
  bool is_new = false;
  TARRY_TRY_ASSIGN(tree, row_of(database, "SELECT id FROM metric_tree WHERE key = $1", key, [&] {
                     is_new = true;
                     return insert_row(database, "INSERT INTO metric_tree (key, metrics) VALUES ($1, $2) RETURNING id",
                                       {std::span<const std::uint8_t>(key), structure.metrics.size()});
                   }));
  rows.metric_tree = tree;
  if (!is_new) return {};
  TARRY_TRY_ASSIGN(nodes, database.insert_into("metric_tree_node", "tree, position, parent, metric"));
  for (std::size_t i = 0; i < keys.size(); ++i)
    TARRY_TRY(nodes->add({tree, i, parent_or_null(structure.metrics[i].parent.value), rows.metrics[i]}));
  return nodes->finish();
}

// ---- call tree

class CallTreeWriter {
 public:
  CallTreeWriter(Database& database, const ReportStructure& structure) : database_(database), structure_(structure) {}

  Result<std::int64_t> store() {
    ByteWriter content;
    for (const ReportRegion& region : structure_.regions) {
      region_keys_.push_back(content_key(region_content(region)));
      content.raw(region_keys_.back().data(), region_keys_.back().size());
    }
    for (const ReportCallPath& path : structure_.call_paths) add_content(path, content);
    const ContentKey key = content_key(content.bytes());
    bool is_new = false;
    TARRY_TRY_ASSIGN(
        tree, row_of(database_, "SELECT id FROM call_tree WHERE key = $1", key, [&] {
          is_new = true;
          return insert_row(
              database_, "INSERT INTO call_tree (key, regions, call_paths) VALUES ($1, $2, $3) RETURNING id",
              {std::span<const std::uint8_t>(key), structure_.regions.size(), structure_.call_paths.size()});
        }));
    if (is_new) {
      TARRY_TRY(store_regions(tree));
      TARRY_TRY(store_paths(tree));
    }
    return tree;
  }

 private:
  static std::vector<std::uint8_t> region_content(const ReportRegion& region) {
    ByteWriter writer;
    for (const std::string* text : {&region.name, &region.mangled_name, &region.module, &region.paradigm, &region.role})
      writer.text(*text);
    writer.varint(zigzag(region.begin_line));
    writer.varint(zigzag(region.end_line));
    const auto details = region_details(region);
    writer.raw(details.data(), details.size());
    return std::move(writer.bytes());
  }

  static void add_content(const ReportCallPath& path, ByteWriter& content) {
    content.u32(path.region);
    content.u32(path.parent.value);
    content.varint(zigzag(path.line));
    content.text(path.module);
    const auto details = call_path_details(path);
    content.varint(details.size());
    content.raw(details.data(), details.size());
  }

  Result<std::int64_t> store_file(const std::string& path) {
    if (const auto found = files_.find(path); found != files_.end()) return found->second;
    const ContentKey key = content_key({reinterpret_cast<const std::uint8_t*>(path.data()), path.size()});
    TARRY_TRY_ASSIGN(file, row_of(database_, "SELECT id FROM source_file WHERE key = $1", key, [&] {
                       return insert_row(database_, "INSERT INTO source_file (key, path) VALUES ($1, $2) RETURNING id",
                                         {std::span<const std::uint8_t>(key), sql_text(path)});
                     }));
    files_.emplace(path, file);
    return file;
  }

  Result<std::int64_t> store_region(const ReportRegion& region, const ContentKey& key) {
    TARRY_TRY_ASSIGN(file, store_file(region.module));
    return row_of(database_, "SELECT id FROM code_region WHERE key = $1", key, [&] {
      const auto details = region_details(region);
      const std::string name = sql_text(region.name), mangled = sql_text(region.mangled_name);
      const std::string paradigm = sql_text(region.paradigm), role = sql_text(region.role);
      return insert_row(database_,
                        "INSERT INTO code_region (key, name, mangled_name, source_file, begin_line, end_line, "
                        "paradigm, role, details) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id",
                        {std::span<const std::uint8_t>(key), name, mangled, file, region.begin_line, region.end_line,
                         paradigm, role, bytes_or_null(details)});
    });
  }

  Status store_regions(std::int64_t tree) {
    for (std::size_t i = 0; i < structure_.regions.size(); ++i) {
      TARRY_TRY_ASSIGN(row, store_region(structure_.regions[i], region_keys_[i]));
      region_rows_.push_back(row);
    }
    TARRY_TRY_ASSIGN(nodes, database_.insert_into("call_tree_region", "tree, position, region"));
    for (std::size_t i = 0; i < region_rows_.size(); ++i) TARRY_TRY(nodes->add({tree, i, region_rows_[i]}));
    return nodes->finish();
  }

  // A call path of names: what runs of a program have in common, though lines move.
  struct NamedPath {
    ContentKey key;
    std::int64_t row = 0;
    std::int64_t depth = 0;
    std::string text;
  };

  Result<NamedPath> store_named_path(const ReportCallPath& path, const NamedPath* parent) {
    const std::string name = path.region < structure_.regions.size() ? structure_.regions[path.region].name : "";
    ByteWriter content;
    if (parent) content.raw(parent->key.data(), parent->key.size());
    content.text(name);
    NamedPath named;
    named.key = content_key(content.bytes());
    named.depth = parent ? parent->depth + 1 : 0;
    named.text = parent ? parent->text + "/" : std::string();
    append_path_name(named.text, sql_text(name));
    if (named.text.size() > kLongestPath) named.text = shorten_middle(named.text, kLongestPath / 2);
    TARRY_TRY_ASSIGN(row, row_of(database_, "SELECT id FROM call_path WHERE key = $1", named.key, [&] {
                       return insert_row(
                           database_,
                           "INSERT INTO call_path (key, parent, region_name, depth, path) "
                           "VALUES ($1, $2, $3, $4, $5) RETURNING id",
                           {std::span<const std::uint8_t>(named.key), parent ? SqlParam(parent->row) : SqlParam(),
                            sql_text(name), named.depth, named.text});
                     }));
    named.row = row;
    return named;
  }

  Status store_paths(std::int64_t tree) {
    std::vector<NamedPath> named;
    std::vector<std::int64_t> files;
    named.reserve(structure_.call_paths.size());
    for (std::size_t i = 0; i < structure_.call_paths.size(); ++i) {
      const ReportCallPath& path = structure_.call_paths[i];
      const bool has_parent = path.parent.is_valid() && path.parent.value < i;
      TARRY_TRY_ASSIGN(one, store_named_path(path, has_parent ? &named[path.parent.value] : nullptr));
      named.push_back(std::move(one));
      TARRY_TRY_ASSIGN(file, store_file(path.module));
      files.push_back(file);
    }
    TARRY_TRY_ASSIGN(nodes, database_.insert_into("call_tree_node",
                                                  "tree, position, parent, call_path, region, line, "
                                                  "source_file, details"));
    for (std::size_t i = 0; i < named.size(); ++i) {
      const ReportCallPath& path = structure_.call_paths[i];
      const auto details = call_path_details(path);
      TARRY_TRY(nodes->add({tree, i, parent_or_null(path.parent.value), named[i].row,
                            path.region < region_rows_.size() ? region_rows_[path.region] : 0, path.line, files[i],
                            bytes_or_null(details)}));
    }
    return nodes->finish();
  }

  Database& database_;
  const ReportStructure& structure_;
  std::vector<ContentKey> region_keys_;
  std::vector<std::int64_t> region_rows_;
  std::map<std::string, std::int64_t> files_;
};

// ---- system tree

std::vector<std::uint8_t> machine_content(const ReportStructure& structure,
                                          const std::vector<std::uint8_t>& topologies) {
  ByteWriter writer;
  for (const ReportSystemNode& node : structure.system_nodes) {
    for (const std::string* text : {&node.name, &node.class_name, &node.description}) writer.text(*text);
    writer.u32(node.parent);
  }
  writer.varint(structure.processes.size());
  for (const ReportProcess& process : structure.processes) {
    for (const std::string* text : {&process.name, &process.type}) writer.text(*text);
    writer.varint(zigzag(process.rank));
    writer.u32(process.node);
  }
  for (const ReportLocation& location : structure.locations) {
    for (const std::string* text : {&location.name, &location.type}) writer.text(*text);
    writer.varint(zigzag(location.rank));
    writer.u32(location.process);
  }
  writer.raw(topologies.data(), topologies.size());
  return std::move(writer.bytes());
}

Status store_machine_items(Database& database, const ReportStructure& structure, std::int64_t machine) {
  TARRY_TRY_ASSIGN(nodes, database.insert_into("virtual_node", "machine, position, parent, name, class, description"));
  for (std::size_t i = 0; i < structure.system_nodes.size(); ++i) {
    const ReportSystemNode& node = structure.system_nodes[i];
    const std::string name = sql_text(node.name), kind = sql_text(node.class_name);
    TARRY_TRY(nodes->add({machine, i, parent_or_null(node.parent), name, kind, sql_text(node.description)}));
  }
  TARRY_TRY(nodes->finish());
  TARRY_TRY_ASSIGN(processes, database.insert_into("process", "machine, position, node, rank, name, type"));
  for (std::size_t i = 0; i < structure.processes.size(); ++i) {
    const ReportProcess& process = structure.processes[i];
    const std::string name = sql_text(process.name);
    TARRY_TRY(processes->add({machine, i, process.node, process.rank, name, sql_text(process.type)}));
  }
  TARRY_TRY(processes->finish());
  TARRY_TRY_ASSIGN(locations, database.insert_into("location", "machine, position, process, thread, name, type"));
  for (std::size_t i = 0; i < structure.locations.size(); ++i) {
    const ReportLocation& location = structure.locations[i];
    const std::string name = sql_text(location.name);
    TARRY_TRY(locations->add({machine, i, location.process, location.rank, name, sql_text(location.type)}));
  }
  return locations->finish();
}

Result<std::int64_t> store_machine(Database& database, const ReportStructure& structure) {
  const std::vector<std::uint8_t> topologies = topology_bytes(structure.topologies);
  const ContentKey key = content_key(machine_content(structure, topologies));
  bool is_new = false;
  TARRY_TRY_ASSIGN(machine, row_of(database, "SELECT id FROM virtual_machine WHERE key = $1", key, [&] {
                     is_new = true;
                     return insert_row(
                         database,
                         "INSERT INTO virtual_machine (key, nodes, processes, locations, topologies) "
                         "VALUES ($1, $2, $3, $4, $5) RETURNING id",
                         {std::span<const std::uint8_t>(key), structure.system_nodes.size(), structure.processes.size(),
                          structure.locations.size(), bytes_or_null(topologies)});
                   }));
  if (is_new) TARRY_TRY(store_machine_items(database, structure, machine));
  return machine;
}

}  // namespace

Result<TreeRows> store_trees(Database& database, const ReportStructure& structure) {
  TreeRows rows;
  TARRY_TRY(store_metric_tree(database, structure, rows));
  TARRY_TRY_ASSIGN(call_tree, CallTreeWriter(database, structure).store());
  rows.call_tree = call_tree;
  TARRY_TRY_ASSIGN(machine, store_machine(database, structure));
  rows.virtual_machine = machine;
  return rows;
}

}  // namespace tarry
