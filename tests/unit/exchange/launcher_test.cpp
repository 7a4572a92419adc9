// launcher_test.cpp -- which launcher started this process, told by the environment alone.
#include "exchange/launcher.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "exchange/exchange.hpp"

namespace tarry {
namespace {

class Launcher : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : kVariables) ::unsetenv(name);
  }
  void TearDown() override { SetUp(); }

  static constexpr const char* kVariables[] = {
      "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE", "PMIX_RANK", "SLURM_STEP_NUM_TASKS"};
};

std::optional<Launch> with(const std::map<std::string, std::string>& variables) {
  for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
  return find_launch();
}

TEST_F(Launcher, WithoutOneTheProcessIsAlone) {
  EXPECT_FALSE(find_launch());
  Exchange exchange;
  EXPECT_TRUE(exchange.join_job(nullptr, nullptr).ok());
  EXPECT_EQ(exchange.size(), 1);
  EXPECT_TRUE(exchange.all_of(true));
  EXPECT_FALSE(exchange.all_of(false));
}

TEST_F(Launcher, MpirunOfOpenMpiSetsPmixBesides) {
  const auto launch = with({{"OMPI_COMM_WORLD_RANK", "3"}, {"OMPI_COMM_WORLD_SIZE", "4"}, {"PMIX_RANK", "3"}});
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->rank, 3);
  EXPECT_EQ(launch->processes, 4);
  EXPECT_EQ(launch->libraries_in_words(), "Open MPI");
}

TEST_F(Launcher, HydraAndSrunWithPmi2StartMpich) {
  const auto launch = with({{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}});
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->libraries_in_words(), "MPICH");
}

TEST_F(Launcher, SrunWithPmixStartsEither) {
  const auto launch = with({{"PMIX_RANK", "0"}, {"SLURM_STEP_NUM_TASKS", "8"}});
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->processes, 8);
  EXPECT_EQ(launch->libraries_in_words(), "Open MPI or MPICH");
}

TEST_F(Launcher, WhatIsNoNumberTellsNothing) {
  const auto launch = with({{"PMIX_RANK", "none"}});
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->rank, 0);
  EXPECT_EQ(launch->processes, 0);
}

TEST_F(Launcher, ASingleProcessNeedsNoMpi) {
  ::setenv("PMI_RANK", "0", 1);
  ::setenv("PMI_SIZE", "1", 1);
  Exchange exchange;
  EXPECT_TRUE(exchange.join_job(nullptr, nullptr).ok());
  EXPECT_EQ(exchange.size(), 1);
}

}  // namespace
}  // namespace tarry
