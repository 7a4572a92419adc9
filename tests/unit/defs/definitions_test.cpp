// definitions_test.cpp -- names of paradigms and roles.
#include "defs/definitions.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "base/bytes/bytes.hpp"
#include "defs/definition_codec.hpp"

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

TEST(Definitions, QueuesAndTheirGroupsAreReadAsTheyAreWritten) {
  Definitions all;
  const auto text = [&](const char* name) { return all.strings.intern(name); };
  all.processes = {{text("rank 0"), 0, {}, true}};
  all.locations = {{text("master"), ProcessId(0), 0, 12},
                   {text("stream 7"), ProcessId(0), 1, 7, LocationKind::kQueue, text("GPU 0")},
                   {text("stream"), ProcessId(0), 2, 0, LocationKind::kQueue},
                   {text("power"), ProcessId(0), 3, 9, LocationKind::kMetrics}};
  all.groups = {{text("MPI"), {0}}, {text("copies"), {0, 1}, Paradigm::kCuda}};
  ByteWriter out;
  encode_definitions(out, all);
  Definitions again;
  ASSERT_TRUE(decode_definitions(out.bytes(), again).ok());
  ASSERT_EQ(again.locations.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(again.locations[i].kind, all.locations[i].kind);
    EXPECT_EQ(again.text(again.locations[i].name), all.text(all.locations[i].name));
  }
  EXPECT_EQ(again.text(again.locations[1].device), "GPU 0");
  EXPECT_FALSE(again.locations[2].device.is_valid());
  ASSERT_EQ(again.groups.size(), 2u);
  EXPECT_FALSE(again.groups[0].has_locations());
  EXPECT_EQ(again.groups[1].paradigm, Paradigm::kCuda);
  EXPECT_EQ(again.groups[1].members, (std::vector<std::uint32_t>{0, 1}));
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
