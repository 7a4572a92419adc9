// advice.cpp -- sentences on causes of waiting. Each figure is one of the delay analysis (root_causes.hpp).
#include "findings/causes/advice.hpp"

#include <algorithm>
#include <span>

#include "base/text/format.hpp"
#include "findings/path_place.hpp"

namespace tarry {
namespace {

constexpr double kWorthALine = 0.005;      // waiting as a part of the allocation time
constexpr double kLeastCauseShare = 0.05;  // of the waiting: smaller causes are not told
constexpr double kSingleCause = 0.2;       // less is little
constexpr double kKnownPart = 1.0 / 3;     // of an excess: less of it is told as seconds of the whole run
constexpr double kWorthNaming = 0.25;      // of a wait: a smaller cause is not its main one
constexpr std::size_t kMostEffects = 2, kMostRanges = 5, kMostCauses = 100;
constexpr std::size_t kNamedOfMany = 3;  // where they are not all
constexpr std::size_t kNamedCallers = 3;

// The function that tells a cause from all others, if one does. The root of a call tree is a program.
CallPathId user_of(const ReportStructure& structure, const ToldCause& told) {
  if (!told.callers.empty() || told.separators.empty()) return {};
  const CallPathId user = told.separators.back();
  return structure.call_paths[user.value].parent.is_valid() ? user : CallPathId();
}

// Words about the parts of one report.
class Words {
 public:
  Words(const Report& report, const Findings&, const ShownRegions& names) : Words(report.structure, names) {}
  Words(const ReportStructure& structure, const ShownRegions& names)
      : structure_(structure),
        names_(names),
        are_threads_(structure.processes.size() == 1 && structure.thread_count() > 1) {}

  std::string region_of(CallPathId path) const {
    constexpr std::size_t kNameWidth = 40;
    return shorten_middle(names_.name_of(structure_.call_paths[path.value].region), kNameWidth);
  }

  // The call, and the function that makes it: what the programmer knows. "MPI_Recv (line 12 of step)".
  std::string call_of(CallPathId path) const {
    const ReportCallPath& facts = structure_.call_paths[path.value];
    if (!facts.parent.is_valid()) return region_of(path);
    if (facts.line <= 0) return region_of(path) + " of " + region_of(facts.parent);
    return region_of(path) + " (line " + std::to_string(facts.line) + " of " + region_of(facts.parent) + ")";
  }

  // "compute", "MPI_Send of exchange".
  std::string name_of(CallPathId path) const {
    const ReportCallPath& facts = structure_.call_paths[path.value];
    const bool is_call =
        facts.parent.is_valid() && time_class(structure_.regions[facts.region]) != TimeClass::kComputation;
    return region_of(path) + (is_call ? " of " + region_of(facts.parent) : "");
  }

  // "compute (heat.c:45)" where the function begins, "MPI_Send of exchange (heat.c:12)" where it is called.
  std::string place_of(CallPathId path) const {
    const auto place = find_work(structure_, path);
    return place ? name_of(path) + " (" + place->file + ":" + std::to_string(place->line) + ")" : name_of(path);
  }

  // The function that tells a cause from others: the first in "left (heat.c:20), below that in shift". If there are no
  // others in shift, that one.
  std::string place_of(const ToldCause& told) const {
    const CallPathId user = user_of(structure_, told);
    return place_of(user.is_valid() ? user : told.cause.path);
  }

  // What is said of that function besides; else its caller, if that is neither the program nor its main function.
  std::string aside_of(const ToldCause& told) const {
    if (!told.callers.empty()) return separators_of(told) + ", called by " + list_of(told.callers);
    if (told.separators.empty()) return caller_of(told.cause.path);
    if (!user_of(structure_, told).is_valid()) return separators_of(told);
    std::string text = ", below that in ";
    for (std::size_t i = told.separators.size() - 1; i-- > 0;) text += region_of(told.separators[i]) + " and ";
    return text + name_of(told.cause.path);
  }

