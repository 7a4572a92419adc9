// make_trace.cpp -- writes a large synthetic trace twice, as an archive and as OTF2, for measuring the replay.
//
// usage: make_trace KIND RANKS EVENTS FOLDER [archive]
// Writes FOLDER/archive, FOLDER/otf2/traces.otf2 (not if only the archive is wanted), FOLDER/events
//
// KIND wavefront: a pipelined sweep over a grid of processes, blocking messages from west and north to east and south.
// KIND sweep: sweeps over the grid from each of its four corners in turn, as in Sweep3D: most receives wait, and for
// waiting processes; 25 call paths. KIND functions: a wavefront whose computation is 41 visits of functions (82
// events), as where a compiler instruments all of them. KIND halo: a ring with non-blocking exchange, and an Allreduce
// every ten steps. Durations vary from rank to rank and step to step, so that there are waits. KIND locks: RANKS
// threads of one process that do nothing but visit critical regions; one visit in six waits. About EVENTS events in
// all; FOLDER/events says how many. OTF2 keeps a file for each rank: of more than 20,000 ranks, and of locks, there is
// only the archive.
#include <otf2/otf2.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "archive/writing/archive_writer.hpp"
#include "base/arrays/flat_map.hpp"
#include "trace/record.hpp"
#include "write_otf2.hpp"

