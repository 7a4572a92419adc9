// time_hierarchy_test.cpp -- which part of the time tree a region belongs to.
#include "analysis/time_hierarchy.hpp"

#include <gtest/gtest.h>

#include "analysis_of.hpp"

namespace tarry {
namespace {

using enum Metric;

struct Expected {
  const char* name;
  RegionRole role;
  Metric time;
  Metric count = kNone;
};

class TimeHierarchy : public testing::Test {
 protected:
  void expect(Paradigm paradigm, std::initializer_list<Expected> table,
              const Compatibility& compatibility = Compatibility::none()) {
    SyntheticTrace trace(1);
    for (const Expected& entry : table) trace.define_region(entry.name, paradigm, entry.role);
    const RegionTable regions(trace.definitions());
    std::uint32_t id = 0;
    for (const Expected& entry : table) {
      const RegionMetrics found = classify(regions, RegionId(id++), compatibility);
      EXPECT_EQ(found.time, entry.time) << entry.name;
      EXPECT_EQ(found.counts, entry.count == kNone ? std::vector<Metric>() : std::vector<Metric>{entry.count})
          << entry.name;
    }
  }
};

constexpr RegionRole kFunction = RegionRole::kFunction;

TEST_F(TimeHierarchy, MpiByName) {
  expect(Paradigm::kMpi, {{"MPI_Init", kFunction, kMpiInitExit},
                          {"mpi_finalize_", kFunction, kMpiInitExit},
                          {"MPI_Initialized", kFunction, kMpiInitExit},
                          {"MPI_Comm_split", kFunction, kMpiMgmtComm},
                          {"MPI_Cart_create", kFunction, kMpiMgmtComm},
                          {"MPI_Cartdim_get", kFunction, kMpiMgmtComm},
                          {"MPI_Dims_create", kFunction, kMpiMgmtComm},
                          {"MPI_Wait", kFunction, kMpiPointToPoint},
                          {"MPI_WAITALL", kFunction, kMpiPointToPoint},
                          {"MPI_Testsome", kFunction, kMpiPointToPoint},
                          {"MPI_Test_cancelled", kFunction, kMpi},
                          {"MPI_Wtime", kFunction, kMpi},
                          {"MPI_Type_commit", kFunction, kMpi}});
}

TEST_F(TimeHierarchy, MpiByRole) {
  expect(Paradigm::kMpi, {{"MPI_Send", RegionRole::kPointToPoint, kMpiPointToPoint},
                          {"MPI_Barrier", RegionRole::kBarrier, kMpiSyncCollective},
                          {"MPI_Ibarrier", RegionRole::kBarrier, kMpiSyncCollective},
                          {"MPI_Bcast", RegionRole::kOneToAll, kMpiCollective},
                          {"MPI_Gather", RegionRole::kAllToOne, kMpiCollective},
                          {"MPI_Allreduce", RegionRole::kAllToAll, kMpiCollective},
                          {"MPI_Scan", RegionRole::kOtherCollective, kMpiCollective}});
}

TEST_F(TimeHierarchy, OneSidedAndFiles) {
  expect(Paradigm::kMpi, {{"MPI_Win_create", kFunction, kMpiMgmtWindow},
                          {"MPI_Win_free", kFunction, kMpiMgmtWindow},
                          {"MPI_Win_fence", kFunction, kMpiRmaSyncActive, kSyncsRmaActive},
                          {"MPI_Win_lock_all", kFunction, kMpiRmaSyncPassive, kSyncsRmaPassive},
                          {"MPI_Put", RegionRole::kRma, kMpiRmaCommunication, kCommsRmaPuts},
                          {"MPI_Rget", RegionRole::kRma, kMpiRmaCommunication, kCommsRmaGets},
                          {"MPI_Fetch_and_op", RegionRole::kAtomic, kMpiRmaCommunication, kCommsRmaAtomics},
                          {"MPI_File_open", RegionRole::kFileIo, kMpiMgmtFile, kFileCollectiveOps},
                          {"MPI_File_seek", RegionRole::kFileIo, kMpiMgmtFile, kFileIndividualOps},
                          {"MPI_File_read_at", RegionRole::kFileIo, kMpiIoIndividual, kFileIndividualReads},
                          {"MPI_File_iwrite_shared", RegionRole::kFileIo, kMpiIoIndividual, kFileIndividualWrites},
                          {"MPI_File_read_all_begin", RegionRole::kFileIo, kMpiIoCollective, kFileCollectiveReads},
                          {"MPI_File_write_ordered", RegionRole::kFileIo, kMpiIoCollective, kFileCollectiveWrites}});
}

TEST_F(TimeHierarchy, OpenMpAndThreads) {
  expect(Paradigm::kOpenMp, {{"!$omp parallel @a.c:1", RegionRole::kParallel, kComputation},
                             {"!$omp for @a.c:1", RegionRole::kLoop, kComputation},
                             {"!$omp barrier @a.c:1", RegionRole::kBarrier, kOmpExplicitBarrier},
                             {"!$omp implicit barrier @a.c:1", RegionRole::kImplicitBarrier, kOmpImplicitBarrier},
                             {"!$omp critical @a.c:1", RegionRole::kCritical, kOmpCritical},
                             {"!$omp atomic", RegionRole::kAtomic, kOmpCritical},
                             {"!$omp flush", RegionRole::kFlush, kOmpFlush},
                             {"!$omp ordered", RegionRole::kOrdered, kOmpOrdered},
                             {"!$omp taskwait", RegionRole::kTaskWait, kOmpTaskWait},
                             {"omp_set_lock", kFunction, kOmpLockApi},
                             {"omp_test_nest_lock", kFunction, kOmpLockApi},
                             {"omp_get_num_threads", kFunction, kComputation}});
  expect(Paradigm::kPthread, {{"pthread_create", kFunction, kPthreadManagement},
                              {"pthread_mutex_lock", kFunction, kPthreadLockApi},
                              {"pthread_cond_wait", kFunction, kPthreadConditional},
                              {"pthread_self", kFunction, kPthreadTime}});
}

TEST_F(TimeHierarchy, EverythingElseIsComputation) {
  expect(Paradigm::kCompiler, {{"main", kFunction, kComputation}, {"MPI_Send", kFunction, kComputation}});
  expect(Paradigm::kUser, {{"pthread_create", kFunction, kComputation}});
}

TEST(TimeHierarchyOfTrace, TimeIsTheSumOfItsParts) {
  SyntheticTrace trace(1);
  trace.on(0).enter(0, "main").visit(2, 5, "MPI_Barrier").visit(6, 10, "MPI_Comm_dup").visit(11, 12, "MPI_Wtime");
  trace.on(0).add(13, record::BufferFlush{.duration = 4}).visit(17, 18, "work").leave(20);
  AnalysisOf found(trace);
  EXPECT_EQ(found.total(kTime), 20);
  EXPECT_EQ(found.total(kOverhead), 4);
  EXPECT_EQ(found.value(kOverhead, "main/TRACE BUFFER FLUSH", 0), 4);
  EXPECT_EQ(found.total(kExecution), 16);
  EXPECT_EQ(found.total(kMpi), 8);
  EXPECT_EQ(found.total(kMpiSynchronization), 3);
  EXPECT_EQ(found.total(kMpiSyncCollective), 3);
  EXPECT_EQ(found.total(kMpiManagement), 4);
  EXPECT_EQ(found.total(kMpiMgmtComm), 4);
  EXPECT_EQ(found.total(kComputation), 8);
  EXPECT_EQ(found.value(kComputation, "main", 0), 7);
  EXPECT_EQ(found.total(kVisits), 6);
}

// Some traces give MPI_Init the role of a message function.
TEST(TimeHierarchyOfTrace, WithTheSwitchTheRoleCountsBesideTheName) {
  for (const bool is_on : {false, true}) {
    SyntheticTrace trace(1);
    trace.define_region("MPI_Init", Paradigm::kMpi, RegionRole::kPointToPoint);
    trace.on(0).visit(0, 5, "MPI_Init");
    AnalysisOf found(trace, {.point_to_point_by_role = is_on});
    EXPECT_EQ(found.total(kMpi), 5);
    EXPECT_EQ(found.total(kMpiInitExit), 5);
    EXPECT_EQ(found.total(kMpiCommunication), is_on ? 5 : 0);
    EXPECT_EQ(found.total(kMpiPointToPoint), is_on ? 5 : 0);
  }
}

}  // namespace
}  // namespace tarry
