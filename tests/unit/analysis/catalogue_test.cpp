// catalogue_test.cpp -- the list of metrics is consistent, and docs/METRICS.md explains each of them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "report/metrics.hpp"

namespace tarry {
namespace {

std::string root() {
  const char* root = std::getenv("TARRY_ROOT");
  return root ? root : ".";
}

TEST(Catalogue, NamesAreUniqueAndParentsComeFirst) {
  std::set<std::string> names;
  for (const MetricInfo& info : catalogue()) {
    EXPECT_TRUE(names.insert(info.unique_name).second) << info.unique_name;
    if (info.parent == Metric::kNone) continue;
    EXPECT_LT(info.parent, info.metric) << info.unique_name;
    EXPECT_STREQ(info_of(info.parent).unit, info.unit) << info.unique_name;
  }
}

TEST(Catalogue, FilesExist) {
  for (const MetricInfo& info : catalogue())
    EXPECT_TRUE(std::ifstream(root() + "/" + info.file).good()) << info.unique_name << ": " << info.file;
}

TEST(Catalogue, EveryMetricHasAHeadingInTheDocumentation) {
  std::ifstream file(root() + "/docs/METRICS.md");
  std::set<std::string> headings;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("#")) headings.insert(line.substr(line.find(' ') + 1));
  for (const MetricInfo& info : catalogue()) {
    const std::string heading = std::string(info.display_name) + " (`" + info.unique_name + "`)";
    EXPECT_EQ(headings.count(heading), 1u) << heading;
  }
}

}  // namespace
}  // namespace tarry
