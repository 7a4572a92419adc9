// store_values.cpp -- writes the values of a report to the store.
//
// The vectors of many rows lie one after another in a block, so that neither needs a page of its own. A row holds what
// people ask for in SQL, and where its vector lies.
#include "store/store_values.hpp"

#include <algorithm>
#include <cmath>

#include "report/tree/call_path_tree.hpp"
#include "report/algebra/cube_values.hpp"
#include "report/algebra/flavour.hpp"
#include "report/tree/metric_tree.hpp"
#include "store/value_codec.hpp"

namespace tarry {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 16;

struct ValueRow {
  std::int64_t metric = 0;
  std::uint32_t node = 0;
  double total = 0, minimum = 0, maximum = 0, inclusive = 0;
  bool has_vector = false;
  std::uint32_t block = 0;
  std::size_t start = 0, size = 0;
};

struct MetricSum {
  std::int64_t metric = 0;
  double whole = 0;
  std::size_t rows = 0;
};

// No number has no place in a table.
SqlParam number_or_null(double value) { return std::isnan(value) ? SqlParam() : SqlParam(value); }

class ValueWriter {
 public:
  ValueWriter(Database& database, std::int64_t experiment, const CubeSource& report)
      : database_(database), experiment_(experiment), report_(report), reader_(report), values_(report) {}

  Status write(const std::vector<std::int64_t>& metrics) {
    // A server takes rows of one table at a time: what is short waits in memory.
    TARRY_TRY_ASSIGN(blocks, database_.insert_into("vector_block", "experiment, block, bytes"));
    blocks_ = std::move(blocks);
    for (std::size_t i = 0; i < metrics.size(); ++i) TARRY_TRY(read_metric(MetricId(i), metrics[i]));
    TARRY_TRY(flush_block());
    TARRY_TRY(blocks_->finish());
    blocks_.reset();
    TARRY_TRY(write_rows());
    return write_sums();
  }

 private:
  Status read_metric(MetricId metric, std::int64_t id) {
    const ReportMetric& facts = report_.structure().metrics[metric.value];
    if (facts.is_void) return {};
    if (is_derived(facts.kind)) {
      sums_.push_back({id, values_.totals(metric).whole, 0});
      return {};
    }
    const std::size_t first = rows_.size();
    const std::size_t paths = report_.structure().call_paths.size();
    MetricTotals totals{.exclusive = std::vector<double>(paths), .inclusive = {}, .whole = 0};
    std::vector<std::uint32_t> row_of(paths, ~std::uint32_t{0});
    row_.assign(report_.structure().locations.size() * facts.format().components(), 0);
    for (std::size_t path = 0; path < paths; ++path) {
      if (!report_.has_row(metric, CallPathId(path))) continue;
      TARRY_TRY(read_row(metric, CallPathId(path), id));
      if (rows_.size() == first || rows_.back().node != path) continue;
      row_of[path] = static_cast<std::uint32_t>(rows_.size() - 1);
      totals.exclusive[path] = rows_.back().total;
    }
    const bool is_plain = facts.kind == MetricKind::kExclusive && facts.format().components() == 1;
    if (!is_plain || !is_additive(facts.type)) totals = total_of(report_, metric);
    else add_up_plain(totals);
    add_inner_rows(id, totals, row_of);
    sums_.push_back({id, totals.whole, rows_.size() - first});
    return {};
  }

  void add_up_plain(MetricTotals& totals) const {
    add_up(report_.structure().call_paths, totals);
    for (const std::uint32_t root : report_.call_tree().roots()) totals.whole += totals.inclusive[root];
  }

  // Appends a row unless it says nothing.
  Status read_row(MetricId metric, CallPathId path, std::int64_t id) {
    const ReportMetric& facts = report_.structure().metrics[metric.value];
    const std::span<const double> kept = report_.row_in_memory(metric, path);
    if (kept.empty()) report_.read_row(metric, path, row_);
    const std::span<const double> stored = kept.empty() ? std::span<const double>(row_) : kept;
    if (is_neutral_zero(facts.type) &&
        std::all_of(stored.begin(), stored.end(), [](double value) { return value == 0 && !std::signbit(value); }))
      return {};
    ValueRow row{.metric = id, .node = path.value};
    aggregate(metric, path, stored, row);
    // With one location the total is all there is.
    row.has_vector = stored.size() != 1 || facts.kind != MetricKind::kExclusive || !(row.total == stored[0]);
    if (row.has_vector) TARRY_TRY(append_vector(stored, row));
    rows_.push_back(row);
    return {};
  }

