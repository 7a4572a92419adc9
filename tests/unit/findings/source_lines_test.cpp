// source_lines_test.cpp -- lines of source files, and what is never read.
#include "findings/source_lines.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

namespace tarry {
namespace {

class SourceLinesTest : public testing::Test {
 protected:
  SourceLinesTest() {
    char pattern[] = "/tmp/source_lines_XXXXXX";
    folder_ = ::mkdtemp(pattern);
    ::mkdir((folder_ + "/src").c_str(), 0700);
    std::ofstream(folder_ + "/src/heat.c") << "int main() {\n  \tsolve(\x1b);  \r\n"
                                           << std::string(5000, 'x') << "\nend";
  }
  ~SourceLinesTest() override {
    for (const char* name : {"/src/heat.c", "/pipe", "/large", "/src", ""}) ::remove((folder_ + name).c_str());
  }
  std::string folder_;
};

TEST_F(SourceLinesTest, AreFoundWhereTheyWereRecordedOrBelowAFolder) {
  const SourceLines plain({}), below({folder_}), deeper({"/nowhere", folder_ + "/src"});
  EXPECT_EQ(plain.find(folder_ + "/src/heat.c", 1), "int main() {");
  EXPECT_EQ(plain.find("src/heat.c", 1), "");
  EXPECT_EQ(below.find("/build/machine/src/heat.c", 4), "end");
  EXPECT_EQ(deeper.find("../src/heat.c", 2), "solve(\\x1b);");
  EXPECT_LE(below.find("src/heat.c", 3).size(), 200u);
  for (const std::int64_t line : {-1, 0, 5, 1 << 30}) EXPECT_EQ(below.find("src/heat.c", line), "");
}

TEST_F(SourceLinesTest, AreOfSmallRegularFilesOnly) {
  ASSERT_EQ(::mkfifo((folder_ + "/pipe").c_str(), 0600), 0);
  std::ofstream(folder_ + "/large") << "first\n";
  ASSERT_EQ(::truncate((folder_ + "/large").c_str(), 1 << 30), 0);
  const SourceLines lines({});
  for (const std::string& path : {std::string("/dev/zero"), std::string("/dev/tty"), std::string("/proc/self/status"),
                                  folder_, folder_ + "/pipe", folder_ + "/large", std::string()})
    EXPECT_EQ(lines.find(path, 1), "") << path;
}

}  // namespace
}  // namespace tarry
