// explore_options.hpp -- what the user of tarry explore asks for.
#pragma once

#include <string>
#include <vector>

#include "base/tool/cli_options.hpp"
#include "base/result.hpp"
#include "scaling/scale_options.hpp"
#include "page/write_page.hpp"

namespace tarry {

struct ExploreOptions {
  std::vector<std::string> inputs;
  PageOptions page;
  ScaleOptions scale;                // of a store
  std::vector<std::string> windows;  // as the user wrote them
  bool has_no_what_ifs = false;
  bool is_strict = false;
};

/// Declares all options of the tool.
void add_explore_options(CliOptions& cli, ExploreOptions& options);

/// What is wrong with the inputs, and with the options together; empty if nothing is.
std::string check_inputs(const ExploreOptions& options);

/// Fills in what follows from several options. Fails if a window cannot be read, or if all inputs are repeats.
Status complete_options(ExploreOptions& options);

}  // namespace tarry
