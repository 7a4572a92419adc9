// add_run.cpp -- puts a run into the store.
#include "store/add_run.hpp"

#include <algorithm>
#include <set>

#include "base/bytes/bytes.hpp"
#include "report/tree/call_path_tree.hpp"
#include "report/algebra/flavour.hpp"
#include "report/tree/metric_tree.hpp"
#include "store/content_key.hpp"
#include "store/packed_bytes.hpp"
#include "store/store_findings.hpp"
#include "store/store_values.hpp"
#include "store/stored_trees.hpp"
#include "store/structure_codec.hpp"
#include "store/utc_time.hpp"

namespace tarry {
namespace {

std::span<const std::uint8_t> bytes_of(const ContentKey& key) { return key; }

ContentKey key_of_texts(std::initializer_list<std::string_view> texts) {
  ByteWriter writer;
  for (const std::string_view text : texts) writer.text(text);
  return content_key(writer.bytes());
}

Result<std::int64_t> find_or_make(Database& database, std::string_view find, const SqlParams& found_by,
                                  std::string_view make, const SqlParams& made_of) {
  TARRY_TRY_ASSIGN(found, find_integer(database, find, found_by));
  if (found) return *found;
  TARRY_TRY_ASSIGN(made, find_integer(database, make, made_of));
  if (!made) return Error{database.name(), "gives a new row no number", ""};
  return *made;
}

Result<std::int64_t> store_application(Database& database, const RunFacts& facts) {
  const std::string name = sql_text(facts.program);
  return find_or_make(database, "SELECT id FROM application WHERE name = $1", {name},
                      "INSERT INTO application (name) VALUES ($1) RETURNING id", {name});
}

Result<std::int64_t> store_code_version(Database& database, const RunFacts& facts, std::int64_t application) {
  const std::string revision = sql_text(facts.revision), flags = sql_text(facts.flags);
  const std::string modules = sql_text(facts.modules);
  const ContentKey key = key_of_texts({std::to_string(application), revision, flags, modules});
  return find_or_make(database, "SELECT id FROM code_version WHERE key = $1", {bytes_of(key)},
                      "INSERT INTO code_version (key, application, revision, flags, modules) "
                      "VALUES ($1, $2, $3, $4, $5) RETURNING id",
                      {bytes_of(key), application, revision, flags, modules});
}

// Nothing where nothing is known: stores of older versions have such machines.
void add_node_facts(const MachineFacts& machine, ByteWriter& content) {
  for (const NodeFacts& node : machine.nodes) {
    if (!node.cores && node.processor.empty() && node.network.empty()) continue;
    content.varint(static_cast<std::uint64_t>(node.cores.value_or(0)));
    content.text(sql_text(node.processor));
    content.text(sql_text(node.network));
  }
}

Status store_nodes(Database& database, std::int64_t machine, const std::vector<NodeFacts>& nodes) {
  TARRY_TRY_ASSIGN(rows, database.insert_into("physical_node", "machine, position, name, cores, processor, network"));
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::string name = sql_text(nodes[i].name), processor = sql_text(nodes[i].processor);
    TARRY_TRY(rows->add({machine, i, name, nodes[i].cores, processor, sql_text(nodes[i].network)}));
  }
  return rows->finish();
}

Result<std::int64_t> store_physical_machine(Database& database, const MachineFacts& machine) {
  const std::string name = sql_text(machine.name), network = sql_text(machine.network_text());
  const std::string clocks = sql_text(machine.clocks), mpi = sql_text(machine.mpi);
  ByteWriter content;
  for (const std::string* text : {&name, &network, &clocks, &mpi}) content.text(*text);
  content.varint(static_cast<std::uint64_t>(machine.cores().value_or(0)));
  for (const NodeFacts& node : machine.nodes) content.text(node.name);
  add_node_facts(machine, content);
  const ContentKey key = content_key(content.bytes());
  TARRY_TRY_ASSIGN(known, find_integer(database, "SELECT id FROM physical_machine WHERE key = $1", {bytes_of(key)}));
  if (known) return *known;
  TARRY_TRY_ASSIGN(made,
                   find_integer(database,
                                "INSERT INTO physical_machine (key, name, nodes, cores, network, clocks, mpi) "
                                "VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id",
                                {bytes_of(key), name, machine.nodes.size(), machine.cores(), network, clocks, mpi}));
  const std::int64_t id = made.value_or(0);
  TARRY_TRY(store_nodes(database, id, machine.nodes));
  return id;
}

SqlParam text_or_null(const std::optional<std::string>& text) { return text ? SqlParam(*text) : SqlParam(); }

class RunWriter {
 public:
  RunWriter(Database& database, const CubeSource& report, const RunFacts& facts)
      : database_(database), report_(report), facts_(facts) {}

