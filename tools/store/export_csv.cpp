// export_csv.cpp -- values of runs as CSV.
#include "base/text/csv.hpp"
#include "export_forms.hpp"
#include "report/tree/call_path_tree.hpp"
#include "report/algebra/cube_values.hpp"

namespace tarry {

Status export_csv(const ExportedRun& exported, const TextSink& sink) {
  const ReportStructure& structure = exported.report.structure();
  CubeValues values(exported.report);
  std::vector<double> numbers;
  for (std::size_t m = 0; m < structure.metrics.size(); ++m) {
    if (structure.metrics[m].is_ghost || values.is_void(MetricId(m))) continue;
    CsvWriter csv("");
    for (std::size_t path = 0; path < structure.call_paths.size(); ++path) {
      if (!values.row(MetricId(m), CallPathId(path), Flavour::kExclusive, numbers)) continue;
      const std::string name = call_path_text(structure, CallPathId(path));
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (numbers[i] == 0) continue;
        const ReportLocation& location = structure.locations[i];
        csv.add(exported.run.id).add(structure.metrics[m].unique_name).add(name);
        csv.add(structure.processes[location.process].rank).add(location.rank).add(numbers[i]).end_row();
      }
    }
    TARRY_TRY(sink(csv.take()));
  }
  return {};
}

}  // namespace tarry
