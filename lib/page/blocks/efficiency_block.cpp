// efficiency_block.cpp -- POP's efficiencies of all runs of the page, side by side.
#include "page/blocks/efficiency_block.hpp"

#include "base/tool/log.hpp"
#include "efficiency/efficiency_table.hpp"

namespace tarry {

std::string efficiency_block(const std::vector<RunOfEfficiency>& runs, unsigned workers, bool is_redacted) {
  std::vector<EfficiencyRun> all;
  for (const auto& [explored, is_of_trace, known] : runs) {
    const std::string& input = is_of_trace ? explored->trace() : explored->report();
    if (input.empty() || input == "-") return {};
    auto run = known ? *known : read_efficiency_run(input, {.workers = workers});
    if (!run.ok()) {
      log_detail("the page has no efficiencies: " + run.error().text());
      return {};
    }
    all.push_back(std::move(run).value());
    all.back().input = is_of_trace ? explored->input() : explored->path();
    if (is_redacted) all.back().notes.clear();  // they name hosts and folders
  }
  return efficiency_json(make_efficiency_table(std::move(all), Scaling::kStrong, {}));
}

}  // namespace tarry
