// cmd_verify.cpp -- tarry archive verify.
#include <cstdio>

#include "archive/verify.hpp"
#include "base/cli.hpp"
#include "base/log.hpp"
#include "commands.hpp"

namespace tarry {

Result<int> verify_and_tell(const std::string& path, bool is_quick) {
  TARRY_TRY_ASSIGN(report, verify_archive(path, is_quick ? VerifyDepth::kShallow : VerifyDepth::kDeep));
  for (const VerifyReport::Problem& problem : report.problems)
    std::printf("%s: %s\n", problem.place.c_str(), problem.what.c_str());
  if (report.problem_count > report.problems.size())
    std::printf("... and %llu more\n", static_cast<unsigned long long>(report.problem_count - report.problems.size()));

  const std::string state(name_of(report.state));
  std::string verdict = report.is_intact() ? "intact" : "damaged";
  verdict += report.is_complete() ? ", complete" : ", incomplete (" + state + ")";
  std::string amount = std::to_string(report.chunks - report.bad_chunks) + " of " + std::to_string(report.chunks) +
                       " chunks readable, " + std::to_string(report.processes) + " processes";
  if (report.incomplete_processes > 0)
    amount += ", " + std::to_string(report.incomplete_processes) + " of them ended early";
  if (!is_quick) amount += ", " + std::to_string(report.events) + " events";
  std::printf("%s: %s; %s\n", path.c_str(), verdict.c_str(), amount.c_str());
  return report.is_intact() && report.is_complete() ? kExitDone : kExitFailed;
}

}  // namespace tarry
