// report_input.hpp -- what every operation does with its input: read it, pick metrics, say what was damaged.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "findings/verdicts.hpp"
#include "ops.hpp"
#include "report/algebra/algebra.hpp"
#include "report/algebra/cube_source.hpp"

namespace tarry {

/// The extra file with the rules to remap a report.
inline constexpr char kSpecificationFile[] = "remapping.spec";

using OpenReport = std::unique_ptr<CubeSource>;

/// Replaces each archive among the inputs by the path of its analysis, else of its summary. Prints which one where
/// archives differ in that. Another folder is refused with the names of the reports in it.
Status name_reports(CubeOptions& options);

/// Opens a report; "-" is stdin.
Result<OpenReport> open_report(const std::string& path);

/// The same with call paths of functions, whatever the lines they are called from.
Result<OpenReport> open_report_by_function(const std::string& path);

/// Opens several; only one of them may be stdin.
Result<std::vector<OpenReport>> open_reports(const std::vector<std::string>& paths);
Result<std::vector<OpenReport>> open_reports_by_function(const std::vector<std::string>& paths);

/// The metrics named in a comma list, in that order; all that are neither ghost nor void if the list is empty. Fails
/// if there is no metric of a name.
Result<std::vector<MetricId>> select_metrics(const ReportStructure& report, const std::string& list);

/// The metric of a name; without a name "time", or the first one if there is none.
Result<MetricId> choose_metric(const ReportStructure& report, const std::string& name);

/// options.output, or OPERATION.cubex if that is empty.
std::string default_output(const CubeOptions& options);

/// Refuses, before anything is read, an output that is also an input, a folder, or a file that exists and was not
/// named.
Status check_output(const CubeOptions& options);

/// Writes the result to options.output, or OPERATION.cubex if that is empty; then conclude().
Result<int> write_result(const CubeSource& result, const CubeOptions& options);

/// Unites the inputs, combines their values and writes the result.
Result<int> combine_reports(const CubeOptions& options, Combination combination);

/// The same for inputs that are open, and an output that was checked.
Result<int> combine_opened(const std::vector<OpenReport>& reports, const CubeOptions& options, Combination combination);

/// To be called last: one line about what could not be read, if there is such. Exit status 0, or 1 if `is_strict`.
int conclude(const std::vector<std::string>& damage, bool is_strict);

/// A value for people: four significant digits, no exponent where it can be avoided; "-" for a minimum or maximum
/// without a value.
std::string number_for_people(ValueType type, double value);

/// Prints verdicts (verdicts_text). A reader that has seen enough is no failure: the verdict counts.
Status print_verdicts(const std::vector<Verdict>& verdicts, const std::string& summary, const std::string& format,
                      const std::vector<std::string>& notices = {});

/// Writes to stdout; fails where it cannot.
Status print(std::string_view text);

}  // namespace tarry
