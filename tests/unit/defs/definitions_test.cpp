// definitions_test.cpp -- names of paradigms and roles.
#include "defs/definitions.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace tarry {
namespace {

TEST(Definitions, ParadigmNamesAreThoseOfReports) {
  EXPECT_EQ(name_of(Paradigm::kMpi), "mpi");
  EXPECT_EQ(name_of(Paradigm::kOpenMp), "openmp");
  EXPECT_EQ(name_of(Paradigm::kMeasurement), "measurement");
  EXPECT_EQ(name_of(Paradigm::kMemory), "memory");
  EXPECT_EQ(name_of(Paradigm::kOther), "unknown");
  EXPECT_EQ(name_of(static_cast<Paradigm>(200)), "unknown");
}

TEST(Definitions, RoleNamesAreThoseOfReports) {
  EXPECT_EQ(name_of(RegionRole::kDynamicLoop), "dynamic loop");
  EXPECT_EQ(name_of(RegionRole::kSingleBlock), "single sblock");
  EXPECT_EQ(name_of(RegionRole::kImplicitBarrier), "implicit barrier");
  EXPECT_EQ(name_of(RegionRole::kTaskWait), "taskwait");
  EXPECT_EQ(name_of(RegionRole::kThreadWait), "thread wait");
  EXPECT_EQ(name_of(RegionRole::kPointToPoint), "point2point");
  EXPECT_EQ(name_of(RegionRole::kOtherCollective), "other collective");
  EXPECT_EQ(name_of(RegionRole::kFileIoMetadata), "file io metadata");
  EXPECT_EQ(name_of(RegionRole::kArtificial), "artificial");
  EXPECT_EQ(name_of(static_cast<RegionRole>(200)), "unknown");
}

TEST(Definitions, EachRoleHasANameOfItsOwn) {
  std::set<std::string_view> names;
  const auto last = static_cast<int>(RegionRole::kArtificial);
  for (int role = 0; role <= last; ++role) names.insert(name_of(static_cast<RegionRole>(role)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(last) + 1);
}

}  // namespace
}  // namespace tarry
