// definitions.hpp -- the tables that give meaning to the numbers in events, of one process or of a whole run.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/arrays/ids.hpp"
#include "base/text/interner.hpp"
#include "base/units.hpp"

namespace tarry {

using RegionId = StrongId<struct RegionTag>;
using SystemNodeId = StrongId<struct SystemNodeTag>;
using ProcessId = StrongId<struct ProcessTag>;
using LocationId = StrongId<struct LocationTag>;
using GroupId = StrongId<struct GroupTag>;
using CommId = StrongId<struct CommTag>;
using WindowId = StrongId<struct WindowTag>;
using IoHandleId = StrongId<struct IoHandleTag>;
using CounterId = StrongId<struct CounterTag>;

/// Process::rank: the rank in the first MPI_COMM_WORLD, numbered on for spawned processes.
using WorldRank = StrongId<struct WorldRankTag>;
/// Rank in some communicator; between two groups, in one of them.
using CommRank = StrongId<struct CommRankTag>;

/// What a region belongs to. Numbers are part of the format (docs/FORMAT.md).
enum class Paradigm : std::uint8_t {
  kUnknown,
  kUser,
  kCompiler,
  kMpi,
  kOpenMp,
  kPthread,
  kMeasurement,
  kIo,
  kMemory,
  kOther,
  kCuda,
  kOpenCl,
  kHip,
  kOpenAcc,
  kShmem,
};
inline constexpr Paradigm kLastParadigm = Paradigm::kShmem;

/// Whether its regions are calls that give work to accelerators, or such work.
constexpr bool is_of_accelerators(Paradigm paradigm) {
  return paradigm >= Paradigm::kCuda && paradigm <= Paradigm::kOpenAcc;
}

/// What a region does. Numbers are part of the format (docs/FORMAT.md).
enum class RegionRole : std::uint8_t {
  kUnknown,
  kFunction,
  kWrapper,
  kLoop,
  kCode,
  kPhase,
  kDynamic,
  kDynamicPhase,
  kDynamicLoop,
  kParallel,
  kSections,
  kSection,
  kWorkshare,
  kSingle,
  kSingleBlock,
  kMaster,
  kCritical,
  kCriticalBlock,
  kAtomic,
  kBarrier,
  kImplicitBarrier,
  kFlush,
  kOrdered,
  kOrderedBlock,
  kTask,
  kUntiedTask,
  kTaskCreate,
  kTaskWait,
  kThreadCreate,
  kThreadWait,
  kPointToPoint,
  kOneToAll,
  kAllToOne,
  kAllToAll,
  kOtherCollective,
  kRma,
  kAllocate,
  kDeallocate,
  kReallocate,
  kFileIo,
  kFileIoMetadata,
  kArtificial,
};

/// Lower-case names as CUBE reports spell them ("mpi", "implicit barrier").
std::string_view name_of(Paradigm paradigm);
std::string_view name_of(RegionRole role);

/// A function, construct or user region.
struct Region {
  StringId name;
  StringId mangled_name;         // linker name; equals `name` where there is no other
  StringId file;                 // source file, or the paradigm's pseudo file ("MPI")
  std::uint32_t begin_line = 0;  // 0: unknown
  std::uint32_t end_line = 0;
  Paradigm paradigm = Paradigm::kUnknown;
  RegionRole role = RegionRole::kUnknown;
  RegionId base = {};           // of a region as it is called from one place: the region itself, an earlier one
  StringId site_file = {};      // that place: the caller's source file, or "MODULE+0xADDRESS"
  std::uint32_t site_line = 0;  // 0: unknown
  // In a whole run: where that place is in an inlined function, a region for it as it is inlined there. It may be a
  // later one.
  RegionId inlined_in = {};
  // In one process: the place in its program or library, for tools to find the inlined functions; empty: not known.
  StringId code_file = {};
  std::uint64_t code_address = 0;

  /// Copies what is the same wherever this region is called from.
  void describe(Region& at_site) const {
    at_site.name = name;
    at_site.mangled_name = mangled_name;
    at_site.file = file;
    at_site.begin_line = begin_line;
    at_site.end_line = end_line;
    at_site.paradigm = paradigm;
    at_site.role = role;
  }

