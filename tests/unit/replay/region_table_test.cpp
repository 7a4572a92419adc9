// region_table_test.cpp -- function classes by name, and the regions the replay adds.
#include "replay/trees/region_table.hpp"

#include <gtest/gtest.h>

#include "synthetic_source.hpp"

namespace tarry {
namespace {

RegionClass class_of(const std::string& name, Paradigm paradigm, RegionRole role = RegionRole::kFunction,
                     const std::string& file = "") {
  SyntheticTrace trace(1);
  const RegionId id = trace.define_region(name, paradigm, role, file);
  return RegionTable(trace.definitions())[id];
}

TEST(RegionTable, ClassesOfMpiFunctions) {
  const std::pair<const char*, CallClass> table[] = {
      {"MPI_Send", CallClass::kBlockingSend}, {"MPI_Ssend", CallClass::kBlockingSend},
      {"MPI_Bsend", CallClass::kOther},       {"MPI_Wait", CallClass::kWaitOne},
      {"MPI_Waitany", CallClass::kWaitOne},   {"MPI_Waitall", CallClass::kWaitMany},
      {"MPI_Waitsome", CallClass::kWaitMany}, {"MPI_Testall", CallClass::kTest},
      {"MPI_Init_thread", CallClass::kInit},  {"MPI_Finalize", CallClass::kFinalize},
      {"MPI_Finalized", CallClass::kOther},   {"MPI_Recv", CallClass::kOther},
      {"mpi_waitall_", CallClass::kWaitMany}, {"MPI_SEND__", CallClass::kBlockingSend},
  };
  for (const auto& [name, expected] : table) EXPECT_EQ(class_of(name, Paradigm::kMpi).call, expected) << name;
}

TEST(RegionTable, CallsOfOpenShmem) {
  const std::pair<const char*, CallClass> table[] = {
      {"shmem_init", CallClass::kInit},          {"start_pes", CallClass::kInit},
      {"shmem_finalize", CallClass::kFinalize},  {"shmem_ctx_quiet", CallClass::kShmemQuiet},
      {"shmem_int_test", CallClass::kShmemTest}, {"shmem_int_test_any_vector", CallClass::kShmemTest},
      {"shmem_test_lock", CallClass::kOther},    {"shmem_long_wait_until", CallClass::kOther},
  };
  for (const auto& [name, expected] : table) {
    EXPECT_EQ(class_of(name, Paradigm::kShmem).call, expected) << name;
    EXPECT_TRUE(class_of(name, Paradigm::kShmem).is_mpi);
  }
}

TEST(RegionTable, MpiByParadigmOrFile) {
  EXPECT_TRUE(class_of("MPI_Send", Paradigm::kMpi).is_mpi);
  EXPECT_TRUE(class_of("MPI_Send", Paradigm::kUnknown, RegionRole::kFunction, "MPI").is_mpi);
  EXPECT_FALSE(class_of("MPI_Send", Paradigm::kUser).is_mpi);
  EXPECT_EQ(class_of("MPI_Send", Paradigm::kUser).call, CallClass::kOther);
}

TEST(RegionTable, OpenMpConstructs) {
  EXPECT_EQ(class_of("!$omp parallel @a.c:3", Paradigm::kOpenMp, RegionRole::kParallel).thread, ThreadClass::kParallel);
  EXPECT_EQ(class_of("!$omp barrier", Paradigm::kUnknown, RegionRole::kBarrier).thread, ThreadClass::kExplicitBarrier);
  EXPECT_EQ(class_of("!$omp critical", Paradigm::kOpenMp, RegionRole::kCritical).thread, ThreadClass::kCritical);
  EXPECT_EQ(class_of("MPI_Barrier", Paradigm::kMpi, RegionRole::kBarrier).thread, ThreadClass::kNone);
}

TEST(RegionTable, ArtificialRegionsStandBehindTheDefinedOnes) {
  SyntheticTrace trace(1);
  trace.region("main");
  const RegionTable regions(trace.definitions());
  EXPECT_EQ(regions.size(), 4u);
  EXPECT_EQ(regions.name(RegionId(0)), "main");
  EXPECT_TRUE(regions.is_defined(RegionId(0)));
  EXPECT_FALSE(regions.is_defined(regions.buffer_flush()));
  EXPECT_EQ(regions.name(regions.buffer_flush()), "TRACE BUFFER FLUSH");
  EXPECT_EQ(regions.name(regions.measurement_off()), "MEASUREMENT OFF");
  EXPECT_EQ(regions.name(regions.undefined()), "UNDEFINED REGION");
}

}  // namespace
}  // namespace tarry
