// next_commands.cpp -- which commands tell more than the findings of a report.
#include "next_commands.hpp"

#include "archive/files/manifest.hpp"

namespace tarry {
namespace {

std::string next_step(const std::string& input, const std::string& path, const Findings& findings) {
  if (findings.is_analysis) return "Next: tarry cube dump --csv " + path + "  (every value)";
  const auto manifest = read_manifest(input);
  if (manifest.ok() && manifest.value().has_events) return "Next: tarry replay " + input + "  (finds wait states)";
  return "Next: tarry measure -t -- COMMAND, then tarry replay  (finds wait states)";
}

}  // namespace

NextCommands next_commands(const std::string& input, const std::string& path, const Findings& findings) {
  NextCommands next{
      .step = next_step(input, path, findings), .all_causes = "tarry cube topn -m delay " + path, .traced_archive = ""};
  const auto manifest = read_manifest(input);
  // A report of a part of the run has other delays than the whole trace.
  const bool is_whole = findings.covers.empty() && findings.predicted.empty();
  if (manifest.ok() && manifest.value().has_events && is_whole) next.traced_archive = input;
  return next;
}

}  // namespace tarry
