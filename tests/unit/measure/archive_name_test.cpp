// archive_name_test.cpp -- the number of the batch job in the name of an archive.
#include "tools/measure/archive_name.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

std::string expanded(const std::string& name, const Environment& environment) {
  const auto result = expand_archive_name(name, environment);
  return result.ok() ? result.value() : result.error().text();
}

TEST(ArchiveName, NamesTheBatchJob) {
  EXPECT_EQ(expanded("run-%j", {"SLURM_JOB_ID=17"}), "run-17");
  EXPECT_EQ(expanded("run-%j", {"PBS_JOBID=17[2].host"}), "run-17[2].host");
  EXPECT_EQ(expanded("run-%j", {"LSB_JOBID=17", "LSB_JOBINDEX=0"}), "run-17");
  EXPECT_EQ(expanded("run-%j", {"LSB_JOBID=17", "LSB_JOBINDEX=3"}), "run-17_3");
  EXPECT_EQ(expanded("run-%j", {"JOB_ID=17", "SGE_TASK_ID=undefined"}), "run-17");
  EXPECT_EQ(expanded("%j/%j", {"SLURM_JOB_ID=%j"}), "%j/%j") << "a value is not looked at again";
  EXPECT_EQ(expanded("%j", {"PBS_JOBID=a/b"}), "a_b") << "one folder";
}

TEST(ArchiveName, OtherNamesStay) {
  for (const char* name : {"run", "", "100%", "%p", "%%"}) EXPECT_EQ(expanded(name, {"SLURM_JOB_ID=17"}), name);
}

TEST(ArchiveName, OutsideOfAJobThereIsNoNumber) {
  EXPECT_EQ(expanded("run-%j", {}), "run-%j: there is no batch job whose number could replace %j (name it otherwise)");
}

}  // namespace
}  // namespace tarry
