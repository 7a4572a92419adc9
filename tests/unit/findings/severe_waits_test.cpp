// severe_waits_test.cpp -- single waits are read from a report's table by the names of its columns.
#include "findings/causes/severe_waits.hpp"

#include <gtest/gtest.h>

#include "report/tables/instance_files.hpp"

namespace tarry {
namespace {

Report with_table(std::string_view text) {
  Report report;
  report.files.push_back({kInstancesFile, {text.begin(), text.end()}});
  return report;
}

TEST(SevereWaits, ReadsColumnsByNameWhereverTheyStand) {
  const auto waits =
      severe_waits(with_table("rank,enter,waiting,metric,new_column,callpath,delaying_rank,delaying_callpath\n"
                              "3,0.5,0.25,mpi_latesender,?,\"main/a,b\"\"c\"\"/MPI_Recv\",1,\"line\nend\"\n"));
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_EQ(waits[0].rank, ReportRank(3));
  EXPECT_DOUBLE_EQ(waits[0].enter, 0.5);
  EXPECT_DOUBLE_EQ(waits[0].waiting, 0.25);
  EXPECT_EQ(waits[0].metric, "mpi_latesender");
  EXPECT_EQ(waits[0].call_path, "main/a,b\"c\"/MPI_Recv");
  EXPECT_EQ(waits[0].delaying_rank, ReportRank(1));
  EXPECT_EQ(waits[0].delaying_call_path, "line\nend");
}

TEST(SevereWaits, LeavesOutWhatCannotBeRead) {
  EXPECT_TRUE(severe_waits(Report()).empty());
  EXPECT_TRUE(severe_waits(with_table("")).empty());
  const auto waits = severe_waits(with_table(
      "metric,waiting,rank,enter\nmpi_latesender,soon,0,1\nmpi_latesender,nan,0,1\nmpi_latesender\n,1,2,3\n"));
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_EQ(waits[0].rank, ReportRank(2));
  EXPECT_FALSE(waits[0].delaying_rank.has_value());
}

}  // namespace
}  // namespace tarry
