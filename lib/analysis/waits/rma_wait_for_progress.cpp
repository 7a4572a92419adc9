// rma_wait_for_progress.cpp -- Wait for Progress: waiting for the target of a lock or access to come into MPI.
//
//   origin   S[ MPI_Win_unlock =====|..]L            wait = T - S, if S < T < L
//   target     computes             T[ any call ]
//
// Without hardware that serves others, a process answers only while it is in MPI itself. S: Enter of MPI_Win_lock,
// MPI_Win_unlock, MPI_Win_unlock_all or a flush, or the record of an access under a lock. After Lock Contention in the
// same call S is the end of that. T: the next moment at which the target is in MPI. A call that needs several targets
// waits for the last.
//
// Needs: when processes are in MPI. Leaves: waits, in the order of records.
// Source: docs/METRICS.md, "Wait for Progress".
#include <algorithm>
#include <tuple>

#include "analysis/waits/pattern.hpp"

namespace tarry {
namespace {

using Kind = WindowRecord::Kind;

bool may_need_progress(const WindowRecord& record) {
  if (record.is_shmem) return false;
  return record.kind == Kind::kLock || record.kind == Kind::kUnlock || record.kind == Kind::kFlush ||
         (record.is_access() && record.is_passive);
}

void add_queries(const Trace& trace, const FoundWaits& waits, RankIndex r, std::vector<PresenceQuery>& queries) {
  const LogicalRank& rank = trace.ranks()[r];
  FlatMap<WindowRecordIndex, Ticks> contended_until;
  for (const WindowWait& wait : waits.ranks[r].windows)
    if (wait.kind == WindowWait::Kind::kLockContention) contended_until.insert(wait.record) = wait.begin + wait.wait;
  for (const WindowRecord& record : rank.window_records) {
    if (!may_need_progress(record)) continue;
    if (record.target == WindowRecord::kEverybody || record.target == rank.rank) continue;
    const RankIndex target = trace.index_of(record.target);
    if (!target.is_valid()) continue;
    const Ticks* contended = contended_until.find(record.index);
    const Ticks begin = record.is_access() ? record.begin : record.enter;
    queries.push_back({.rank = target, .asker = r, .record = record.index, .from = contended ? *contended : begin});
  }
}

WindowWait wait_for_answer(const PresenceAnswer& answer) {
  const PresenceQuery& query = answer.query;
  return {.begin = query.from,
          .wait = answer.time - query.from,
          .record = query.record,
          .cause_rank = query.rank,
          .cause_path = answer.path,
          .cause_thread = answer.thread,
          .kind = WindowWait::Kind::kProgress};
}

}  // namespace

void rma_wait_for_progress(const Trace& trace, FoundWaits& waits) {
  if (trace.definitions().windows.empty()) return;
  std::vector<PresenceQuery> queries;
  for (const RankIndex r : trace.ranks().ids())
    if (trace.is_hosted(r)) add_queries(trace, waits, r, queries);
  FlatMap<std::uint64_t, std::uint32_t> flushes;  // by rank and call: the wait that counts, as far as it is known
  for (const PresenceAnswer& answer : find_presence(trace, queries)) {
    const PresenceQuery& query = answer.query;
    const WindowRecord& record = trace.ranks()[query.asker].window_records[query.record];
    Rows<WindowWait>& found = waits.ranks[query.asker].windows;
    if (!answer.is_known || answer.time <= query.from || answer.time >= record.leave) continue;
    if (record.kind == Kind::kFlush) {
      const auto wait = static_cast<std::uint32_t>(found.size());
      const std::uint32_t& known = flushes.insert((std::uint64_t{query.asker.value} << 32) | record.call.value, wait);
      if (known != wait) {
        if (answer.time - query.from > found[known].wait) found[known] = wait_for_answer(answer);
        continue;
      }
    }
    found.push_back(wait_for_answer(answer));
  }
  trace.for_each_hosted([&](RankIndex r) {
    Rows<WindowWait>& found = waits.ranks[r].windows;
    std::sort(found.begin(), found.end(), [](const WindowWait& a, const WindowWait& b) {
      return std::pair(a.record, a.kind) < std::pair(b.record, b.kind);
    });
  });
}

}  // namespace tarry
