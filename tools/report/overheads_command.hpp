// overheads_command.hpp -- 'tarry report --overheads': its options, and what it writes.
#pragma once

#include <string>
#include <vector>

#include "base/cli_options.hpp"
#include "base/result.hpp"
#include "findings_text.hpp"

namespace tarry {

struct OverheadOptions {
  bool is_wanted = false;
  std::string region;
  std::string classes;             // mnemonics, by commas
  std::string reference;           // archive or report; empty: none
  std::vector<std::string> costs;  // "COUNTER=TIME"
};

void add_overhead_options(CliOptions& cli, OverheadOptions& options);

enum class OverheadForm { kText, kCsv, kJson };

/// `reference`: that of the reference run, or nullptr.
Result<std::string> write_overheads(const OverheadOptions& options, const Report& report, const Report* reference,
                                    OverheadForm form, TextStyle style);

}  // namespace tarry
