// match_windows.cpp -- brings the processes of one-sided synchronisations together: fences, epochs, locks.
#include "replay/matching/match_windows.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>

#include "base/processes/worker_pool.hpp"

namespace tarry {
namespace {

using Kind = WindowRecord::Kind;
using Records = std::vector<const WindowRecord*>;

// MPI has a lock of each process, or of all; OpenSHMEM one for each place.
struct LockKey {
  WorldRank target{};
  std::uint64_t place = WindowRecord::kNoPlace;

  bool is_of_all() const { return target == WindowRecord::kEverybody && place == WindowRecord::kNoPlace; }
  auto operator<=>(const LockKey&) const = default;
};
LockKey key_of(const WindowRecord& record) { return {record.target, record.place}; }

// All records of one member of a window, put into epochs.
struct MemberEpochs {
  std::vector<WindowCollective::Member> collectives[3];  // creations, destructions, fences
  std::vector<AccessEpoch> accesses;
  std::vector<ExposureEpoch> exposures;
  std::map<LockKey, std::vector<LockEpoch>> locks;
  std::vector<WindowPart> changes;  // of OpenSHMEM: what the member has waited for,
  std::vector<WindowPart> writes;   // and where it has written
};

// Goes through the records of one member in the order of time.
class EpochWalk {
 public:
  EpochWalk(RankIndex rank, MemberEpochs& epochs) : rank_(rank), epochs_(epochs) {}

  void handle(const WindowRecord& record) {
    const WindowPart part{rank_, &record};
    switch (record.kind) {
      case Kind::kCreate: return epochs_.collectives[0].push_back({part, {}});
      case Kind::kFree: return epochs_.collectives[1].push_back({part, {}});
      case Kind::kFence: epochs_.collectives[2].push_back({part, std::move(fenced_)}); return fenced_.clear();
      case Kind::kStart:
        access_ = {};
        access_.start = part;
        return;
      case Kind::kComplete: return complete(part);
      case Kind::kPost: post_ = part; return;
      case Kind::kWait:
        if (post_.record) epochs_.exposures.push_back({.post = post_, .wait = part, .origins = {}});
        post_ = {};
        return;
      case Kind::kLock:
        locks_[key_of(record)] = {};
        locks_[key_of(record)].lock = part;
        return;
      case Kind::kUnlock: return unlock(part);
      case Kind::kChange: return epochs_.changes.push_back(part);
      case Kind::kFlush:
      case Kind::kQuiet: return;
      default: return record.is_shmem ? write(part) : access(record);
    }
  }

 private:
  void complete(WindowPart part) {
    if (!access_.start.record) return;
    access_.complete = part;
    std::ranges::stable_sort(access_.accesses, {}, &WindowRecord::target);
    epochs_.accesses.push_back(std::move(access_));
    access_ = {};
  }

  void unlock(WindowPart part) {
    const auto found = locks_.find(key_of(*part.record));
    if (found == locks_.end()) return;
    found->second.unlock = part;
    epochs_.locks[key_of(*part.record)].push_back(std::move(found->second));
    locks_.erase(found);
  }

  void access(const WindowRecord& record) {
    if (record.is_passive) {
      auto found = locks_.find({.target = record.target});
      if (found == locks_.end()) found = locks_.find({});
      if (found != locks_.end()) found->second.accesses.push_back(&record);
    } else {
      (access_.start.record ? access_.accesses : fenced_).push_back(&record);
    }
  }

  void write(WindowPart part) {
    if (part.record->kind != Kind::kGet) epochs_.writes.push_back(part);
  }

  RankIndex rank_;
  MemberEpochs& epochs_;
  Records fenced_;
  AccessEpoch access_;
  WindowPart post_;
  std::map<LockKey, LockEpoch> locks_;
};

// One window with all its members.
class WindowMatch {
 public:
  WindowMatch(const Trace& trace, const WindowVisitor& visitor, WindowId window)
      : trace_(trace), visitor_(visitor), name_("window " + std::to_string(window.value)) {}

  void add_member(RankIndex rank, WorldRank world_rank, const Records& records) {
    world_ranks_.push_back(world_rank);
    MemberEpochs& epochs = members_.emplace_back();
    EpochWalk walk(rank, epochs);
    for (const WindowRecord* record : records) walk.handle(*record);
  }

  void run() {
    if (members_.size() > 1)
      for (int kind = 0; kind < 3; ++kind) match_collectives(kind);
    match_epochs();
    for (const MemberEpochs& member : members_) {
      for (const AccessEpoch& epoch : member.accesses) show(visitor_.access, epoch);
      for (const ExposureEpoch& epoch : member.exposures) show(visitor_.exposure, epoch);
    }
    match_locks();
    match_changes();
  }

 private:
  template <class Visit, class Part>
  static void show(const Visit& visit, const Part& part) {
    if (visit) visit(part);
  }

