// keep_store.cpp -- removes runs, gives back their room, checks what there is.
#include "store/keep_store.hpp"

#include <algorithm>
#include <cmath>

#include "report/tree/call_path_tree.hpp"
#include "report/algebra/flavour.hpp"
#include "report/tree/metric_tree.hpp"
#include "store/run_facts.hpp"
#include "store/stored_cube.hpp"

namespace tarry {
namespace {

// Children first.
constexpr const char* kRunTables[] = {
    "vector_block", "call_path_value", "metric_total", "efficiency", "finding",
    "overhead",     "extra_file",      "tag",          "parameter",  "experiment_attribute"};

// What refers to another row goes before that.
constexpr const char* kUnused[] = {
    "DELETE FROM metric_tree_node WHERE tree NOT IN (SELECT metric_tree FROM experiment)",
    "DELETE FROM metric_tree WHERE id NOT IN (SELECT metric_tree FROM experiment)",
    "DELETE FROM metric WHERE id NOT IN (SELECT metric FROM metric_tree_node)",
    "DELETE FROM call_tree_node WHERE tree NOT IN (SELECT call_tree FROM experiment)",
    "DELETE FROM call_tree_region WHERE tree NOT IN (SELECT call_tree FROM experiment)",
    "DELETE FROM call_tree WHERE id NOT IN (SELECT call_tree FROM experiment)",
    "DELETE FROM call_path WHERE id NOT IN (SELECT call_path FROM call_tree_node)",
    "DELETE FROM code_region WHERE id NOT IN (SELECT region FROM call_tree_region) AND "
    "id NOT IN (SELECT region FROM call_tree_node)",
    "DELETE FROM source_file WHERE id NOT IN (SELECT source_file FROM code_region) AND "
    "id NOT IN (SELECT source_file FROM call_tree_node)",
    "DELETE FROM location WHERE machine NOT IN (SELECT virtual_machine FROM experiment)",
    "DELETE FROM process WHERE machine NOT IN (SELECT virtual_machine FROM experiment)",
    "DELETE FROM virtual_node WHERE machine NOT IN (SELECT virtual_machine FROM experiment)",
    "DELETE FROM virtual_machine WHERE id NOT IN (SELECT virtual_machine FROM experiment)",
    "DELETE FROM physical_node WHERE machine NOT IN (SELECT physical_machine FROM experiment)",
    "DELETE FROM physical_machine WHERE id NOT IN (SELECT physical_machine FROM experiment)",
    "DELETE FROM code_version WHERE id NOT IN (SELECT code_version FROM experiment)",
    "DELETE FROM application WHERE id NOT IN (SELECT application FROM experiment)",
};

constexpr double kSumTolerance = 1e-9;
constexpr std::size_t kMostFaults = 10;

// Looks at the values of one run.
class RunCheck {
 public:
  RunCheck(Database& database, std::int64_t run, const StoredCube& cube)
      : database_(database), run_(run), cube_(cube), reader_(cube) {}

  Result<std::vector<std::string>> check() {
    TARRY_TRY(database_.query(
        "SELECT m.name, c.node, c.total FROM call_path_value c JOIN metric m ON m.id = c.metric "
        "WHERE c.experiment = $1",
        {run_}, [&](const SqlRow& row) -> Status {
          totals_.push_back({std::string(row.text(0)), row.integer(1), row.is_null(2) ? NAN : row.real(2)});
          return {};
        }));
    for (const Total& total : totals_) check_total(total);
    std::vector<std::string> faults = cube_.damage();
    faults.insert(faults.end(), faults_.begin(), faults_.end());
    return faults;
  }

 private:
  struct Total {
    std::string metric;
    std::int64_t node;
    double total;
  };

