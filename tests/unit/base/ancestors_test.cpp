// ancestors_test.cpp -- a process finds what is in the arguments of those that started it.
#include "base/processes/ancestors.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tarry {
namespace {

TEST(Ancestors, AreAskedFromTheNearestOn) {
  std::string first;
  const std::string found = find_in_ancestors([&first](std::string_view words) {
    if (first.empty()) first = words;
    return first.empty() ? std::string() : std::string("found");
  });
  EXPECT_EQ(found, "found");
  EXPECT_FALSE(first.empty());
}

TEST(Ancestors, OfAChildBeginWithThisProcess) {
  const pid_t child = ::fork();
  if (child == 0)
    ::_exit(find_in_ancestors([](std::string_view words) {
              return words.find("base_tests") != words.npos ? std::string("this") : std::string("another");
            }) == "this"
                ? 0
                : 1);
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(Ancestors, EndWithTheFirstProcess) {
  int asked = 0;
  EXPECT_EQ(find_in_ancestors([&asked](std::string_view) { return ++asked, std::string(); }), "");
  EXPECT_GE(asked, 1);
  EXPECT_LE(asked, 32);
}

}  // namespace
}  // namespace tarry
