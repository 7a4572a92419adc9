// synthetic_source.hpp -- traces written down in a test: an in-memory Source with a short notation for events.
//
//   SyntheticTrace trace(2);
//   trace.on(0).enter(0, "main").enter(5, "MPI_Send").send(5, 1).leave(6).leave(9);
//   trace.on(1).enter(0, "main").enter(2, "MPI_Recv").recv(6, 0).leave(6).leave(9);
//
// A tick is a second. Communicator 0 is MPI_COMM_WORLD; names that start with "MPI_" are MPI functions, "!$omp" OpenMP,
// "shmem_" OpenSHMEM.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "defs/comm_uid.hpp"
#include "trace/record.hpp"
#include "trace/source.hpp"

namespace tarry {

class SyntheticTrace;

/// The events of one thread, in the order in which they are written down.
class SyntheticStream {
 public:
  /// What a collective operation's END record says beside its type.
  struct Payload {
    std::uint64_t root = kNoField;
    Bytes sent = 8;
    Bytes received = 8;
    std::uint64_t comm = 0;
  };

  explicit SyntheticStream(SyntheticTrace& trace) : trace_(trace) {}

  SyntheticStream& enter(Ticks time, const std::string& region);
  /// Leaves the region that was entered last and not left.
  SyntheticStream& leave(Ticks time);
  SyntheticStream& send(Ticks time, std::uint64_t to, Bytes bytes = 8, std::uint64_t tag = 0, std::uint64_t comm = 0) {
    return add(time, record::MpiSend{.receiver = CommRank(to), .comm = CommId(comm), .tag = tag, .bytes = bytes});
  }
  SyntheticStream& isend(Ticks time, std::uint64_t request, std::uint64_t to, Bytes bytes = 8, std::uint64_t tag = 0,
                         std::uint64_t comm = 0) {
    return add(time,
               record::MpiIsend{
                   .receiver = CommRank(to), .comm = CommId(comm), .tag = tag, .bytes = bytes, .request = request});
  }
  SyntheticStream& isend_complete(Ticks time, std::uint64_t request) {
    return add(time, record::MpiIsendComplete{.request = request});
  }
  SyntheticStream& irecv_request(Ticks time, std::uint64_t request) {
    return add(time, record::MpiIrecvRequest{.request = request});
  }
  SyntheticStream& recv(Ticks time, std::uint64_t from, Bytes bytes = 8, std::uint64_t tag = 0,
                        std::uint64_t comm = 0) {
    return add(time, record::MpiRecv{.sender = CommRank(from), .comm = CommId(comm), .tag = tag, .bytes = bytes});
  }
  SyntheticStream& irecv(Ticks time, std::uint64_t request, std::uint64_t from, Bytes bytes = 8, std::uint64_t tag = 0,
                         std::uint64_t comm = 0) {
    return add(time,
               record::MpiIrecv{
                   .sender = CommRank(from), .comm = CommId(comm), .tag = tag, .bytes = bytes, .request = request});
  }
  SyntheticStream& cancelled(Ticks time, std::uint64_t request) {
    return add(time, record::MpiRequestCancelled{.request = request});
  }
  SyntheticStream& begin(Ticks time) { return add(time, record::MpiCollectiveBegin{}); }
  SyntheticStream& end(Ticks time, CollectiveOp operation, Payload payload) {
    return add(time, record::MpiCollectiveEnd{.operation = operation,
                                              .comm = CommId(payload.comm),
                                              .root = field_of<CommRank>(payload.root),
                                              .sent = payload.sent,
                                              .received = payload.received});
  }
  SyntheticStream& end(Ticks time, CollectiveOp operation) { return end(time, operation, Payload()); }

  SyntheticStream& collective_request(Ticks time, std::uint64_t request) {
    return add(time, record::NonBlockingCollectiveRequest{.request = request});
  }
  SyntheticStream& collective_complete(Ticks time, std::uint64_t request, CollectiveOp operation, Payload payload) {
    return add(time, record::NonBlockingCollectiveComplete{.operation = operation,
                                                           .comm = CommId(payload.comm),
                                                           .root = field_of<CommRank>(payload.root),
                                                           .sent = payload.sent,
                                                           .received = payload.received,
                                                           .request = request});
  }
  SyntheticStream& collective_complete(Ticks time, std::uint64_t request, CollectiveOp operation) {
    return collective_complete(time, request, operation, Payload());
  }

