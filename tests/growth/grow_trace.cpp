// grow_trace.cpp -- writes an archive of two processes that is large in one thing alone.
//
// usage: grow_trace KIND SIZE FOLDER     (FOLDER must not exist)
//
// KIND: siblings     SIZE functions are called from main, twice
//       roots        the same without main
//       recursion    a function calls itself SIZE times
//       chain        SIZE functions, each called by the one before
//       leaves       SIZE functions are open, and another is left SIZE times
//       sends        SIZE messages without a receive, each with a tag of its own
//       receives     SIZE receives without a message
//       requests     SIZE receives are posted, then completed in the opposite order
//       communicators, windows: SIZE of them, a barrier or fence on each
//       epochs       SIZE general active target epochs
//       counters     SIZE of them, one value each
//       boxes        a system of SIZE boxes, each inside the one before, the processes in the innermost
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "archive/archive_writer.hpp"

namespace {

using namespace tarry;

constexpr std::uint32_t kRanks = 2;

[[noreturn]] void fail(const std::string& text) {
  std::fprintf(stderr, "grow_trace: %s\n", text.c_str());
  std::exit(1);
}

/// Definitions and events of both processes.
class Growth {
 public:
  explicit Growth(std::uint32_t size) : size_(size) {
    all_.system_nodes.push_back({text("node"), text("node"), {}});
    Group everybody;
    for (std::uint32_t r = 0; r < kRanks; ++r) {
      everybody.members.push_back(r);
      all_.processes.push_back({text("rank " + std::to_string(r)), r, SystemNodeId(0), true});
      all_.locations.push_back({text("thread 0"), ProcessId(r), 0, 0});
    }
    all_.groups.push_back(everybody);
    add_communicator();
    main_ = region("main");
  }

  /// False if there is no such kind.
  bool make(const std::string& kind) {
    static const std::map<std::string, void (Growth::*)()> kKinds = {
        {"siblings", &Growth::siblings}, {"roots", &Growth::roots},       {"recursion", &Growth::recursion},
        {"chain", &Growth::chain},       {"leaves", &Growth::leaves},     {"sends", &Growth::sends},
        {"receives", &Growth::receives}, {"requests", &Growth::requests}, {"communicators", &Growth::communicators},
        {"windows", &Growth::windows},   {"epochs", &Growth::epochs},     {"counters", &Growth::counters},
        {"boxes", &Growth::boxes}};
    const auto found = kKinds.find(kind);
    if (found == kKinds.end()) return false;
    const bool has_main = kind != "roots";
    for (rank_ = 0; has_main && rank_ < kRanks; ++rank_) enter(main_);
    (this->*found->second)();
    for (rank_ = 0; has_main && rank_ < kRanks; ++rank_) leave(main_);
    return true;
  }

  void write(const std::string& folder) {
    auto archive = ArchiveWriter::create(folder, all_);
    if (!archive.ok()) fail(archive.error().text());
    for (std::uint32_t r = 0; r < kRanks; ++r)
      if (const Status status = archive->append(LocationId(r), events_[r]); !status.ok()) fail(status.error().text());
    if (const Status status = archive->close(); !status.ok()) fail(status.error().text());
  }

 private:
  StringId text(const std::string& string) { return all_.strings.intern(string); }

  std::uint64_t region(const std::string& name) {
    Region region;
    region.name = region.mangled_name = text(name);
    region.paradigm = name.starts_with("MPI_") ? Paradigm::kMpi : Paradigm::kUser;
    region.role = name == "MPI_Barrier" ? RegionRole::kBarrier : RegionRole::kFunction;
    all_.regions.push_back(region);
    return all_.regions.size() - 1;
  }
  std::vector<std::uint64_t> functions() {
    std::vector<std::uint64_t> functions;
    for (std::uint32_t i = 0; i < size_; ++i) functions.push_back(region("f" + std::to_string(i)));
    return functions;
  }

  void add_communicator() {
    Communicator comm;
    comm.name = text(all_.comms.empty() ? "MPI_COMM_WORLD" : "copy");
    comm.uid = all_.comms.size();
    comm.group = GroupId(0);
    all_.comms.push_back(comm);
  }

  void add(EventKind kind, std::initializer_list<std::uint64_t> fields, Ticks later = 10) {
    Event& event = events_[rank_].emplace_back();
    event.kind = kind;
    event.time = clock_[rank_] += later;
    std::copy(fields.begin(), fields.end(), event.fields.begin());
  }
  void enter(std::uint64_t region) { add(EventKind::kEnter, {region}); }
  void leave(std::uint64_t region) { add(EventKind::kLeave, {region}); }
  void call(std::uint64_t region, EventKind kind, std::initializer_list<std::uint64_t> fields) {
    enter(region);
    add(kind, fields);
    leave(region);
  }

  /// Calls job(i) SIZE times for each process.
  template <class Job>
  void repeat(Job job) {
    for (rank_ = 0; rank_ < kRanks; ++rank_)
      for (std::uint32_t i = 0; i < size_; ++i) job(i);
  }
  std::uint64_t other() const { return 1 - rank_; }

