// scale_command.hpp -- what the user of tarry scale asks for.
#pragma once

#include <cstdint>
#include <string>

#include "base/tool/cli_options.hpp"
#include "scaling/scale_data.hpp"
#include "scaling/scale_options.hpp"

namespace tarry {

enum class ScaleForm : std::uint8_t { kText, kCsv, kJson };

struct ScaleCommand : ScaleOptions {
  std::string points;  // a table instead of runs
  bool wants_hypotheses = false;
  std::uint32_t top = 20;  // lines of a table; 0: all
  ScaleForm form = ScaleForm::kText;
  CsvNames names = CsvNames::kPrintable;
  std::string plots;  // folder
};

/// Declares the options, but for those of the form that is printed.
void add_command_options(CliOptions& cli, ScaleCommand& command);

/// What is wrong with the options together; empty if nothing is.
std::string check_command(const ScaleCommand& command);

}  // namespace tarry
