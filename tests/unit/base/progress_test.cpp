// progress_test.cpp -- the bar appears where it is wanted, not too often, and goes away.
#include "base/tool/progress.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <thread>
#include <vector>

namespace tarry {
namespace {

// What `job` draws if the bar keeps quiet for so many milliseconds.
template <class Job>
std::string drawn(bool is_shown, std::int64_t quiet_time, Job job) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  {
    Progress progress(ends[1], is_shown, quiet_time);
    job(progress);
  }
  close(ends[1]);
  std::string text(1 << 16, '\0');
  const ssize_t size = read(ends[0], text.data(), text.size());
  close(ends[0]);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, size)));
  return text;
}

constexpr std::int64_t kAnHour = 3600 * 1000;

void read_all(Progress& progress) {
  progress.begin("reading", 10);
  progress.add(10);
}

TEST(Progress, LineHasABarAndAPercentage) {
  EXPECT_EQ(Progress::line("reading", 1, 4, 8), "reading                 [##------]  25%");
  EXPECT_EQ(Progress::line("reading", 9, 4, 8), "reading                 [########] 100%");
  EXPECT_EQ(Progress::line("reading", 0, 4, 4), "reading                 [----]   0%");
  EXPECT_EQ(Progress::line("matching", 5, 0, 8), "matching");
}

TEST(Progress, NothingIsDrawnWhereNobodyLooks) { EXPECT_EQ(drawn(false, 0, read_all), ""); }

TEST(Progress, ShortJobsShowNothing) { EXPECT_EQ(drawn(true, kAnHour, read_all), ""); }

TEST(Progress, BarIsWipedOutAtTheEnd) {
  const std::string text = drawn(true, 0, read_all);
  EXPECT_TRUE(text.starts_with("\r\x1b[Kreading"));
  EXPECT_TRUE(text.ends_with("%\r\x1b[K"));
}

// 400,000 steps of four threads would be more than the pipe takes, if the bar were drawn for each.
TEST(Progress, IsNotDrawnForEachStep) {
  const std::string text = drawn(true, 0, [](Progress& progress) {
    progress.begin("reading", 400000);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        for (int k = 0; k < 100000; ++k) progress.add(1);
      });
    for (std::thread& thread : threads) thread.join();
  });
  EXPECT_TRUE(text.ends_with("\r\x1b[K"));
}

}  // namespace
}  // namespace tarry
