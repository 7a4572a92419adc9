// exchange_test.cpp -- what each process gets of the others, among threads that play processes.
#include <gtest/gtest.h>

#include "tests/unit/exchange/thread_group.hpp"

namespace tarry {
namespace {

TEST(Exchange, EachProcessGetsWhatEachSentToIt) {
  for (const int size : {1, 2, 5})
    ThreadGroup::run(size, [size](Exchange& exchange) {
      ASSERT_EQ(exchange.size(), size);
      std::vector<MessageBuffer> buffers(static_cast<std::size_t>(size));
      for (int p = 0; p < size; ++p)
        for (int i = 0; i < p; ++i) buffers[static_cast<std::size_t>(p)].put(100 * exchange.rank() + p);
      std::vector<MessageBuffer> arrived = exchange.all_to_all(std::move(buffers));
      for (int p = 0; p < size; ++p) {
        for (int i = 0; i < exchange.rank(); ++i)
          EXPECT_EQ(arrived[static_cast<std::size_t>(p)].get<int>(), 100 * p + exchange.rank());
        EXPECT_TRUE(arrived[static_cast<std::size_t>(p)].is_read());
      }
    });
}

TEST(Exchange, SharedBuffersArriveEverywhere) {
  for (const int size : {1, 2, 5})
    ThreadGroup::run(size, [size](Exchange& exchange) {
      MessageBuffer buffer;  // process 1 has nothing to tell
      if (exchange.rank() != 1) buffer.put_text("from " + std::to_string(exchange.rank()));
      std::vector<MessageBuffer> all = exchange.share(std::move(buffer));
      ASSERT_EQ(all.size(), static_cast<std::size_t>(size));
      for (int p = 0; p < size; ++p) {
        if (p != 1) {
          EXPECT_EQ(all[static_cast<std::size_t>(p)].get_text(), "from " + std::to_string(p));
        }
        EXPECT_TRUE(all[static_cast<std::size_t>(p)].is_read());
      }
      const std::vector<int> ranks = exchange.share_value(exchange.rank());
      for (int p = 0; p < size; ++p) EXPECT_EQ(ranks[static_cast<std::size_t>(p)], p);
    });
}

TEST(Exchange, MessagesAreCountedOverAllProcesses) {
  ThreadGroup::run(3, [](Exchange& exchange) {
    exchange.share_value(1);                                // 6 messages
    MessageBuffer buffer;
    buffer.put(2);
    exchange.gather(std::move(buffer));                     // 2
    EXPECT_FALSE(exchange.all_of(exchange.rank() != 2));    // a sum: not counted
    EXPECT_EQ(exchange.total_messages(), 8u);
  });
}

}  // namespace
}  // namespace tarry
