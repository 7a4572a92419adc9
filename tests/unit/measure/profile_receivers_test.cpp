// profile_receivers_test.cpp -- messages to each receiver.
#include "measure/core/profile_receivers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "archive/profile/profile_codec.hpp"
#include "measure/core/profile_tree.hpp"

namespace tarry::measure {
namespace {

TEST(ProfileReceivers, MessagesOfOneReceiverAreOneNode) {
  PathTree paths;
  ProfileReceivers receivers(paths);
  for (int i = 0; i < 3; ++i) receivers.count_message(CommId(1), CommRank(5), 100);
  receivers.count_message(CommId(2), CommRank(5), 1);
  const ReceiverNode* const latest = paths.head().receivers;
  ASSERT_TRUE(latest && latest->next);
  EXPECT_EQ(latest->count, (ReceiverCount{.comm = 2, .receiver = 5, .messages = 1, .bytes = 1}));
  EXPECT_EQ(latest->next->count, (ReceiverCount{.comm = 1, .receiver = 5, .messages = 3, .bytes = 300}));
  EXPECT_EQ(latest->next->next, nullptr);
  receivers.release();
  paths.release();
}

TEST(ProfileReceivers, ReceiversOfMessagesAreToldApartWhileThereAreNotTooMany) {
  ProfileTree tree;
  tree.enter(0, RegionId(0));
  for (int round = 0; round < 2; ++round)
    for (std::uint32_t receiver = 0; receiver < kMostReceivers + 10; ++receiver)
      tree.count_send(CommId(receiver % 3), CommRank(receiver), receiver);
  tree.leave(1);
  ByteWriter bytes;
  tree.encode(bytes);
  const auto profile = decode_profile(bytes.bytes());
  ASSERT_TRUE(profile.ok());
  const std::vector<ReceiverCount>& receivers = profile.value().receivers;
  ASSERT_EQ(receivers.size(), kMostReceivers + 1);
  EXPECT_EQ(receivers[0].comm, ReceiverCount::kOthers);
  EXPECT_EQ(receivers[0].messages, 20u);
  const auto count = std::ranges::find(receivers, 1000u, &ReceiverCount::receiver);
  ASSERT_NE(count, receivers.end());
  EXPECT_EQ(*count, (ReceiverCount{.comm = 1, .receiver = 1000, .messages = 2, .bytes = 2000}));
}

}  // namespace
}  // namespace tarry::measure
