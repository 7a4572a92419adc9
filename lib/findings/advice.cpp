// advice.cpp -- one line in plain words for each kind of finding.
#include "findings/advice.hpp"

#include <algorithm>

#include "base/format.hpp"
#include "report/shown_regions.hpp"

namespace tarry {
namespace {

// Who needs advice: the report, and the names of the functions that are mentioned.
struct Subject {
  const Report& report;
  ShownRegions names;

  std::string region_of(CallPathId path) const {
    constexpr std::size_t kNameWidth = 40;
    return shorten_middle(names.name_of(report.structure.call_paths[path.value].region), kNameWidth);
  }

  // The call, and the function that makes it: what the programmer knows.
  std::string call_of(CallPathId path) const {
    const CallPathId parent = report.structure.call_paths[path.value].parent;
    return region_of(path) + (parent.is_valid() ? " in " + region_of(parent) : "");
  }
};

// In an operation that waits for all its members, the one that waits least came last.
RankTime last_one(const WaitFinding& wait) {
  return *std::min_element(wait.ranks.begin(), wait.ranks.end(),
                           [](const RankTime& a, const RankTime& b) { return a.seconds < b.seconds; });
}

std::string advise_everyone(const Subject& subject, const WaitFinding& wait) {
  if (wait.ranks.size() < 2) return "";
  const RankTime last = last_one(wait);
  const Seconds others = (wait.seconds - last.seconds) / static_cast<double>(wait.ranks.size() - 1);
  const std::string call = subject.call_of(wait.call_path);
  if (last.seconds > others / 2) return "ranks take turns in arriving late at " + call + ": work per step varies";
  const auto overload = find_overload(subject.report, last.rank);
  return "rank " + std::to_string(last.rank.value) + " arrives last at " + call + ", the others wait " +
         format_seconds(others) + " on average: look at " +
         (overload ? "load balance in " + subject.region_of(overload->call_path) : "what it does before");
}

// Names the rank that computes longest, where one is far above the average.
std::string with_load(const Subject& subject, std::string line, const std::string& otherwise) {
  const auto overload = find_overload(subject.report, std::nullopt);
  if (!overload) return line + ": " + otherwise;
  return line + ": rank " + std::to_string(overload->rank.value) + " computes " + format_seconds(overload->seconds) +
         " longer than the average in " + subject.region_of(overload->call_path);
}

std::string advise(const Subject& subject, const WaitFinding& wait) {
  const std::string call = subject.call_of(wait.call_path);
  switch (wait.kind) {
    case WaitFamily::kSender:
      return with_load(subject, call + " waits for messages sent late", "send earlier, or receive later");
    case WaitFamily::kOvertaken:
      return call + " waits for late messages while earlier ones lie ready: receive in the order of sending";
    case WaitFamily::kReceiver:
      return with_load(subject, call + " blocks until the receiver is there",
                       "post receives earlier, or send without blocking");
    case WaitFamily::kRoot: return with_load(subject, call + " waits for the root", "let the root start it earlier");
    case WaitFamily::kEveryone: return advise_everyone(subject, wait);
    case WaitFamily::kNeighbors:
      return with_load(subject, call + " waits for its neighbours", "start it earlier, or wait for it later");
    case WaitFamily::kPeer:
      return with_load(subject, call + " waits for the process it accesses", "synchronise less, or later");
    case WaitFamily::kTeam:
      return "threads wait for each other at " + call + ": balance the loop (schedule), or drop the barrier (nowait)";
    case WaitFamily::kLock: return call + " waits for a lock that others hold: hold it for less time, or use several";
    case WaitFamily::kNone: break;
  }
  return "";
}

bool is_large(const WaitFinding& wait, const Findings& findings) {
  return wait.seconds >= 0.005 * findings.shares.total;
}

// Of all functions that advice may mention.
std::vector<CallPathId> mentioned_paths(const Report& report, const Findings& findings) {
  std::vector<CallPathId> paths;
  const auto mention = [&](const std::optional<Overload>& overload) {
    if (overload) paths.push_back(overload->call_path);
  };
  mention(find_overload(report, std::nullopt));
  for (const WaitFinding& wait : findings.waits) {
    if (!is_large(wait, findings)) break;
    paths.push_back(wait.call_path);
    if (wait.kind == WaitFamily::kEveryone && !wait.ranks.empty()) mention(find_overload(report, last_one(wait).rank));
  }
  return paths;
}

}  // namespace

std::vector<std::string> give_advice(const Report& report, const Findings& findings, std::size_t most) {
  const Subject subject{report, ShownRegions(report.structure, mentioned_paths(report, findings), false)};
  std::vector<std::string> lines;
  for (const WaitFinding& wait : findings.waits) {
    if (lines.size() == most || !is_large(wait, findings)) break;
    std::string line = advise(subject, wait);
    if (!line.empty() && std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace tarry
