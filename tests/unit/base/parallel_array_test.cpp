// parallel_array_test.cpp -- an array whose elements are made and released by all threads.
#include "base/arrays/parallel_array.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <string>

namespace tarry {
namespace {

// How many there are of it.
class Counted {
 public:
  Counted() noexcept { ++count; }
  ~Counted() { --count; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

  static inline std::atomic<int> count = 0;
  std::string text;
};

TEST(ParallelArray, MakesAndReleasesEachElementOnce) {
  for (const std::size_t size : {0u, 1u, 1000u}) {
    {
      ParallelArray<Counted> array(3, size);
      EXPECT_EQ(Counted::count, static_cast<int>(size));
      for (Counted& element : array) element.text.assign(100, 'x');
      EXPECT_EQ(array.size(), size);
      EXPECT_EQ(array.empty(), size == 0);
    }
    EXPECT_EQ(Counted::count, 0);
  }
}

TEST(ParallelArray, MovesWithItsElements) {
  ParallelArray<Counted> from(2, 10), into;
  EXPECT_TRUE(into.empty());
  from[7].text = "seven";
  const Counted* const place = from.data();
  into = std::move(from);
  EXPECT_EQ(into.data(), place);
  EXPECT_EQ(into[7].text, "seven");
  EXPECT_EQ(into.end() - into.begin(), 10);
  ParallelArray<Counted> constructed(std::move(into));
  EXPECT_EQ(constructed[7].text, "seven");
  EXPECT_EQ(Counted::count, 10);
}

}  // namespace
}  // namespace tarry
