// time_classes_test.cpp -- which class the time in a region belongs to.
#include "report/metrics/time_classes.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

TimeClass class_of(const char* name, const char* paradigm, const char* role) {
  ReportRegion region;
  region.name = name;
  region.paradigm = paradigm;
  region.role = role;
  return time_class(region);
}

TEST(TimeClasses, MpiIsSplitByRoleAndName) {
  EXPECT_EQ(class_of("MPI_Send", "mpi", "point2point"), TimeClass::kPointToPoint);
  EXPECT_EQ(class_of("mpi_waitall_", "mpi", "function"), TimeClass::kPointToPoint);
  EXPECT_EQ(class_of("MPI_Allreduce", "mpi", "all2all"), TimeClass::kCollective);
  EXPECT_EQ(class_of("MPI_Barrier", "mpi", "barrier"), TimeClass::kSynchronization);
  EXPECT_EQ(class_of("MPI_Win_fence", "mpi", "function"), TimeClass::kSynchronization);
  EXPECT_EQ(class_of("MPI_Put", "mpi", "rma"), TimeClass::kOneSided);
  EXPECT_EQ(class_of("MPI_File_write_at", "mpi", "file io"), TimeClass::kFileIo);
  EXPECT_EQ(class_of("MPI_File_open", "mpi", "file io metadata"), TimeClass::kManagement);
  EXPECT_EQ(class_of("MPI_Init", "mpi", "function"), TimeClass::kManagement);
}

TEST(TimeClasses, LoopBodiesOfOpenMpAreComputation) {
  EXPECT_EQ(class_of("!$omp do @a.f:3", "openmp", "loop"), TimeClass::kComputation);
  EXPECT_EQ(class_of("!$omp implicit barrier @a.f:9", "openmp", "implicit barrier"), TimeClass::kOpenMp);
  EXPECT_EQ(class_of("omp_set_lock", "openmp", "function"), TimeClass::kOpenMp);
}

TEST(TimeClasses, OpenShmemIsOneClass) {
  for (const char* role : {"rma", "barrier", "function", "all2all", "allocate"})
    EXPECT_EQ(class_of("shmem_call", "shmem", role), TimeClass::kShmem);
}

TEST(TimeClasses, WritingTheTraceIsOverhead) {
  EXPECT_EQ(class_of("TRACE BUFFER FLUSH", "measurement", "artificial"), TimeClass::kOverhead);
  EXPECT_EQ(class_of("app", "measurement", "artificial"), TimeClass::kComputation);
}

TEST(TimeClasses, CallsOfAcceleratorsAreNoComputation) {
  EXPECT_EQ(class_of("hipEventSynchronize", "hip", "wrapper"), TimeClass::kAccelerator);
  EXPECT_EQ(class_of("clGetDeviceIDs", "opencl", "wrapper"), TimeClass::kAccelerator);
  EXPECT_EQ(class_of("cudaLaunchKernel", "user", "function"), TimeClass::kComputation);
}

TEST(TimeClasses, IdleThreadsAreTakenOutOfTheClassTheyIdleIn) {
  Report report;
  report.structure.locations.resize(2);
  ReportRegion region;
  region.name = "MPI_Recv";
  region.paradigm = "mpi";
  region.role = "point2point";
  report.structure.regions.push_back(region);
  report.structure.call_paths.resize(1);
  ReportMetric metric;
  metric.unique_name = "time";
  const MetricId time = report.add_metric(metric);
  metric.unique_name = "omp_idle_threads";
  metric.parent = time;
  const MetricId idle = report.add_metric(metric);
  report.row(time, CallPathId(0))[0] = 3;
  report.row(time, CallPathId(0))[1] = 3;
  report.row(idle, CallPathId(0))[1] = 3;
  const TimeShares shares = time_shares(report);
  EXPECT_DOUBLE_EQ(shares.total, 6);
  EXPECT_DOUBLE_EQ(shares.mpi, 3);
  EXPECT_DOUBLE_EQ(shares.of(TimeClass::kIdle), 3);
}

TEST(TimeClasses, WhatATeamCostsInTheProgramsOwnRegionIsOpenMp) {
  Report report;
  report.structure.locations.resize(1);
  ReportRegion region;
  region.name = "main";
  region.paradigm = "user";
  region.role = "function";
  report.structure.regions.push_back(region);
  report.structure.call_paths.resize(1);
  ReportMetric metric;
  metric.unique_name = "time";
  const MetricId time = report.add_metric(metric);
  metric.unique_name = "omp_management";
  metric.parent = time;
  const MetricId management = report.add_metric(metric);
  report.row(time, CallPathId(0))[0] = 5;
  report.row(management, CallPathId(0))[0] = 2;
  const TimeShares shares = time_shares(report);
  EXPECT_DOUBLE_EQ(shares.of(TimeClass::kComputation), 3);
  EXPECT_DOUBLE_EQ(shares.of(TimeClass::kOpenMp), 2);
}

}  // namespace
}  // namespace tarry
