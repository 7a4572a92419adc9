// schema.cpp -- the tables of a store.
//
// Written in SQLite's words; PostgreSQL's types take their place. Values have no foreign keys: these would cost a
// search for each of them.
#include "store/schema.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text/format.hpp"

namespace tarry {
namespace {

// A version, once released, stays as it is: what changes is a version of its own.
constexpr const char* kVersions[] = {
    // 1: applications, machines, code, experiments, values
    R"(
CREATE TABLE application (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE code_version (
  id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, application INTEGER NOT NULL REFERENCES application (id),
  revision TEXT NOT NULL, flags TEXT NOT NULL, modules TEXT NOT NULL);
CREATE TABLE physical_machine (
  id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, name TEXT NOT NULL, nodes INTEGER NOT NULL, cores INTEGER,
  network TEXT NOT NULL, clocks TEXT NOT NULL, mpi TEXT NOT NULL);
CREATE TABLE physical_node (
  machine INTEGER NOT NULL REFERENCES physical_machine (id), position INTEGER NOT NULL, name TEXT NOT NULL,
  PRIMARY KEY (machine, position)) WITHOUT ROWID;
CREATE TABLE virtual_machine (
  id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, nodes INTEGER NOT NULL, processes INTEGER NOT NULL,
  locations INTEGER NOT NULL, topologies BLOB);
CREATE TABLE virtual_node (
  machine INTEGER NOT NULL, position INTEGER NOT NULL, parent INTEGER, name TEXT NOT NULL, class TEXT NOT NULL,
  description TEXT NOT NULL, PRIMARY KEY (machine, position)) WITHOUT ROWID;
CREATE TABLE process (
  machine INTEGER NOT NULL, position INTEGER NOT NULL, node INTEGER NOT NULL, rank INTEGER NOT NULL,
  name TEXT NOT NULL, type TEXT NOT NULL, PRIMARY KEY (machine, position)) WITHOUT ROWID;
CREATE TABLE location (
  machine INTEGER NOT NULL, position INTEGER NOT NULL, process INTEGER NOT NULL, thread INTEGER NOT NULL,
  name TEXT NOT NULL, type TEXT NOT NULL, PRIMARY KEY (machine, position)) WITHOUT ROWID;
CREATE TABLE source_file (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, path TEXT NOT NULL);
CREATE TABLE code_region (
  id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, name TEXT NOT NULL, mangled_name TEXT NOT NULL,
  source_file INTEGER NOT NULL REFERENCES source_file (id), begin_line INTEGER NOT NULL, end_line INTEGER NOT NULL,
  paradigm TEXT NOT NULL, role TEXT NOT NULL, details BLOB);
CREATE TABLE call_path (
  id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, parent INTEGER, region_name TEXT NOT NULL, depth INTEGER NOT NULL,
  path TEXT NOT NULL);
CREATE TABLE metric (
  id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, name TEXT NOT NULL, display_name TEXT NOT NULL,
  unit TEXT NOT NULL, description TEXT NOT NULL, kind INTEGER NOT NULL, type TEXT NOT NULL, details BLOB);
CREATE TABLE metric_tree (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, metrics INTEGER NOT NULL);
CREATE TABLE metric_tree_node (
  tree INTEGER NOT NULL, position INTEGER NOT NULL, parent INTEGER, metric INTEGER NOT NULL,
  PRIMARY KEY (tree, position)) WITHOUT ROWID;
CREATE TABLE call_tree (
  id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, regions INTEGER NOT NULL, call_paths INTEGER NOT NULL);
CREATE TABLE call_tree_region (
  tree INTEGER NOT NULL, position INTEGER NOT NULL, region INTEGER NOT NULL, PRIMARY KEY (tree, position))
  WITHOUT ROWID;
CREATE TABLE call_tree_node (
  tree INTEGER NOT NULL, position INTEGER NOT NULL, parent INTEGER, call_path INTEGER NOT NULL,
  region INTEGER NOT NULL, line INTEGER NOT NULL, source_file INTEGER NOT NULL, details BLOB,
  PRIMARY KEY (tree, position)) WITHOUT ROWID;
CREATE TABLE experiment (
  id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, application INTEGER NOT NULL REFERENCES application (id),
  code_version INTEGER NOT NULL REFERENCES code_version (id),
  physical_machine INTEGER NOT NULL REFERENCES physical_machine (id),
  virtual_machine INTEGER NOT NULL REFERENCES virtual_machine (id),
  metric_tree INTEGER NOT NULL REFERENCES metric_tree (id), call_tree INTEGER NOT NULL REFERENCES call_tree (id),
  source TEXT NOT NULL, kind TEXT NOT NULL, creator TEXT NOT NULL, command TEXT NOT NULL, nodes INTEGER NOT NULL,
  ranks INTEGER NOT NULL, locations INTEGER NOT NULL, started TEXT, ended TEXT, added TEXT NOT NULL,
  wall_seconds DOUBLE PRECISION, exit_status INTEGER, incomplete TEXT NOT NULL, report_bytes INTEGER NOT NULL,
  details BLOB);
CREATE TABLE experiment_attribute (
  experiment INTEGER NOT NULL REFERENCES experiment (id), position INTEGER NOT NULL, name TEXT NOT NULL,
  value TEXT NOT NULL, PRIMARY KEY (experiment, position)) WITHOUT ROWID;
CREATE TABLE parameter (
  experiment INTEGER NOT NULL REFERENCES experiment (id), name TEXT NOT NULL, value TEXT NOT NULL,
  number DOUBLE PRECISION, PRIMARY KEY (experiment, name)) WITHOUT ROWID;
CREATE TABLE tag (
  experiment INTEGER NOT NULL REFERENCES experiment (id), name TEXT NOT NULL, PRIMARY KEY (experiment, name))
  WITHOUT ROWID;
CREATE TABLE extra_file (
  experiment INTEGER NOT NULL REFERENCES experiment (id), position INTEGER NOT NULL, name TEXT NOT NULL,
  bytes BLOB NOT NULL, PRIMARY KEY (experiment, position)) WITHOUT ROWID;
CREATE TABLE metric_total (
  experiment INTEGER NOT NULL, metric INTEGER NOT NULL, total DOUBLE PRECISION, call_paths INTEGER NOT NULL,
  PRIMARY KEY (experiment, metric)) WITHOUT ROWID;
CREATE TABLE call_path_value (
  experiment INTEGER NOT NULL, metric INTEGER NOT NULL, node INTEGER NOT NULL, total DOUBLE PRECISION,
  minimum DOUBLE PRECISION, maximum DOUBLE PRECISION, inclusive DOUBLE PRECISION, block INTEGER, start INTEGER,
  size INTEGER, PRIMARY KEY (experiment, metric, node)) WITHOUT ROWID;
CREATE TABLE vector_block (
  experiment INTEGER NOT NULL, block INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (experiment, block))
  WITHOUT ROWID;
CREATE INDEX metric_by_name ON metric (name);
CREATE INDEX call_path_by_region ON call_path (region_name);
CREATE INDEX call_tree_node_by_path ON call_tree_node (call_path, tree);
CREATE INDEX experiment_by_application ON experiment (application);
CREATE INDEX experiment_by_call_tree ON experiment (call_tree);
CREATE INDEX parameter_by_name ON parameter (name, number);
CREATE INDEX tag_by_name ON tag (name);
)",
    // 2: what the runs mean
    R"(
CREATE TABLE overhead (
  experiment INTEGER NOT NULL REFERENCES experiment (id), position INTEGER NOT NULL, class TEXT NOT NULL,
  region TEXT, seconds DOUBLE PRECISION NOT NULL, PRIMARY KEY (experiment, position)) WITHOUT ROWID;
CREATE TABLE finding (
  experiment INTEGER NOT NULL REFERENCES experiment (id), position INTEGER NOT NULL, kind TEXT NOT NULL,
  metric TEXT NOT NULL, name TEXT NOT NULL, node INTEGER NOT NULL, seconds DOUBLE PRECISION NOT NULL,
  fraction DOUBLE PRECISION NOT NULL, worst_rank INTEGER, PRIMARY KEY (experiment, position)) WITHOUT ROWID;
CREATE TABLE efficiency (
  experiment INTEGER NOT NULL REFERENCES experiment (id), model TEXT NOT NULL, name TEXT NOT NULL,
  value DOUBLE PRECISION NOT NULL, PRIMARY KEY (experiment, model, name)) WITHOUT ROWID;
)",
    // 3: what nodes have
    R"(
ALTER TABLE physical_node ADD COLUMN cores INTEGER;
ALTER TABLE physical_node ADD COLUMN processor TEXT NOT NULL DEFAULT '';
ALTER TABLE physical_node ADD COLUMN network TEXT NOT NULL DEFAULT '';
)",
    // 4: the largest tables take less room on a server
    "",
};

