// call_site_marks_test.cpp -- a function and the place of its call together are told from another function elsewhere.
#include <gtest/gtest.h>

#include <set>

#include "measure/callpath/call_sites.hpp"

namespace tarry::measure {
namespace {

TEST(CallSiteMark, TellsFunctionsApartThatAreAsFarFromEachOtherAsTheirCalls) {
  constexpr std::uintptr_t kFirstFunction = 0x555555555550, kFirstCall = 0x5555555552bc;
  std::set<std::uintptr_t> keys;
  for (std::uintptr_t function = 0; function < 64; ++function)
    for (std::uintptr_t call = 0; call < 256; ++call)
      keys.insert((kFirstFunction + 16 * function) ^ CallSite{.place = kFirstCall + call}.mark());
  EXPECT_EQ(keys.size(), 64u * 256u);
}

TEST(CallSiteMark, IsNothingWithoutAPlace) { EXPECT_EQ(CallSite().mark(), 0u); }

}  // namespace
}  // namespace tarry::measure
