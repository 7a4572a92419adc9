// efficiency_command.hpp -- 'tarry report --efficiency': its options, and what it writes.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/tool/cli_options.hpp"
#include "efficiency_output.hpp"

namespace tarry {

struct EfficiencyOptions {
  bool is_wanted = false;
  std::string scaling = "strong";
  std::optional<std::int64_t> iteration;
  std::string like;
  unsigned workers = 0;
  std::uint64_t memory = 0;
  bool has_details = false;  // one of its options is given
};

enum class EfficiencyForm { kText, kCsv, kJson };

/// `others`: options that ask for something else.
void add_efficiency_options(CliOptions& cli, EfficiencyOptions& options, std::span<const CliOption> others);

/// What is wrong with the options together; empty if nothing is.
std::string check_efficiency_options(const EfficiencyOptions& options, const std::string& region);

/// `inputs`: the first one is the reference.
Result<std::string> write_efficiencies(const EfficiencyOptions& options, const std::string& region,
                                       const std::vector<std::string>& inputs, EfficiencyForm form, TextStyle style);

}  // namespace tarry
