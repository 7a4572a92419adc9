// op_remap.cpp -- tarry cube remap: a report's metrics in the hierarchy of a specification.
#include <algorithm>

#include "base/file.hpp"
#include "ops.hpp"
#include "report/remap.hpp"
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

}  // namespace

Result<int> run_remap(const CubeOptions& options) {
  TARRY_TRY(check_output(options));
  TARRY_TRY_ASSIGN(report, open_report(options.inputs[0]));
  if (options.keeps_structure) return write_result(SettledCube(*report, options.stores_derived), options);
  TARRY_TRY_ASSIGN(specification, find_specification(*report, options));
  CombinedCube remapped({report.get()}, remap_metrics(report->structure(), specification), Combination::kMerge);
  remapped.keep_files(report->files());
  return write_result(SettledCube(remapped, options.stores_derived), options);
}

}  // namespace tarry