  /// A whole call: Enter and BEGIN at one time, END and Leave at another.
  SyntheticStream& collective(Ticks first, Ticks last, CollectiveOp operation, Payload payload);
  SyntheticStream& collective(Ticks first, Ticks last, CollectiveOp operation) {
    return collective(first, last, operation, Payload());
  }
  /// A visit of a region that holds nothing.
  SyntheticStream& visit(Ticks first, Ticks last, const std::string& region) {
    return enter(first, region).leave(last);
  }

  SyntheticStream& fork(Ticks time, std::uint64_t team_size) {
    return add(time, record::ThreadFork{.team_size = team_size});
  }
  SyntheticStream& join(Ticks time) { return add(time, record::ThreadJoin{}); }
  SyntheticStream& team_begin(Ticks time, std::uint64_t team = 0) {
    return add(time, record::ThreadTeamBegin{.team = TeamId(team)});
  }
  SyntheticStream& team_end(Ticks time, std::uint64_t team = 0) {
    return add(time, record::ThreadTeamEnd{.team = TeamId(team)});
  }
  SyntheticStream& acquire(Ticks time, std::uint64_t lock, std::uint64_t order,
                           Paradigm paradigm = Paradigm::kUnknown) {
    return add(time, record::ThreadAcquireLock{.paradigm = paradigm, .lock = lock, .order = order});
  }
  SyntheticStream& release(Ticks time, std::uint64_t lock, std::uint64_t order,
                           Paradigm paradigm = Paradigm::kUnknown) {
    return add(time, record::ThreadReleaseLock{.paradigm = paradigm, .lock = lock, .order = order});
  }

  template <class Record>
  SyntheticStream& add(Ticks time, const Record& record) {
    events_.push_back(event_of(time, record));
    return *this;
  }

  std::vector<Event>& events() { return events_; }
  const std::vector<Event>& events() const { return events_; }

 private:
  SyntheticTrace& trace_;
  std::vector<Event> events_;
  std::vector<RegionId> open_;
};

/// A trace in memory. Definitions may be changed at will before it is analysed.
class SyntheticTrace final : public Source {
 public:
  /// `ranks` processes of `threads` threads each, all in MPI_COMM_WORLD.
  explicit SyntheticTrace(std::uint32_t ranks, std::uint32_t threads = 1) : threads_(threads) {
    std::vector<std::uint32_t> all;
    definitions_.system_nodes.push_back({definitions_.strings.intern("node"), definitions_.strings.intern("node"), {}});
    for (std::uint32_t r = 0; r < ranks; ++r) {
      definitions_.processes.push_back(
          {definitions_.strings.intern("rank " + std::to_string(r)), r, SystemNodeId(0), true});
      for (std::uint32_t t = 0; t < threads; ++t) {
        definitions_.locations.push_back(
            {definitions_.strings.intern("thread " + std::to_string(t)), ProcessId(r), t, 0});
        streams_.emplace_back(*this);
      }
      all.push_back(r);
    }
    definitions_.clock.ticks_per_second = 1;
    comm(all);
  }
  SyntheticTrace(const SyntheticTrace&) = delete;

  SyntheticStream& on(std::uint32_t rank, std::uint32_t thread = 0) { return streams_[rank * threads_ + thread]; }
  std::deque<SyntheticStream>& streams() { return streams_; }
  Definitions& edit_definitions() { return definitions_; }

  /// The region of that name, defined when it is first asked for.
  RegionId region(const std::string& name) {
    if (const auto found = regions_.find(name); found != regions_.end()) return found->second;
    return define_region(name,
                         name.starts_with("MPI_")     ? Paradigm::kMpi
                         : name.starts_with("!$omp")  ? Paradigm::kOpenMp
                         : name.starts_with("shmem_") ? Paradigm::kShmem
                                                      : Paradigm::kUser,
                         role_of(name));
  }
  RegionId define_region(const std::string& name, Paradigm paradigm, RegionRole role, const std::string& file = "") {
    Region region;
    region.name = region.mangled_name = definitions_.strings.intern(name);
    region.file = definitions_.strings.intern(file);
    region.paradigm = paradigm;
    region.role = role;
    definitions_.regions.push_back(region);
    return regions_[name] = RegionId(definitions_.regions.size() - 1);
  }

