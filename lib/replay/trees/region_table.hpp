// region_table.hpp -- what the replay must know of each region: its function class and the regions it invents itself.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "defs/accelerator_calls.hpp"
#include "defs/definitions.hpp"

namespace tarry {

/// Classes of MPI functions by what they do with messages and windows (docs/METRICS.md, "Function classes").
enum class CallClass : std::uint8_t {
  kOther,           // may hold records of any kind; receives that complete in it can be late-sender waits
  kBlockingSend,    // MPI_Send, MPI_Ssend
  kWaitOne,         // MPI_Wait, MPI_Waitany
  kWaitMany,        // MPI_Waitall, MPI_Waitsome: one wait state a call
  kTest,            // MPI_Test*: never waits
  kProbe,           // MPI_Probe: waits for the message of the next receive
  kMatchedProbe,    // MPI_Mprobe: for that of the next matched receive
  kMatchedReceive,  // MPI_Mrecv, MPI_Imrecv
  kStatusTest,      // MPI_Request_get_status: tests, and completes nothing
  kPoll,            // MPI_Iprobe, MPI_Improbe: ask for a message
  kInquiry,         // MPI_Get_count, MPI_Comm_rank: look something up, and mean nothing to the polls around them
  kInit,
  kFinalize,
  kWindowPost,  // MPI_Win_*: groups that synchronise one-sided communication
  kWindowStart,
  kWindowComplete,
  kWindowWait,
  kWindowTest,
  kShmemQuiet,   // shmem_quiet: what was accessed before is complete
  kShmemTest,    // shmem_test*: never waits
  kWindowFlush,  // MPI_Win_flush, _flush_all, _unlock_all: accesses are complete at their targets
};

/// OpenMP constructs that matter to the replay.
enum class ThreadClass : std::uint8_t {
  kNone,
  kParallel,
  kExplicitBarrier,
  kImplicitBarrier,
  kCritical,
  kTask,
  kOther
};

/// What functions of POSIX threads do with condition variables.
enum class ConditionClass : std::uint8_t { kNone, kWait, kSignal };

/// What functions of POSIX threads do with other threads than holders of locks. Those that wait share an acquisition of
/// the condition, semaphore, barrier or end of a thread. One that ends waits has acquired it alone.
enum class SignalClass : std::uint8_t { kNone, kCondition, kSemaphore, kBarrier, kThreadEnd, kGives };

struct RegionClass {
  bool is_plain = false;         // a function of the program: only its time and its visits count
  bool is_mpi = false;           // or of another library whose calls talk to other processes
  bool is_shmem = false;         // such a library, OpenSHMEM
  bool is_creation = false;      // makes a communicator or opens a file
  bool is_spawn = false;         // starts processes
  bool is_neighborhood = false;  // a collective among neighbours: no member waits for all others
  CallClass call = CallClass::kOther;
  ThreadClass thread = ThreadClass::kNone;
  ConditionClass condition = ConditionClass::kNone;
  SignalClass signal = SignalClass::kNone;
  AcceleratorCall accelerator = AcceleratorCall::kNone;
};

/// The regions of the definitions, then the artificial ones the replay needs.
class RegionTable {
 public:
  explicit RegionTable(const Definitions& definitions);

  const RegionClass& operator[](RegionId id) const { return classes_[id.value]; }
  std::size_t size() const { return classes_.size(); }
  /// True for the regions of the definitions, the only ones that events may name.
  bool is_defined(RegionId id) const { return id.value < defined_; }
  const Region& region(RegionId id) const { return regions_[id.value]; }
  const std::string& name(RegionId id) const { return names_[id.value]; }
  const std::string& file(RegionId id) const { return files_[id.value]; }

  RegionId buffer_flush() const { return RegionId(defined_ + 0); }
  RegionId measurement_off() const { return RegionId(defined_ + 1); }
  /// The kind of a region that events name without a definition.
  RegionId undefined() const { return RegionId(defined_ + 2); }

 private:
  void add(const Region& region, std::string name, std::string file);

  std::size_t defined_ = 0;
  std::vector<RegionClass> classes_;
  std::vector<Region> regions_;
  std::vector<std::string> names_;
  std::vector<std::string> files_;
};

}  // namespace tarry
