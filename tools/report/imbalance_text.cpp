// imbalance_text.cpp -- load balance and processors as text for people.
#include "imbalance_text.hpp"

#include <algorithm>

#include "base/text/format.hpp"
#include "report/algebra/shown_regions.hpp"

namespace tarry {
namespace {

constexpr double kShownShare = 0.01;  // of the allocation time
constexpr double kLongDelay = 0.05;   // of the time of a process
constexpr double kLargeShare = 0.5;   // of the excess: the cause
constexpr std::size_t kMostLines = 5;
constexpr std::size_t kNameWidth = 40, kKindWidth = 22, kFiguresIndent = 20;

std::string ranks_text(const std::vector<ReportRank>& ranks) {
  std::vector<std::int64_t> numbers;
  for (const ReportRank rank : ranks) numbers.push_back(rank.value);
  const std::string noun = numbers.size() == 1 ? "rank " : "ranks ";
  return noun + format_ranges(std::move(numbers), 5);
}

std::string rank_text(ReportRank rank) { return "rank " + std::to_string(rank.value); }

const char* label_of(ImbalanceShape shape) {
  switch (shape) {
    case ImbalanceShape::kOverloadedMinority: return "overloaded minority";
    case ImbalanceShape::kUnderloadedMinority: return "underloaded minority";
    case ImbalanceShape::kClusters: return "clusters";
    case ImbalanceShape::kSpread: return "spread";
    case ImbalanceShape::kBalanced: return "balanced";
    case ImbalanceShape::kUnclear: break;
  }
  return "no clear kind";
}

// The mean of the groups in front of or behind the one that most processes are in.
Seconds minority_mean(const ImbalanceKind& kind) {
  const bool is_above = kind.shape == ImbalanceShape::kOverloadedMinority;
  Seconds sum = 0;
  for (std::size_t i = 0; i + 1 < kind.groups.size(); ++i) {
    const ValueGroup& group = kind.groups[is_above ? i + 1 : i];
    sum += group.mean * static_cast<double>(group.size);
  }
  return sum / static_cast<double>(kind.minority.size());
}

// "rank 3 takes 1.5 s, the other 7 take 1 s each"
std::string minority_text(const RegionImbalance& found, std::size_t processes) {
  const ImbalanceKind& kind = found.kind;
  const bool is_above = kind.shape == ImbalanceShape::kOverloadedMinority;
  const std::size_t others = processes - kind.minority.size();
  const Seconds rest = is_above ? kind.groups.front().mean : kind.groups.back().mean;
  return ranks_text(found.minority) + (found.minority.size() == 1 ? " takes " : " take ") +
         format_seconds(minority_mean(kind)) + ", the other " + std::to_string(others) + " " + format_seconds(rest);
}

// "ranks 4-7 take 2 s, 4 ranks 1 s": the highest group first.
std::string groups_text(const RegionImbalance& found) {
  const std::vector<ValueGroup>& groups = found.kind.groups;
  std::string text = ranks_text(found.highest) + (found.highest.size() == 1 ? " takes " : " take ") +
                     format_seconds(groups.back().mean);
  for (std::size_t i = groups.size() - 1; i-- > 0;)
    text += ", " + format_count(groups[i].size, "rank") + " " + format_seconds(groups[i].mean);
  return text;
}

// The values, as the kind has them.
std::string values_text(const RegionImbalance& found, std::size_t processes) {
  const ImbalanceKind& kind = found.kind;
  switch (kind.shape) {
    case ImbalanceShape::kOverloadedMinority:
    case ImbalanceShape::kUnderloadedMinority: return minority_text(found, processes);
    case ImbalanceShape::kClusters: return groups_text(found);
    default: break;
  }
  return format_seconds(kind.least) + " to " + format_seconds(kind.most) + ", mean " + format_seconds(kind.mean) +
         ", most on " + rank_text(found.worst);
}

// Accounts of the whole process do not tell where it happened.
std::string cause_text(const CauseFinding& cause) {
  const std::string who = rank_text(cause.rank), more = format_seconds(cause.seconds);
  const std::string than = cause.is_of_region ? " than the average" : " than the average in the whole run";
  const auto events = [&](const char* one) {
    return cause.events >= 1 ? " (" + format_count(static_cast<std::uint64_t>(cause.events), one) + " more)" : "";
  };
  switch (cause.cause) {
    case OutsideCause::kPreemption:
      return who + " waits for a processor " + more + " longer" + than + events("preemption");
    case OutsideCause::kBlocked:
      return who + " is blocked (files, locks, sleep) " + more + " longer" + than + events("wait");
    case OutsideCause::kPageFaults:
      return who + " spends " + more + " more" + than + " in the kernel" + events("page fault");
    case OutsideCause::kFileIo:
      return who + " transfers " + format_count(static_cast<std::uint64_t>(cause.events), "byte") + " more" + than;
  }
  return "";
}

// What all regions and pairs need to be written about.
struct BalanceText {
  const Report& report;
  const Findings& findings;
  ShownRegions names;

