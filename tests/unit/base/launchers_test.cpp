// launchers_test.cpp -- launchers are known by name and by path.
#include "base/processes/launchers.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

TEST(Launchers, AreKnownByNameAndByPath) {
  for (const char* const program : {"mpirun", "/usr/bin/mpiexec.hydra", "prte", "prun", "./srun", "slurmstepd"})
    EXPECT_TRUE(is_launcher(program)) << program;
  for (const char* const program : {"", "mpirun/", "mpirun.sh", "my_mpirun", "run"})
    EXPECT_FALSE(is_launcher(program)) << program;
}

}  // namespace
}  // namespace tarry
