// frame_stack_test.cpp -- open functions, those that ended without a word, and those too deep.
#include "measure/core/frame_stack.hpp"

#include <gtest/gtest.h>

namespace tarry::measure {
namespace {

// Stack pointers within this thread's stack: level 1 is called by level 0.
class FrameStackTest : public testing::Test {
 protected:
  std::uintptr_t level(int depth) const {
    return reinterpret_cast<std::uintptr_t>(&anchor_) - 64 * static_cast<std::uintptr_t>(depth);
  }
  void SetUp() override { anchor_ = 1; }
  void enter(std::uintptr_t key, int depth) {
    frames.push({.key = key, .stack = level(depth), .depth = 0, .is_recorded = true, .is_user = false});
  }

  FrameStack frames;

 private:
  static thread_local volatile int anchor_;
};
thread_local volatile int FrameStackTest::anchor_;

TEST_F(FrameStackTest, ClosedItTakesNothing) {
  EXPECT_FALSE(frames.has_room());
  EXPECT_EQ(frames.count_to(7, 1), 0u);
}

TEST_F(FrameStackTest, LeaveFindsItsFrame) {
  ASSERT_TRUE(frames.open(10));
  enter(1, 0);
  enter(2, 1);
  enter(3, 2);
  EXPECT_EQ(frames.count_to(3, level(2)), 1u);
  EXPECT_EQ(frames.count_to(1, level(0)), 3u);
  EXPECT_EQ(frames.count_to(9, level(0)), 0u);
}

TEST_F(FrameStackTest, LastingRegionsEndWithTheFunctionAroundThemThatHasHooks) {
  ASSERT_TRUE(frames.open(10));
  enter(1, 0);
  frames.push({.key = 2, .depth = 1, .is_recorded = true, .is_unwound = true, .cfa = level(2)});
  frames.push({.key = 3, .stack = level(2) - 1, .depth = 2, .is_recorded = true, .is_user = true, .is_lasting = true});
  EXPECT_TRUE(frames.is_gone(*(&frames.top() - 1), level(1)));
  EXPECT_FALSE(frames.is_top_gone(level(1)));
  EXPECT_TRUE(frames.is_top_gone(level(-1)));
}

// A sample's mark is no part of its function's address.
TEST_F(FrameStackTest, SamplesAreFoundLikeOthers) {
  ASSERT_TRUE(frames.open(10));
  enter(1, 0);
  enter(2 | kSampledFrame, 1);
  enter(3, 2);
  EXPECT_EQ(frames.count_to(2, level(1)), 2u);
  EXPECT_TRUE(frames.has_exactly(3, level(2)));
  EXPECT_FALSE(frames.has_exactly(2, level(2)));
  EXPECT_FALSE(frames.has_exactly(2, level(3)));  // it is further out
  EXPECT_TRUE(frames.has_exactly(2, level(1)));   // what is inside is gone
  frames.pop();
  frames.unmark_top();
  EXPECT_EQ(frames.top().key, 2u);
  frames.pop();
  frames.pop();
  EXPECT_FALSE(frames.has_exactly(1, level(0)));
}

TEST_F(FrameStackTest, RecursionIsToldApartByTheStack) {
  ASSERT_TRUE(frames.open(10));
  enter(1, 0);
  enter(1, 1);
  enter(1, 2);
  EXPECT_EQ(frames.count_to(1, level(1)), 2u);
  EXPECT_EQ(frames.count_to(1, level(2) - 16), 1u);  // alloca since
  EXPECT_EQ(frames.count_to(1, level(2) + 16), 1u);  // a jump to the hook
}

// The library that tells of a call goes on where its callback was called from: further up on the stack.
TEST_F(FrameStackTest, ToldCallLastsAsLongAsItsCaller) {
  ASSERT_TRUE(frames.open(10));
  enter(1, 0);
  frames.push_call(frames.place_inside_top(level(5)), 1);
  EXPECT_TRUE(frames.is_any_call_on_top());
  EXPECT_FALSE(frames.is_top_gone(level(5)));
  EXPECT_FALSE(frames.is_top_gone(level(1)));
  EXPECT_TRUE(frames.is_top_gone(level(0)));
}

TEST_F(FrameStackTest, ToldCallOfAnUnwoundFunction) {
  ASSERT_TRUE(frames.open(10));
  frames.push({.key = 1, .stack = 0, .depth = 0, .is_recorded = true, .is_unwound = true, .cfa = level(1)});
  const std::uintptr_t place = frames.place_inside_top(level(5));
  frames.push_call(place, 1);
  EXPECT_TRUE(frames.is_call_on_top(place));
  EXPECT_FALSE(frames.is_top_gone(level(2)));
  EXPECT_TRUE(frames.is_top_gone(level(1)));
}

TEST(FrameStack, ToldCallWithoutACallerThatIsKnown) {
  FrameStack frames;
  ASSERT_TRUE(frames.open(10));
  volatile char here = 0;
  const auto stack = reinterpret_cast<std::uintptr_t>(&here);
  frames.push_call(frames.place_inside_top(stack - 64), 1);
  EXPECT_TRUE(frames.is_any_call_on_top());
  EXPECT_FALSE(frames.is_top_gone(stack));
}

// A coroutine's stack shows nothing of the thread's own.
TEST(FrameStack, ToldCallOnAnotherStack) {
  FrameStack frames;
  ASSERT_TRUE(frames.open(10));
  volatile char here = 0;
  frames.push({.key = 1, .stack = reinterpret_cast<std::uintptr_t>(&here), .depth = 0, .is_recorded = true});
  const std::uintptr_t elsewhere = 1 << 20;
  EXPECT_EQ(frames.place_inside_top(elsewhere), elsewhere);
}

TEST(FrameStack, FramesBelowTheCallerAreGone) {
  FrameStack frames;
  ASSERT_TRUE(frames.open(10));
  volatile char here = 0;
  const auto stack = reinterpret_cast<std::uintptr_t>(&here);
  EXPECT_FALSE(frames.is_top_gone(stack));
  frames.push({.key = 1, .stack = stack, .depth = 0, .is_recorded = true, .is_user = false});
  EXPECT_FALSE(frames.is_top_gone(stack));
  EXPECT_FALSE(frames.is_top_gone(stack - 64));
  EXPECT_TRUE(frames.is_top_gone(stack + 64));
  // Code on another stack, of a signal handler say, knows nothing about this one; back from it, its frames are gone.
  EXPECT_FALSE(frames.is_top_gone(0x1000));
  frames.push({.key = 2, .stack = 0x1000, .depth = 0, .is_recorded = true, .is_user = false});
  EXPECT_TRUE(frames.is_top_gone(stack - 64));
}

TEST_F(FrameStackTest, TooDeepCallsAreCounted) {
  ASSERT_TRUE(frames.open(2));
  enter(1, 0);
  enter(2, 1);
  EXPECT_FALSE(frames.has_room());
  frames.enter_too_deep(level(2));
  frames.enter_too_deep(level(3));
  EXPECT_TRUE(frames.leave_too_deep(level(3)));
  EXPECT_TRUE(frames.leave_too_deep(level(2)));
  EXPECT_FALSE(frames.leave_too_deep(level(1)));
  EXPECT_EQ(frames.top().key, 2u);
  EXPECT_EQ(frames.too_deep_calls(), 2u);
}

TEST_F(FrameStackTest, JumpOutOfWhatIsTooDeep) {
  ASSERT_TRUE(frames.open(2));
  enter(1, 0);
  enter(2, 1);
  frames.enter_too_deep(level(2));
  frames.enter_too_deep(level(3));
  EXPECT_FALSE(frames.leave_too_deep(level(1)));  // of key 2: what was deeper has ended
  EXPECT_EQ(frames.top().key, 2u);
}

TEST_F(FrameStackTest, UserRegionsGoByTheirNames) {
  ASSERT_TRUE(frames.open(10));
  const char begun[] = "solve", ended[] = "solve";
  frames.push({.key = reinterpret_cast<std::uintptr_t>(begun),
               .stack = level(0),
               .depth = 0,
               .is_recorded = true,
               .is_user = true});
  enter(2, 1);
  EXPECT_EQ(frames.count_to_region(ended), 2u);
  EXPECT_EQ(frames.count_to_region("other"), 0u);
}

}  // namespace
}  // namespace tarry::measure
