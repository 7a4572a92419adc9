// program_name_test.cpp -- finding the program in command lines of launchers and wrappers.
#include "tools/measure/program_name.hpp"

#include <gtest/gtest.h>

#include <set>

namespace tarry {
namespace {

// Only these words name programs.
bool is_known(const std::string& word) {
  static const std::set<std::string> kPrograms = {"./app",   "/opt/bin/mpirun", "mpirun", "srun",    "env",
                                                  "numactl", "timeout",         "bash",   "python3", "node",
                                                  "core",    "./other"};
  return kPrograms.count(word) > 0;
}

std::string found(const std::vector<std::string>& command) { return command[find_program(command, is_known)]; }

TEST(ProgramName, IsTheFirstWordWithoutALauncher) {
  EXPECT_EQ(found({"./app", "-np", "./other"}), "./app");
  EXPECT_EQ(found({"unknown"}), "unknown");
}

TEST(ProgramName, IsBehindTheOptionsOfALauncher) {
  EXPECT_EQ(found({"mpirun", "-np", "4", "./app", "x"}), "./app");
  EXPECT_EQ(found({"/opt/bin/mpirun", "--map-by", "node", "--bind-to", "core", "-x", "A=a", "./app"}), "./app");
  EXPECT_EQ(found({"mpirun", "--mca", "btl", "./other", "-np", "2", "./app"}), "./app");
  EXPECT_EQ(found({"mpirun", "-genv", "core", "node", "-f", "./other", "-ppn", "2", "./app"}), "./app");
  EXPECT_EQ(found({"srun", "--ntasks=4", "-N", "2", "./app"}), "./app");
  EXPECT_EQ(found({"mpirun", "-np", "1", "./app", ":", "-np", "1", "./other"}), "./app");
}

TEST(ProgramName, IsBehindWrappersAndInterpreters) {
  EXPECT_EQ(found({"mpirun", "-n", "2", "env", "A=1", "./app"}), "./app");
  EXPECT_EQ(found({"timeout", "10", "mpirun", "numactl", "--cpunodebind=0", "./app"}), "./app");
  EXPECT_EQ(found({"bash", "-e", "job.sh"}), "job.sh");
  EXPECT_EQ(found({"mpirun", "python3", "solver.py", "1"}), "solver.py");
  EXPECT_EQ(found({"bash", "-c", "true"}), "bash");
}

TEST(ProgramName, FollowsTheProgramsThatStartIt) {
  const std::vector<std::string> command = {"timeout", "9", "mpirun", "-np", "2", "env", "-i", "bash", "-e", "./app"};
  EXPECT_EQ(find_programs(command, is_known), (std::vector<std::size_t>{0, 2, 5, 7}));
  EXPECT_EQ(find_programs({"./app", "mpirun"}, is_known), std::vector<std::size_t>{0});
  EXPECT_EQ(find_programs({}, is_known), std::vector<std::size_t>{0});
}

TEST(ProgramName, OfSeveralProgramsEachHasTheLauncher) {
  using Parts = std::vector<std::vector<std::string>>;
  EXPECT_EQ(split_job({"mpirun", "-np", "1", "./app", ":", "-np", "2", "./other", "x"}, is_known),
            (Parts{{"mpirun", "-np", "1", "./app"}, {"mpirun", "-np", "2", "./other", "x"}}));
  EXPECT_EQ(split_job({"./app", ":", "./other"}, is_known), (Parts{{"./app", ":", "./other"}}));
}

TEST(ProgramName, IsTheLauncherWhereNothingElseCanBeMeant) { EXPECT_EQ(found({"mpirun", "--version"}), "mpirun"); }

TEST(ProgramName, IsFitForAFileName) {
  EXPECT_EQ(program_name({"/opt/my app*"}), "my_app_");
  EXPECT_EQ(program_name({"/opt/.."}), "run");
  EXPECT_EQ(program_name({}), "run");
}

}  // namespace
}  // namespace tarry
