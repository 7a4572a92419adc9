// launched_process_test.cpp -- a process finds its place in the variables of any launcher.
#include "base/processes/launched_process.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tarry {
namespace {

class LaunchedProcess : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "PMI_ID", "MPIRUN_RANK", "SLURM_PROCID",
                             "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"})
      ::unsetenv(name);
  }
  void TearDown() override { SetUp(); }
};

TEST_F(LaunchedProcess, HasNoRankWithoutALauncher) {
  EXPECT_EQ(launched_rank(), nullptr);
  EXPECT_FALSE(launched_processes());
}

TEST_F(LaunchedProcess, TakesTheInnerLauncherBeforeSlurm) {
  ::setenv("SLURM_PROCID", "0", 1);
  ::setenv("SLURM_NTASKS", "1", 1);
  EXPECT_STREQ(launched_rank(), "0");
  EXPECT_EQ(launched_processes(), 1);
  ::setenv("PMI_RANK", "3", 1);
  ::setenv("PMI_SIZE", "4", 1);
  EXPECT_STREQ(launched_rank(), "3");
  EXPECT_EQ(launched_processes(), 4);
}

}  // namespace
}  // namespace tarry