  Result<std::int64_t> write(std::span<const std::uint8_t> key, std::uint64_t report_bytes) {
    TARRY_TRY_ASSIGN(application, store_application(database_, facts_));
    TARRY_TRY_ASSIGN(code_version, store_code_version(database_, facts_, application));
    TARRY_TRY_ASSIGN(machine, store_physical_machine(database_, facts_.machine));
    TARRY_TRY_ASSIGN(trees, store_trees(database_, report_.structure()));
    TARRY_TRY_ASSIGN(id, write_experiment(application, code_version, machine, trees, key, report_bytes));
    id_ = id;
    TARRY_TRY(write_attributes());
    TARRY_TRY(write_parameters());
    TARRY_TRY(write_files());
    TARRY_TRY(store_values(database_, id_, report_, trees.metrics));
    TARRY_TRY(store_findings(database_, id_, report_, facts_.transfer));
    return id_;
  }

 private:
  Result<std::int64_t> write_experiment(std::int64_t application, std::int64_t code_version, std::int64_t machine,
                                        const TreeRows& trees, std::span<const std::uint8_t> key,
                                        std::uint64_t report_bytes) {
    const ReportStructure& structure = report_.structure();
    const std::string source = sql_text(facts_.source), kind = sql_text(facts_.kind);
    const std::string creator = sql_text(attribute("Creator")), command = sql_text(facts_.command);
    const std::string incomplete = sql_text(facts_.incomplete);
    const std::vector<std::uint8_t> details = run_details(structure);
    TARRY_TRY_ASSIGN(
        id,
        find_integer(
            database_,
            "INSERT INTO experiment (key, application, code_version, physical_machine, virtual_machine, metric_tree, "
            "call_tree, source, kind, creator, command, nodes, ranks, locations, started, ended, added, wall_seconds, "
            "exit_status, incomplete, report_bytes, details) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, "
            "$12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22) RETURNING id",
            {key,
             application,
             code_version,
             machine,
             trees.virtual_machine,
             trees.metric_tree,
             trees.call_tree,
             source,
             kind,
             creator,
             command,
             node_count(),
             structure.processes.size(),
             structure.locations.size(),
             text_or_null(facts_.started),
             text_or_null(facts_.ended),
             utc_now_text(),
             wall_seconds_of(report_),
             facts_.exit_status,
             incomplete,
             report_bytes,
             details.empty() ? SqlParam() : SqlParam(details)}));
    if (!id) return Error{database_.name(), "gives a new run no number", ""};
    return *id;
  }

  std::string attribute(std::string_view name) const {
    for (const auto& [key, value] : report_.structure().attributes)
      if (key == name) return value;
    return "";
  }

  // Nodes that processes are on.
  std::size_t node_count() const {
    std::set<std::uint32_t> nodes;
    for (const ReportProcess& process : report_.structure().processes) nodes.insert(process.node);
    return nodes.size();
  }

