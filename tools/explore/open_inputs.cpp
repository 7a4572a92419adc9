// open_inputs.cpp -- finds and opens the reports of the runs that the user names.
#include "open_inputs.hpp"

#include <filesystem>
#include <string>
#include <utility>

#include "archive/archive.hpp"
#include "archive/reading/choose_report.hpp"
#include "archive/reading/open_source.hpp"
#include "base/files/file.hpp"

namespace tarry {
namespace {

// The report of an OTF2 trace lies beside it, or where 'tarry replay' has put it: in the working folder.
Result<std::string> report_of(const std::string& input) {
  if (input == "-" || !is_otf2_anchor(input)) return report_to_read(input);
  const std::filesystem::path folder = std::filesystem::path(input).parent_path();
  for (const char* name : {"analysis.cubex", "scout.cubex", "profile.cubex"})
    if (std::string path = (folder / name).string(); path_exists(path)) return path;
  if (path_exists("analysis.cubex")) return std::string("analysis.cubex");
  return Error{input, "there is no report beside it", "run 'tarry replay " + input + "' first"};
}

Result<std::unique_ptr<ExploredRun>> open_run(const ExploreOptions& options, const std::string& input) {
  const auto path = report_of(input);
  if (!path.ok()) return path.error();
  if (input != "-" && options.page.output != "-" && is_same_file(options.page.output, path.value()))
    return Error{options.page.output, "is also an input", "name another output"};
  auto run = ExploredRun::open(input, path.value(), options.page.is_redacted);
  if (run.ok() && (is_archive(input) || is_otf2_anchor(input))) run.value()->set_trace(input);
  return run;
}

}  // namespace

Result<std::vector<std::unique_ptr<ExploredRun>>> open_inputs(const ExploreOptions& options) {
  std::vector<std::unique_ptr<ExploredRun>> runs;
  for (const std::string& input : options.inputs) {
    TARRY_TRY_ASSIGN(run, open_run(options, input));
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace tarry