  void match_collectives(int kind) {
    std::size_t most = 0;
    for (const MemberEpochs& member : members_) most = std::max(most, member.collectives[kind].size());
    for (std::size_t k = 0; k < most; ++k) {
      WindowCollective instance{.members = {}, .world_ranks = world_ranks_};
      for (MemberEpochs& member : members_)
        if (k < member.collectives[kind].size()) instance.members.push_back(std::move(member.collectives[kind][k]));
      if (instance.members.size() == members_.size()) show(visitor_.collective, instance);
      else
        trace_.faults().add(Fault::kIncompleteCollective, name_, k,
                            std::to_string(members_.size() - instance.members.size()) + " members missing");
    }
  }

  IdView<WorldRank> group_of(WindowPart part) const {
    return IdView<WorldRank>(trace_.definitions().groups[part.record->group.value].members);
  }

  // By origin and target, the exposures whose start has not been found.
  void match_epochs() {
    std::map<std::pair<WorldRank, WorldRank>, std::deque<ExposureEpoch*>> open;
    for (MemberEpochs& member : members_)
      for (ExposureEpoch& exposure : member.exposures) {
        const auto origins = group_of(exposure.post);
        exposure.group_size = origins.size();
        exposure.world_rank = trace_.ranks()[exposure.post.rank].rank;
        for (const WorldRank origin : origins) open[{origin, exposure.world_rank}].push_back(&exposure);
      }
    for (MemberEpochs& member : members_)
      for (AccessEpoch& access : member.accesses)
        for (const WorldRank target : group_of(access.start))
          access.targets.push_back({target, take(open[{trace_.ranks()[access.start.rank].rank, target}], access)});
  }

  WindowPart take(std::deque<ExposureEpoch*>& waiting, const AccessEpoch& access) {
    if (waiting.empty()) {
      trace_.faults().add(Fault::kIncompleteCollective, name_, access.start.record->index.value,
                          "a start without its post");
      return {};
    }
    ExposureEpoch* exposure = waiting.front();
    waiting.pop_front();
    exposure->origins.push_back(&access);
    return exposure->post;
  }

  // A lock of all processes is one of each.
  void match_locks() {
    std::map<LockKey, std::vector<LockEpoch>> of_key;
    for (MemberEpochs& member : members_)
      for (const auto& [key, epochs] : member.locks)
        if (!key.is_of_all()) append(of_key[key], epochs);
    for (MemberEpochs& member : members_)
      if (const auto all = member.locks.find({}); all != member.locks.end())
        for (auto& [key, epochs] : of_key) append(epochs, all->second);
    for (auto& [key, epochs] : of_key) {
      std::stable_sort(epochs.begin(), epochs.end(), [](const LockEpoch& a, const LockEpoch& b) {
        return std::tuple(a.unlock.record->end, a.unlock.rank) < std::tuple(b.unlock.record->end, b.unlock.rank);
      });
      show(visitor_.locks, epochs);
    }
  }

  // What a member has waited for, with what all have written to its memory.
  void match_changes() {
    if (std::ranges::all_of(members_, [](const MemberEpochs& member) { return member.changes.empty(); })) return;
    std::map<WorldRank, std::vector<WindowPart>> writes;  // by target
    for (const MemberEpochs& member : members_)
      for (const WindowPart& part : member.writes) writes[part.record->target].push_back(part);
    for (std::size_t i = 0; i < members_.size(); ++i) {
      ChangedMemory memory{.changes = std::move(members_[i].changes), .writes = std::move(writes[world_ranks_[i]])};
      std::ranges::stable_sort(memory.writes, {}, [](const WindowPart& part) { return part.record->begin; });
      if (!memory.changes.empty()) show(visitor_.memory, memory);
    }
  }

  static void append(std::vector<LockEpoch>& to, const std::vector<LockEpoch>& from) {
    to.insert(to.end(), from.begin(), from.end());
  }

  const Trace& trace_;
  const WindowVisitor& visitor_;
  std::string name_;
  std::deque<MemberEpochs> members_;
  std::vector<WorldRank> world_ranks_;
};

// The windows of a trace: records go to the analysis process that looks at their window.
class WindowPass {
 public:
  explicit WindowPass(const Trace& trace) : trace_(trace), windows_(trace.definitions().windows.size()) {}

  void run(const std::function<WindowVisitor(WindowId)>& visitor_of) {
    collect();
    run_parallel(trace_.workers(), windows_.size(), [&](std::size_t i) {
      const WindowId window(i);
      if (!windows_[window].empty()) show(window, visitor_of(window));
    });
  }

 private:
  using OfRanks = std::map<RankIndex, Records>;

  CommId comm_of(WindowId window) const { return trace_.definitions().windows[window.value].comm; }
  IdView<WorldRank> members(WindowId window) const { return trace_.communicators().members(comm_of(window)); }

