// paraver_numbers.cpp -- numbers that Paraver traces use by convention of BSC's tools.
#include "paraver_numbers.hpp"

#include <map>
#include <string>

#include "base/text.hpp"

namespace tarry::paraver {
namespace {

struct MpiFunction {
  std::uint32_t type;
  std::uint32_t value;
  State state;
};

/// Lower case, without "mpi_".
const std::map<std::string, MpiFunction, std::less<>>& mpi_functions() {
  static const std::map<std::string, MpiFunction, std::less<>> kFunctions = {
      {"send", {kPointToPoint, 1, kBlockingSend}},
      {"recv", {kPointToPoint, 2, kWaitingMessage}},
      {"isend", {kPointToPoint, 3, kImmediateSend}},
      {"irecv", {kPointToPoint, 4, kImmediateReceive}},
      {"wait", {kPointToPoint, 5, kWaitAll}},
      {"waitall", {kPointToPoint, 6, kWaitAll}},
      {"bcast", {kCollective, 7, kGroupCommunication}},
      {"barrier", {kCollective, 8, kSynchronization}},
      {"reduce", {kCollective, 9, kGroupCommunication}},
      {"allreduce", {kCollective, 10, kGroupCommunication}},
      {"alltoall", {kCollective, 11, kGroupCommunication}},
      {"alltoallv", {kCollective, 12, kGroupCommunication}},
      {"gather", {kCollective, 13, kGroupCommunication}},
      {"gatherv", {kCollective, 14, kGroupCommunication}},
      {"scatter", {kCollective, 15, kGroupCommunication}},
      {"scatterv", {kCollective, 16, kGroupCommunication}},
      {"allgather", {kCollective, 17, kGroupCommunication}},
      {"allgatherv", {kCollective, 18, kGroupCommunication}},
      {"comm_rank", {kOtherMpi, 19, kOthers}},
      {"comm_size", {kOtherMpi, 20, kOthers}},
      {"comm_create", {kOtherMpi, 21, kOthers}},
      {"comm_dup", {kOtherMpi, 22, kOthers}},
      {"comm_split", {kOtherMpi, 23, kOthers}},
      {"comm_group", {kOtherMpi, 24, kOthers}},
      {"comm_free", {kOtherMpi, 25, kOthers}},
      {"comm_remote_group", {kOtherMpi, 26, kOthers}},
      {"comm_remote_size", {kOtherMpi, 27, kOthers}},
      {"comm_test_inter", {kOtherMpi, 28, kOthers}},
      {"comm_compare", {kOtherMpi, 29, kOthers}},
      {"scan", {kCollective, 30, kGroupCommunication}},
      {"init", {kOtherMpi, 31, kOthers}},
      {"init_thread", {kOtherMpi, 31, kOthers}},
      {"finalize", {kOtherMpi, 32, kOthers}},
      {"bsend", {kPointToPoint, 33, kBlockingSend}},
      {"ssend", {kPointToPoint, 34, kBlockingSend}},
      {"rsend", {kPointToPoint, 35, kBlockingSend}},
      {"ibsend", {kPointToPoint, 36, kImmediateSend}},
      {"issend", {kPointToPoint, 37, kImmediateSend}},
      {"irsend", {kPointToPoint, 38, kImmediateSend}},
      {"test", {kPointToPoint, 39, kTestProbe}},
      {"cancel", {kOtherMpi, 40, kOthers}},
      {"sendrecv", {kPointToPoint, 41, kSendReceive}},
      {"sendrecv_replace", {kPointToPoint, 42, kSendReceive}},
      {"cart_create", {kOtherMpi, 43, kOthers}},
      {"cart_shift", {kOtherMpi, 44, kOthers}},
      {"cart_coords", {kOtherMpi, 45, kOthers}},
      {"cart_get", {kOtherMpi, 46, kOthers}},
      {"cart_map", {kOtherMpi, 47, kOthers}},
      {"cart_rank", {kOtherMpi, 48, kOthers}},
      {"cart_sub", {kOtherMpi, 49, kOthers}},
      {"cartdim_get", {kOtherMpi, 50, kOthers}},
      {"dims_create", {kOtherMpi, 51, kOthers}},
      {"waitany", {kPointToPoint, 59, kWaitAll}},
      {"waitsome", {kPointToPoint, 60, kWaitAll}},
      {"probe", {kPointToPoint, 61, kTestProbe}},
      {"iprobe", {kPointToPoint, 62, kTestProbe}},
      {"win_create", {kRma, 63, kGroupCommunication}},
      {"win_free", {kRma, 64, kGroupCommunication}},
      {"put", {kRma, 65, kOthers}},
      {"get", {kRma, 66, kOthers}},
      {"accumulate", {kRma, 67, kOthers}},
      {"win_fence", {kRma, 68, kSynchronization}},
      {"win_start", {kRma, 69, kSynchronization}},
      {"win_complete", {kRma, 70, kSynchronization}},
      {"win_post", {kRma, 71, kSynchronization}},
      {"win_wait", {kRma, 72, kSynchronization}},
      {"win_test", {kRma, 73, kTestProbe}},
      {"win_lock", {kRma, 74, kSynchronization}},
      {"win_unlock", {kRma, 75, kSynchronization}},
      {"pack", {kOtherMpi, 76, kOthers}},
      {"unpack", {kOtherMpi, 77, kOthers}},
      {"op_create", {kOtherMpi, 78, kOthers}},
      {"op_free", {kOtherMpi, 79, kOthers}},
      {"reduce_scatter", {kCollective, 80, kGroupCommunication}},
      {"intercomm_create", {kOtherMpi, 96, kOthers}},
      {"intercomm_merge", {kOtherMpi, 97, kOthers}},
      {"abort", {kOtherMpi, 100, kOthers}},
      {"testall", {kPointToPoint, 125, kTestProbe}},
      {"testany", {kPointToPoint, 126, kTestProbe}},
      {"testsome", {kPointToPoint, 128, kTestProbe}},
      {"file_open", {kMpiIo, 141, kIo}},
      {"file_close", {kMpiIo, 142, kIo}},
      {"file_read", {kMpiIo, 143, kIo}},
      {"file_read_all", {kMpiIo, 144, kIo}},
      {"file_write", {kMpiIo, 145, kIo}},
      {"file_write_all", {kMpiIo, 146, kIo}},
      {"file_read_at", {kMpiIo, 147, kIo}},
      {"file_read_at_all", {kMpiIo, 148, kIo}},
      {"file_write_at", {kMpiIo, 149, kIo}},
      {"file_write_at_all", {kMpiIo, 150, kIo}},
      {"comm_spawn", {kOtherMpi, 151, kOthers}},
      {"ireduce", {kCollective, 154, kGroupCommunication}},
      {"iallreduce", {kCollective, 155, kGroupCommunication}},
      {"ibarrier", {kCollective, 156, kGroupCommunication}},
      {"ibcast", {kCollective, 157, kGroupCommunication}},
      {"ialltoall", {kCollective, 158, kGroupCommunication}},
      {"ialltoallv", {kCollective, 159, kGroupCommunication}},
      {"iallgather", {kCollective, 160, kGroupCommunication}},
      {"iallgatherv", {kCollective, 161, kGroupCommunication}},
      {"igather", {kCollective, 162, kGroupCommunication}},
      {"igatherv", {kCollective, 163, kGroupCommunication}},
      {"iscatter", {kCollective, 164, kGroupCommunication}},
      {"iscatterv", {kCollective, 165, kGroupCommunication}},
      {"ireduce_scatter", {kCollective, 166, kGroupCommunication}},
      {"iscan", {kCollective, 167, kGroupCommunication}},
      {"reduce_scatter_block", {kCollective, 168, kGroupCommunication}},
      {"ireduce_scatter_block", {kCollective, 169, kGroupCommunication}},
      {"alltoallw", {kCollective, 170, kGroupCommunication}},
      {"ialltoallw", {kCollective, 171, kGroupCommunication}},
      {"get_accumulate", {kRma, 172, kOthers}},
  };
  return kFunctions;
}

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

constexpr std::uint32_t kFirstOwnValue = 1000;

}  // namespace

std::vector<RegionNumbers> numbers_of(const Definitions& all) {
  std::vector<RegionNumbers> numbers;
  std::map<std::string, std::uint32_t> own_values;
  for (std::size_t i = 0; i < all.regions.size(); ++i) {
    const Region& region = all.regions[i];
    const std::string name = plain_name(all.text(region.name));
    if (region.paradigm != Paradigm::kMpi || !name.starts_with("mpi_")) {
      numbers.push_back({kUserFunction, static_cast<std::uint32_t>(i + 1), state_of(region.role)});
      continue;
    }
    const auto found = mpi_functions().find(name.substr(4));
    if (found != mpi_functions().end()) {
      numbers.push_back({found->second.type, found->second.value, found->second.state});
    } else {
      const auto next = static_cast<std::uint32_t>(kFirstOwnValue + own_values.size());
      numbers.push_back({kOtherMpi, own_values.emplace(name, next).first->second, kOthers});
    }
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