namespace {

using namespace tarry;

constexpr std::size_t kBlock = 4096;  // events of a rank that are kept before they are written
constexpr std::uint32_t kMostOtf2Ranks = 20000;
constexpr std::uint32_t kLocksPerThread = 2;
constexpr std::uint64_t kStepsPerCorner = 10;
constexpr Ticks kLatency = 1500;  // of a message, in nanoseconds
constexpr Ticks kHandOver = 20;   // of a lock
constexpr CommId kWorld{0};
constexpr TeamId kTeam{0};
constexpr Bytes kMessageBytes = 1024;

enum Regions : std::uint32_t {
  kMain,
  kSweep,
  kFlux,
  kInit,
  kFinalize,
  kSend,
  kRecv,
  kIsend,
  kIrecv,
  kWaitall,
  kAllreduce,
  kParallel,
  kCritical,
  kSource,
  kNorthWest,
  kNorthEast,
  kSouthWest,
  kSouthEast,
  kFirstSmall,
};
constexpr std::uint32_t kSmallFunctions = 8, kSmallVisits = 20;  // of a step

struct RegionFacts {
  const char* name;
  RegionRole role;
  OTF2_RegionRole otf2_role;
};
constexpr RegionFacts kRegions[] = {
    {"main", RegionRole::kFunction, OTF2_REGION_ROLE_FUNCTION},
    {"sweep", RegionRole::kFunction, OTF2_REGION_ROLE_FUNCTION},
    {"flux", RegionRole::kFunction, OTF2_REGION_ROLE_FUNCTION},
    {"MPI_Init", RegionRole::kFunction, OTF2_REGION_ROLE_FUNCTION},
    {"MPI_Finalize", RegionRole::kFunction, OTF2_REGION_ROLE_FUNCTION},
    {"MPI_Send", RegionRole::kPointToPoint, OTF2_REGION_ROLE_POINT2POINT},
    {"MPI_Recv", RegionRole::kPointToPoint, OTF2_REGION_ROLE_POINT2POINT},
    {"MPI_Isend", RegionRole::kPointToPoint, OTF2_REGION_ROLE_POINT2POINT},
    {"MPI_Irecv", RegionRole::kPointToPoint, OTF2_REGION_ROLE_POINT2POINT},
    {"MPI_Waitall", RegionRole::kPointToPoint, OTF2_REGION_ROLE_POINT2POINT},
    {"MPI_Allreduce", RegionRole::kAllToAll, OTF2_REGION_ROLE_COLL_ALL2ALL},
    {"!$omp parallel", RegionRole::kParallel, OTF2_REGION_ROLE_PARALLEL},
    {"!$omp critical", RegionRole::kCritical, OTF2_REGION_ROLE_CRITICAL},
    {"source", RegionRole::kFunction, OTF2_REGION_ROLE_FUNCTION},
    {"from_north_west", RegionRole::kFunction, OTF2_REGION_ROLE_FUNCTION},
    {"from_north_east", RegionRole::kFunction, OTF2_REGION_ROLE_FUNCTION},
    {"from_south_west", RegionRole::kFunction, OTF2_REGION_ROLE_FUNCTION},
    {"from_south_east", RegionRole::kFunction, OTF2_REGION_ROLE_FUNCTION},
    {"exact", RegionRole::kFunction, OTF2_REGION_ROLE_FUNCTION},
    {"jacld", RegionRole::kFunction, OTF2_REGION_ROLE_FUNCTION},
    {"blts", RegionRole::kFunction, OTF2_REGION_ROLE_FUNCTION},
    {"jacu", RegionRole::kFunction, OTF2_REGION_ROLE_FUNCTION},
    {"buts", RegionRole::kFunction, OTF2_REGION_ROLE_FUNCTION},
    {"rhs", RegionRole::kFunction, OTF2_REGION_ROLE_FUNCTION},
    {"norm", RegionRole::kFunction, OTF2_REGION_ROLE_FUNCTION},
    {"dot", RegionRole::kFunction, OTF2_REGION_ROLE_FUNCTION},
};
static_assert(std::size(kRegions) == kFirstSmall + kSmallFunctions);
constexpr std::uint32_t kRegionCount = std::size(kRegions);

Paradigm paradigm_of(const std::string& region) {
  if (region.starts_with("MPI_")) return Paradigm::kMpi;
  return region.starts_with("!$omp") ? Paradigm::kOpenMp : Paradigm::kCompiler;
}

// Ranks are processes, or the threads of one.
Definitions definitions_of(std::uint32_t ranks, bool are_threads) {
  Definitions all;
  const auto text = [&](const std::string& name) { return all.strings.intern(name); };
  all.system_nodes.push_back({text("node"), text("node"), {}});
  Group everybody;
  for (std::uint32_t r = 0; r < ranks; ++r) {
    if (r == 0 || !are_threads) {
      all.processes.push_back({text("rank " + std::to_string(r)), r, SystemNodeId(0), true});
      everybody.members.push_back(r);
    }
    const std::uint32_t thread = are_threads ? r : 0;
    all.locations.push_back({text("thread " + std::to_string(thread)), ProcessId(r - thread), thread, 0});
  }
  all.groups.push_back(everybody);
  Communicator world;
  world.name = text("MPI_COMM_WORLD");
  world.group = GroupId(0);
  all.comms.push_back(world);
  for (const RegionFacts& facts : kRegions) {
    Region region;
    region.name = region.mangled_name = text(facts.name);
    region.paradigm = paradigm_of(facts.name);
    region.role = facts.role;
    all.regions.push_back(region);
  }
  return all;
}

/// The same events into two traces.
class TwoTraces {
 public:
  TwoTraces(const std::string& folder, std::uint32_t ranks, bool are_threads, bool has_otf2)
      : ranks_(ranks), counts_(ranks), blocks_(ranks) {
    auto archive = ArchiveWriter::create(folder + "/archive", definitions_of(ranks, are_threads));
    require(archive.ok(), archive.ok() ? "" : archive.error().text().c_str());
    archive_ = std::make_unique<ArchiveWriter>(std::move(archive).value());
    if (has_otf2) open_otf2(folder);
  }

  template <class Record>
  void add(std::uint32_t rank, Ticks time, const Record& record) {
    blocks_[rank].push_back(event_of(time, record));
    ++counts_[rank];
    if (blocks_[rank].size() == kBlock) flush(rank);
  }

  /// Ends both; returns the number of events.
  std::uint64_t close() {
    std::uint64_t total = 0;
    for (std::uint32_t r = 0; r < ranks_; ++r) {
      flush(r);
      total += counts_[r];
    }
    if (otf2_) close_otf2();
    require(archive_->close().ok(), "closing the archive");
    return total;
  }

