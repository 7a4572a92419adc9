// report.hpp -- the report: metrics x call paths x locations, three trees and a sparse matrix of values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arrays/ids.hpp"
#include "report/tree/severity.hpp"
#include "report/cubex/value_type.hpp"

namespace tarry {

using MetricId = StrongId<struct MetricTag>;
using CallPathId = StrongId<struct CallPathTag>;

/// How a metric's stored values relate to the call tree, or how it is computed (docs/CUBEX.md, "Metrics").
enum class MetricKind : std::uint8_t {
  kExclusive,
  kInclusive,
  kPostDerived,
  kPreDerivedExclusive,
  kPreDerivedInclusive,
};

struct ReportMetric {
  std::string unique_name;
  std::string display_name;
  std::string unit;  // "sec", "occ", "bytes" or empty
  std::string url;
  std::string description;
  MetricKind kind = MetricKind::kExclusive;
  ValueType type = ValueType::kDouble;
  std::uint32_t tuple_size = 0;  // bins of a histogram, members of NDOUBLES
  MetricId parent;
  bool is_ghost = false;
  bool is_void = false;
  std::string expression, init_expression;                        // CubePL of derived metrics
  std::vector<std::pair<std::string, std::string>> aggregations;  // CubePL "plus"/"minus"/"aggr" programs
  std::vector<std::pair<std::string, std::string>> attributes;
  bool is_convertible = true;  // false: keep the stored flavour
  bool is_cacheable = true;    // false: computed values must not be kept
  bool is_rowwise = true;      // false: the expression is evaluated value by value

  ValueFormat format() const { return {type, tuple_size}; }
};

struct ReportRegion {
  std::string name, mangled_name, module, paradigm = "unknown", role = "unknown", url, description;
  std::int64_t begin_line = -1, end_line = -1;
  std::vector<std::pair<std::string, std::string>> attributes;
};

/// A node of the call tree. Parents come before their children in the report's vector.
struct ReportCallPath {
  std::uint32_t region = 0;
  CallPathId parent;
  std::int64_t line = -1;
  std::string module;
  std::vector<std::pair<std::string, std::string>> numeric_parameters, string_parameters, attributes;
};

struct ReportSystemNode {
  std::string name, class_name, description;
  std::uint32_t parent = 0xffffffffu;
  std::vector<std::pair<std::string, std::string>> attributes;
};

struct ReportProcess {
  std::string name, type = "process";
  std::int64_t rank = 0;
  std::uint32_t node = 0;
  std::vector<std::pair<std::string, std::string>> attributes;
};

/// ReportLocation::type of a queue of an accelerator.
inline constexpr char kQueueType[] = "accelerator stream";

struct ReportLocation {
  std::string name, type = "thread";
  std::int64_t rank = 0;  // thread number within its process
  std::uint32_t process = 0;
  std::vector<std::pair<std::string, std::string>> attributes;

  /// Or else a queue of an accelerator, or a place for metrics.
  bool is_thread() const { return type == "thread"; }
  /// For people: the name of a queue, or "queue 3".
  std::string queue_name() const { return name.empty() ? "queue " + std::to_string(rank) : name; }
};

struct ReportTopology {
  struct Dimension {
    std::string name;
    std::int64_t size = 0;
    bool is_periodic = false;
  };
  std::string name;
  std::vector<Dimension> dimensions;
  std::map<std::uint32_t, std::vector<std::int64_t>> coordinates;  // by location
};

/// The trees of a report, without its values.
struct ReportStructure {
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<std::string> mirrors;
  std::vector<ReportMetric> metrics;  // parents before children, document order
  std::vector<ReportRegion> regions;
  std::vector<ReportCallPath> call_paths;  // preorder
  std::vector<ReportSystemNode> system_nodes;
  std::vector<ReportProcess> processes;
  std::vector<ReportLocation> locations;  // index = column
  std::vector<ReportTopology> topologies;

