// trace.cpp -- all logical ranks of a trace, and which analysis process hosts which.
#include "replay/trace.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/processes/worker_pool.hpp"

namespace tarry {
namespace {

bool has_locks(const LogicalRank& rank) {
  return !std::ranges::all_of(rank.threads, [](const LogicalThread& thread) { return thread.locks.empty(); });
}

bool is_kept(const Location& location, const KeptDetails& details) {
  return location.is_thread() || (location.kind == LocationKind::kQueue && details.queues);
}

// Those of a process by their numbers, but the first thread comes before all queues: it is the main one.
void put_in_order(const Definitions& all, std::vector<LocationId>& locations) {
  const auto location = [&all](LocationId id) -> const Location& { return all.locations[id.value]; };
  std::ranges::stable_sort(locations, {}, [&](LocationId id) { return location(id).thread; });
  const auto main = std::ranges::find_if(locations, [&](LocationId id) { return location(id).is_thread(); });
  if (main != locations.end()) std::rotate(locations.begin(), main, main + 1);
}

}  // namespace

Trace::Trace(Source& source, Exchange& exchange, unsigned workers, const TimeSelector& selector, KeptDetails details,
             MemoryBudget* budget)
    : source_(source),
      exchange_(exchange),
      workers_(workers),
      budget_(budget),
      is_partial_(selector != nullptr),
      regions_(source.definitions()),
      communicators_(source.definitions()),
      neighbors_(source.definitions()) {
  const Definitions& all = source.definitions();
  std::vector<std::uint32_t> order(all.processes.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return all.processes[a].rank < all.processes[b].rank; });
  Indexed<ProcessId, std::vector<RankIndex>> place(order.size());
  ranks_ = ParallelArray<LogicalRank>(workers_, order.size(), budget_);
  std::vector<std::uint32_t> world_ranks;
  for (const RankIndex i : ranks_.ids()) {
    const std::uint32_t process = order[i.value];
    place[process] = i;
    world_ranks.push_back(all.processes[process].rank);
    ranks_[i].rank = WorldRank(world_ranks.back());
    index_.insert(ranks_[i].rank, i);
  }
  mpi_worlds_.emplace(all, IdView<WorldRank>(world_ranks));
  for (const Location& location : all.locations)
    location_numbers_.push_back(static_cast<std::uint32_t>(is_kept(location, details) ? location_count_++ : 0));
  locations_.resize(order.size());
  for (std::uint32_t i = 0; i < all.locations.size(); ++i)
    if (const ProcessId process = all.locations[i].process; place.has(process) && is_kept(all.locations[i], details))
      locations_[place[process]].push_back(LocationId(i));
  for (auto& locations : locations_) put_in_order(all, locations);
  index_members();
  distribute();
  selected_.resize(ranks_.size());
  for_each_hosted([&](RankIndex i) {
    if (selector) selected_[i] = selector(locations_[i]);
    scan_process(source_, locations_[i], regions_, communicators_, selected_[i], details, ranks_[i]);
  });
  source_.rest();
}

// Contiguous blocks of about equal numbers of events.
void Trace::distribute() {
  const Definitions& all = definitions();
  Indexed<RankIndex, std::vector<double>> weight(ranks_.size(), 1);
  for (const RankIndex i : ranks_.ids())
    for (const LocationId location : locations_[i])
      weight[i] += static_cast<double>(all.locations[location.value].event_count);
  const double total = std::accumulate(weight.begin(), weight.end(), 0.0);
  double before = 0;
  for (const RankIndex i : ranks_.ids()) {
    const int host = static_cast<int>((before + weight[i] / 2) / total * exchange_.size());
    host_.push_back(std::min(host, exchange_.size() - 1));
    if (host_.back() == exchange_.rank()) hosted_.push_back(i);
    before += weight[i];
  }
}

bool Trace::is_member(CommId comm, RankIndex rank) const {
  const std::vector<bool>& members = membership_[communicators_.first_alike(comm)];
  return members.empty() || members[rank.value];
}

// Calls last: to find them, the messages must have come.
void Trace::prefetch_partners(const LogicalRank& rank) const {
  constexpr std::size_t kRanksInCaches = 256;  // of so many the processor finds by itself what comes next
  if (ranks_.size() <= kRanksInCaches) return;
  for (const Receive& receive : rank.receives)
    if (receive.is_matched()) __builtin_prefetch(&ranks_[rank.sender_of(receive)].sends[receive.send]);
  for (const Send& send : rank.sends)
    if (send.is_matched()) __builtin_prefetch(&ranks_[rank.receiver_of(send)].receives[send.receive]);
  for (const Receive& receive : rank.receives) {
    if (!receive.is_matched()) continue;
    const LogicalRank& sender = ranks_[rank.sender_of(receive)];
    __builtin_prefetch(&sender.calls[sender.sends[receive.send].call]);
  }
}

// Communicators of all processes need no table. One with as many members may be another one: members may be missing.
void Trace::index_members() {
  membership_.resize(communicators_.size());
  for (const CommId comm : communicators_.ids()) {
    if (communicators_.first_alike(comm) != comm) continue;
    std::vector<bool> is_member(ranks_.size(), false);
    for (const WorldRank world_rank : communicators_.members(comm))
      if (const RankIndex index = index_of(world_rank); index.is_valid()) is_member[index.value] = true;
    const bool are_all = std::find(is_member.begin(), is_member.end(), false) == is_member.end();
    if (!are_all) membership_[comm] = std::move(is_member);
  }
}

CommId Trace::comm_of(const Collective& part, RankIndex rank) const {
  if (part.comm < kFinalizeComm) return part.comm;
  const CommId comm = mpi_worlds_->comm(mpi_worlds_->of(rank));
  return comm.is_valid() ? comm : part.comm;
}

LockLogs Trace::take_locks() {
  LockLogs all(workers_, ranks_.size());
  for_each_hosted([&](RankIndex i) {
    if (!has_locks(ranks_[i])) return;
    for (LogicalThread& thread : ranks_[i].threads) all[i].push_back(std::exchange(thread.locks, LockLog()));
  });
  return all;
}

LockLogs Trace::copy_locks() const {
  LockLogs all(workers_, ranks_.size());
  for_each_hosted([&](RankIndex i) {
    if (!has_locks(ranks_[i])) return;
    for (const LogicalThread& thread : ranks_[i].threads) all[i].push_back(thread.locks.copy());
  });
  return all;
}

void Trace::run_hosted(const std::function<void(std::size_t)>& job) const {
  run_parallel(workers_, hosted_.size(), job);
}

}  // namespace tarry