  double share(Seconds seconds) const { return findings.shares.total > 0 ? seconds / findings.shares.total : 0; }
  std::string name_of(const RegionImbalance& found) const {
    const CallPathId parent = report.structure.call_paths[found.call_path.value].parent;
    std::string name = names.name_of(found.region);
    if (found.is_of_path && parent.is_valid())
      name += " in " + names.name_of(report.structure.call_paths[parent.value].region);
    return shorten_middle(name, kNameWidth);
  }
};

std::string region_line(const BalanceText& balance, const RegionImbalance& found) {
  const std::size_t processes = balance.report.structure.processes.size();
  std::string line = pad_left(format_seconds(found.impact), 10) + "  " +
                     pad_left(format_percent(balance.share(found.impact)), 6) + "  " +
                     pad_right(label_of(found.kind.shape), kKindWidth) + balance.name_of(found) + ": " +
                     values_text(found, processes);
  if (found.visitors < processes)
    line += " (" + std::to_string(found.visitors) + " of " + std::to_string(processes) + " ranks are there)";
  return line;
}

std::string pair_line(const BalanceText& balance, const ImbalancePair& pair) {
  const auto& regions = balance.findings.imbalances.regions;
  const std::string both = balance.name_of(regions[pair.first]) + " and " + balance.name_of(regions[pair.second]);
  const std::string sum = format_seconds(pair.together) + " together, " + format_seconds(pair.apart) + " apart";
  std::string line = std::string(kFiguresIndent, ' ') + both;
  if (pair.kind == Interference::kAggravating) return line + " are overloaded on the same ranks: " + sum;
  if (pair.is_synchronised)
    return line + " would cancel each other, but ranks wait in between: " + format_seconds(*pair.cost);
  return line + " cancel each other: " + sum + (pair.cost ? "" : ", if ranks do not wait in between");
}

bool is_shown(const BalanceText& balance, const RegionImbalance& found) {
  return found.kind.shape != ImbalanceShape::kBalanced && balance.share(found.impact) >= kShownShare;
}

// Which of the pairs is worth a line: the largest of regions that are shown.
const ImbalancePair* shown_pair(const BalanceText& balance) {
  const Imbalances& all = balance.findings.imbalances;
  for (const ImbalancePair& pair : all.pairs)
    if (is_shown(balance, all.regions[pair.first]) && is_shown(balance, all.regions[pair.second])) return &pair;
  return nullptr;
}

BalanceText balance_of(const Report& report, const Findings& findings, bool has_full_names) {
  std::vector<CallPathId> paths;
  for (const RegionImbalance& found : findings.imbalances.regions) paths.push_back(found.call_path);
  return {report, findings, ShownRegions(report.structure, paths, has_full_names)};
}

// "rank 2 waits 1 s of 4 s for a processor"; threads do so together. They may be there longer than they are recorded.
std::string delay_text(const Findings& findings, const RankProcessors& process) {
  const ProcessorUse& use = process.use;
  const std::string name = findings.processes > 1 ? rank_text(process.rank) : "the program";
  const auto of = [](Seconds delay, Seconds time) {
    return format_seconds(std::min(delay, time)) + " of " + format_seconds(time);
  };
  const std::string all = of(use.delay.value_or(0), use.time_of_threads(process.threads));
  if (process.threads < 2) return name + " waits " + all + " for a processor";
  const std::string text = "the threads of " + name + " together wait " + all + " that they are there for a processor";
  return use.worst_time > 0 ? text + ", one of them " + of(use.worst_delay, use.worst_time) : text;
}

}  // namespace

std::vector<std::string> processor_lines(const Findings& findings) {
  std::vector<std::string> lines;
  for (const Oversubscription& node : findings.processors.oversubscription) {
    std::string line = "  OVERSUBSCRIBED: " + format_count(node.threads, "thread") + " of " +
                       format_count(node.processes, "process", "processes") + " share " +
                       format_count(node.processors, "processor") + " of " + node.node;
    if (node.has_delay)
      line += "; they wait for one " + format_percent(node.share) + " of the time that they are there, " +
              format_cpu_time(node.delay);
    lines.push_back(std::move(line));
  }
  if (!lines.empty()) return lines;
  const auto share = [](const RankProcessors& process) {
    const Seconds time = process.use.time_of_threads(process.threads);
    return time > 0 ? process.use.delay.value_or(0) / time : 0;
  };
  const auto worst = std::ranges::max_element(findings.processors.ranks, {}, share);
  if (worst == findings.processors.ranks.end() || share(*worst) < kLongDelay) return lines;
  lines.push_back("  PREEMPTED: " + delay_text(findings, *worst) + ": other programs use it, or there is a limit");
  return lines;
}

std::vector<std::string> imbalance_lines(const Report& report, const Findings& findings, bool has_full_names) {
  const BalanceText balance = balance_of(report, findings, has_full_names);
  const ImbalancePair* const pair = shown_pair(balance);
  const std::size_t most = kMostLines - (pair ? 1 : 0);
  std::vector<std::string> lines;
  for (const RegionImbalance& found : findings.imbalances.regions) {
    if (!is_shown(balance, found)) continue;
    const bool has_cause = !found.causes.empty() && found.causes.front().share >= kLargeShare;
    if (lines.size() + (has_cause ? 2 : 1) > most) break;
    lines.push_back(region_line(balance, found));
    if (has_cause)
      lines.push_back(std::string(kFiguresIndent, ' ') + cause_text(found.causes.front()) + ": " +
                      format_percent(found.causes.front().share) + " of its excess");
  }
  if (lines.empty()) return lines;
  if (pair) lines.push_back(pair_line(balance, *pair));
  lines.insert(lines.begin(), "Load balance: what is lost where all wait for the slowest rank");
  return lines;
}

}  // namespace tarry