  /// Adds a communicator; returns its id. Without members it is one of single processes, as MPI_COMM_SELF.
  std::uint64_t comm(const std::vector<std::uint32_t>& members, const std::vector<std::uint32_t>& remote = {}) {
    Communicator comm;
    comm.group = group(members);
    if (!remote.empty()) {
      comm.remote_group = group(remote);
      comm.is_inter = true;
    }
    definitions_.comms.push_back(comm);
    return definitions_.comms.size() - 1;
  }

  /// Makes the processes from `first` on a world of their own, as MPI_Comm_spawn does; returns the id of their
  /// MPI_COMM_WORLD. Worlds of higher numbers come first.
  std::uint64_t spawn_world(std::uint32_t first) {
    std::vector<std::uint32_t>& before = definitions_.groups[definitions_.comms[0].group.value].members;
    const std::vector<std::uint32_t> spawned(before.begin() + first, before.end());
    before.resize(first);
    const std::uint64_t id = comm(spawned);
    definitions_.comms[id].uid = comm_uid::of_world(first);
    for (const std::uint64_t world : {std::uint64_t{0}, id})
      definitions_.comms[world].name = definitions_.strings.intern("MPI_COMM_WORLD");
    return id;
  }

  const Definitions& definitions() const override { return definitions_; }
  const std::string& path() const override { return path_; }
  std::unique_ptr<EventReader> open(LocationId location) override {
    return std::make_unique<Reader>(streams_[location.value].events());
  }
  FaultLog& faults() override { return faults_; }

 private:
  // Small blocks, so that every trace crosses the borders of some.
  class Reader final : public EventReader {
   public:
    explicit Reader(const std::vector<Event>& events) : events_(events) {}
    std::span<const Event> next() override {
      const std::size_t size = std::min<std::size_t>(7, events_.size() - at_);
      at_ += size;
      return {events_.data() + at_ - size, size};
    }

   private:
    const std::vector<Event>& events_;
    std::size_t at_ = 0;
  };

  static RegionRole role_of(const std::string& name) {
    if (name.starts_with("!$omp parallel")) return RegionRole::kParallel;
    if (name.starts_with("!$omp implicit barrier")) return RegionRole::kImplicitBarrier;
    if (name.starts_with("!$omp barrier")) return RegionRole::kBarrier;
    if (name.starts_with("!$omp critical")) return RegionRole::kCritical;
    if (name.starts_with("!$omp task @")) return RegionRole::kTask;
    if (name.starts_with("!$omp taskwait")) return RegionRole::kTaskWait;
    static const std::map<std::string, RegionRole> roles = {
        {"MPI_Barrier", RegionRole::kBarrier},      {"MPI_Bcast", RegionRole::kOneToAll},
        {"MPI_Scatter", RegionRole::kOneToAll},     {"MPI_Scatterv", RegionRole::kOneToAll},
        {"MPI_Reduce", RegionRole::kAllToOne},      {"MPI_Gather", RegionRole::kAllToOne},
        {"MPI_Allreduce", RegionRole::kAllToAll},   {"MPI_Alltoall", RegionRole::kAllToAll},
        {"MPI_Scan", RegionRole::kOtherCollective}, {"MPI_Send", RegionRole::kPointToPoint},
        {"MPI_Recv", RegionRole::kPointToPoint},    {"MPI_Isend", RegionRole::kPointToPoint},
        {"MPI_Irecv", RegionRole::kPointToPoint},
    };
    const auto found = roles.find(name);
    return found == roles.end() ? RegionRole::kFunction : found->second;
  }

  GroupId group(const std::vector<std::uint32_t>& members) {
    definitions_.groups.push_back({StringId(0), members});
    return GroupId(definitions_.groups.size() - 1);
  }

  std::uint32_t threads_;
  std::string path_ = "synthetic";
  Definitions definitions_;
  std::map<std::string, RegionId> regions_;
  std::deque<SyntheticStream> streams_;
  FaultLog faults_;
};

inline SyntheticStream& SyntheticStream::enter(Ticks time, const std::string& region) {
  open_.push_back(trace_.region(region));
  return add(time, record::Enter{.region = open_.back()});
}

inline SyntheticStream& SyntheticStream::leave(Ticks time) {
  const RegionId region = open_.back();
  open_.pop_back();
  return add(time, record::Leave{.region = region});
}

inline SyntheticStream& SyntheticStream::collective(Ticks first, Ticks last, CollectiveOp operation, Payload payload) {
  std::string name(name_of(operation));
  name[0] = static_cast<char>(name[0] - 'a' + 'A');
  return enter(first, "MPI_" + name).begin(first).end(last, operation, payload).leave(last);
}

}  // namespace tarry
