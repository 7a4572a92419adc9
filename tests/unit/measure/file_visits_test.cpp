// file_visits_test.cpp -- calls like the one before, beside the records of a trace.
#include "measure/core/file_visits.hpp"

#include <gtest/gtest.h>

#include "measure/core/profile_tree.hpp"
#include "tests/unit/measure/profile_paths.hpp"

namespace tarry::measure {
namespace {

// The calls of a file's place, as their short records take it: one that ends soon, and one with records of its own.
TEST(FileVisits, CountsWhatTheRecordsOfFileCallsTake) {
  ProfileTree tree;
  std::uint8_t records[256];
  tree.enter(10, RegionId(1));
  tree.enter(20, RegionId(7));
  const record::IoOperationComplete end{.handle = IoHandleId(2), .bytes = 100, .matching = 9};
  tree.count_record(21, end);
  tree.count_file_operation(IoHandleId(2), true, 100);
  const FilePlace place = tree.file_visits().open_place(IoHandleId(2));
  ASSERT_TRUE(place.path);
  std::uint8_t* at = encode_enter(records, 10, 7);
  at = encode_record(at, 1, end);
  tree.leave(22);
  at = encode_leave(at, 1);
  const std::uint8_t* const pattern = at;
  at = encode_pattern(at, {.region = 7, .handle = 2, .mode = 1, .matching = 9, .moved = 100});
  tree.file_visits().count_pattern(place, static_cast<Bytes>(at - pattern));
  for (const Ticks spent : {60'000, 70'000}) {
    const Ticks begun = tree.last_time() + 5000;
    ASSERT_TRUE(tree.file_visits().would_enter(place) && tree.file_visits().is_soon(begun));
    tree.file_visits().begin(place, begun);
    ASSERT_TRUE(tree.file_visits().is_latest(place, begun));
    tree.file_visits().prepare_end(place, true, 100);
    if (spent < 65'536) {
      tree.file_visits().end(place, begun + spent, spent);
      at += kWholeCallBytes;
    } else {
      tree.file_visits().end_after_gap(place, begun + spent, 3);
      at += kBegunCallBytes;
      at = encode_record(at, static_cast<std::uint64_t>(spent), end);
      at = encode_leave(at, 0);
    }
  }
  tree.leave(tree.last_time());
  const auto paths = paths_of(tree);
  const ProfileNode& node = paths.at("1/7");
  EXPECT_EQ(node.trace_events, 3u + 2 * 4);
  EXPECT_EQ(node.trace_bytes, static_cast<Bytes>(at - records));
  EXPECT_EQ(node.visits, 3u);
  EXPECT_EQ(node.time, 2 + 60'000 + 70'000);
  EXPECT_EQ(node.transfers[Transfer::kBytesWritten], 300u);
}

}  // namespace
}  // namespace tarry::measure