  Status write_attributes() {
    const auto& attributes = report_.structure().attributes;
    TARRY_TRY_ASSIGN(rows, database_.insert_into("experiment_attribute", "experiment, position, name, value"));
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      const std::string name = sql_text(attributes[i].first);
      TARRY_TRY(rows->add({id_, i, name, sql_text(attributes[i].second)}));
    }
    return rows->finish();
  }

  Status write_parameters() {
    for (const auto& [name, value] : facts_.parameters)
      TARRY_TRY(
          database_.run("INSERT INTO parameter (experiment, name, value, number) VALUES ($1, $2, $3, $4) "
                        "ON CONFLICT (experiment, name) DO UPDATE SET value = excluded.value, "
                        "number = excluded.number",
                        {id_, sql_text(name), sql_text(value), parameter_number(value)}));
    for (const std::string& tag : facts_.tags)
      TARRY_TRY(database_.run("INSERT INTO tag (experiment, name) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                              {id_, sql_text(tag)}));
    return {};
  }

  Status write_files() {
    TARRY_TRY_ASSIGN(rows, database_.insert_into("extra_file", "experiment, position, name, bytes"));
    for (std::size_t i = 0; i < report_.files().size(); ++i) {
      const ReportFile& file = report_.files()[i];
      const std::string name = sql_text(file.name);
      const std::vector<std::uint8_t> packed = pack_bytes(file.bytes);
      TARRY_TRY(rows->add({id_, i, name, packed}));
    }
    return rows->finish();
  }

  Database& database_;
  const CubeSource& report_;
  const RunFacts& facts_;
  std::int64_t id_ = 0;
};

}  // namespace

Result<AddedRun> add_run(Database& database, const CubeSource& report, const RunFacts& facts,
                         std::span<const std::uint8_t> key, std::uint64_t report_bytes) {
  Transaction transaction(database);
  TARRY_TRY(transaction.begin_writing());
  TARRY_TRY_ASSIGN(known, find_integer(database, "SELECT id FROM experiment WHERE key = $1", {key}));
  if (known) return AddedRun{*known, false};
  TARRY_TRY_ASSIGN(id, RunWriter(database, report, facts).write(key, report_bytes));
  TARRY_TRY(transaction.commit());
  return AddedRun{id, true};
}

void complete_facts(const ReportStructure& structure, RunFacts& facts) {
  if (facts.program.empty()) {
    for (const ReportCallPath& path : structure.call_paths)
      if (!path.parent.is_valid() && path.region < structure.regions.size()) {
        facts.program = structure.regions[path.region].name;
        break;
      }
  }
  MachineFacts& machine = facts.machine;
  const std::uint32_t none = ~std::uint32_t{0};
  if (machine.name.empty())
    for (const ReportSystemNode& node : structure.system_nodes)
      if (node.parent == none && machine.name.empty()) machine.name = node.name;
  if (!machine.nodes.empty()) return;
  std::set<std::uint32_t> used;
  for (const ReportProcess& process : structure.processes) used.insert(process.node);
  for (const std::uint32_t node : used)
    if (node < structure.system_nodes.size())
      machine.nodes.push_back({.name = structure.system_nodes[node].name, .cores = {}, .processor = {}, .network = {}});
}

std::optional<Seconds> wall_seconds_of(const CubeSource& report) {
  const ReportStructure& structure = report.structure();
  const MetricId time = find_metric(structure, "time");
  if (!time.is_valid()) return {};
  const ReportMetric& facts = structure.metrics[time.value];
  if (is_derived(facts.kind) || facts.format().components() != 1) return {};
  FlavourReader reader(report);
  std::vector<double> sum(structure.locations.size()), row(structure.locations.size());
  for (const std::uint32_t root : report.call_tree().roots()) {
    reader.read_inclusive(time, CallPathId(root), row);
    for (std::size_t i = 0; i < row.size(); ++i) sum[i] += row[i];
  }
  if (sum.empty()) return {};
  return *std::max_element(sum.begin(), sum.end());
}

}  // namespace tarry
