// op_remap.cpp -- tarry cube remap: a report's metrics in the hierarchy of a specification.
#include <algorithm>

#include "base/files/file.hpp"
#include "ops.hpp"
#include "report/algebra/idle_threads_cube.hpp"
#include "report/algebra/imbalance_cube.hpp"
#include "report/tree/metric_tree.hpp"
#include "report/algebra/remap.hpp"
#include "report_input.hpp"

namespace tarry {
namespace {

// The specification named on the command line, or the one inside the report.
Result<ReportStructure> find_specification(const CubeSource& report, const CubeOptions& options) {
  if (!options.specification.empty()) {
    TARRY_TRY_ASSIGN(bytes, read_file(options.specification));
    return read_specification({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, options.specification);
  }
  for (const ReportFile& file : report.files())
    if (file.name == kSpecificationFile)
      return read_specification({reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()},
                                options.inputs[0] + ": " + file.name);
  return Error{options.inputs[0], "holds no specification", "name one with -r"};
}

bool has_metric(const CubeSource& report, std::string_view name) {
  return find_metric(report.structure(), name).is_valid();
}

// Summaries lack two groups of metrics that no program of the specification computes.
Result<int> write_remapped(const CubeSource& report, const CubeSource& remapped, const CubeOptions& options) {
  const IdleThreadsCube with_idle(remapped);
  const CubeSource& complete = has_metric(report, "omp_idle_threads") ? remapped : with_idle;
  const ImbalanceCube with_imbalance(complete);
  return write_result(SettledCube(has_metric(report, "imbalance") ? complete : with_imbalance, options.stores_derived),
                      options);
}

}  // namespace

static Result<int> run_remap(const CubeOptions& options) {
  TARRY_TRY(check_output(options));
  TARRY_TRY_ASSIGN(report, open_report(options.inputs[0]));
  if (options.keeps_structure) return write_result(SettledCube(*report, options.stores_derived), options);
  TARRY_TRY_ASSIGN(specification, find_specification(*report, options));
  CombinedCube remapped({report.get()}, remap_metrics(report->structure(), specification), Combination::kMerge);
  remapped.keep_files(report->files());
  return write_remapped(*report, remapped, options);
}

static void add_remap_options(CliOptions& line, CliOption, CubeOptions& options) {
  const CliOption specification = line.option("-r,--specification", options.specification,
                                              "file with the metrics (default: remapping.spec inside the report)");
  line.flag("-d,--store-derived", options.stores_derived, "store the values of derived metrics");
  line.flag("-k,--keep", options.keeps_structure, "keep the metrics as they are; for -d").not_with(specification);
}

Operation remap_operation() {
  return {
      .name = "remap",
      .purpose = "the metrics in the hierarchy of a specification",
      .examples = R"(  tarry cube remap profile.cubex -o trace.cubex
  tarry cube remap -r my.spec run/summary.cubex -o -
  tarry cube remap --store-derived scout.cubex -o plain.cubex
)",
      .see_also = "tarry cube info, tarry cube dump, docs/CUBE_OPERATIONS.md",
      .gives = Gives::kReport,
      .add_options = add_remap_options,
      .run = run_remap,
  };
}

}  // namespace tarry
