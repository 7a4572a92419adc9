// change_options.hpp -- the options of tarry predict that change the program, or ask what changes would gain.
#pragma once

#include <string>
#include <vector>

#include "base/tool/cli_options.hpp"
#include "base/result.hpp"
#include "run_predict.hpp"

namespace tarry {

/// What users write of regions, ranks and rules.
struct ChangeWords {
  std::vector<std::string> regions, alone, ranks, balanced, delays;
  std::string like;
  std::vector<std::string> ranked;  // of the table, like its form
  bool is_json = false, is_csv = false;
};

/// Declares the options of regions, delays, ranks and rules. Returns the option that balances.
CliOption add_program_options(CliOptions& cli, ChangeWords& words);

/// Declares the options of the table of gains. Returns the option that wants it.
CliOption add_table_options(CliOptions& cli, ChangeWords& words);

/// Reads the words into `options`, the input among them where it stands behind --balance or --rank-delays. Fails if
/// they cannot be read, or not together with each other or with what `options` has already.
Status read_change_words(const ChangeWords& words, bool is_balanced, bool is_ranked, PredictOptions& options);

}  // namespace tarry
