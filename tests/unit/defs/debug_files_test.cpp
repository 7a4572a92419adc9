// debug_files_test.cpp -- where debug information is looked for.
#include "defs/debug_files.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "base/bytes/crc32.hpp"
#include "base/files/input_file.hpp"

namespace tarry {
namespace {

using Paths = std::vector<std::string>;

TEST(DebugFiles, FoldersOfTheUserComeFirst) {
  ::setenv("TARRY_DEBUG_PATH", "/opt/debug::/home/me/debug:", 1);
  EXPECT_EQ(debug_folders(), (Paths{"/opt/debug", "/home/me/debug", "/usr/lib/debug"}));
  ::unsetenv("TARRY_DEBUG_PATH");
  EXPECT_EQ(debug_folders(), Paths{"/usr/lib/debug"});
}

TEST(DebugFiles, ByBuildId) {
  const std::uint8_t id[] = {0x0a, 0xbc, 0xde};
  EXPECT_EQ(paths_by_build_id(id, {"/d", "/e"}), (Paths{"/d/.build-id/0a/bcde.debug", "/e/.build-id/0a/bcde.debug"}));
  EXPECT_TRUE(paths_by_build_id(std::span(id, 1), {"/d"}).empty());
}

TEST(DebugFiles, ByLink) {
  EXPECT_EQ(paths_by_link("/bin/app", "app.debug", {"/d"}),
            (Paths{"/bin/app.debug", "/bin/.debug/app.debug", "/d/bin/app.debug"}));
  EXPECT_EQ(paths_by_link("/bin/app", "app", {}), Paths{"/bin/.debug/app"});
  EXPECT_TRUE(paths_by_link("/bin/app", "../secret", {"/d"}).empty());
  EXPECT_TRUE(paths_by_link("/bin/app", "", {"/d"}).empty());
}

TEST(DebugFiles, TheChecksumIsThatOfTheWholeFile) {
  const std::string path = testing::TempDir() + "debug_files_test";
  const std::string content(700'000, 'x');
  std::ofstream(path) << content;
  const auto file = open_input(path);
  ASSERT_TRUE(file.ok());
  EXPECT_TRUE(has_checksum(file.value(), crc32(content.data(), content.size())));
  EXPECT_FALSE(has_checksum(file.value(), crc32(content.data(), content.size() - 1)));
  std::remove(path.c_str());
}

}  // namespace
}  // namespace tarry
