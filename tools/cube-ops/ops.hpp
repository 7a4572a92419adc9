// ops.hpp -- the operations of tarry cube; each is in the file of its name, op_NAME.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/tool/cli_options.hpp"
#include "base/result.hpp"

namespace tarry {

/// Values of the command line. The add_options of an operation lists the members that it uses.
struct CubeOptions {
  std::string operation;
  std::vector<std::string> inputs;  // reports, "-" is stdin
  std::string output;               // "-" is stdout; empty: OPERATION.cubex
  std::string metrics;              // comma list, or one name
  std::string specification;        // of remap
  std::string expression;           // of test
  std::string per = "metric", format = "text", only, by = "region", ranks, threads;
  std::vector<std::string> roots, pruned, regions;
  std::string store, where;                           // of cmp: whose runs are the old reports
  double threshold = 0, tolerance = 0.05, floor = 0;  // fractions
  std::uint32_t count = 10;
  std::optional<std::uint32_t> changes;  // of diff: how many to print
  std::optional<std::uint32_t> depth;    // of calltree
  std::string sort;                      // of calltree: a metric, or "name"; empty: the report's order
  bool is_csv = false, is_json = false, is_inclusive = false, is_strict = false;
  bool is_reduced = false, is_collapsed = false, is_by_name = false, is_by_place = false, is_exact = false,
       is_inverted = false;
  bool keeps_structure = false, stores_derived = false;
  bool is_bottom_up = false, is_folded = false, is_collective = false, keeps_iterations = false, has_full_names = false;
};

enum class Takes { kReport, kReports };
enum class Gives { kText, kReport };

inline constexpr int kMostReports = 1 << 20;

/// All that there is to know about an operation: what --help shows, which options it has beside those of all, and what
/// it does.
struct Operation {
  const char* name;
  const char* purpose;
  const char* notes = "";         // after the options; ends with an empty line, as do
  const char* shared_notes = "";  // those of several operations
  const char* examples;
  const char* see_also;
  Takes takes = Takes::kReport;
  const char* expression = nullptr;  // where one comes before the reports: its description
  Gives gives = Gives::kText;
  void (*add_options)(CliOptions& line, CliOption inputs, CubeOptions& options) = nullptr;
  Status (*check)(const CubeOptions& options) = nullptr;  // wrong usage that is seen without opening a report
  Result<int> (*run)(const CubeOptions& options);         // the exit status, or why it failed
};

Operation info_operation();
Operation dump_operation();
Operation calltree_operation();
Operation stat_operation();
Operation topn_operation();
Operation regioninfo_operation();
Operation matrix_operation();
Operation sanity_operation();
Operation diff_operation();
Operation merge_operation();
Operation mean_operation();
Operation min_operation();
Operation max_operation();
Operation clean_operation();
Operation cut_operation();
Operation part_operation();
Operation remap_operation();
Operation convert_operation();
Operation cmp_operation();
Operation test_operation();

}  // namespace tarry