  // ", called by left below solve".
  std::string separators_of(const ToldCause& told) const {
    std::string text;
    for (const CallPathId caller : told.separators)
      text += (text.empty() ? ", called by " : " below ") + region_of(caller);
    return text;
  }

  // "a", "a and b", "a, b and 3 more functions".
  std::string list_of(std::span<const CallPathId> functions) const {
    const std::size_t named = functions.size() <= kNamedCallers ? functions.size() : kNamedCallers - 1;
    const std::size_t more = functions.size() - named;
    std::string text = region_of(functions[0]);
    for (std::size_t i = 1; i < named; ++i)
      text += (i + 1 == named && more == 0 ? " and " : ", ") + region_of(functions[i]);
    return more == 0 ? text : text + " and " + format_count(more, "more function");
  }

  // Of OpenMP: no function.
  bool is_construct(CallPathId path) const {
    return structure_.regions[structure_.call_paths[path.value].region].paradigm == "openmp";
  }

  std::string caller_of(CallPathId path) const {
    if (time_class(structure_.regions[structure_.call_paths[path.value].region]) != TimeClass::kComputation)
      path = structure_.call_paths[path.value].parent;
    if (!path.is_valid()) return "";
    CallPathId parent = structure_.call_paths[path.value].parent;
    while (parent.is_valid() && is_construct(parent)) parent = structure_.call_paths[parent.value].parent;
    if (!parent.is_valid() || region_of(parent) == region_of(path)) return "";
    const CallPathId above = structure_.call_paths[parent.value].parent;
    return above.is_valid() && structure_.call_paths[above.value].parent.is_valid() ? ", called by " + region_of(parent)
                                                                                    : "";
  }

  // "rank 4", "ranks 0-2 and others", "thread 3", "thread 2 of rank 1".
  std::string who(std::span<const CausingThread> threads, bool are_all) const {
    if (threads.empty()) return "nobody";
    std::vector<std::int64_t> numbers;
    for (const CausingThread& thread :
         threads.first(are_all ? threads.size() : std::min(threads.size(), kNamedOfMany))) {
      const std::int64_t number = are_threads_ ? thread.thread.value : thread.rank.value;
      if (std::ranges::find(numbers, number) == numbers.end()) numbers.push_back(number);
    }
    const std::string kind = are_threads_ ? "thread" : "rank";
    std::string text = numbers.size() == 1 ? kind + " " + std::to_string(numbers[0])
                                           : kind + "s " + format_ranges(std::move(numbers), kMostRanges);
    const CausingThread& first = threads.front();
    if (is_queue(structure_, first)) return queues(threads, text);
    if (!are_threads_ && threads.size() == 1 && first.thread.value > 0)
      text = "thread " + std::to_string(first.thread.value) + " of " + text;
    return are_all ? text : text + " and others";
  }

  // Of the work of an accelerator: it, and the function of the program that has started it.
  std::string started_work(CallPathId path) const {
    CallPathId function = path;
    while (function.is_valid() && is_accelerator(function)) function = structure_.call_paths[function.value].parent;
    return region_of(path) + (function.is_valid() ? ", started by " + place_of(function) + "," : "");
  }

 private:
  bool is_accelerator(CallPathId path) const {
    return time_class(structure_.regions[structure_.call_paths[path.value].region]) == TimeClass::kAccelerator;
  }

  // "CUDA[0:7]", "CUDA[0:7] of rank 2", "queues of ranks 0,1". `ranks`: which these are.
  std::string queues(std::span<const CausingThread> which, const std::string& ranks) const {
    if (which.size() > 1 && structure_.processes.size() > 1) return "queues of " + ranks;
    std::string text;
    for (const CausingThread& each : which)
      text += (text.empty() ? "" : " and ") + location_of(structure_, each)->queue_name();
    return structure_.processes.size() > 1 ? text + " of " + ranks : text;
  }

