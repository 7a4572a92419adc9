// overhead_rules_test.cpp -- which class of overhead the time in a region, a wait state and a counter belong to.
#include "findings/overheads/overhead_rules.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>

#include "report/metrics/wait_kinds.hpp"

namespace tarry {
namespace {

using enum Overhead;

Overhead class_of(const char* name, const char* paradigm, const char* role = "function") {
  ReportRegion region;
  region.name = name;
  region.paradigm = paradigm;
  region.role = role;
  return overhead_of(region);
}

TEST(OverheadRules, MessagesBySendAndReceive) {
  for (const char* name : {"MPI_Send", "mpi_isend_", "MPI_Bsend_init", "MPI_Psend_init", "MPI_Pready"})
    EXPECT_EQ(class_of(name, "mpi", "point2point"), kSend) << name;
  for (const char* name : {"MPI_Recv", "MPI_Irecv", "MPI_Mrecv", "MPI_Probe", "MPI_Iprobe"})
    EXPECT_EQ(class_of(name, "mpi", "point2point"), kReceive) << name;
  for (const char* name : {"MPI_Sendrecv", "MPI_Sendrecv_replace", "MPI_Start", "MPI_Waitall", "MPI_Test"})
    EXPECT_EQ(class_of(name, "mpi", "point2point"), kCompletion) << name;
}

TEST(OverheadRules, OtherFunctionsOfMpi) {
  EXPECT_EQ(class_of("MPI_Allreduce", "mpi", "all2all"), kCollective);
  EXPECT_EQ(class_of("MPI_Barrier", "mpi", "barrier"), kBarrier);
  EXPECT_EQ(class_of("MPI_Rput", "mpi", "rma"), kPut);
  EXPECT_EQ(class_of("MPI_Get", "mpi", "rma"), kGet);
  EXPECT_EQ(class_of("MPI_Get_accumulate", "mpi", "rma"), kAccumulate);
  EXPECT_EQ(class_of("MPI_Win_fence", "mpi"), kActiveTarget);
  EXPECT_EQ(class_of("MPI_Win_flush_all", "mpi"), kPassiveTarget);
  EXPECT_EQ(class_of("MPI_Win_allocate", "mpi"), kWindows);
  EXPECT_EQ(class_of("MPI_Finalize", "mpi"), kInitFinalize);
  EXPECT_EQ(class_of("MPI_Session_init", "mpi"), kInitFinalize);
  EXPECT_EQ(class_of("MPI_Comm_split", "mpi"), kCommunicators);
  EXPECT_EQ(class_of("MPI_Group_incl", "mpi"), kCommunicators);
  EXPECT_EQ(class_of("MPI_Comm_spawn_multiple", "mpi"), kSpawn);
  EXPECT_EQ(class_of("mpi_comm_rank", "mpi"), kProcessorIds);
  EXPECT_EQ(class_of("MPI_Group_size", "mpi"), kProcessorIds);
  EXPECT_EQ(class_of("MPI_Type_commit", "mpi"), kDataTypes);
  EXPECT_EQ(class_of("MPI_Unpack", "mpi"), kDataTypes);
  EXPECT_EQ(class_of("MPI_Wtime", "mpi"), kUnidentified);
}

TEST(OverheadRules, FilesOfMpiAndOfTheProgram) {
  EXPECT_EQ(class_of("MPI_File_open", "mpi", "file io metadata"), kFileHandling);
  EXPECT_EQ(class_of("MPI_File_read_all", "mpi", "file io"), kFileRead);
  EXPECT_EQ(class_of("MPI_File_iwrite", "mpi", "file io"), kFileWrite);
  EXPECT_EQ(class_of("fgets", "io", "file io"), kFileRead);
  EXPECT_EQ(class_of("preadv", "io", "file io"), kFileRead);
  EXPECT_EQ(class_of("fprintf", "io", "file io"), kFileWrite);
  EXPECT_EQ(class_of("fsync", "io", "file io"), kFileWrite);
  EXPECT_EQ(class_of("lseek", "io", "file io metadata"), kFileHandling);
  EXPECT_EQ(class_of("fclose", "io", "function"), kFileHandling);
}

TEST(OverheadRules, Threads) {
  EXPECT_EQ(class_of("!$omp barrier @a.c:1", "openmp", "barrier"), kThreadBarrier);
  EXPECT_EQ(class_of("!$omp implicit barrier @a.c:1", "openmp", "implicit barrier"), kThreadBarrier);
  EXPECT_EQ(class_of("!$omp critical @a.c:1", "openmp", "critical"), kThreadLock);
  EXPECT_EQ(class_of("!$omp critical sblock @a.c:1", "openmp", "critical sblock"), kComputation);
  EXPECT_EQ(class_of("omp_set_lock", "openmp"), kThreadLock);
  EXPECT_EQ(class_of("!$omp taskwait @a.c:1", "openmp", "taskwait"), kTaskWait);
  EXPECT_EQ(class_of("!$omp create task @a.c:1", "openmp", "task create"), kTasks);
  EXPECT_EQ(class_of("!$omp flush @a.c:1", "openmp", "flush"), kFlush);
  EXPECT_EQ(class_of("!$omp for @a.c:1", "openmp", "loop"), kComputation);
  EXPECT_EQ(class_of("omp_get_thread_num", "openmp"), kProcessorIds);
  EXPECT_EQ(class_of("pthread_create", "pthread"), kForkJoin);
  EXPECT_EQ(class_of("pthread_join", "pthread"), kThreadJoin);
  EXPECT_EQ(class_of("pthread_mutex_lock", "pthread"), kThreadLock);
  EXPECT_EQ(class_of("pthread_rwlock_rdlock", "pthread"), kThreadLock);
  EXPECT_EQ(class_of("pthread_cond_wait", "pthread"), kCondition);
  EXPECT_EQ(class_of("pthread_barrier_wait", "pthread"), kThreadBarrier);
}

TEST(OverheadRules, TheProgramComputesAndTheMeasurementIsUnidentified) {
  EXPECT_EQ(class_of("solve", "compiler"), kComputation);
  EXPECT_EQ(class_of("step=3", "user", "dynamic phase"), kComputation);
  EXPECT_EQ(class_of("app", "measurement", "artificial"), kComputation);
  EXPECT_EQ(class_of("TRACE BUFFER FLUSH", "measurement", "artificial"), kUnidentified);
}

TEST(OverheadRules, EveryWaitStateIsSynchronization) {
  for (const WaitInfo& wait : wait_states())
    for (const OverheadInfo& own : overhead_classes()) {
      if (!is_leaf(own.overhead)) continue;
      const Overhead overhead = overhead_of_wait(info_of(wait.metric).unique_name, own.overhead);
      EXPECT_TRUE(is_within(overhead, kSynchronization) && is_leaf(overhead)) << own.mnemonic;
    }
  EXPECT_EQ(overhead_of_wait("mpi_latesender", kReceive), kMessageWait);
  EXPECT_EQ(overhead_of_wait("mpi_icoll_wait", kCompletion), kCollectiveWait);
  EXPECT_EQ(overhead_of_wait("mpi_wait_nxn", kCollective), kCollectiveWait);
  EXPECT_EQ(overhead_of_wait("mpi_barrier_wait", kBarrier), kBarrier);
  EXPECT_EQ(overhead_of_wait("mpi_rma_comm_late_post", kPut), kActiveTarget);
  EXPECT_EQ(overhead_of_wait("mpi_rma_comm_lock_competition", kGet), kPassiveTarget);
  EXPECT_EQ(overhead_of_wait("mpi_finalize_wait", kInitFinalize), kSetupWait);
  EXPECT_EQ(overhead_of_wait("mpi_mgmt_file_wait", kFileHandling), kSetupWait);
  EXPECT_EQ(overhead_of_wait("pthread_lock_contention_mutex_lock", kThreadLock), kThreadLock);
}

TEST(OverheadRules, CountersOfMemory) {
  EXPECT_EQ(overhead_of_counter("page-faults"), kPageFaults);
  EXPECT_EQ(overhead_of_counter("PAPI_L2_DCM"), kCacheL2);
  EXPECT_EQ(overhead_of_counter("PAPI_TLB_DM"), kTlb);
  EXPECT_FALSE(overhead_of_counter("task-clock"));
  EXPECT_NE(counters_with_overhead().find("ru_minflt"), std::string::npos);
}

TEST(OverheadClasses, AreATreeOfDistinctMnemonics) {
  std::set<std::string> mnemonics;
  for (const OverheadInfo& info : overhead_classes()) {
    EXPECT_TRUE(mnemonics.insert(info.mnemonic).second) << info.mnemonic;
    EXPECT_EQ(find_overhead(info.mnemonic), info.overhead);
    if (info.parent == Overhead::kNone) continue;
    EXPECT_LT(info.parent, info.overhead);
    EXPECT_FALSE(is_leaf(info.parent)) << info.mnemonic;
    EXPECT_TRUE(std::string(info.mnemonic).starts_with(info_of(info.parent).mnemonic) || depth_of(info.parent) > 0);
  }
  EXPECT_EQ(find_overhead("odata_send"), kSend);
  EXPECT_FALSE(find_overhead("ODATA_SENT"));
  EXPECT_TRUE(is_within(kSend, kDataMovement));
  EXPECT_FALSE(is_within(kSend, kSynchronization));
  EXPECT_EQ(depth_of(kSend), 2u);
}

TEST(OverheadClasses, TheDocumentationDefinesEachOfThem) {
  const char* const root = std::getenv("TARRY_ROOT");
  std::ifstream file(std::string(root ? root : ".") + "/docs/METRICS.md");
  std::set<std::string> defined;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("| `")) defined.insert(line.substr(3, line.find('`', 3) - 3));
  for (const OverheadInfo& info : overhead_classes()) EXPECT_EQ(defined.count(info.mnemonic), 1u) << info.mnemonic;
}

}  // namespace
}  // namespace tarry
