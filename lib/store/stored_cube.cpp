// stored_cube.cpp -- a run of the store as a report.
#include "store/stored_cube.hpp"

#include <algorithm>

#include "report/cubex/value_type.hpp"
#include "store/packed_bytes.hpp"
#include "store/stored_trees.hpp"
#include "store/structure_codec.hpp"
#include "store/value_codec.hpp"

namespace tarry {
namespace {

constexpr std::uint32_t kMostBlocks = 1u << 24;

}  // namespace

Result<std::unique_ptr<StoredCube>> StoredCube::open(Database& database, std::int64_t run) {
  std::unique_ptr<StoredCube> cube(new StoredCube(database, run));
  TARRY_TRY(cube->open_trees());
  TARRY_TRY(cube->open_run_facts());
  cube->call_tree_ = std::make_unique<CallPathTree>(cube->structure_.call_paths);
  cube->rows_.resize(cube->structure_.metrics.size());
  return cube;
}

Status StoredCube::open_trees() {
  TreeRows rows;
  bool is_there = false;
  std::vector<std::uint8_t> details;
  TARRY_TRY(database_.query("SELECT metric_tree, call_tree, virtual_machine, details FROM experiment WHERE id = $1",
                            {run_}, [&](const SqlRow& row) -> Status {
                              rows.metric_tree = row.integer(0);
                              rows.call_tree = row.integer(1);
                              rows.virtual_machine = row.integer(2);
                              const auto bytes = row.bytes(3);
                              details.assign(bytes.begin(), bytes.end());
                              is_there = true;
                              return {};
                            }));
  if (!is_there)
    return Error{database_.name(), "has no run " + std::to_string(run_), "'tarry store list' shows those that it has"};
  TARRY_TRY_ASSIGN(structure, read_trees(database_, rows));
  structure_ = std::move(structure);
  metrics_ = std::move(rows.metrics);
  return read_run_details(details, structure_);
}

Status StoredCube::open_run_facts() {
  TARRY_TRY(database_.query("SELECT name, value FROM experiment_attribute WHERE experiment = $1 ORDER BY position",
                            {run_}, [&](const SqlRow& row) -> Status {
                              std::string name(row.text(0));
                              structure_.attributes.emplace_back(std::move(name), row.text(1));
                              return {};
                            }));
  return database_.query("SELECT name, bytes FROM extra_file WHERE experiment = $1 ORDER BY position", {run_},
                         [&](const SqlRow& row) -> Status {
                           TARRY_TRY_ASSIGN(bytes, unpack_bytes(row.bytes(1)));
                           files_.push_back({std::string(row.text(0)), std::move(bytes)});
                           return {};
                         });
}

void StoredCube::note(const std::string& what) const {
  if (std::find(damage_.begin(), damage_.end(), what) == damage_.end()) damage_.push_back(what);
}

const StoredCube::Rows& StoredCube::rows_of(MetricId metric) const {
  Rows& rows = rows_[metric.value];
  if (rows.is_loaded) return rows;
  rows.is_loaded = true;
  rows.places.resize(structure_.call_paths.size());
  const Status read = database_.query(
      "SELECT node, total, block, start, size FROM call_path_value WHERE experiment = $1 AND metric = $2",
      {run_, metrics_[metric.value]}, [&](const SqlRow& row) -> Status {
        const std::int64_t node = row.integer(0);
        if (node < 0 || node >= static_cast<std::int64_t>(rows.places.size())) {
          note("a value of the run is of a call path that its tree has not");
          return {};
        }
        Place& place = rows.places[static_cast<std::size_t>(node)];
        place.total = row.real(1);
        place.has_vector = !row.is_null(2);
        // A row of inclusive values only has neither.
        place.is_stored = place.has_vector || place.total != 0;
        place.block = static_cast<std::uint32_t>(row.integer(2));
        place.start = static_cast<std::uint32_t>(row.integer(3));
        place.size = static_cast<std::uint32_t>(row.integer(4));
        return {};
      });
  if (!read.ok()) note(read.error().text());
  return rows;
}

const std::vector<std::uint8_t>* StoredCube::block(std::uint32_t number) const {
  if (number > kMostBlocks) return nullptr;
  if (number >= blocks_.size()) {
    blocks_.resize(number + 1);
    has_block_.resize(number + 1);
  }
  if (!has_block_[number]) {
    has_block_[number] = true;
    const Status read = database_.query("SELECT bytes FROM vector_block WHERE experiment = $1 AND block = $2",
                                        {run_, number}, [&](const SqlRow& row) -> Status {
                                          const auto bytes = row.bytes(0);
                                          blocks_[number].assign(bytes.begin(), bytes.end());
                                          return {};
                                        });
    if (!read.ok()) note(read.error().text());
  }
  return &blocks_[number];
}

bool StoredCube::has_row(MetricId metric, CallPathId path) const {
  return rows_of(metric).places[path.value].is_stored;
}

void StoredCube::read_row(MetricId metric, CallPathId path, std::span<double> row) const {
  const ValueFormat format = structure_.metrics[metric.value].format();
  fill_neutral(format, row);
  const Place place = rows_of(metric).places[path.value];
  if (!place.is_stored || row.empty()) return;
  if (!place.has_vector) {
    row[0] = place.total;
    return;
  }
  const std::vector<std::uint8_t>* bytes = block(place.block);
  const bool is_inside = bytes && place.start <= bytes->size() && place.size <= bytes->size() - place.start;
  if (is_inside && decode_vector_into(std::span(*bytes).subspan(place.start, place.size), row)) return;
  fill_neutral(format, row);
  note("values of metric '" + structure_.metrics[metric.value].unique_name + "' are damaged");
}

}  // namespace tarry
