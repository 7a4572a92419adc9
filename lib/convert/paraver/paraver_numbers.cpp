// paraver_numbers.cpp -- numbers that Paraver traces use by convention of BSC's tools.
#include "convert/paraver/paraver_numbers.hpp"

#include <optional>
#include <string>

#include "base/text/text.hpp"
#include "convert/paraver/paraver_mpi_functions.hpp"

namespace tarry::paraver {
namespace {

State state_of(RegionRole role) {
  switch (role) {
    case RegionRole::kBarrier:
    case RegionRole::kImplicitBarrier:
    case RegionRole::kTaskWait:
    case RegionRole::kThreadWait:
    case RegionRole::kCritical: return kSynchronization;
    case RegionRole::kThreadCreate:
    case RegionRole::kTaskCreate: return kForkJoin;
    case RegionRole::kFileIo:
    case RegionRole::kFileIoMetadata: return kIo;
    default: return kRunning;
  }
}

}  // namespace

std::vector<RegionNumbers> numbers_of(const Definitions& all) {
  std::vector<RegionNumbers> numbers;
  for (std::size_t i = 0; i < all.regions.size(); ++i) {
    const Region& region = all.regions[i];
    const std::string name = plain_name(all.text(region.name));
    const bool is_mpi = region.paradigm == Paradigm::kMpi && name.starts_with("mpi_");
    const auto numbers_of_bsc = is_mpi ? mpi_function_numbers(name) : std::nullopt;
    const State state = is_mpi ? kOthers : state_of(region.role);
    numbers.push_back(numbers_of_bsc.value_or(RegionNumbers{kUserFunction, static_cast<std::uint32_t>(i + 1), state}));
  }
  return numbers;
}

const std::vector<StateLabel>& state_labels() {
  static const std::vector<StateLabel> kLabels = {
      {"Idle", 117, 195, 255},
      {"Running", 0, 0, 255},
      {"Not created", 255, 255, 255},
      {"Waiting a message", 255, 0, 0},
      {"Blocking Send", 255, 0, 174},
      {"Synchronization", 179, 0, 0},
      {"Test/Probe", 0, 255, 0},
      {"Scheduling and Fork/Join", 255, 255, 0},
      {"Wait/WaitAll", 235, 0, 0},
      {"Blocked", 0, 162, 0},
      {"Immediate Send", 255, 0, 255},
      {"Immediate Receive", 100, 100, 177},
      {"I/O", 172, 174, 41},
      {"Group Communication", 255, 144, 26},
      {"Tracing Disabled", 2, 255, 177},
      {"Others", 192, 224, 0},
      {"Send Receive", 66, 66, 66},
  };
  return kLabels;
}

const char* type_name(std::uint32_t type) {
  switch (type) {
    case kPointToPoint: return "MPI Point-to-point";
    case kCollective: return "MPI Collective Comm";
    case kOtherMpi: return "MPI Other";
    case kRma: return "MPI One-sided";
    case kMpiIo: return "MPI I/O";
    default: return "User function";
  }
}

}  // namespace tarry::paraver