  const ReportStructure& structure_;
  const ShownRegions& names_;
  const bool are_threads_;  // those of one process are told apart
};

bool are_several(const std::string& who) { return who.starts_with("ranks ") || who.starts_with("threads "); }

// "rank 4 spends", "ranks 1,2 spend"; `aside` is said of them in between.
std::string with_verb(const std::string& who, const std::string& verb, const std::string& aside = "") {
  const bool is_plural = are_several(who) || who.ends_with(" and others");
  return who + aside + " " + verb + (is_plural ? "" : "s");
}

std::string outside_words(OutsideCause cause) {
  switch (cause) {
    case OutsideCause::kPreemption: return "ready to run without a processor";
    case OutsideCause::kPageFaults: return "in page faults";
    case OutsideCause::kFileIo: return "along with more file I/O";
    case OutsideCause::kBlocked: break;  // sleep is the program's own
  }
  return "";
}

// ", 98% of it ready to run without a processor", where that was counted in the region. ", at least 88% of it", where
// the rest of the run has no place for so much.
std::string outside_part(const RootCause& cause) {
  if (!cause.outside || cause.outside->known_share() < kKnownPart) return "";
  const std::string least = cause.outside->is_of_region ? ", " : ", at least ";
  return least + format_percent(cause.outside->known_share()) + " of it " + outside_words(cause.outside->cause);
}

// " (in page faults for 1.2 s more than the average in the whole run)". Accounts of a process are no part of what it
// does in a region, and may lie elsewhere.
std::string outside_of_run(const RootCause& cause) {
  if (!cause.outside || cause.outside->known_share() >= kKnownPart) return "";
  const std::string whose = cause.who.size() > 1 ? "rank " + std::to_string(cause.outside->rank.value) + ": " : "";
  return " (" + whose + outside_words(cause.outside->cause) + " for " + format_seconds(cause.outside->seconds) +
         " more than the average in the whole run)";
}

// Sleep is the program's own, but a wait that is not recorded has a cause elsewhere.
std::string blocked_part(const RootCause& cause) {
  constexpr double kMost = 0.5;
  if (cause.blocked_share < kMost) return "";
  return ", blocked for " + format_percent(cause.blocked_share) +
         " of the time there (asleep, or waiting in a way that is not recorded)";
}

std::string what_happens(const Words& words, const ToldCause& told) {
  const RootCause& cause = told.cause;
  const std::string besides = words.aside_of(told), place = words.place_of(told) + besides;
  const std::string aside = besides.empty() ? " " : ", ";  // ends what is said of the function
  const std::string who = words.who(cause.who, cause.are_all_named);
  const std::string all = cause.threads > 2 ? "all" : "both";
  switch (cause.nature) {
    case CauseNature::kLoad:
      if (cause.excess <= 0)
        return with_verb(who, "spend") + " more time in " + place + aside + "than those who wait" + blocked_part(cause);
      return with_verb(who, "spend", outside_of_run(cause)) + (are_several(who) ? " up to " : " ") +
             format_seconds(cause.excess) + " more than the average in " + place + outside_part(cause) +
             blocked_part(cause);
    case CauseNature::kSequence:
      return all + " spend the same time in " + place + ", but one after another, " +
             words.who(std::span(cause.who).first(1), true) + " first";
    case CauseNature::kShiftingLoad: return "the load of " + place + aside + "moves from one to another (" + who + ")";
    case CauseNature::kNoise:
      return "no single cause: " + place + aside + "takes a little longer now on one, now on another (noise)";
    case CauseNature::kOperation:
      return with_verb(who, "spend") + " more time in " + place + aside + "than those who wait";
    case CauseNature::kFiles:
      return with_verb(who, "read") + " or write" + (are_several(who) ? "" : "s") + " files in " + place;
    case CauseNature::kFileMetadata: return with_verb(who, "work") + " on metadata of files in " + place;
    case CauseNature::kLock: return with_verb(who, "hold") + " the lock in " + place;
    case CauseNature::kDevice:
      return words.started_work(cause.path) + " keeps " + who + " busy longer than the host has other work";
  }
  return "";
}

// Waits that read the same: of one kind, in one call of one function.
struct ReadEffect {
  std::string name;  // "Late Sender at MPI_Recv of step"
  Seconds seconds = 0, waiting = 0;
  bool has_place = false;
};

// Largest first.
std::vector<ReadEffect> effects_of(const Words& words, const RootCause& cause) {
  std::vector<ReadEffect> all;
  for (const CauseEffect& effect : cause.effects) {
    const bool has_place = effect.path.is_valid();
    const bool is_rest = !has_place && std::ranges::any_of(cause.effects, [&](const CauseEffect& other) {
      return other.kind == effect.kind && other.path.is_valid();
    });
    const std::string name = effect.kind + (has_place ? " at " + words.call_of(effect.path)
                                            : is_rest ? " at other call paths"
                                                      : "");
    const auto same = std::ranges::find(all, name, &ReadEffect::name);
    ReadEffect& into = same != all.end() ? *same : all.emplace_back(ReadEffect{.name = name});
    into.seconds += effect.seconds();
    into.waiting += effect.waiting;
    into.has_place = has_place;
  }
  std::ranges::stable_sort(all, [](auto& a, auto& b) { return a.seconds > b.seconds; });
  return all;
}

// "Late Sender at MPI_Recv of step 1.2 s (80% of the waiting there)".
std::string effects_text(const Words& words, const RootCause& cause) {
  const std::vector<ReadEffect> effects = effects_of(words, cause);
  std::string text;
  for (std::size_t i = 0; i < std::min(effects.size(), kMostEffects); ++i) {
    text += (i == 0 ? "" : ", ") + effects[i].name + " " + format_seconds(effects[i].seconds);
    if (effects[i].has_place && effects[i].waiting > 0)
      text += " (" + format_percent(effects[i].seconds / effects[i].waiting) + " of the waiting there)";
  }
  if (effects.size() > kMostEffects) text += ", ...";
  if (cause.indirect < kLeastCauseShare * cause.seconds()) return text;
  text += "; " + format_percent(cause.indirect / cause.seconds()) + " of it through other waits";
  if (!cause.through.empty()) text += ", of " + words.who(cause.through, true);
  return text;
}

// Starting and ending MPI takes long in short runs; nothing is to be had there.
bool is_large(const Findings& findings, Seconds seconds) {
  return seconds >= kWorthALine * (findings.shares.total - findings.init_and_finalize);
}

// What a wait state tells by itself, whatever caused it.
std::string wait_hint(const Words& words, const WaitFinding& wait) {
  const std::string call = words.call_of(wait.call_path);
  switch (wait.kind) {
    case WaitFamily::kOvertaken:
      return call + " waits for late messages while earlier ones lie ready: receive in the order of sending";
    case WaitFamily::kPeer:
      if (wait.metric.ends_with("_wait_for_progress"))
        return call + " waits until its target calls MPI, which answers only there";
      return "";
    default: return "";
  }
}

std::string unexplained_text(const RootCauses& causes) {
  const Seconds rest = causes.waiting - causes.explained;
  return "the analysis knows no cause for " + format_percent(rest / causes.waiting) + " of the waiting, " +
         format_seconds(rest);
}

// The function that the sentence on a cause names, or else that of the cause itself.
CallPathId user_at(const ReportStructure& structure, const RootCauses& causes, CallPathId path) {
  for (const ToldCause& told : causes.told)
    for (const std::uint64_t number : told.numbers)
      if (const CallPathId user = user_of(structure, told); causes.causes[number - 1].path == path && user.is_valid())
        return user;
  return path;
}

Advice nothing_to_look_for(const Findings& findings, const std::string& what, Seconds seconds) {
  const std::string part = format_percent(seconds / findings.shares.total);
  return {"no cause to look for: " + what + " is " + part + " of the allocation time", "", 0, {}};
}

// Causes that are worth a sentence.
std::vector<const ToldCause*> told_causes(const Findings& findings, std::size_t most) {
  std::vector<const ToldCause*> told;
  for (const ToldCause& each : findings.root_causes.told) {
    const bool is_first = told.empty();
    if (told.size() == most || !is_large(findings, each.cause.seconds())) break;
    if (!is_first && each.cause.share < kLeastCauseShare) break;
    told.push_back(&each);
  }
  return told;
}

}  // namespace

Advice describe_cause(const Report& report, const Findings& findings, const ToldCause& told,
                      const ShownRegions& names) {
  const Words words(report, findings, names);
  const RootCause& cause = told.cause;
  return {what_happens(words, told) + ": that causes " + format_percent(cause.share) + " of the waiting, " +
              format_seconds(cause.seconds()),
          effects_text(words, cause), cause.share, told.numbers};
}

std::string name_cause(const ReportStructure& structure, const RootCause& cause, const ShownRegions& names) {
  const Words words(structure, names);
  return words.place_of(cause.path) + ", " + words.who(cause.who, cause.are_all_named);
}

std::string describe_main_cause(const Report& report, const Findings& findings, const WaitFinding& wait,
                                const ShownRegions& names) {
  if (!wait.causes || wait.causes->delays.empty()) return "";
  const CauseAtPath& cause = wait.causes->delays.front();
  const double share = cause.seconds() / std::max(wait.causes->waiting, wait.seconds);
  if (!cause.path.is_valid() || share < kWorthNaming) return "";
  std::vector<CausingThread> who;
  for (const CauseOfThread& part : cause.worst)
    who.push_back({ReportRank(report.structure.processes[part.process].rank), ReportThread(part.thread), part.seconds});
  const bool are_all_named = keep_few(who, cause.seconds(), report.structure.processes.size());
  const Words words(report, findings, names);
  return format_percent(share) + " of it due to " + words.who(who, are_all_named) + " in " +
         words.region_of(user_at(report.structure, findings.root_causes, cause.path));
}

std::vector<CallPathId> mentioned_paths(const Findings& findings) {
  std::vector<CallPathId> paths;
  for (const ToldCause* told : told_causes(findings, kMostCauses)) {
    paths.push_back(told->cause.path);
    paths.insert(paths.end(), told->separators.begin(), told->separators.end());
    paths.insert(paths.end(), told->callers.begin(), told->callers.end());
    for (const CauseEffect& effect : told->cause.effects)
      if (effect.path.is_valid()) paths.push_back(effect.path);
  }
  for (const WaitFinding& wait : findings.waits)
    if (is_large(findings, wait.seconds)) paths.push_back(wait.call_path);
  return paths;
}

std::vector<Advice> give_advice(const Report& report, const Findings& findings, std::size_t most) {
  const ShownRegions names(report.structure, mentioned_paths(findings), false);
  const Words words(report, findings, names);
  const RootCauses& causes = findings.root_causes;
  if (!findings.waits.empty() && !is_large(findings, findings.waiting))
    return {nothing_to_look_for(findings, "all waiting together", findings.waiting)};
  std::vector<Advice> all;
  for (const ToldCause* told : told_causes(findings, most)) {
    if (all.empty() && told->cause.share < kSingleCause && told->cause.nature != CauseNature::kNoise)
      all.push_back({"no single cause has much of the waiting", "", 0, {}});
    all.push_back(describe_cause(report, findings, *told, names));
  }
  for (const WaitFinding& wait : findings.waits) {
    if (!is_large(findings, wait.seconds)) break;
    const std::string hint = wait_hint(words, wait);
    if (!hint.empty() && std::ranges::find(all, hint, &Advice::sentence) == all.end()) all.push_back({hint, "", 0, {}});
  }
  if (!causes.causes.empty() && is_large(findings, causes.waiting) && causes.explained < 0.5 * causes.waiting)
    all.push_back({unexplained_text(causes), "", 0, {}});
  if (all.empty() && !causes.told.empty())
    return {nothing_to_look_for(findings, "the largest", causes.told.front().cause.seconds())};
  if (all.size() > most) all.resize(most);
  return all;
}

}  // namespace tarry