  void aggregate(MetricId metric, CallPathId path, std::span<const double> stored, ValueRow& row) {
    const ReportMetric& facts = report_.structure().metrics[metric.value];
    const ValueFormat format = facts.format();
    std::span<const double> exclusive = stored;
    if (facts.kind == MetricKind::kInclusive) {
      scratch_.resize(stored.size());
      reader_.read_exclusive(metric, path, scratch_);
      exclusive = scratch_;
    }
    if (format.components() != 1) {
      numbers_of_row(format, exclusive, numbers_);
      exclusive = numbers_;
    }
    if (exclusive.empty()) return;
    row.minimum = row.maximum = exclusive[0];
    double sum = 0;
    for (const double value : exclusive) {
      sum += value;
      row.minimum = std::min(row.minimum, value);
      row.maximum = std::max(row.maximum, value);
    }
    row.total = is_additive(facts.type) ? sum : facts.type == ValueType::kMinDouble ? row.minimum : row.maximum;
  }

  Status append_vector(std::span<const double> stored, ValueRow& row) {
    encode_vector(stored, vector_);
    if (block_.size() + vector_.size() > kBlockBytes) TARRY_TRY(flush_block());
    row.block = next_block_;
    row.start = block_.size();
    row.size = vector_.size();
    block_.insert(block_.end(), vector_.begin(), vector_.end());
    return {};
  }

  Status flush_block() {
    if (block_.empty()) return {};
    TARRY_TRY(blocks_->add({experiment_, next_block_++, block_}));
    block_.clear();
    return {};
  }

  // Inclusive values; a call path that has nothing but those of its children gets a row, too.
  void add_inner_rows(std::int64_t id, const MetricTotals& totals, const std::vector<std::uint32_t>& row_of) {
    for (std::size_t path = 0; path < row_of.size(); ++path) {
      if (row_of[path] != ~std::uint32_t{0}) rows_[row_of[path]].inclusive = totals.inclusive[path];
      else if (totals.inclusive[path] != 0 && totals.exclusive[path] == 0)
        rows_.push_back({.metric = id, .node = static_cast<std::uint32_t>(path), .inclusive = totals.inclusive[path]});
    }
  }

  Status write_rows() {
    std::sort(rows_.begin(), rows_.end(), [](const ValueRow& left, const ValueRow& right) {
      return std::pair(left.metric, left.node) < std::pair(right.metric, right.node);
    });
    TARRY_TRY_ASSIGN(rows, database_.insert_into("call_path_value",
                                                 "experiment, metric, node, total, minimum, maximum, "
                                                 "inclusive, block, start, size"));
    SqlParams params(10);
    params[0] = experiment_;
    for (const ValueRow& row : rows_) {
      params[1] = row.metric;
      params[2] = row.node;
      params[3] = number_or_null(row.total);
      params[4] = number_or_null(row.minimum);
      params[5] = number_or_null(row.maximum);
      // What is equal to the total is left out.
      params[6] = row.inclusive == row.total ? SqlParam() : number_or_null(row.inclusive);
      params[7] = row.has_vector ? SqlParam(row.block) : SqlParam();
      params[8] = row.has_vector ? SqlParam(row.start) : SqlParam();
      params[9] = row.has_vector ? SqlParam(row.size) : SqlParam();
      TARRY_TRY(rows->add(params));
    }
    return rows->finish();
  }

  Status write_sums() {
    std::sort(sums_.begin(), sums_.end(),
              [](const MetricSum& left, const MetricSum& right) { return left.metric < right.metric; });
    TARRY_TRY_ASSIGN(rows, database_.insert_into("metric_total", "experiment, metric, total, call_paths"));
    for (const MetricSum& sum : sums_)
      TARRY_TRY(rows->add({experiment_, sum.metric, number_or_null(sum.whole), sum.rows}));
    return rows->finish();
  }

  Database& database_;
  std::int64_t experiment_;
  const CubeSource& report_;
  FlavourReader reader_;
  CubeValues values_;
  std::unique_ptr<RowInserter> blocks_;
  std::vector<ValueRow> rows_;
  std::vector<MetricSum> sums_;
  std::vector<double> row_, scratch_, numbers_;
  std::vector<std::uint8_t> vector_, block_;
  std::uint32_t next_block_ = 0;
};

}  // namespace

Status store_values(Database& database, std::int64_t experiment, const CubeSource& report,
                    const std::vector<std::int64_t>& metrics) {
  return ValueWriter(database, experiment, report).write(metrics);
}

}  // namespace tarry
