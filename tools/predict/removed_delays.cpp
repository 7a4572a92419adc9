// removed_delays.cpp -- the delays that a prediction leaves out, and what they cost beside what is gained.
#include "removed_delays.hpp"

#include <cstdio>

#include "prediction/simulation/program_changes.hpp"
#include "base/text/format.hpp"
#include "base/text/printable.hpp"
#include "prediction/listed_delays.hpp"

namespace tarry {
namespace {

std::string name_longest(const ListedDelay& delay) {
  const std::string rank = "rank " + std::to_string(delay.longest_rank.value);
  return rank + (delay.longest_thread == kMaster ? "" : " thread " + std::to_string(delay.longest_thread.value));
}

std::string describe(const DelayFactor& removed, const ListedDelay& delay) {
  const RootCause& cause = delay.cause;
  std::string text = "without delay " + std::to_string(removed.number);
  if (removed.factor > 0)
    text = "with " + format_percent(removed.factor) + " of delay " + std::to_string(removed.number);
  text += ": " + printable(delay.name) + "\n  costs " + format_cpu_time(cause.seconds()) +
          " of waiting: " + format_cpu_time(cause.direct) + " directly, " + format_cpu_time(cause.indirect) +
          " through other waits; ";
  text += format_count(delay.waiters, "thread") + " wait" + (delay.waiters == 1 ? "s" : "") + " for it";
  return text + (delay.waiters > 0 ? ", " + name_longest(delay) + " most: " + format_seconds(delay.most_of_one) : "") +
         "\n";
}

}  // namespace

Result<std::string> find_removed(const Trace& trace, const std::string& input, bool is_whole, Machine& machine) {
  if (machine.delays.empty()) return std::string();
  Analysis analysis = analyse(trace, trace.copy_locks(), options_for_delays());
  const std::vector<ListedDelay> delays = list_delays(analysis);
  std::string text;
  std::vector<std::vector<PathIndex>> paths;
  Indexed<ChangeIndex, std::vector<double>> strengths;
  for (const DelayFactor& removed : machine.delays) {
    if (removed.number > delays.size())
      return Error{input, "has no delay " + std::to_string(removed.number),
                   delays.empty() ? "nobody waits in it"
                                  : "there are " + std::to_string(delays.size()) + "; --rank-delays lists them"};
    const ListedDelay& delay = delays[removed.number - 1];
    if (delay.is_in_init && !is_whole)
      return Error{input, "delay " + std::to_string(removed.number) + " is in MPI_Init, before the part that counts",
                   "add --whole"};
    paths.push_back(delay.paths);
    strengths.push_back(1 - removed.factor);
    text += describe(removed, delay);
  }
  machine.removed = std::make_shared<RemovedWork>(Changes(analysis, paths, {}), std::move(strengths));
  return text;
}

std::string tell_gain(Seconds before, Seconds after) {
  char text[96];
  std::snprintf(text, sizeof text, "gain %.9f seconds, %s of the run\n", before - after,
                format_percent(before > 0 ? (before - after) / before : 0).c_str());
  return text;
}

}  // namespace tarry
