// python_layout_test.cpp -- versions of CPython whose frames can be followed.
#include "measure/callpath/python_layout.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace tarry::measure {
namespace {

TEST(PythonLayout, KnowsEachVersionFrom8To14) {
  for (const auto& [version, minor] : {std::pair("3.8.18 (default, Feb 3 2025) [GCC 12.2.0]", 8u),
                                       {"3.9.2", 9u},
                                       {"3.10.13", 10u},
                                       {"3.11.2 (main, Apr 28 2025)", 11u},
                                       {"3.12.1", 12u},
                                       {"3.13.0", 13u},
                                       {"3.14.10 (main, Oct 26 2026)", 14u}}) {
    const PythonLayout* const layout = find_python_layout(version);
    ASSERT_TRUE(layout) << version;
    EXPECT_EQ(layout->minor, minor);
  }
}

TEST(PythonLayout, KnowsNoOther) {
  for (const char* version : {"", "3", "3.", "2.7.18", "3.1.2", "3.7.16", "3.15.0", "13.11.0",
                              "3.13.0 experimental free-threading build (main, Oct 16 2024)"})
    EXPECT_FALSE(find_python_layout(version)) << version;
}

}  // namespace
}  // namespace tarry::measure
