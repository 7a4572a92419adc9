// overheads_command.hpp -- 'tarry report --overheads': its options, and what it writes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/tool/cli_options.hpp"
#include "base/result.hpp"
#include "findings/overheads/overheads.hpp"
#include "findings_text.hpp"

namespace tarry {

struct OverheadOptions {
  bool is_wanted = false;  // each of the others means the same
  std::string region;
  std::vector<Overhead> classes;
  std::string reference;  // archive or report; empty: none
  std::vector<EventCost> costs;

  bool is_any_but_region() const { return is_wanted || !classes.empty() || !reference.empty() || !costs.empty(); }
  bool is_any_given() const { return is_any_but_region() || !region.empty(); }
};

/// `others`: options that ask for something else.
void add_overhead_options(CliOptions& cli, OverheadOptions& options, std::span<const CliOption> others);

enum class OverheadForm { kText, kCsv, kJson };

/// `reference`: that of the reference run, or nullptr.
Result<std::string> write_overheads(const OverheadOptions& options, const Report& report, const Report* reference,
                                    OverheadForm form, TextStyle style);

}  // namespace tarry