 private:
  void open_otf2(const std::string& folder) {
    otf2_ = OTF2_Archive_Open((folder + "/otf2").c_str(), "traces", OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20,
                              OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    require(otf2_ != nullptr, "making the OTF2 archive");
    static const OTF2_FlushCallbacks kFlush = {
        [](void*, OTF2_FileType, OTF2_LocationRef, void*, bool) -> OTF2_FlushType { return OTF2_FLUSH; },
        [](void*, OTF2_FileType, OTF2_LocationRef) { return OTF2_TimeStamp{0}; }};
    OTF2_Archive_SetFlushCallbacks(otf2_, &kFlush, nullptr);
    OTF2_Archive_SetSerialCollectiveCallbacks(otf2_);
    OTF2_Archive_OpenEvtFiles(otf2_);
    for (std::uint32_t r = 0; r < ranks_; ++r) writers_.push_back(OTF2_Archive_GetEvtWriter(otf2_, r));
  }

  void close_otf2() {
    for (std::uint32_t r = 0; r < ranks_; ++r) OTF2_Archive_CloseEvtWriter(otf2_, writers_[r]);
    OTF2_Archive_CloseEvtFiles(otf2_);
    OTF2_Archive_OpenDefFiles(otf2_);
    for (std::uint32_t r = 0; r < ranks_; ++r) OTF2_Archive_CloseDefWriter(otf2_, OTF2_Archive_GetDefWriter(otf2_, r));
    OTF2_Archive_CloseDefFiles(otf2_);
    write_otf2_definitions();
    OTF2_Archive_Close(otf2_);
  }

  void flush(std::uint32_t rank) {
    require(archive_->append(LocationId(rank), blocks_[rank]).ok(), "writing events");
    if (otf2_)
      for (const Event& event : blocks_[rank]) write_otf2(writers_[rank], event);
    blocks_[rank].clear();
  }

  void write_otf2_definitions() {
    OTF2_GlobalDefWriter* writer = OTF2_Archive_GetGlobalDefWriter(otf2_);
    OTF2_GlobalDefWriter_WriteClockProperties(writer, 1000000000, 0, 1u << 31, OTF2_UNDEFINED_TIMESTAMP);
    OTF2_GlobalDefWriter_WriteString(writer, 0, "");
    OTF2_GlobalDefWriter_WriteString(writer, 1, "node");
    OTF2_GlobalDefWriter_WriteString(writer, 2, "MPI_COMM_WORLD");
    OTF2_GlobalDefWriter_WriteString(writer, 3, "MPI");
    for (std::uint32_t i = 0; i < kRegionCount; ++i) {
      const bool is_mpi = std::string(kRegions[i].name).starts_with("MPI_");
      OTF2_GlobalDefWriter_WriteString(writer, 4 + i, kRegions[i].name);
      OTF2_GlobalDefWriter_WriteRegion(writer, i, 4 + i, 4 + i, 0, kRegions[i].otf2_role,
                                       is_mpi ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_COMPILER, OTF2_REGION_FLAG_NONE,
                                       is_mpi ? 3 : 0, 0, 0);
    }
    OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, 1, 1, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    std::vector<std::uint64_t> members;
    for (std::uint32_t r = 0; r < ranks_; ++r) {
      OTF2_GlobalDefWriter_WriteLocationGroup(writer, r, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                              OTF2_UNDEFINED_LOCATION_GROUP);
      OTF2_GlobalDefWriter_WriteLocation(writer, r, 0, OTF2_LOCATION_TYPE_CPU_THREAD, counts_[r], r);
      members.push_back(r);
    }
    for (const auto& [id, type] : {std::pair{0u, OTF2_GROUP_TYPE_COMM_LOCATIONS}, {1u, OTF2_GROUP_TYPE_COMM_GROUP}})
      OTF2_GlobalDefWriter_WriteGroup(writer, id, 0, type, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, ranks_,
                                      members.data());
    OTF2_GlobalDefWriter_WriteComm(writer, 0, 2, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  }

  std::uint32_t ranks_;
  std::vector<std::uint64_t> counts_;
  std::vector<std::vector<Event>> blocks_;
  std::unique_ptr<ArchiveWriter> archive_;
  OTF2_Archive* otf2_ = nullptr;
  std::vector<OTF2_EvtWriter*> writers_;
};

/// Plays a program on all ranks; each has a clock of its own.
class Program {
 public:
  Program(TwoTraces& traces, std::uint32_t ranks) : traces_(traces), ranks_(ranks), clock_(ranks, 0) {
    width_ = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(ranks)));
    while (ranks % width_ != 0) --width_;
  }