  /// Regions are the same where this is, among regions that share one table of strings.
  using Identity = std::array<std::uint64_t, 11>;
  Identity identity() const {
    const std::uint64_t kind = static_cast<std::uint64_t>(paradigm) << 8 | static_cast<std::uint64_t>(role);
    return {name.value,      mangled_name.value, file.value,       begin_line,      end_line,    kind,
            site_file.value, site_line,          inlined_in.value, code_file.value, code_address};
  }
};

/// Machine, node or another level of the hardware. Roots have no parent.
struct SystemNode {
  StringId name;
  StringId class_name;  // "machine", "node", ...
  SystemNodeId parent;
};

/// One operating-system process. `rank` is its number in the run, which is meant wherever a "world rank" is asked for:
/// the rank in the first MPI_COMM_WORLD. Each set of spawned processes has an MPI_COMM_WORLD of its own and continues
/// the numbers: a first number plus the rank in that world. Without MPI it is the order of the process.
struct Process {
  StringId name;
  std::uint32_t rank = 0;
  SystemNodeId node;
  bool is_complete = true;  // false: it ended without closing its recording
};

/// Regions of queues that are copies.
inline constexpr char kCopyToDeviceName[] = "COPY TO DEVICE";
inline constexpr char kCopyToHostName[] = "COPY TO HOST";
inline constexpr char kCopyWithinName[] = "COPY WITHIN DEVICE";

/// Where the events of a location come from. Numbers are part of the format (docs/FORMAT.md).
enum class LocationKind : std::uint8_t {
  kThread,
  kQueue,    // work that an accelerator does in order: a stream, a command queue
  kMetrics,  // counters that are read beside the program, of the process or of its node
};

/// One stream of events of a process. `thread` counts from 0, the master; behind the threads come queues, then metrics.
struct Location {
  StringId name;
  ProcessId process;
  std::uint32_t thread = 0;
  std::uint64_t event_count = 0;
  LocationKind kind = LocationKind::kThread;
  StringId device = {};  // of a queue: the name of its accelerator or context; none: not known

  bool is_thread() const { return kind == LocationKind::kThread; }
  /// Whether it has a column of its own there.
  bool is_in_reports() const { return kind != LocationKind::kMetrics; }
};

/// Ordered members: world ranks of processes (Process::rank). Those of an accelerator's paradigm are locations: threads
/// and queues (LocationId).
struct Group {
  StringId name;
  std::vector<std::uint32_t> members;
  Paradigm paradigm = Paradigm::kMpi;

  bool has_locations() const { return is_of_accelerators(paradigm); }
};

/// One instance of a communicator. Its `uid` is the same in all its processes and unique in the job, whatever call made
/// it. It is (world rank of the process that named it) << 32 | (number of communicators named by it before, plus 1).
/// For MPI_COMM_WORLD it is (world rank of its first process) << 32.
/// In the definitions of one process the group is unknown: there `rank` is the process's own rank in it and `size` the
/// number of members. So definitions take constant memory per process. Unification assembles the group.
struct Communicator {
  static constexpr std::uint64_t kWorldUid = 0;                         // MPI_COMM_WORLD of the first processes
  static constexpr std::uint64_t kSelfUidBase = 0xffffffff00000000ull;  // | world rank: MPI_COMM_SELF

  StringId name;
  std::uint64_t uid = 0;
  GroupId group;         // global definitions only
  GroupId remote_group;  // inter-communicators only: the members messages go to
  CommId parent;
  std::uint32_t rank = 0;  // process definitions only
  std::uint32_t size = 0;
  bool is_inter = false;
};

/// A one-sided communication window.
struct Window {
  StringId name;
  CommId comm;
};

/// A file that a communicator has opened. `name` is the file's.
struct IoHandle {
  StringId name;
  CommId comm;
};

/// The grid that the members of a communicator form. Without a communicator: a grid of the hardware, where ranks
/// are world ranks of processes.
struct CartTopology {
  struct Dimension {
    StringId name;
    std::uint32_t size = 0;
    bool is_periodic = false;
  };
  struct Place {
    std::uint32_t rank = 0;
    std::vector<std::uint32_t> coordinates;  // one for each dimension
  };

