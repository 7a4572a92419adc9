// sample_run.hpp -- the sample report as a run to explore.
#pragma once

#include <memory>

#include "page/runs/explored_run.hpp"
#include "tests/unit/report/sample_report.hpp"

namespace tarry {

struct SampleRun {
  SampleRun() : SampleRun(sample_report()) {}
  explicit SampleRun(Report given)
      : report(std::move(given)), run("sample", "sample", std::make_unique<ReportCube>(report)) {}

  // The number of a metric on the page.
  std::uint32_t metric(const std::string& name) const {
    for (std::uint32_t i = 0; i < run.metrics().size(); ++i)
      if (report.structure.metrics[run.metrics()[i].id.value].unique_name == name) return i;
    return 0xffffffffu;
  }

  std::vector<double> row(std::uint32_t metric, std::uint32_t path, Flavour flavour) {
    std::vector<double> row;
    run.values().row(run.metrics()[metric].id, CallPathId(run.paths()[path]), flavour, row);
    const ValueType type = report.structure.metrics[run.metrics()[metric].id.value].type;
    for (double& value : row)
      if (!is_shown(type, value)) value = 0;
    return row;
  }

  Report report;
  ExploredRun run;
};

}  // namespace tarry