  // Windows on MPI_COMM_SELF have one process each, and each analysis process owns its own ones. A window whose
  // communicator is not defined has no records and no owner.
  int owner_of(WindowId window) const {
    if (!trace_.communicators().is_valid(comm_of(window))) return -1;
    if (members(window).empty()) return trace_.exchange().rank();
    int host = -1;
    for (const WorldRank world_rank : members(window)) {
      const RankIndex index = trace_.index_of(world_rank);
      if (!index.is_valid()) continue;
      if (host >= 0 && host != trace_.host_of(index))
        return static_cast<int>(mix_bits(window.value) % static_cast<std::uint64_t>(trace_.exchange().size()));
      host = trace_.host_of(index);
    }
    return host;
  }

  void collect() {
    Indexed<WindowId, std::vector<int>> owners;
    for (const WindowId window : windows_.ids()) owners.push_back(owner_of(window));
    std::vector<MessageBuffer> buffers(static_cast<std::size_t>(trace_.exchange().size()));
    for (const RankIndex r : trace_.ranks().ids()) {
      if (!trace_.is_hosted(r)) continue;
      for (const WindowRecord& record : trace_.ranks()[r].window_records) {
        const int owner = owners[record.window];
        if (owner == trace_.exchange().rank()) {
          windows_[record.window][r].push_back(&record);
        } else if (owner >= 0) {
          buffers[static_cast<std::size_t>(owner)].put(r);
          buffers[static_cast<std::size_t>(owner)].put(record);
        }
      }
    }
    if (trace_.exchange().size() == 1) return;
    for (MessageBuffer& arrived : trace_.exchange().all_to_all(std::move(buffers)))
      while (!arrived.is_read()) {
        const auto rank = arrived.get<RankIndex>();
        foreign_.push_back(arrived.get<WindowRecord>());
        windows_[foreign_.back().window][rank].push_back(&foreign_.back());
      }
  }

  void show(WindowId window, const WindowVisitor& visitor) {
    const OfRanks& records = windows_[window];
    if (members(window).empty()) {
      for (const auto& [rank, of_rank] : records) {
        WindowMatch match(trace_, visitor, window);
        match.add_member(rank, trace_.ranks()[rank].rank, of_rank);
        match.run();
      }
      return;
    }
    WindowMatch match(trace_, visitor, window);
    for (const WorldRank world_rank : members(window)) {
      const RankIndex index = trace_.index_of(world_rank);
      const auto found = records.find(index);
      match.add_member(index, world_rank, found != records.end() ? found->second : Records());
    }
    match.run();
  }

  const Trace& trace_;
  Indexed<WindowId, std::vector<OfRanks>> windows_;
  std::deque<WindowRecord> foreign_;
};

}  // namespace

void visit_windows(const Trace& trace, const std::function<WindowVisitor(WindowId)>& visitor_of) {
  if (!trace.definitions().windows.empty()) WindowPass(trace).run(visitor_of);
}

namespace {

PresenceAnswer answer(const Trace& trace, const PresenceQuery& query) {
  PresenceAnswer result{.query = query};
  const Rows<MpiVisit>& visits = trace.ranks()[query.rank].mpi_visits;
  const auto ends_before = [](const MpiVisit& visit, Ticks time) { return visit.leave <= time; };
  const MpiVisit* next = std::lower_bound(visits.begin(), visits.end(), query.from, ends_before);
  if (next == visits.end()) return result;
  result.is_known = true;
  result.thread = next->thread;
  result.path = next->path;
  result.time = std::max(query.from, next->enter);
  return result;
}

}  // namespace

std::vector<PresenceAnswer> find_presence(const Trace& trace, const std::vector<PresenceQuery>& queries) {
  std::vector<PresenceAnswer> answers;
  std::vector<MessageBuffer> buffers(static_cast<std::size_t>(trace.exchange().size()));
  for (const PresenceQuery& query : queries)
    if (trace.is_hosted(query.rank)) answers.push_back(answer(trace, query));
    else buffers[static_cast<std::size_t>(trace.host_of(query.rank))].put(query);
  if (trace.exchange().size() > 1) {
    std::vector<MessageBuffer> replies(buffers.size());
    std::vector<MessageBuffer> arrived = trace.exchange().all_to_all(std::move(buffers));
    for (std::size_t p = 0; p < arrived.size(); ++p)
      while (!arrived[p].is_read()) replies[p].put(answer(trace, arrived[p].get<PresenceQuery>()));
    for (MessageBuffer& reply : trace.exchange().all_to_all(std::move(replies)))
      while (!reply.is_read()) answers.push_back(reply.get<PresenceAnswer>());
  }
  std::sort(answers.begin(), answers.end(), [](const PresenceAnswer& a, const PresenceAnswer& b) {
    return std::tuple(a.query.asker, a.query.record) < std::tuple(b.query.asker, b.query.record);
  });
  return answers;
}

}  // namespace tarry
