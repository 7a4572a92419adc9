// region_table.cpp -- function classes of regions, from paradigm and name.
#include "replay/trees/region_table.hpp"

#include "base/text/text.hpp"
#include "defs/artificial_regions.hpp"

namespace tarry {
namespace {

CallClass call_class(const std::string& name) {
  static const struct {
    const char* name;
    CallClass call;
  } table[] = {
      {"mpi_send", CallClass::kBlockingSend},
      {"mpi_ssend", CallClass::kBlockingSend},
      {"mpi_wait", CallClass::kWaitOne},
      {"mpi_waitany", CallClass::kWaitOne},
      {"mpi_waitall", CallClass::kWaitMany},
      {"mpi_waitsome", CallClass::kWaitMany},
      {"mpi_test", CallClass::kTest},
      {"mpi_testany", CallClass::kTest},
      {"mpi_testall", CallClass::kTest},
      {"mpi_testsome", CallClass::kTest},
      {"mpi_request_get_status", CallClass::kStatusTest},
      {"mpi_iprobe", CallClass::kPoll},
      {"mpi_improbe", CallClass::kPoll},
      {"mpi_get_count", CallClass::kInquiry},
      {"mpi_get_count_c", CallClass::kInquiry},
      {"mpi_get_elements", CallClass::kInquiry},
      {"mpi_get_elements_c", CallClass::kInquiry},
      {"mpi_get_elements_x", CallClass::kInquiry},
      {"mpi_test_cancelled", CallClass::kInquiry},
      {"mpi_type_size", CallClass::kInquiry},
      {"mpi_comm_rank", CallClass::kInquiry},
      {"mpi_comm_size", CallClass::kInquiry},
      {"mpi_probe", CallClass::kProbe},
      {"mpi_mprobe", CallClass::kMatchedProbe},
      {"mpi_mrecv", CallClass::kMatchedReceive},
      {"mpi_imrecv", CallClass::kMatchedReceive},
      {"mpi_init", CallClass::kInit},
      {"mpi_init_thread", CallClass::kInit},
      {"mpi_finalize", CallClass::kFinalize},
      {"mpi_win_post", CallClass::kWindowPost},
      {"mpi_win_start", CallClass::kWindowStart},
      {"mpi_win_complete", CallClass::kWindowComplete},
      {"mpi_win_wait", CallClass::kWindowWait},
      {"mpi_win_test", CallClass::kWindowTest},
      {"mpi_win_flush", CallClass::kWindowFlush},
      {"mpi_win_flush_all", CallClass::kWindowFlush},
      {"mpi_win_unlock_all", CallClass::kWindowFlush},
  };
  for (const auto& entry : table)
    if (name == entry.name) return entry.call;
  return CallClass::kOther;
}

CallClass shmem_call_class(const std::string& name) {
  if (is_one_of(name, {"shmem_init", "shmem_init_thread", "start_pes"})) return CallClass::kInit;
  if (name == "shmem_finalize") return CallClass::kFinalize;
  if (is_one_of(name, {"shmem_quiet", "shmem_ctx_quiet"})) return CallClass::kShmemQuiet;
  const bool is_test = name.ends_with("_test") || name.find("_test_") != name.npos;
  return is_test && name != "shmem_test_lock" ? CallClass::kShmemTest : CallClass::kOther;
}

bool is_creation(const std::string& name) {
  for (const char* prefix : {"mpi_comm_", "mpi_cart_", "mpi_graph_", "mpi_dist_graph_", "mpi_intercomm_", "mpi_file_"})
    if (name.starts_with(prefix)) return true;
  return false;
}

ThreadClass thread_class(const Region& region) {
  switch (region.role) {
    case RegionRole::kParallel: return ThreadClass::kParallel;
    case RegionRole::kBarrier: return ThreadClass::kExplicitBarrier;
    case RegionRole::kImplicitBarrier: return ThreadClass::kImplicitBarrier;
    case RegionRole::kCritical: return ThreadClass::kCritical;
    case RegionRole::kTask: return ThreadClass::kTask;
    default: return ThreadClass::kOther;
  }
}

ConditionClass condition_class(const std::string& name) {
  if (!name.starts_with("pthread_cond_")) return ConditionClass::kNone;
  if (is_one_of(name, {"pthread_cond_signal", "pthread_cond_broadcast"})) return ConditionClass::kSignal;
  return name.ends_with("wait") ? ConditionClass::kWait : ConditionClass::kNone;
}

SignalClass signal_class(const std::string& name) {
  if (name == "sem_post" || condition_class(name) == ConditionClass::kSignal) return SignalClass::kGives;
  if (condition_class(name) == ConditionClass::kWait) return SignalClass::kCondition;
  if (name == "pthread_barrier_wait") return SignalClass::kBarrier;
  if (name == "pthread_join") return SignalClass::kThreadEnd;
  return name.starts_with("sem_") && name.ends_with("wait") ? SignalClass::kSemaphore : SignalClass::kNone;
}

}  // namespace

RegionTable::RegionTable(const Definitions& definitions) : defined_(definitions.regions.size()) {
  for (const Region& region : definitions.regions)
    add(region, std::string(definitions.text(region.name)), std::string(definitions.text(region.file)));
  Region artificial;
  artificial.paradigm = Paradigm::kMeasurement;
  artificial.role = RegionRole::kArtificial;
  for (const std::string_view name : {kBufferFlushName, kMeasurementOffName, kUndefinedRegionName})
    add(artificial, std::string(name), "");
}

void RegionTable::add(const Region& region, std::string name, std::string file) {
  RegionClass facts;
  facts.is_shmem = region.paradigm == Paradigm::kShmem;
  facts.is_mpi = facts.is_shmem || region.paradigm == Paradigm::kMpi || file == "MPI";
  const std::string plain = plain_name(name);
  if (facts.is_mpi) facts.call = facts.is_shmem ? shmem_call_class(plain) : call_class(plain);
  facts.is_creation = facts.is_mpi && is_creation(plain);
  facts.is_spawn = facts.is_mpi && (plain == "mpi_comm_spawn" || plain == "mpi_comm_spawn_multiple");
  facts.is_neighborhood = facts.is_mpi && (plain.starts_with("mpi_neighbor_") || plain.starts_with("mpi_ineighbor_"));
  if (region.paradigm == Paradigm::kOpenMp || name.starts_with("!$omp")) facts.thread = thread_class(region);
  facts.condition = condition_class(name);
  if (region.paradigm == Paradigm::kPthread) facts.signal = signal_class(name);
  facts.accelerator = accelerator_call(region.paradigm, name);
  facts.is_plain = !facts.is_mpi && facts.thread == ThreadClass::kNone && facts.condition == ConditionClass::kNone &&
                   facts.signal == SignalClass::kNone && facts.accelerator == AcceleratorCall::kNone &&
                   region.role != RegionRole::kArtificial;
  classes_.push_back(facts);
  regions_.push_back(region);
  names_.push_back(std::move(name));
  files_.push_back(std::move(file));
}

}  // namespace tarry