// What else a version does there. SQLite keeps whole numbers in as few bytes as they need; a server fills
// gaps before the larger columns. Where it has LZ4, this is faster.
constexpr std::pair<int, const char*> kServerVersions[] = {
    {4, R"(
CREATE TABLE dense_value (
  experiment INTEGER NOT NULL, metric INTEGER NOT NULL, node INTEGER NOT NULL, block INTEGER, total DOUBLE PRECISION,
  minimum DOUBLE PRECISION, maximum DOUBLE PRECISION, inclusive DOUBLE PRECISION, start INTEGER, size INTEGER,
  PRIMARY KEY (experiment, metric, node) WITH (fillfactor = 100));
INSERT INTO dense_value SELECT experiment, metric, node, block, total, minimum, maximum, inclusive, start, size
  FROM call_path_value;
DROP TABLE call_path_value;
ALTER TABLE dense_value RENAME TO call_path_value;
DO $$ BEGIN
  EXECUTE 'ALTER TABLE vector_block ALTER COLUMN bytes SET COMPRESSION lz4';
EXCEPTION WHEN OTHERS THEN NULL;
END $$;
)"},
};

// In the order in which they can be made; they are made anew with each version.
struct View {
  const char* name;
  const char* query;
};
constexpr View kViews[] = {
    {"runs", R"(SELECT e.id AS run, a.name AS program, v.revision AS revision, e.kind AS kind, e.nodes AS nodes,
  e.ranks AS ranks, e.locations AS locations, COALESCE(e.started, e.added) AS date, e.wall_seconds AS wall_seconds,
  e.creator AS creator, e.command AS command, e.source AS source, e.incomplete AS incomplete,
  m.name AS machine, v.flags AS flags, v.modules AS modules
FROM experiment e JOIN application a ON a.id = e.application JOIN code_version v ON v.id = e.code_version
  JOIN physical_machine m ON m.id = e.physical_machine)"},
    {"run_parameters", "SELECT experiment AS run, name, value, number FROM parameter"},
    {"run_tags", "SELECT experiment AS run, name AS tag FROM tag"},
    {"run_metrics", R"(SELECT t.experiment AS run, m.name AS metric, m.unit AS unit, t.total AS total
FROM metric_total t JOIN metric m ON m.id = t.metric)"},
    {"run_values", R"(SELECT c.experiment AS run, m.name AS metric, m.unit AS unit, p.path AS call_path,
  r.name AS region, f.path AS source_file, r.begin_line AS line, c.node AS node, c.total AS total,
  c.minimum AS minimum, c.maximum AS maximum, c.total / e.locations AS mean,
  COALESCE(c.inclusive, c.total) AS inclusive,
  (SELECT SUBSTR(b.bytes, CAST(c.start + 1 AS INTEGER), CAST(c.size AS INTEGER)) FROM vector_block b
   WHERE b.experiment = c.experiment AND b.block = c.block) AS vector
FROM call_path_value c JOIN experiment e ON e.id = c.experiment JOIN metric m ON m.id = c.metric
  JOIN call_tree_node n ON n.tree = e.call_tree AND n.position = c.node JOIN call_path p ON p.id = n.call_path
  JOIN code_region r ON r.id = n.region JOIN source_file f ON f.id = r.source_file)"},
    {"run_regions", R"(SELECT c.experiment AS run, m.name AS metric, r.name AS region, SUM(c.total) AS total,
  MIN(c.minimum) AS minimum, MAX(c.maximum) AS maximum
FROM call_path_value c JOIN experiment e ON e.id = c.experiment JOIN metric m ON m.id = c.metric
  JOIN call_tree_node n ON n.tree = e.call_tree AND n.position = c.node JOIN code_region r ON r.id = n.region
GROUP BY c.experiment, m.name, r.name)"},
    {"run_locations", R"(SELECT e.id AS run, l.position AS location, p.rank AS rank, l.thread AS thread,
  n.name AS node, p.name AS process, l.name AS name
FROM experiment e JOIN location l ON l.machine = e.virtual_machine
  JOIN process p ON p.machine = l.machine AND p.position = l.process
  JOIN virtual_node n ON n.machine = l.machine AND n.position = p.node)"},
    {"run_overheads", "SELECT experiment AS run, class, region, seconds FROM overhead"},
    {"run_findings", R"(SELECT f.experiment AS run, f.kind AS kind, f.metric AS metric, f.name AS name,
  p.path AS call_path, f.seconds AS seconds, f.fraction AS fraction, f.worst_rank AS worst_rank
FROM finding f JOIN experiment e ON e.id = f.experiment
  JOIN call_tree_node n ON n.tree = e.call_tree AND n.position = f.node JOIN call_path p ON p.id = n.call_path)"},
    {"run_machines", R"(SELECT e.id AS run, m.name AS machine, m.nodes AS nodes, m.cores AS cores,
  m.network AS network, m.clocks AS clocks, m.mpi AS mpi
FROM experiment e JOIN physical_machine m ON m.id = e.physical_machine)"},
    {"run_nodes", R"(SELECT e.id AS run, n.position AS position, n.name AS node, n.cores AS cores,
  n.processor AS processor, n.network AS network
FROM experiment e JOIN physical_node n ON n.machine = e.physical_machine)"},
    {"run_efficiencies", "SELECT experiment AS run, model, name, value FROM efficiency"},
};

