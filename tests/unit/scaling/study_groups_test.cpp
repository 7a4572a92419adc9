// study_groups_test.cpp -- runs of a store become studies, and the conditions of a study choose its runs.
#include "scaling/study_groups.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "store/run_filter.hpp"

namespace tarry {
namespace {

using Parameters = std::vector<std::pair<std::string, std::string>>;

StoredRun run_of(std::int64_t id, const std::string& program, Parameters parameters) {
  StoredRun run;
  run.id = id;
  run.program = program;
  run.kind = "summary";
  run.parameters = std::move(parameters);
  return run;
}

// Numbers of the runs that conditions choose.
std::vector<std::int64_t> chosen(const std::vector<StoredRun>& runs, const std::string& where) {
  const auto filter = RunFilter::parse(where);
  EXPECT_TRUE(filter.ok()) << where;
  std::vector<std::int64_t> ids;
  for (const StoredRun& run : runs)
    if (filter.ok() && filter.value().accepts(run)) ids.push_back(run.id);
  return ids;
}

TEST(StudyGroups, HaveRunsThatDifferInNumbersOnly) {
  const std::vector<StoredRun> runs = {run_of(1, "heat", {{"n", "512"}}), run_of(2, "cg", {{"n", "64"}}),
                                       run_of(3, "heat", {{"n", "1024"}})};
  const std::vector<StudyGroup> groups = group_runs(runs, "run > 0");
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].title, "heat");
  EXPECT_EQ(groups[0].count, 2u);
  EXPECT_EQ(chosen(runs, groups[0].where), (std::vector<std::int64_t>{1, 3}));
  EXPECT_EQ(chosen(runs, groups[1].where), (std::vector<std::int64_t>{2}));
  EXPECT_TRUE(groups[0].where.starts_with("run > 0 and "));
}

TEST(StudyGroups, NeedNoConditionsOfTheirOwnIfThereIsOne) {
  const std::vector<StoredRun> runs = {run_of(1, "heat", {{"n", "512"}}), run_of(2, "heat", {{"n", "64"}})};
  const std::vector<StudyGroup> groups = group_runs(runs, "");
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].where, "");
  ScaleOptions options;
  options.store = "my runs.db";
  options.metrics = {"time"};
  options.at = {{"n", 4096}, {"", 512}};
  EXPECT_EQ(command_of(groups[0], options), "tarry scale --store 'my runs.db' --metric time --at n=4096,512");
}

TEST(StudyGroups, DifferByTextsAndByWhichNumbersThereAre) {
  const std::vector<StoredRun> runs = {
      run_of(1, "heat", {{"layout", "rows"}}), run_of(2, "heat", {{"layout", "columns"}}),
      run_of(3, "heat", {{"layout", "rows"}, {"n", "64"}}), run_of(4, "heat", {{"layout", "rows"}, {"n", "128"}})};
  const std::vector<StudyGroup> groups = group_runs(runs, "");
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].count, 2u);
  EXPECT_EQ(chosen(runs, groups[0].where), (std::vector<std::int64_t>{3, 4}));
  // No condition says that a parameter is not there: the runs are named.
  const auto is_it = [](const StudyGroup& group) { return group.title == "heat, layout=rows"; };
  const auto named = std::find_if(groups.begin(), groups.end(), is_it);
  ASSERT_NE(named, groups.end());
  EXPECT_EQ(named->runs, (std::vector<std::string>{"1"}));
}

TEST(StudyGroups, AreNamedByNumbersIfNoQuotesFit) {
  const std::string program = "'; DROP TABLE \"run\" and x = 1";
  const std::vector<StoredRun> runs = {run_of(1, program, {}), run_of(2, "a 'quoted' name", {}),
                                       run_of(3, program, {})};
  const std::vector<StudyGroup> groups = group_runs(runs, "");
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].runs, (std::vector<std::string>{"1", "3"}));
  EXPECT_EQ(groups[0].where, "");
  EXPECT_TRUE(groups[1].runs.empty());
  EXPECT_EQ(chosen(runs, groups[1].where), (std::vector<std::int64_t>{2}));
}

}  // namespace
}  // namespace tarry
