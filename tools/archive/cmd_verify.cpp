// cmd_verify.cpp -- tarry archive verify.
#include "archive/reading/verify.hpp"
#include "base/tool/cli.hpp"
#include "base/tool/log.hpp"
#include "base/text/printable.hpp"
#include "commands.hpp"

namespace tarry {

Result<int> verify_and_tell(const std::string& path, bool is_quick) {
  TARRY_TRY_ASSIGN(report, verify_archive(path, is_quick ? VerifyDepth::kShallow : VerifyDepth::kDeep));
  for (const VerifyReport::Problem& problem : report.problems) print_line(problem.place + ": " + problem.what);
  if (report.problem_count > report.problems.size())
    print_line("... and " + std::to_string(report.problem_count - report.problems.size()) + " more");

  const std::string state(name_of(report.state));
  std::string verdict = report.is_intact() ? "intact" : "damaged";
  verdict += report.is_complete() ? ", complete" : ", incomplete (" + state + ")";
  std::string amount = std::to_string(report.chunks - report.bad_chunks) + " of " + std::to_string(report.chunks) +
                       " chunks readable, " + std::to_string(report.processes) + " processes";
  if (report.incomplete_processes > 0)
    amount += ", " + std::to_string(report.incomplete_processes) + " of them ended early";
  if (!is_quick) amount += ", " + std::to_string(report.events) + " events";
  print_line(path + ": " + verdict + "; " + amount);
  return report.is_intact() && report.is_complete() ? kExitDone : kExitFailed;
}

}  // namespace tarry