std::string replace_all(std::string text, std::string_view old, std::string_view now) {
  for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + now.size()))
    text.replace(at, old.size(), now);
  return text;
}

// In the words of the database.
std::string in_dialect(std::string sql, DatabaseKind kind) {
  if (kind == DatabaseKind::kSqlite) return sql;
  sql = replace_all(std::move(sql), "id INTEGER PRIMARY KEY", "id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY");
  sql = replace_all(std::move(sql), " INTEGER", " BIGINT");
  sql = replace_all(std::move(sql), " BLOB", " BYTEA");
  return replace_all(std::move(sql), "WITHOUT ROWID", "");
}

Result<int> version_of(Database& database) {
  TARRY_TRY_ASSIGN(has_version, database.has_table("store_version"));
  if (!has_version) return 0;
  TARRY_TRY_ASSIGN(version, find_integer(database, "SELECT version FROM store_version", {}));
  return static_cast<int>(std::clamp<std::int64_t>(version.value_or(0), 0, 1'000'000));
}

Status refuse_newer(const Database& database, int version) {
  if (version <= schema_version()) return {};
  return Error{database.name(),
               "has the tables of version " + std::to_string(version) + ", and this tool knows those up to " +
                   std::to_string(schema_version()),
               "use a newer Tarry"};
}