  void begin() {
    for (std::uint32_t r = 0; r < ranks_; ++r) {
      enter(r, kMain);
      visit(r, kInit, 10000);
    }
  }

  void end() {
    const Ticks last = *std::max_element(clock_.begin(), clock_.end());
    for (std::uint32_t r = 0; r < ranks_; ++r) {
      enter(r, kFinalize);
      clock_[r] = last + 1000;
      leave(r, kFinalize);
      leave(r, kMain);
    }
  }

  // Ranks in the order in which the wave reaches them: a message is sent before it is received. From the corner in the
  // north-west, unless another is named: 1 lies in the east, 2 in the south, 3 in both.
  void wavefront_step(std::uint64_t step, std::uint32_t corner = 0, bool has_functions = false) {
    const std::uint32_t height = ranks_ / width_;
    const auto rank_at = [&](std::uint32_t x, std::uint32_t y) {
      return (corner & 2 ? height - 1 - y : y) * width_ + (corner & 1 ? width_ - 1 - x : x);
    };
    std::vector<Ticks> east(ranks_), south(ranks_);
    for (std::uint32_t i = 0; i < ranks_; ++i) {
      const std::uint32_t x = i % width_, y = i / width_, r = rank_at(x, y);
      if (x > 0) receive(r, rank_at(x - 1, y), east[i - 1]);
      if (y > 0) receive(r, rank_at(x, y - 1), south[i - width_]);
      has_functions ? compute_in_functions(r, step) : compute(r, step);
      if (x + 1 < width_) east[i] = send(r, rank_at(x + 1, y));
      if (y + 1 < height) south[i] = send(r, rank_at(x, y + 1));
    }
  }

  // A few steps from one corner, then from the next one. After all four the residual is summed up.
  void sweep_step(std::uint64_t step) {
    const auto corner = static_cast<std::uint32_t>(step / kStepsPerCorner % 4);
    const std::uint64_t region = kNorthWest + corner;
    for (std::uint32_t r = 0; r < ranks_ && step % kStepsPerCorner == 0; ++r) {
      if (corner == 0) visit(r, kSource, 500);
      enter(r, region);
    }
    wavefront_step(step, corner);
    if (step % kStepsPerCorner != kStepsPerCorner - 1) return;
    for (std::uint32_t r = 0; r < ranks_; ++r) leave(r, region);
    if (corner == 3) allreduce();
  }

  void halo_step(std::uint64_t step) {
    std::vector<Ticks> sent(ranks_);
    for (std::uint32_t r = 0; r < ranks_; ++r) {
      for (std::uint64_t side = 0; side < 2; ++side)
        post(r, kIrecv, record::MpiIrecvRequest{.request = 4 * step + side});
      for (std::uint64_t side = 0; side < 2; ++side)
        post(r, kIsend,
             record::MpiIsend{.receiver = CommRank(neighbour(r, side)),
                              .comm = kWorld,
                              .tag = side,
                              .bytes = kMessageBytes,
                              .request = 4 * step + 2 + side});
      sent[r] = clock_[r];
      compute(r, step);
    }
    for (std::uint32_t r = 0; r < ranks_; ++r) {
      enter(r, kWaitall);
      clock_[r] = std::max({clock_[r], sent[neighbour(r, 0)], sent[neighbour(r, 1)]}) + kLatency;
      for (std::uint64_t side = 0; side < 2; ++side) {
        add(r, record::MpiIsendComplete{.request = 4 * step + 2 + side});
        add(r, record::MpiIrecv{.sender = CommRank(neighbour(r, side)),
                                .comm = kWorld,
                                .tag = 1 - side,
                                .bytes = kMessageBytes,
                                .request = 4 * step + side});
      }
      leave(r, kWaitall);
    }
    if (step % 10 == 9) allreduce();
  }

