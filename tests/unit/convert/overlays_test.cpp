// overlays_test.cpp -- tables of a replay become intervals on time lines; hostile names and tables end nothing.
#include "convert/overlays.hpp"

#include <gtest/gtest.h>

#include "tests/unit/archive/sample_archive.hpp"
#include "tests/unit/convert/small_trace.hpp"

namespace tarry {
namespace {

constexpr char kHeader[] =
    "metric,number,waiting,rank,thread,callpath,enter,exit,delaying_rank,delaying_thread,delaying_callpath,"
    "delaying_operation\n";

struct Sample {
  sample::Folder folder;
  Definitions all = small_definitions();
  OverlayFiles files;

  void write_instances(const std::string& rows) {
    files.instances = folder.path("instances.csv");
    EXPECT_TRUE(write_file(files.instances, std::string_view(kHeader + rows)).ok());
  }
};

TEST(Overlays, AWaitAndItsCauseAreAtTheSameTime) {
  Sample sample;
  sample.write_instances("mpi_latesender,1,2e-06,1,0,main/MPI_Recv,1e-06,4e-06,0,0,\"main/a,\"\"b\"\"\",\n");
  const auto overlays = read_overlays(sample.files, sample.all);
  ASSERT_TRUE(overlays.ok());
  EXPECT_EQ(overlays.value().kinds, std::vector<std::string>{"mpi_latesender"});
  ASSERT_EQ(overlays.value().intervals.size(), 2u);
  const OverlayInterval &cause = overlays.value().intervals[0], &wait = overlays.value().intervals[1];
  EXPECT_EQ(cause.layer, OverlayLayer::kDelayCause);
  EXPECT_EQ(cause.location, LocationId(0));
  EXPECT_NE(cause.text.find("main/a,\"b\""), std::string::npos);
  EXPECT_EQ(wait.layer, OverlayLayer::kWait);
  EXPECT_EQ(wait.location, LocationId(1));
  EXPECT_EQ(wait.begin, 1000);
  EXPECT_EQ(wait.end, 3000);
}

TEST(Overlays, RowsOfRanksThatAreNotThereAreLeftOut) {
  Sample sample;
  sample.write_instances("mpi_latesender,1,2e-06,7,0,p,1e-06,4e-06,0,0,p,\nmpi_latesender,2\n,,,,,,,,,,,\n");
  const auto overlays = read_overlays(sample.files, sample.all);
  ASSERT_TRUE(overlays.ok());
  EXPECT_TRUE(overlays.value().empty());
}

TEST(Overlays, WhatIsNoTableIsRefused) {
  Sample sample;
  sample.files.instances = sample.folder.path("no.csv");
  EXPECT_FALSE(read_overlays(sample.files, sample.all).ok());
  ASSERT_TRUE(write_file(sample.files.instances, std::string_view("")).ok());
  EXPECT_FALSE(read_overlays(sample.files, sample.all).ok());
  ASSERT_TRUE(write_file(sample.files.instances, std::string_view("metric,number\nx,1\n")).ok());
  const auto refused = read_overlays(sample.files, sample.all);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().why.find("has no column 'waiting'"), std::string::npos);
}

TEST(Overlays, AWaitIsFoundByItsKindHoweverItIsSpelt) {
  Sample sample;
  sample.write_instances(
      "mpi_latesender,1,2e-06,1,0,p,10e-06,12e-06,0,0,p,\nmpi_latesender,2,1e-06,1,0,p,40e-06,41e-06,0,0,p,\n");
  for (const char* name : {"late-sender#2", "mpi_latesender#2", "LateSender#2"}) {
    const auto context = find_wait_context(sample.files.instances, name, sample.all.clock);
    ASSERT_TRUE(context.ok()) << name;
    EXPECT_EQ(context.value().begin, 38000);
    EXPECT_EQ(context.value().end, 43000);
  }
  EXPECT_EQ(find_wait_context(sample.files.instances, "latesender", sample.all.clock).value().begin, 6000);
  const auto missing = find_wait_context(sample.files.instances, "late-sender#3", sample.all.clock);
  ASSERT_FALSE(missing.ok());
  EXPECT_NE(missing.error().hint.find("mpi_latesender"), std::string::npos);
}

}  // namespace
}  // namespace tarry
