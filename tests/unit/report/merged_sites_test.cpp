// merged_sites_test.cpp -- calls from several lines share a call path, their values add up, and nothing else changes.
#include "report/algebra/merged_sites.hpp"

#include <gtest/gtest.h>

#include <map>

#include "report/algebra/algebra.hpp"
#include "tests/unit/findings/example_report.hpp"

namespace tarry {
namespace {

// Two calls of one region from lines, one from an address; each with a call of compute inside.
struct Calls {
  Calls() {
    const std::uint32_t region = add_region(example.report, "send", "mpi", "point2point");
    add(region, "a.c", 3, 1);
    add(region, "a.c", 4, 2);
    add(region, "app+0x1139", -1, 4);
    add(region, "app+0x1150", -1, 8);
  }

  std::map<std::string, double> times(CallSites sites) {
    std::map<std::string, double> found;
    auto mapped = merge_call_sites(example.report.structure, sites);
    EXPECT_TRUE(mapped.ok() && *mapped);
    const ReportCube source(example.report);
    const CombinedCube cube({&source}, std::move(**mapped), Combination::kMerge);
    std::vector<double> row(3);
    for (std::uint32_t path = 0; path < cube.structure().call_paths.size(); ++path) {
      cube.read_row(example.time, CallPathId(path), row);
      const ReportCallPath& facts = cube.structure().call_paths[path];
      found[call_path_text(cube.structure(), CallPathId(path)) + " " + facts.module + ":" +
            std::to_string(facts.line)] = row[0];
    }
    return found;
  }

  Example example;

 private:
  void add(std::uint32_t region, const char* file, std::int64_t line, double time) {
    const CallPathId path = add_path(example.report, region, example.root);
    example.report.structure.call_paths[path.value].module = file;
    example.report.structure.call_paths[path.value].line = line;
    set(example.report, example.time, path, {time, 0, 0});
    set(example.report, example.time, add_path(example.report, 1, path), {0.5, 0, 0});
  }
};

TEST(MergedSites, AllOfThemAddUp) {
  auto found = Calls().times(CallSites::kAll);
  EXPECT_EQ(found["heat/send :-1"], 15);
  EXPECT_EQ(found["heat/send/compute :-1"], 2);
}

TEST(MergedSites, LinesStayWhereOnlyAddressesGo) {
  auto found = Calls().times(CallSites::kUnknownLines);
  EXPECT_EQ(found["heat/send a.c:3"], 1);
  EXPECT_EQ(found["heat/send a.c:4"], 2);
  EXPECT_EQ(found["heat/send :-1"], 12);
  EXPECT_EQ(found["heat/send/compute :-1"], 1);  // below the last one
}

TEST(MergedSites, AreNoneWithoutCallSite) {
  Example example;
  auto merged = merge_call_sites(example.report.structure, CallSites::kAll);
  ASSERT_TRUE(merged.ok());
  EXPECT_FALSE(*merged);
}

}  // namespace
}  // namespace tarry
