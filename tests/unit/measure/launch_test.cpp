// launch_test.cpp -- commands run as given, and their ends become statuses.
#include "tools/measure/launch.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace tarry {
namespace {

int status_of(const char* script) { return launch({"/bin/sh", "-c", script}, current_environment()).status; }

TEST(Launch, StatusIsPassedOn) {
  EXPECT_EQ(status_of("exit 0"), 0);
  EXPECT_EQ(status_of("exit 42"), 42);
  EXPECT_EQ(status_of("kill -TERM $$"), 128 + SIGTERM);
}

TEST(Launch, CommandsThatCannotRunAreToldApart) {
  const LaunchOutcome missing = launch({"no-such-command-anywhere"}, current_environment());
  EXPECT_FALSE(missing.has_started);
  EXPECT_EQ(missing.status, 127);
  EXPECT_FALSE(missing.problem.empty());
  EXPECT_EQ(launch({"/dev/null"}, current_environment()).status, 126);
}

TEST(Launch, TheEnvironmentIsTheOneGiven) {
  EXPECT_EQ(launch({"/bin/sh", "-c", "exit $NUMBER"}, {"NUMBER=7"}).status, 7);
}

TEST(Launch, ASignalForUsIsHandedOnOnce) {
  // The signal comes while the command waits for it; no thread of ours may take it away.
  const char* script = "n=0; trap 'n=$((n+1))' USR1; kill -USR1 $PPID; sleep 1 & wait; wait; sleep 0.3; exit $n";
  EXPECT_EQ(status_of(script), 1);
}

}  // namespace
}  // namespace tarry
