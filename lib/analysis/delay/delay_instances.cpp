// delay_instances.cpp -- the delays behind waits: in messages, collectives and windows, of threads, and for locks.
//
// Here causes are divided among workers; other files of this folder compare. In the end all analysis processes have
// all.
#include "analysis/delay/delay_instances.hpp"

#include <algorithm>
#include <utility>

#include "analysis/delay/cause_analysis.hpp"
#include "base/processes/worker_pool.hpp"

namespace tarry {
namespace {

// Processes with so many times the average of waiters are shared by several workers, each of which takes that many
// waiters at once. Such a process may be the last one of a collective: all others have waited for it.
constexpr std::size_t kCrowd = 8;
constexpr std::size_t kWaitersAtOnce = 1024;

// From how many waiters on a process is a job for all threads.
std::size_t size_of_crowd(const WaitersByCause& waiters) {
  std::size_t all = 0;
  for (const Rows<Waiter>& of_cause : waiters) all += of_cause.size();
  return std::max(kWaitersAtOnce, kCrowd * all / std::max<std::size_t>(waiters.size(), 1)) + 1;
}

// Puts `more` behind what there is.
void append_delays(DelayInstances& into, const DelayInstances& more) {
  const auto before = static_cast<std::uint32_t>(into.excess.size());
  into.excess.append(more.excess);
  for (DelayInstance instance : more.all) {
    instance.excess_begin += before;
    instance.excess_end += before;
    into.all.push_back(instance);
  }
}

// The waiters of a process that many have waited for, or a part of them, and what becomes of them.
struct CrowdPart {
  RankIndex rank;
  std::span<const Waiter> waiters;
  DelayInstances found;
};

// [process][part]
std::vector<std::vector<CrowdPart>> divide_crowds(const Trace& trace, const WaitersByCause& waiters,
                                                  std::size_t crowd) {
  std::vector<std::vector<CrowdPart>> crowds;
  for (const RankIndex rank : waiters.ids()) {
    if (waiters[rank].size() < crowd || !trace.is_hosted(rank)) continue;
    std::vector<CrowdPart>& parts = crowds.emplace_back();
    for (std::span<const Waiter> rest = waiters[rank]; !rest.empty(); rest = rest.subspan(parts.back().waiters.size()))
      parts.push_back({rank, rest.first(std::min(rest.size(), kWaitersAtOnce)), DelayInstances(trace.budget())});
  }
  return crowds;
}

// The instances of processes that many have waited for.
void find_crowded_causes(const DelayContext& context, const WaitersByCause& waiters, std::size_t crowd,
                         const RemoteWaiters& remote, DelaysByCause& into) {
  std::vector<std::vector<CrowdPart>> crowds = divide_crowds(context.trace, waiters, crowd);
  std::vector<CrowdPart*> parts;
  for (std::vector<CrowdPart>& of_cause : crowds)
    for (CrowdPart& part : of_cause) parts.push_back(&part);
  const unsigned workers = context.trace.workers();
  run_parallel(workers, parts.size(), [&](std::size_t i) {
    analyse_cause(context, parts[i]->rank, parts[i]->waiters, remote, parts[i]->found);
  });
  run_parallel(workers, crowds.size(), [&](std::size_t i) {
    for (CrowdPart& part : crowds[i]) append_delays(into[part.rank], std::exchange(part.found, DelayInstances()));
  });
}

// Everybody gets the instances of all causes, without the excess.
void share_instances(const Trace& trace, DelaysByCause& instances) {
  if (trace.exchange().size() == 1) return;
  MessageBuffer own;
  for (const RankIndex r : instances.ids()) {
    if (!trace.is_hosted(r)) continue;
    own.put(r);
    own.put_all(instances[r].all);
  }
  std::vector<MessageBuffer> buffers(static_cast<std::size_t>(trace.exchange().size()), own);
  for (MessageBuffer& buffer : trace.exchange().all_to_all(std::move(buffers)))
    while (!buffer.is_read()) {
      const auto rank = buffer.get<RankIndex>();
      instances[rank].all = buffer.get_rows<DelayInstance>(trace.budget());
    }
}

}  // namespace

double share_of(const DelayInstance& instance, Ticks wait, const Compatibility& compatibility) {
  const double base = static_cast<double>(instance.delay + instance.propagating);
  if (base == 0) return 0;
  return compatibility.limited_share(instance.kind, static_cast<double>(wait) / base);
}

void append(const DelayContext& context, DelayInstances& into, DelayInstance instance, const PathTimes& excess) {
  instance.delay = total_of(excess);
  instance.group = context.groups.of(instance.waiter.rank, point_at(context.sync, instance.waiter));
  instance.share = share_of(instance, context.counted_wait(instance.waiter), context.compatibility);
  instance.excess_begin = static_cast<std::uint32_t>(into.excess.size());
  into.excess.append(excess);
  instance.excess_end = static_cast<std::uint32_t>(into.excess.size());
  into.all.push_back(instance);
}

DelaysByCause find_delay_instances(const DelayContext& context) {
  const WaitersByCause waiters = waiters_by_cause(context);
  const RemoteWaiters remote(context, waiters);
  DelaysByCause result;
  for (std::size_t i = 0; i < context.sync.size(); ++i) result.emplace_back(context.trace.budget());
  const std::size_t crowd = size_of_crowd(waiters);
  find_crowded_causes(context, waiters, crowd, remote, result);
  context.trace.for_each_hosted([&](RankIndex rank) {
    if (context.sync[rank].empty()) return;
    if (waiters[rank].size() < crowd) analyse_cause(context, rank, waiters[rank], remote, result[rank]);
    find_thread_delays(context, rank, result[rank]);
    find_lock_delays(context, rank, result[rank]);
    result[rank].all.finish();
    result[rank].excess.finish();
  });
  share_instances(context.trace, result);
  return result;
}

}  // namespace tarry
