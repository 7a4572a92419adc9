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

#include "archive/writing/archive_writer.hpp"
#include "trace/record.hpp"

namespace {

using namespace tarry;

constexpr std::uint32_t kRanks = 2;
constexpr CommId kWorld{0};

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

  RegionId region(const std::string& name) {
    Region region;
    region.name = region.mangled_name = text(name);
    region.paradigm = name.starts_with("MPI_") ? Paradigm::kMpi : Paradigm::kUser;
    region.role = name == "MPI_Barrier" ? RegionRole::kBarrier : RegionRole::kFunction;
    all_.regions.push_back(region);
    return RegionId(all_.regions.size() - 1);
  }
  std::vector<RegionId> functions() {
    std::vector<RegionId> functions;
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

  template <class Record>
  void add(const Record& record, Ticks later = 10) {
    events_[rank_].push_back(event_of(clock_[rank_] += later, record));
  }
  void enter(RegionId region) { add(record::Enter{.region = region}); }
  void leave(RegionId region) { add(record::Leave{.region = region}); }
  template <class Record>
  void call(RegionId region, const Record& record) {
    enter(region);
    add(record);
    leave(region);
  }

  /// Calls job(i) SIZE times for each process.
  template <class Job>
  void repeat(Job job) {
    for (rank_ = 0; rank_ < kRanks; ++rank_)
      for (std::uint32_t i = 0; i < size_; ++i) job(i);
  }
  CommRank other() const { return CommRank(1 - rank_); }

  record::MpiSend send_with_tag(MessageTag tag) const {
    return {.receiver = other(), .comm = kWorld, .tag = tag, .bytes = 8};
  }

  void siblings() {
    const auto called = functions();
    for (int round = 0; round < 2; ++round) repeat([&](std::uint32_t i) { enter(called[i]), leave(called[i]); });
  }
  void roots() { siblings(); }

  void recursion() {
    const RegionId called = region("f");
    repeat([&](std::uint32_t) { enter(called); });
    repeat([&](std::uint32_t) { leave(called); });
  }
  void chain() {
    const auto called = functions();
    repeat([&](std::uint32_t i) { enter(called[i]); });
    repeat([&](std::uint32_t i) { leave(called[size_ - 1 - i]); });
  }
  void leaves() {
    const RegionId open = region("f"), closed = region("g");
    repeat([&](std::uint32_t) { enter(open); });
    repeat([&](std::uint32_t) { leave(closed); });
    repeat([&](std::uint32_t) { leave(open); });
  }

  void sends() {
    const RegionId send = region("MPI_Send");
    repeat([&](std::uint32_t i) { call(send, send_with_tag(i)); });
  }
  void receives() {
    const RegionId receive = region("MPI_Recv");
    repeat([&](std::uint32_t i) {
      call(receive, record::MpiRecv{.sender = other(), .comm = kWorld, .tag = i % 8, .bytes = 8});
    });
  }
  void requests() {
    const RegionId send = region("MPI_Send"), post = region("MPI_Irecv"), wait = region("MPI_Wait");
    repeat([&](std::uint32_t i) { call(post, record::MpiIrecvRequest{.request = i}); });
    repeat([&](std::uint32_t i) { call(send, send_with_tag(i)); });
    repeat([&](std::uint32_t i) {
      const std::uint32_t last = size_ - 1 - i;
      call(wait, record::MpiIrecv{.sender = other(), .comm = kWorld, .tag = last, .bytes = 8, .request = last});
    });
  }

  void communicators() {
    const RegionId barrier = region("MPI_Barrier");
    while (all_.comms.size() < size_) add_communicator();
    repeat([&](std::uint32_t i) {
      enter(barrier);
      add(record::MpiCollectiveBegin{});
      add(record::MpiCollectiveEnd{.operation = CollectiveOp::kBarrier, .comm = CommId(i), .sent = 0, .received = 0},
          10 + rank_ * (i % 7));
      leave(barrier);
    });
  }

  void windows() {
    const RegionId fence = region("MPI_Win_fence");
    for (std::uint32_t i = 0; i < size_; ++i) all_.windows.push_back({text("window"), CommId(0)});
    repeat([&](std::uint32_t i) {
      enter(fence);
      add(record::RmaCollectiveBegin{});
      add(record::RmaCollectiveEnd{
          .operation = CollectiveOp::kBarrier, .sync_level = 0, .window = WindowId(i), .sent = 0, .received = 0});
      leave(fence);
    });
  }

  // Rank 1 puts SIZE times in an epoch of its own, and the others are empty.
  void epochs() {
    const RegionId post = region("MPI_Win_post"), wait = region("MPI_Win_wait"), start = region("MPI_Win_start"),
                   complete = region("MPI_Win_complete"), put = region("MPI_Put");
    const WindowId window(0);
    all_.windows.push_back({text("window"), CommId(0)});
    for (const std::uint32_t r : {0u, 1u}) all_.groups.push_back({text("one"), {r}});
    repeat([&](std::uint32_t i) {
      const record::RmaGroupSync sync{.sync_level = 0, .window = window, .group = GroupId(2 - rank_)};
      call(rank_ ? start : post, sync);
      for (std::uint32_t puts = 0; rank_ && i == size_ / 2 && puts < size_; ++puts)
        call(put, record::RmaPut{.window = window, .remote = CommRank(0), .bytes = 8, .matching = puts});
      call(rank_ ? complete : wait, sync);
    });
  }

  void counters() {
    for (std::uint32_t i = 0; i < size_; ++i) {
      Counter counter;
      counter.name = text("counter " + std::to_string(i));
      all_.counters.push_back(counter);
    }
    repeat([&](std::uint32_t i) { add(record::Metric{.metric = CounterId(i), .value = i}); });
  }

  void boxes() {
    for (std::uint32_t i = 1; i < size_; ++i)
      all_.system_nodes.push_back({text("box"), text("box"), SystemNodeId(all_.system_nodes.size() - 1)});
    for (Process& process : all_.processes) process.node = SystemNodeId(all_.system_nodes.size() - 1);
  }

  const std::uint32_t size_;
  Definitions all_;
  RegionId main_;
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