// Somebody may have put a view in the place of a table, that never ends.
Status check_tables(Database& database) {
  if (database.kind() != DatabaseKind::kSqlite) return {};
  constexpr std::string_view kBegin = "CREATE TABLE ";
  for (const std::string_view script : kVersions)
    for (std::size_t at = script.find(kBegin); at != std::string_view::npos; at = script.find(kBegin, at)) {
      at += kBegin.size();
      const std::string_view table = script.substr(at, script.find(' ', at) - at);
      TARRY_TRY_ASSIGN(is_there, database.has_table(table));
      if (!is_there)
        return Error{database.name(), "is damaged: it has no table '" + std::string(table) + "'", "use a copy of it"};
    }
  return {};
}

Status make_version_table(Database& database) {
  if (database.kind() == DatabaseKind::kPostgres)
    TARRY_TRY(database.run_script("SELECT pg_advisory_lock(1952543353); CREATE SCHEMA IF NOT EXISTS tarry"));
  TARRY_TRY(database.run_script(in_dialect(
      "CREATE TABLE IF NOT EXISTS store_version (version INTEGER NOT NULL, made_by TEXT NOT NULL)", database.kind())));
  if (database.kind() == DatabaseKind::kPostgres)
    TARRY_TRY(database.run_script("SELECT pg_advisory_unlock(1952543353)"));
  return {};
}

