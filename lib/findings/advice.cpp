// advice.cpp -- one line in plain words for each kind of finding.
#include "findings/advice.hpp"

#include <algorithm>

#include "base/format.hpp"
#include "base/function_name.hpp"

namespace tarry {
namespace {

std::string region_of(const Report& report, CallPathId path) {
  constexpr std::size_t kNameWidth = 40;
  const std::string& name = report.structure.regions[report.structure.call_paths[path.value].region].name;
  return shorten_middle(function_name(name), kNameWidth);
}

// The function that makes the call: what the programmer knows.
std::string caller_of(const Report& report, CallPathId path) {
  const CallPathId parent = report.structure.call_paths[path.value].parent;
  return parent.is_valid() ? " in " + region_of(report, parent) : "";
}

// In an operation that waits for all its members, the one that waits least came last.
std::string advise_everyone(const Report& report, const WaitFinding& wait) {
  if (wait.ranks.size() < 2) return "";
  const auto last = std::min_element(wait.ranks.begin(), wait.ranks.end(),
                                     [](const RankTime& a, const RankTime& b) { return a.seconds < b.seconds; });
  const Seconds others = (wait.seconds - last->seconds) / static_cast<double>(wait.ranks.size() - 1);
  const std::string call = region_of(report, wait.call_path) + caller_of(report, wait.call_path);
  if (last->seconds > others / 2) return "ranks take turns in arriving late at " + call + ": work per step varies";
  const auto overload = find_overload(report, last->rank);
  return "rank " + std::to_string(last->rank.value) + " arrives last at " + call + ", the others wait " +
         format_seconds(others) + " on average: look at " +
         (overload ? "load balance in " + region_of(report, overload->call_path) : "what it does before");
}

// Names the rank that computes longest, where one is far above the average.
std::string with_load(const Report& report, std::string line, const std::string& otherwise) {
  const auto overload = find_overload(report, std::nullopt);
  if (!overload) return line + ": " + otherwise;
  return line + ": rank " + std::to_string(overload->rank.value) + " computes " + format_seconds(overload->seconds) +
         " longer than the average in " + region_of(report, overload->call_path);
}

std::string advise(const Report& report, const WaitFinding& wait) {
  const std::string call = region_of(report, wait.call_path) + caller_of(report, wait.call_path);
  switch (wait.kind) {
    case WaitFamily::kSender:
      return with_load(report, call + " waits for messages sent late", "send earlier, or receive later");
    case WaitFamily::kOvertaken:
      return call + " waits for late messages while earlier ones lie ready: receive in the order of sending";
    case WaitFamily::kReceiver:
      return with_load(report, call + " blocks until the receiver is there",
                       "post receives earlier, or send without blocking");
    case WaitFamily::kRoot: return with_load(report, call + " waits for the root", "let the root start it earlier");
    case WaitFamily::kEveryone: return advise_everyone(report, wait);
    case WaitFamily::kNeighbors:
      return with_load(report, call + " waits for its neighbours", "start it earlier, or wait for it later");
    case WaitFamily::kPeer:
      return with_load(report, call + " waits for the process it accesses", "synchronise less, or later");
    case WaitFamily::kTeam:
      return "threads wait for each other at " + call + ": balance the loop (schedule), or drop the barrier (nowait)";
    case WaitFamily::kLock: return call + " waits for a lock that others hold: hold it for less time, or use several";
    case WaitFamily::kNone: break;
  }
  return "";
}

}  // namespace

std::vector<std::string> give_advice(const Report& report, const Findings& findings, std::size_t most) {
  std::vector<std::string> lines;
  for (const WaitFinding& wait : findings.waits) {
    if (lines.size() == most || wait.seconds < 0.005 * findings.shares.total) break;
    std::string line = advise(report, wait);
    if (!line.empty() && std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace tarry