  /// Of the locations, how many are threads; the others are none that the program has.
  std::size_t thread_count() const {
    return static_cast<std::size_t>(std::ranges::count_if(locations, &ReportLocation::is_thread));
  }
};

/// A member of the file that is no part of the cube, kept as bytes ("remapping.spec").
struct ReportFile {
  std::string name;
  std::vector<std::uint8_t> bytes;
};

/// Attribute of a report on a run that was not recorded completely: what is missing, as a sentence.
inline constexpr char kIncompleteAttribute[] = "Tarry::Incomplete";

/// Attribute of a report that somebody wanted of a part of the run, or of some metrics, only: which.
inline constexpr char kCoveredAttribute[] = "Tarry::Covers";

/// Attribute of a report on a run whose program sends messages that it never receives: how many, as a sentence.
inline constexpr char kUnreceivedAttribute[] = "Tarry::Unreceived";

/// Attribute of a report on a run of which calls of MPI were left out: which, as patterns and groups.
inline constexpr char kLeftOutAttribute[] = "Tarry::LeftOut";

/// The same of calls of OpenMP, POSIX threads and files.
inline constexpr char kCallsLeftOutAttribute[] = "Tarry::CallsLeftOut";

/// Attribute of a report on a run with throttled functions: "CALLS NAME;" for each, most calls first.
inline constexpr char kThrottledAttribute[] = "Tarry::Throttled";

/// Attribute of a report on a run with a runtime of OpenMP that was not recorded: a sentence.
inline constexpr char kUnseenOpenMpAttribute[] = "Tarry::UnseenOpenMP";

/// Attribute of a report on a run whose blocks of the heap were not all followed to their frees: a sentence.
inline constexpr char kUnfollowedBlocksAttribute[] = "Tarry::UnfollowedBlocks";

/// Attributes of a report on a run that was predicted (tarry predict): what is changed, as options; and of which trace.
inline constexpr char kPredictedAttribute[] = "Tarry::Predicted";
inline constexpr char kPredictedOfAttribute[] = "Tarry::PredictedOf";

class CallPathTree;

/// A whole report in memory. Values are doubles, so integers are exact up to 2^53. They are kept per metric and call
/// path as one row over all locations. A value of a tuple type takes several elements (see ValueFormat::components). A
/// row that was never set is absent (neutral). Size: 8 bytes x locations per row. Fill in the locations before the
/// first row. Reading values from several threads is safe once `call_tree()` was called.
class Report {
 public:
  ReportStructure structure;
  std::vector<ReportFile> files;
  std::vector<std::string> damage;  // what the reader had to leave out, one sentence each

  /// Adds a metric, keeping document order; returns its id.
  MetricId add_metric(ReportMetric metric);

  /// The stored row of (metric, call path), creating it filled with the type's neutral element. In the stored flavour
  /// of the metric: inclusive or exclusive along the call tree (`MetricKind`), inclusive along the metric tree. The
  /// span stays valid as long as the report lives. Once all metrics and locations are there, rows of different metrics
  /// may be created by several threads at once.
  std::span<double> row(MetricId metric, CallPathId path);

  /// Takes over a complete row, with an element for each location and component, instead of one that row() makes. There
  /// must be none yet. Threads as for row().
  void put_row(MetricId metric, CallPathId path, std::unique_ptr<double[]> row);

  /// The stored row if there is one, else empty.
  std::span<const double> find_row(MetricId metric, CallPathId path) const;

  /// Number of rows a metric has.
  std::size_t row_count(MetricId metric) const;

  /// Metric by unique name; may miss.
  MetricId find_metric(std::string_view unique_name) const;

  /// Value exclusive along the call tree, inclusive along the metric tree, whatever the stored flavour. Tuples as in
  /// number_of().
  double exclusive(MetricId metric, CallPathId path, std::uint32_t location) const;

  /// Value inclusive along the call tree.
  double inclusive(MetricId metric, CallPathId path, std::uint32_t location) const;

  /// Exclusive values of all locations at once. False, with `values` untouched, if they are all neutral.
  bool exclusive_row(MetricId metric, CallPathId path, std::vector<double>& values) const;

  /// The call tree as it is now; built when first asked for and after call paths were added.
  const CallPathTree& call_tree() const;

 private:
  Severity& rows_of(MetricId metric);

  std::vector<std::unique_ptr<Severity>> rows_;  // [metric]
  mutable std::shared_ptr<const CallPathTree> call_tree_;
};

}  // namespace tarry
