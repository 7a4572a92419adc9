// shown_regions_test.cpp -- regions of a listing are told apart, and only as far as needed.
#include "report/algebra/shown_regions.hpp"

#include <gtest/gtest.h>

#include "base/text/format.hpp"

namespace tarry {
namespace {

ReportStructure structure_with(const std::vector<std::pair<const char*, const char*>>& regions) {
  ReportStructure structure;
  for (const auto& [name, file] : regions) {
    ReportRegion& region = structure.regions.emplace_back();
    region.name = name;
    region.module = file;
    region.begin_line = static_cast<std::int64_t>(10 * structure.regions.size());
    ReportCallPath& path = structure.call_paths.emplace_back();
    path.region = static_cast<std::uint32_t>(structure.regions.size() - 1);
    if (structure.call_paths.size() > 1) path.parent = CallPathId(structure.call_paths.size() - 2);
  }
  return structure;
}

TEST(ShownRegions, AreShortAmongWhatIsShown) {
  const ReportStructure structure =
      structure_with({{"main", "m.cc"}, {"f(int)", "f.cc"}, {"a/b(int)", ""}, {"f(char)", "f.cc"}});
  const ShownRegions some(structure, {CallPathId(2)}, false), all(structure, {CallPathId(3)}, false);
  const ShownRegions whole(structure, {CallPathId(3)}, true);
  EXPECT_EQ(some.path_text(CallPathId(2)), "main/f/a\\/b");
  EXPECT_EQ(all.path_text(CallPathId(3)), "main/f(int)/a\\/b/f(char)");
  EXPECT_EQ(whole.path_text(CallPathId(2)), "main/f(int)/a\\/b(int)");
}

TEST(ShownRegions, OfOneNameAreToldApartByTheirFiles) {
  const ReportStructure structure =
      structure_with({{"init", "/x/a.c"}, {"init", "/x/b.c"}, {"g", "a.h"}, {"g", "a.h"}, {"h", ""}, {"h", ""}});
  const ShownRegions shown(structure, {CallPathId(5)}, false);
  EXPECT_EQ(shown.path_text(CallPathId(5)), "init (a.c)/init (b.c)/g (a.h:30)/g (a.h:40)/h/h");
}

TEST(ShownRegions, CallsByOneCallerAreToldApartByTheirLines) {
  ReportStructure structure = structure_with({{"main", "m.c"}, {"swap", "s.c"}, {"send", "x.c"}});
  auto& paths = structure.call_paths;
  paths[1].line = 7;
  paths[2].line = 70;
  paths.push_back(paths[1]);  // main calls swap at another line
  paths.back().line = 8;
  paths.push_back(paths[2]);
  paths.back().parent = CallPathId(3);
  const ShownRegions one(structure, {CallPathId(2)}, false), both(structure, {CallPathId(2), CallPathId(4)}, true);
  EXPECT_EQ(one.path_text(CallPathId(2)), "main/swap/send");
  EXPECT_EQ(both.path_text(CallPathId(2)), "main/swap (line 7)/send");
  EXPECT_EQ(both.path_text(CallPathId(4)), "main/swap (line 8)/send");
}

TEST(ShownRegions, AreShortInTextsOfPaths) {
  EXPECT_EQ(short_path_texts({"main/f(int)/a\\/b\\\\c", "", "main/f(int)"}),
            (std::vector<std::string>{"main/f/a\\/b\\\\c", "", "main/f"}));
  EXPECT_EQ(short_path_texts({"f(int)", "f(char)"}), (std::vector<std::string>{"f(int)", "f(char)"}));
}

TEST(ShortPaths, KeepWholeNames) {
  const std::string path = "app/main/Foam::solve<Vector>/Foam::PCG::solve/a\\/b/MPI_Send";
  EXPECT_EQ(shorten_path(path, 100), path);
  EXPECT_EQ(shorten_path(path, 56), "app/main/.../Foam::PCG::solve/a\\/b/MPI_Send");
  EXPECT_EQ(shorten_path(path, 30), "app/main/.../a\\/b/MPI_Send");
  EXPECT_EQ(shorten_path(path, 12), ".../MPI_Send");
  EXPECT_EQ(shorten_path(path, 11), shorten_middle(path, 11));
  EXPECT_EQ(shorten_path("", 10), "");
  for (std::size_t width = 12; width < path.size(); ++width) {
    const std::string text = shorten_path(path, width);
    EXPECT_LE(text.size(), width);
    const std::size_t cut = text.find(".../");
    ASSERT_NE(cut, text.npos) << text;
    EXPECT_TRUE(path.starts_with(text.substr(0, cut))) << text;
    EXPECT_TRUE(path.ends_with("/" + text.substr(cut + 4))) << text;
  }
}

}  // namespace
}  // namespace tarry
