// report_options.hpp -- what the user of tarry report asks for.
#pragma once

#include <string>
#include <vector>

#include "base/tool/cli_options.hpp"
#include "efficiency_command.hpp"
#include "overheads_command.hpp"

namespace tarry {

struct ReportOptions {
  std::vector<std::string> inputs;  // at least one
  std::string output = "-";
  bool as_csv = false;
  bool as_json = false;
  bool shows_files = false;
  std::string iterations;  // loop or region; empty: not asked for
  std::vector<std::string> metrics;
  bool has_full_names = false;
  OverheadOptions overheads;
  EfficiencyOptions efficiency;
  std::vector<std::string> source_path;

  /// The first one: only efficiencies are of several.
  const std::string& input() const { return inputs[0]; }
};

/// Declares all options of the tool.
void add_report_options(CliOptions& cli, ReportOptions& options);

/// What is wrong with the options together; empty if nothing is.
std::string check_report_options(const ReportOptions& options);

}  // namespace tarry