  void begin_team() {
    enter(0, kMain);
    add(0, record::ThreadFork{.paradigm = Paradigm::kOpenMp, .team_size = ranks_});
    const Ticks forked = clock_[0];
    for (std::uint32_t r = 0; r < ranks_; ++r) {
      clock_[r] = forked;
      add(r, record::ThreadTeamBegin{.team = kTeam});
      enter(r, kParallel);
    }
    locks_.resize(kLocksPerThread * ranks_);
  }

  void end_team() {
    for (std::uint32_t r = 0; r < ranks_; ++r) {
      leave(r, kParallel);
      add(r, record::ThreadTeamEnd{.team = kTeam});
    }
    clock_[0] = *std::max_element(clock_.begin(), clock_.end());
    add(0, record::ThreadJoin{.paradigm = Paradigm::kOpenMp});
    leave(0, kMain);
  }

  // The thread that is behind the others takes one of the locks.
  void lock_step(std::uint64_t step) {
    constexpr Paradigm kOpenMp = Paradigm::kOpenMp;
    const auto r = static_cast<std::uint32_t>(std::min_element(clock_.begin(), clock_.end()) - clock_.begin());
    const std::uint64_t number = mix_bits(step) % locks_.size(), address = 0x7f0000601000 + 64 * number;
    Lock& lock = locks_[number];
    enter(r, kCritical);
    clock_[r] = std::max(clock_[r], lock.released + kHandOver);
    add(r, record::ThreadAcquireLock{.paradigm = kOpenMp, .lock = address, .order = ++lock.order});
    lock.released = clock_[r];
    add(r, record::ThreadReleaseLock{.paradigm = kOpenMp, .lock = address, .order = lock.order});
    leave(r, kCritical);
  }

 private:
  struct Lock {
    std::uint64_t order = 0;
    Ticks released = 0;
  };

  template <class Record>
  void add(std::uint32_t r, const Record& record) {
    traces_.add(r, clock_[r], record);
    // No two intervals of a real trace are equal: without noise the files would be unnaturally small.
    noise_ = noise_ * 6364136223846793005u + 1442695040888963407u;
    clock_[r] += 20 + static_cast<Ticks>(noise_ >> 57);
  }
  void enter(std::uint32_t r, std::uint64_t region) { add(r, record::Enter{.region = RegionId(region)}); }
  void leave(std::uint32_t r, std::uint64_t region) { add(r, record::Leave{.region = RegionId(region)}); }
  void visit(std::uint32_t r, std::uint64_t region, Ticks duration) {
    enter(r, region);
    clock_[r] += duration;
    leave(r, region);
  }
  template <class Record>
  void post(std::uint32_t r, std::uint64_t region, const Record& record) {
    enter(r, region);
    add(r, record);
    leave(r, region);
  }

  std::uint32_t neighbour(std::uint32_t r, std::uint64_t side) const { return (r + (side ? 1 : ranks_ - 1)) % ranks_; }

  void compute(std::uint32_t r, std::uint64_t step) {
    enter(r, kSweep);
    for (int part = 0; part < 2; ++part) visit(r, kFlux, 2000 + static_cast<Ticks>(mix_bits(step * ranks_ + r) % 4000));
    leave(r, kSweep);
  }

  void compute_in_functions(std::uint32_t r, std::uint64_t step) {
    enter(r, kSweep);
    for (std::uint64_t i = 0; i < kSmallVisits; ++i) {
      const std::uint64_t bits = mix_bits(step * ranks_ + r + i);
      const std::uint64_t outer = kFirstSmall + i % (kSmallFunctions / 2);
      enter(r, outer);
      visit(r, kFirstSmall + kSmallFunctions / 2 + bits % (kSmallFunctions / 2), 50 + static_cast<Ticks>(bits % 400));
      leave(r, outer);
    }
    leave(r, kSweep);
  }

  Ticks send(std::uint32_t r, std::uint64_t to) {
    enter(r, kSend);
    const Ticks sent = clock_[r];
    add(r, record::MpiSend{.receiver = CommRank(to), .comm = kWorld, .tag = 0, .bytes = kMessageBytes});
    leave(r, kSend);
    return sent;
  }

