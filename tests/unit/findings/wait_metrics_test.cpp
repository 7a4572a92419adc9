// wait_metrics_test.cpp -- which metrics are wait states, and which of them are parts of others.
#include "findings/causes/wait_metrics.hpp"

#include <gtest/gtest.h>

#include "tests/unit/findings/example_report.hpp"

namespace tarry {
namespace {

TEST(WaitMetrics, EveryNameHasItsFamily) {
  EXPECT_EQ(wait_family("mpi_latesender"), WaitFamily::kSender);
  EXPECT_EQ(wait_family("mpi_rma_wait_at_fence"), WaitFamily::kEveryone);
  EXPECT_EQ(wait_family("mpi_rma_lock_contention"), WaitFamily::kLock);
  EXPECT_EQ(wait_family("omp_ibarrier_wait"), WaitFamily::kTeam);
  EXPECT_EQ(wait_family("time"), WaitFamily::kNone);
  EXPECT_EQ(wait_family("visits"), WaitFamily::kNone);
}

TEST(WaitMetrics, APartHasItsOwnFamilyOrThatOfTheWhole) {
  EXPECT_EQ(part_family("mpi_latesender_wo", "mpi_latesender"), WaitFamily::kOvertaken);
  EXPECT_EQ(part_family("mpi_something_else", "mpi_latesender"), WaitFamily::kSender);
}

TEST(WaitMetrics, PartsAreNotCountedAgain) {
  Example example;
  example.add_waits();
  const auto found = wait_metrics(example.report.structure);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(example.report.structure.metrics[found[1].value].unique_name, "mpi_latesender");
  const auto parts = parts_of(example.report.structure, found[1]);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(example.report.structure.metrics[parts[0].value].unique_name, "mpi_latesender_wo");
}

}  // namespace
}  // namespace tarry