Status drop_views(Database& database) {
  for (auto view = std::rbegin(kViews); view != std::rend(kViews); ++view)
    TARRY_TRY(database.run_script(std::string("DROP VIEW IF EXISTS ") + view->name));
  return {};
}

Status make_views(Database& database) {
  for (const View& view : kViews)
    TARRY_TRY(database.run_script(std::string("CREATE VIEW ") + view.name + " AS " + view.query));
  return {};
}

// `index`: from 0 on.
Status make_version(Database& database, int index) {
  if (*kVersions[index]) TARRY_TRY(database.run_script(in_dialect(kVersions[index], database.kind())));
  if (database.kind() != DatabaseKind::kPostgres) return {};
  for (const auto& [version, script] : kServerVersions)
    if (version == index + 1) TARRY_TRY(database.run_script(script));
  return {};
}

}  // namespace

int schema_version() { return static_cast<int>(std::size(kVersions)); }

Status migrate_schema(Database& database, int version) {
  TARRY_TRY_ASSIGN(present, version_of(database));
  TARRY_TRY(refuse_newer(database, present));
  if (present >= version) return present == schema_version() ? check_tables(database) : Status();
  TARRY_TRY(make_version_table(database));
  Transaction transaction(database);
  TARRY_TRY(transaction.begin_writing());
  // Another process may have been first.
  TARRY_TRY_ASSIGN(now, version_of(database));
  if (now > 0 && now < version) TARRY_TRY(drop_views(database));
  for (int next = now; next < version; ++next) TARRY_TRY(make_version(database, next));
  if (version == schema_version() && now < version) TARRY_TRY(make_views(database));
  if (now < version) {
    TARRY_TRY(database.run("DELETE FROM store_version"));
    TARRY_TRY(database.run("INSERT INTO store_version (version, made_by) VALUES ($1, $2)",
                           {version, std::string("tarry ") + TARRY_VERSION}));
  }
  return transaction.commit();
}

Status check_schema(Database& database) {
  TARRY_TRY_ASSIGN(version, version_of(database));
  TARRY_TRY(refuse_newer(database, version));
  if (version == schema_version()) return check_tables(database);
  if (version == 0) return Error{database.name(), "holds no store yet", "'tarry store add' makes one"};
  return Error{database.name(), "has the tables of version " + std::to_string(version),
               "any 'tarry store add' to it makes those of version " + std::to_string(schema_version())};
}

}  // namespace tarry