  void receive(std::uint32_t r, std::uint64_t from, Ticks sent) {
    enter(r, kRecv);
    clock_[r] = std::max(clock_[r], sent + kLatency);
    add(r, record::MpiRecv{.sender = CommRank(from), .comm = kWorld, .tag = 0, .bytes = kMessageBytes});
    leave(r, kRecv);
  }

  void allreduce() {
    const Ticks last = *std::max_element(clock_.begin(), clock_.end()) + 100;
    for (std::uint32_t r = 0; r < ranks_; ++r) {
      enter(r, kAllreduce);
      add(r, record::MpiCollectiveBegin{});
      clock_[r] = last + kLatency;
      add(r, record::MpiCollectiveEnd{
                 .operation = CollectiveOp::kAllreduce, .comm = kWorld, .sent = 8 * ranks_, .received = 8 * ranks_});
      leave(r, kAllreduce);
    }
  }

  TwoTraces& traces_;
  std::uint32_t ranks_;
  std::uint32_t width_;
  std::vector<Ticks> clock_;
  std::vector<Lock> locks_;
  std::uint64_t noise_ = 1;
};

// A step of a wavefront has 6 events of computing a rank (of functions 82) and 6 a message, one of a halo exchange
// 24.4 a rank.
// Sweeps come to all corners equally often.
void play_messages(Program& program, const std::string& kind, std::uint32_t ranks, std::uint64_t events) {
  const auto width = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(ranks)));
  const std::uint64_t messages = 2 * (ranks - width);
  const double computing = kind == "functions" ? 2 + 4 * kSmallVisits : 6;
  const double per_step = kind == "halo" ? 24.4 * ranks : computing * ranks + 6.0 * static_cast<double>(messages);
  auto steps = static_cast<std::uint64_t>(static_cast<double>(events) / per_step);
  if (kind == "sweep") steps = steps / (4 * kStepsPerCorner) * (4 * kStepsPerCorner);
  program.begin();
  for (std::uint64_t step = 0; step < steps; ++step) {
    if (kind == "halo") program.halo_step(step);
    if (kind == "wavefront") program.wavefront_step(step);
    if (kind == "functions") program.wavefront_step(step, 0, true);
    if (kind == "sweep") program.sweep_step(step);
  }
  program.end();
}

void play_locks(Program& program, std::uint64_t events) {
  program.begin_team();
  for (std::uint64_t step = 0; step < events / 4; ++step) program.lock_step(step);
  program.end_team();
}

}  // namespace

int main(int argc, char** argv) {
  const bool wants_otf2 = argc == 5, is_usable = wants_otf2 || (argc == 6 && std::string(argv[5]) == "archive");
  const std::string kind = is_usable ? argv[1] : "";
  const auto ranks = is_usable ? static_cast<std::uint32_t>(std::strtoul(argv[2], nullptr, 10)) : 0u;
  constexpr const char* kKinds[] = {"wavefront", "sweep", "functions", "halo", "locks"};
  if (std::ranges::find(kKinds, kind) == std::end(kKinds) || ranks == 0) {
    std::fputs("usage: make_trace wavefront|sweep|functions|halo|locks RANKS EVENTS FOLDER [archive]\n", stderr);
    return 2;
  }
  const std::uint64_t wanted = std::strtoull(argv[3], nullptr, 10);
  const std::string folder = argv[4];
  require(mkdir(folder.c_str(), 0777) == 0, "making the folder");
  const bool is_locks = kind == "locks";
  TwoTraces traces(folder, ranks, is_locks, wants_otf2 && !is_locks && ranks <= kMostOtf2Ranks);
  Program program(traces, ranks);
  is_locks ? play_locks(program, wanted) : play_messages(program, kind, ranks, wanted);
  const std::uint64_t events = traces.close();
  std::FILE* file = std::fopen((folder + "/events").c_str(), "w");
  require(file != nullptr, "writing the number of events");
  std::fprintf(file, "%llu\n", static_cast<unsigned long long>(events));
  require(std::fclose(file) == 0, "writing the number of events");
  return 0;
}
