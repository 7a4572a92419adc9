// ops.hpp -- the operations of tarry cube; each is in the file of its name, op_NAME.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace tarry {

/// What the command line said. Which members an operation looks at is said in main.cpp.
struct CubeOptions {
  std::string operation;
  std::vector<std::string> inputs;  // reports, "-" is stdin
  std::string output;               // "-" is stdout; empty: OPERATION.cubex
  std::string metrics;              // comma list, or one name
  std::string specification;        // of remap
  std::string expression;           // of test
  std::string per = "metric", format = "text", only, by = "region", ranks, threads;
  std::vector<std::string> roots, pruned, regions;
  double threshold = 0, tolerance = 0.05, floor = 0;  // fractions
  std::uint32_t count = 10;
  std::optional<std::uint32_t> changes;  // of diff: how many to print
  bool is_csv = false, is_json = false, is_inclusive = false, is_strict = false;
  bool is_reduced = false, is_collapsed = false, is_by_name = false, is_exact = false, is_inverted = false;
  bool keeps_structure = false, stores_derived = false;
};

/// Each runs one operation and returns the exit status, or why it failed.
Result<int> run_info(const CubeOptions& options);
Result<int> run_dump(const CubeOptions& options);
Result<int> run_calltree(const CubeOptions& options);
Result<int> run_stat(const CubeOptions& options);
Result<int> run_topn(const CubeOptions& options);
Result<int> run_regioninfo(const CubeOptions& options);
Result<int> run_sanity(const CubeOptions& options);
Result<int> run_diff(const CubeOptions& options);
Result<int> run_merge(const CubeOptions& options);
Result<int> run_mean(const CubeOptions& options);
Result<int> run_min(const CubeOptions& options);
Result<int> run_max(const CubeOptions& options);
Result<int> run_cut(const CubeOptions& options);
Result<int> run_clean(const CubeOptions& options);
Result<int> run_part(const CubeOptions& options);

Result<int> run_remap(const CubeOptions& options);
Result<int> run_convert(const CubeOptions& options);
Result<int> run_cmp(const CubeOptions& options);
Result<int> run_test(const CubeOptions& options);

/// Wrong usage of test that is seen without opening a report.
Status check_test(const CubeOptions& options);

}  // namespace tarry
