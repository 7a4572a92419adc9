// write_page.hpp -- the page of one or more runs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "page/runs/explored_run.hpp"
#include "page/page_template.hpp"
#include "page/runs/traced_run.hpp"

namespace tarry {

struct PageOptions {
  std::string output;   // "-" is stdout
  std::string command;  // that the user gave
  bool is_redacted = false;
  std::vector<std::string> source_path;  // folders with source files
  TraceRequest traced;
  unsigned repeats = 1;  // of several runs, the last ones that are repeats of the new one
};

/// Writes the page in one step. What could not be read of the reports is in the damage() of their values then.
Status write_page(const std::vector<std::unique_ptr<ExploredRun>>& runs, const PageTemplate& page,
                  const PageOptions& options);

}  // namespace tarry