  StringId name;
  CommId comm;
  std::vector<Dimension> dimensions;
  std::vector<Place> places;  // ascending by rank; empty: ranks count through the grid, the last dimension fastest
};

/// The members with which one member of a communicator exchanges data in neighbourhood collectives, by a graph. Ranks
/// in the communicator, in the order in which MPI takes them.
struct Neighborhood {
  CommId comm;
  std::uint32_t rank = 0;  // of the member
  std::vector<std::uint32_t> sources;
  std::vector<std::uint32_t> destinations;
};
/// What the value of a counter means: OTF2's modes. Numbers are part of the format.
enum class CounterMode : std::uint8_t {
  kSinceStart,  // counted since the recording of the location began: differences tell what happened between two records
  kSincePoint,  // counted since some moment
  kSinceLast,   // counted since the record before
  kUntilNext,
  kAbsolutePoint,  // a level at this moment
  kAbsoluteLast,
  kAbsoluteNext,
  kRelativePoint,
  kRelativeLast,
  kRelativeNext,
};

/// How the 64 bits of a value read. Numbers are part of the format.
enum class CounterType : std::uint8_t { kUnsigned, kSigned, kDouble };

/// Who counts. Numbers are part of the format.
enum class CounterSource : std::uint8_t { kOther, kPapi, kResourceUsage, kUser, kSoftware, kHeap };

/// "papi", "rusage", "software", "heap", ...
std::string_view name_of(CounterSource source);

/// Something that is counted beside events: a hardware counter, a software event of the kernel, memory in use.
struct Counter {
  StringId name;
  StringId unit;  // "", "bytes", "ns", ...
  StringId description;
  CounterMode mode = CounterMode::kSinceStart;
  CounterType type = CounterType::kUnsigned;
  CounterSource source = CounterSource::kOther;
};

/// True where the values of several stretches of time add up; false for levels.
inline bool is_summed(CounterMode mode) { return mode == CounterMode::kSinceStart || mode == CounterMode::kSinceLast; }

/// The value of 64 recorded bits, and the same as text, exactly.
double counter_value(CounterType type, std::uint64_t bits);
std::string counter_text(CounterType type, std::uint64_t bits);

/// What a counter went up by from one record to the next; it may have wrapped around in between.
double counter_difference(CounterType type, std::uint64_t from, std::uint64_t to);

/// How many ticks make a second, and the tick and wall-clock time of the first event.
struct Clock {
  double ticks_per_second = 1e9;
  Ticks origin = 0;            // all published absolute times are relative to it
  std::uint64_t epoch_ns = 0;  // UTC of `origin`, nanoseconds since 1970; 0: unknown
};

/// A measured difference between the clock of a process and the master clock. At local tick `at` the master's clock
/// shows at + offset (in ticks of the master).
struct ClockOffset {
  ProcessId process;
  Ticks at = 0;
  Ticks offset = 0;
};

/// Free facts about a run ("program", "arguments", ...).
struct Property {
  StringId key;
  StringId value;
};

/// All tables. Ids are indices into the vectors.
struct Definitions {
  Interner strings;
  std::vector<SystemNode> system_nodes;
  std::vector<Process> processes;
  std::vector<Location> locations;
  std::vector<Region> regions;
  std::vector<Group> groups;
  std::vector<Communicator> comms;
  std::vector<Window> windows;
  std::vector<IoHandle> io_handles;
  std::vector<CartTopology> carts;
  std::vector<Neighborhood> neighborhoods;
  std::vector<Counter> counters;
  std::vector<ClockOffset> clock_offsets;
  std::vector<Property> properties;
  Clock clock;

  std::string_view text(StringId id) const { return strings.text(id); }
  std::string_view region_name(RegionId id) const { return text(regions[id.value].name); }
};

/// The number that report_numbers() gives to metrics.
inline constexpr std::uint32_t kNoReportNumber = 0xffffffffu;

/// By location: its number among the threads and queues of the run, in the order of definitions: its column in reports.
std::vector<std::uint32_t> report_numbers(const Definitions& definitions);

}  // namespace tarry
