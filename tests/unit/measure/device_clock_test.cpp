// device_clock_test.cpp -- by how much the clocks of a host and a queue differ, of what is known of commands.
#include "measure/devices/device_clock.hpp"

#include <gtest/gtest.h>

namespace tarry::measure {
namespace {

// The host's clock is ahead by so much. All times by the host's: of a call, of queuing in it, of the end, of telling.
constexpr std::int64_t kAhead = 5'000'000'000;

struct Command {
  std::int64_t called = 0, queued = 0, returned = 0, ended = 0, told = 0;
};

std::int64_t error_after(ClockOffset& offset, const Command& command) {
  return offset.after({.queued = command.queued - kAhead,
                       .begin = command.queued - kAhead,
                       .end = command.ended - kAhead,
                       .called = command.called,
                       .returned = command.returned,
                       .told = command.told}) -
         kAhead;
}

TEST(DeviceClock, ShortCallsBoundIt) {
  ClockOffset offset;
  error_after(offset, {1000, 1500, 3000, 9000});
  EXPECT_NEAR(error_after(offset, {20'000, 20'900, 21'000, 30'000}), 0, 1000);
}

// A call of 40 ms that queues when it is about to return, or at once: the end tells the clock.
TEST(DeviceClock, EndsBoundItWhereCallsAreLong) {
  for (const std::int64_t queued : {1000, 40'000'000}) {
    ClockOffset offset;
    EXPECT_NEAR(error_after(offset, {0, queued, 40'001'000, 90'000'000, 90'003'000}), 0, 10'000) << queued;
  }
}

// One end that is told at once is enough.
TEST(DeviceClock, LateTellingMovesNothing) {
  ClockOffset offset;
  error_after(offset, {0, 40'000'000, 40'001'000, 90'000'000, 90'002'000});
  EXPECT_NEAR(error_after(offset, {100'000'000, 100'001'000, 140'000'000, 150'000'000, 190'000'000}), 0, 10'000);
}

// A driver may take times of queuing from another clock than those of execution.
TEST(DeviceClock, CallsCountWhereTheEndContradicts) {
  ClockOffset offset;
  EXPECT_NEAR(error_after(offset, {1000, 1500, 3000, 90'000'000, 9'000'000}), 0, 1500);
}

}  // namespace
}  // namespace tarry::measure