  void siblings() {
    const auto called = functions();
    for (int round = 0; round < 2; ++round) repeat([&](std::uint32_t i) { enter(called[i]), leave(called[i]); });
  }
  void roots() { siblings(); }

  void recursion() {
    const std::uint64_t called = region("f");
    repeat([&](std::uint32_t) { enter(called); });
    repeat([&](std::uint32_t) { leave(called); });
  }
  void chain() {
    const auto called = functions();
    repeat([&](std::uint32_t i) { enter(called[i]); });
    repeat([&](std::uint32_t i) { leave(called[size_ - 1 - i]); });
  }
  void leaves() {
    const std::uint64_t open = region("f"), closed = region("g");
    repeat([&](std::uint32_t) { enter(open); });
    repeat([&](std::uint32_t) { leave(closed); });
    repeat([&](std::uint32_t) { leave(open); });
  }

  void sends() {
    const std::uint64_t send = region("MPI_Send");
    repeat([&](std::uint32_t i) { call(send, EventKind::kMpiSend, {other(), 0, i, 8}); });
  }
  void receives() {
    const std::uint64_t receive = region("MPI_Recv");
    repeat([&](std::uint32_t i) { call(receive, EventKind::kMpiRecv, {other(), 0, i % 8, 8}); });
  }
  void requests() {
    const std::uint64_t send = region("MPI_Send"), post = region("MPI_Irecv"), wait = region("MPI_Wait");
    repeat([&](std::uint32_t i) { call(post, EventKind::kMpiIrecvRequest, {i}); });
    repeat([&](std::uint32_t i) { call(send, EventKind::kMpiSend, {other(), 0, i, 8}); });
    repeat([&](std::uint32_t i) { call(wait, EventKind::kMpiIrecv, {other(), 0, size_ - 1 - i, 8, size_ - 1 - i}); });
  }

  void communicators() {
    const std::uint64_t barrier = region("MPI_Barrier");
    while (all_.comms.size() < size_) add_communicator();
    repeat([&](std::uint32_t i) {
      enter(barrier);
      add(EventKind::kMpiCollectiveBegin, {});
      add(EventKind::kMpiCollectiveEnd, {static_cast<std::uint64_t>(CollectiveOp::kBarrier), i, kNoField, 0, 0},
          10 + rank_ * (i % 7));
      leave(barrier);
    });
  }

  void windows() {
    const std::uint64_t fence = region("MPI_Win_fence");
    for (std::uint32_t i = 0; i < size_; ++i) all_.windows.push_back({text("window"), CommId(0)});
    repeat([&](std::uint32_t i) {
      enter(fence);
      add(EventKind::kRmaCollectiveBegin, {});
      add(EventKind::kRmaCollectiveEnd, {static_cast<std::uint64_t>(CollectiveOp::kBarrier), 0, i, kNoField, 0, 0});
      leave(fence);
    });
  }

  // Rank 1 puts SIZE times in an epoch of its own, and the others are empty.
  void epochs() {
    const std::uint64_t post = region("MPI_Win_post"), wait = region("MPI_Win_wait"), start = region("MPI_Win_start"),
                        complete = region("MPI_Win_complete"), put = region("MPI_Put");
    all_.windows.push_back({text("window"), CommId(0)});
    for (const std::uint32_t r : {0u, 1u}) all_.groups.push_back({text("one"), {r}});
    repeat([&](std::uint32_t i) {
      call(rank_ ? start : post, EventKind::kRmaGroupSync, {0, 0, 2 - rank_});
      for (std::uint32_t puts = 0; rank_ && i == size_ / 2 && puts < size_; ++puts)
        call(put, EventKind::kRmaPut, {0, 0, 8, puts});
      call(rank_ ? complete : wait, EventKind::kRmaGroupSync, {0, 0, 2 - rank_});
    });
  }

  void counters() {
    for (std::uint32_t i = 0; i < size_; ++i) {
      Counter counter;
      counter.name = text("counter " + std::to_string(i));
      all_.counters.push_back(counter);
    }
    repeat([&](std::uint32_t i) { add(EventKind::kMetric, {i, i}); });
  }

  void boxes() {
    for (std::uint32_t i = 1; i < size_; ++i)
      all_.system_nodes.push_back({text("box"), text("box"), SystemNodeId(all_.system_nodes.size() - 1)});
    for (Process& process : all_.processes) process.node = SystemNodeId(all_.system_nodes.size() - 1);
  }

  const std::uint32_t size_;
  Definitions all_;
  std::uint64_t main_ = 0;
  std::uint32_t rank_ = 0;
  std::vector<Event> events_[kRanks];
  Ticks clock_[kRanks] = {};
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) fail("usage: grow_trace KIND SIZE FOLDER");
  Growth growth(static_cast<std::uint32_t>(std::strtoul(argv[2], nullptr, 10)));
  if (!growth.make(argv[1])) fail(std::string("there is no kind '") + argv[1] + "'");
  growth.write(argv[3]);
  return 0;
}
