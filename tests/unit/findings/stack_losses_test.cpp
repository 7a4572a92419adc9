// stack_losses_test.cpp -- what a report tells of stacks that are cut, and of functions without names.
#include "findings/losses/stack_losses.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

ReportStructure report_with(const std::string& value) {
  ReportStructure report;
  report.attributes.emplace_back(kStacksAttribute, value);
  return report;
}

TEST(StackLosses, TellShareReasonsAndModule) {
  const auto losses = read_stack_losses(report_with("200 20 4 0 0:18 /usr/lib/libfoo.so"));
  ASSERT_TRUE(losses);
  EXPECT_EQ(losses->all_cut(), 24u);
  EXPECT_DOUBLE_EQ(losses->share(), 0.12);
  EXPECT_EQ(losses->module, "/usr/lib/libfoo.so");
  EXPECT_EQ(stack_losses_text(*losses),
            "STACKS CUT: 12.0% (24 of 200) lack their outermost functions: 20 where a function has no unwind "
            "information (18 in libfoo.so), 4 in code made at run time");
}

TEST(StackLosses, NeedNoModule) {
  const auto losses = read_stack_losses(report_with("100 0 0 2 3:"));
  ASSERT_TRUE(losses);
  EXPECT_EQ(stack_losses_text(*losses),
            "STACKS CUT: 5.0% (5 of 100) lack their outermost functions: 2 where the stack could not be read, "
            "3 that are too deep");
}

TEST(StackLosses, AreNotTellableWhereHardlyAnyAre) {
  const auto losses = read_stack_losses(report_with("10000 99 0 0 0:"));
  ASSERT_TRUE(losses);
  EXPECT_EQ(stack_losses_text(*losses), "");
}

TEST(StackLosses, AreNotReadFromNonsense) {
  EXPECT_FALSE(read_stack_losses(ReportStructure()));
  EXPECT_FALSE(read_stack_losses(report_with("12 nonsense")));
  EXPECT_FALSE(read_stack_losses(report_with("12 1 2 3 4")));
  EXPECT_FALSE(read_stack_losses(report_with("12 10 2 3 4:")));
}

TEST(MissingNames, SayWhatHelps) {
  MissingNames names{.functions = 3, .share = 0.5, .module = "app"};
  EXPECT_EQ(missing_names_text(names),
            "NAMES MISSING: 50.0% of the time is in or below 3 functions without a name, most in app. What helps: -g, "
            "debug packages, TARRY_DEBUG_PATH, DEBUGINFOD_URLS");
  names.lacks_libdw = true;
  EXPECT_EQ(missing_names_text(names),
            "NAMES MISSING: 50.0% of the time is in or below 3 functions without a name, most in app. libdw (elfutils) "
            "is not installed there");
  names.share = 0.009;
  EXPECT_EQ(missing_names_text(names), "");
}

}  // namespace
}  // namespace tarry
