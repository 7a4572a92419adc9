// launcher_job_test.cpp -- which job the variables of launchers tell of.
#include "base/processes/launcher_job.hpp"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace tarry {
namespace {

using Environment = std::vector<std::string>;

std::string value_in(const Environment& environment, std::string_view name) {
  for (const std::string& each : environment)
    if (each.starts_with(name) && each[name.size()] == '=') return each.substr(name.size() + 1);
  return {};
}

// "ID RANK/SIZE"; "alone" outside of a job.
std::string job_of(const Environment& environment, const std::string& port = {}) {
  const auto find = [&environment](const char* name) { return value_in(environment, name); };
  const auto job = find_launcher_job(find, [&port] { return port; });
  return job ? job->id + " " + std::to_string(job->rank) + "/" + std::to_string(job->size) : "alone";
}

Environment joined(Environment left, const Environment& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

const Environment kOpenMpi = {"OMPI_COMM_WORLD_RANK=2", "OMPI_COMM_WORLD_SIZE=4", "PMIX_NAMESPACE=prterun-n1-7@1"};
const Environment kHydra = {"PMI_RANK=1", "PMI_SIZE=3"};
const Environment kSlurmScript = {"SLURM_JOB_ID=7", "SLURM_PROCID=0", "SLURM_NTASKS=4"};
const Environment kSlurmStep = {"SLURM_JOB_ID=7", "SLURM_PROCID=3", "SLURM_STEP_ID=1", "SLURM_STEP_NUM_TASKS=4"};

TEST(LauncherJob, IsNotThereWithoutALauncher) {
  EXPECT_EQ(job_of({}), "alone");
  EXPECT_EQ(job_of({"PMI_RANK=x", "PMI_SIZE=3"}), "alone");
  EXPECT_EQ(job_of({"PMI_RANK=3", "PMI_SIZE=3"}), "alone");
}

TEST(LauncherJob, OpenMpiNamesIt) {
  EXPECT_EQ(job_of(kOpenMpi), "prterun-n1-7_1 2/4");
  EXPECT_EQ(job_of(joined(kOpenMpi, {"OMPI_MCA_orte_precondition_transports=12-ab"})), "prterun-n1-7_1-12-ab 2/4");
}

TEST(LauncherJob, HydraIsKnownByItsPort) {
  EXPECT_EQ(job_of(kHydra, "n1:4711"), "n1_4711 1/3");
  EXPECT_EQ(job_of(kHydra), " 1/3") << "in a job, nobody knows which";
}

TEST(LauncherJob, OfSlurmIsAStepAndNotTheBatchScript) {
  EXPECT_EQ(job_of(kSlurmScript), "alone");
  EXPECT_EQ(job_of(kSlurmStep), "7-1 3/4");
  EXPECT_EQ(job_of(joined(kSlurmStep, {"SLURM_RESTART_COUNT=2"})), "7-1-2 3/4") << "the second run of the same job";
  EXPECT_EQ(job_of(joined(kSlurmStep, {"PMI_RANK=3", "PMI_SIZE=4"})), "7-1 3/4");
}

TEST(LauncherJob, IsThatOfTheInnermostLauncher) {
  EXPECT_EQ(job_of(joined(kSlurmStep, kOpenMpi)), "prterun-n1-7_1 2/4");
  EXPECT_EQ(job_of(joined(kSlurmStep, kHydra), "n1:4711"), "n1_4711 1/3");
}

}  // namespace
}  // namespace tarry
