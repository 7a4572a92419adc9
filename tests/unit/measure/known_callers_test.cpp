// known_callers_test.cpp -- calls that need no walk: only while the stack is as a walk has found it.
#include "measure/callpath/known_callers.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tarry::measure {
namespace {

constexpr Frame kTop{.key = 70, .depth = 1, .is_unwound = true, .cfa = 700};

class KnownCallersTest : public testing::Test {
 protected:
  KnownCallersTest() { known_.open(); }

  std::vector<StackWord> words() const {
    std::vector<StackWord> all;
    for (const std::uintptr_t& word : stack_) all.push_back({reinterpret_cast<std::uintptr_t>(&word), word});
    return all;
  }
  void note(const HookedCall& call, bool needs_base = false) { known_.note(call, kTop, false, needs_base, words()); }
  bool knows(const HookedCall& call, const Frame& top = kTop, bool is_pinned = false) const {
    return known_.knows(call, top, is_pinned);
  }

  std::uintptr_t stack_[3] = {11, 12, 13};
  KnownCallers known_;
};

constexpr HookedCall kCall{.key = 1, .call_site = 2, .stack = 3, .base = 4};

TEST_F(KnownCallersTest, KnowsACallAsLongAsTheStackIsTheSame) {
  EXPECT_FALSE(knows(kCall));
  note(kCall);
  EXPECT_TRUE(knows(kCall));
  for (std::uintptr_t& word : stack_) {
    ++word;
    EXPECT_FALSE(knows(kCall));
    --word;
  }
  EXPECT_TRUE(knows(kCall));
}

TEST_F(KnownCallersTest, OtherCallsAreNotKnown) {
  note(kCall);
  EXPECT_FALSE(knows({.key = 9, .call_site = 2, .stack = 3}));
  EXPECT_FALSE(knows({.key = 1, .call_site = 9, .stack = 3}));
  EXPECT_FALSE(knows({.key = 1, .call_site = 2, .stack = 9}));
}

TEST_F(KnownCallersTest, TheInnermostFrameIsTheSame) {
  note(kCall);
  const Frame same_elsewhere = kTop;
  EXPECT_FALSE(knows(kCall, same_elsewhere));
  EXPECT_FALSE(knows(kCall, kTop, true));
}

TEST_F(KnownCallersTest, TheFramePointerMattersOnlyWhereAFrameIsFoundByIt) {
  HookedCall other = kCall;
  ++other.base;
  note(kCall);
  EXPECT_TRUE(knows(other));
  known_.forget();
  note(kCall, true);
  EXPECT_TRUE(knows(kCall));
  EXPECT_FALSE(knows(other));
}

TEST_F(KnownCallersTest, ManyCallsComeAndGo) {
  for (std::uintptr_t call = 1; call <= 100'000; ++call) {
    note({.key = call, .call_site = 2, .stack = 3});
    ASSERT_TRUE(knows({.key = call, .call_site = 2, .stack = 3}));
  }
  known_.forget();
  for (std::uintptr_t call = 1; call <= 100'000; ++call) ASSERT_FALSE(knows({.key = call, .call_site = 2, .stack = 3}));
}

TEST_F(KnownCallersTest, WithoutWordsOrMemoryNothingIsKnown) {
  known_.note(kCall, kTop, false, false, {});
  EXPECT_FALSE(knows(kCall));
  KnownCallers closed;
  closed.note(kCall, kTop, false, false, words());
  EXPECT_FALSE(closed.knows(kCall, kTop, false));
  closed.forget();
}

}  // namespace
}  // namespace tarry::measure