  void check_total(const Total& total) {
    const ReportStructure& structure = cube_.structure();
    const MetricId metric = find_metric(structure, total.metric);
    if (!metric.is_valid() || total.node < 0 || total.node >= static_cast<std::int64_t>(structure.call_paths.size()))
      return note("a value of metric '" + total.metric + "' belongs to no call path");
    const ReportMetric& facts = structure.metrics[metric.value];
    if (!is_additive(facts.type) || is_derived(facts.kind) || facts.format().components() != 1) {
      std::vector<double> row(structure.locations.size() * facts.format().components());
      return cube_.read_row(metric, CallPathId(static_cast<std::uint64_t>(total.node)), row);
    }
    std::vector<double> row(structure.locations.size());
    reader_.read_exclusive(metric, CallPathId(static_cast<std::uint64_t>(total.node)), row);
    double sum = 0, size = 0;
    for (const double value : row) {
      sum += value;
      size += std::abs(value);
    }
    if (std::isnan(sum) && std::isnan(total.total)) return;
    if (!(std::abs(sum - total.total) <= kSumTolerance * size))
      note("the total of metric '" + total.metric + "' at call path " + std::to_string(total.node) +
           " is not the sum of its values");
  }

  void note(const std::string& fault) {
    if (faults_.size() < kMostFaults) faults_.push_back(fault);
  }

  Database& database_;
  std::int64_t run_;
  const StoredCube& cube_;
  FlavourReader reader_;
  std::vector<Total> totals_;
  std::vector<std::string> faults_;
};

}  // namespace

Status remove_runs_of(Database& database, const std::vector<StoredRun>& runs) {
  Transaction transaction(database);
  TARRY_TRY(transaction.begin_writing());
  for (const StoredRun& run : runs) {
    for (const char* table : kRunTables)
      TARRY_TRY(database.run("DELETE FROM " + std::string(table) + " WHERE experiment = $1", {run.id}));
    TARRY_TRY(database.run("DELETE FROM experiment WHERE id = $1", {run.id}));
  }
  return transaction.commit();
}

Result<std::int64_t> remove_unused(Database& database) {
  Transaction transaction(database);
  TARRY_TRY(transaction.begin_writing());
  std::int64_t removed = 0;
  for (const char* statement : kUnused)
    TARRY_TRY(database.query(std::string(statement) + " RETURNING 1", {}, [&](const SqlRow&) -> Status {
      ++removed;
      return {};
    }));
  TARRY_TRY(transaction.commit());
  return removed;
}

Status set_tags(Database& database, const std::vector<StoredRun>& runs, const std::vector<std::string>& tags,
                bool removes) {
  Transaction transaction(database);
  TARRY_TRY(transaction.begin_writing());
  for (const StoredRun& run : runs)
    for (const std::string& tag : tags)
      TARRY_TRY(database.run(removes ? "DELETE FROM tag WHERE experiment = $1 AND name = $2"
                                     : "INSERT INTO tag (experiment, name) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                             {run.id, sql_text(tag)}));
  return transaction.commit();
}

Status set_parameters_of(Database& database, const std::vector<StoredRun>& runs,
                         const std::vector<std::pair<std::string, std::string>>& parameters) {
  Transaction transaction(database);
  TARRY_TRY(transaction.begin_writing());
  for (const StoredRun& run : runs)
    for (const auto& [name, value] : parameters)
      TARRY_TRY(
          database.run("INSERT INTO parameter (experiment, name, value, number) VALUES ($1, $2, $3, $4) "
                       "ON CONFLICT (experiment, name) DO UPDATE SET value = excluded.value, "
                       "number = excluded.number",
                       {run.id, sql_text(name), sql_text(value), parameter_number(value)}));
  return transaction.commit();
}

Result<std::vector<std::string>> check_run(Database& database, std::int64_t run) {
  const auto cube = StoredCube::open(database, run);
  if (!cube.ok()) return std::vector<std::string>{cube.error().text()};
  return RunCheck(database, run, *cube.value()).check();
}

}  // namespace tarry
