// record_estimates_test.cpp -- estimated sizes beside records as they are encoded.
#include "measure/core/record_estimates.hpp"

#include <gtest/gtest.h>

#include "measure/core/profile_tree.hpp"
#include "tests/unit/measure/profile_paths.hpp"

namespace tarry::measure {
namespace {

// What the records of a trace take is counted as they are encoded.
TEST(RecordEstimates, CountsWhatATraceWouldTake) {
  for (const std::uint64_t delta : {1ull, 4095ull, 4096ull, 1ull << 20, 1ull << 28, 1ull << 40})
    for (const std::uint32_t region : {3u, 300u, 70'000u}) {
      ProfileTree tree;
      std::uint8_t records[256];
      std::uint8_t* at = encode_enter(records, delta, region);
      tree.enter(static_cast<Ticks>(delta), RegionId(region));
      const record::MpiSend send{.receiver = CommRank(1), .comm = CommId(0), .tag = 200, .bytes = 1 << 20};
      at = encode_record(at, delta, send);
      tree.count_event(static_cast<Ticks>(2 * delta), send);
      at = encode_leave(at, delta);
      tree.leave(static_cast<Ticks>(3 * delta));
      const auto paths = paths_of(tree);
      const ProfileNode& node = paths.at(std::to_string(region));
      EXPECT_EQ(node.trace_events, 3u);
      EXPECT_EQ(node.trace_bytes, static_cast<Bytes>(at - records)) << delta << " " << region;
    }
}

TEST(RecordEstimates, CountsWhatMetricRecordsWouldTake) {
  ProfileTree tree;
  const CounterId ids[] = {CounterId(0), CounterId(3)};
  const bool levels[] = {false, false};
  tree.use_counters(ids, levels);
  const std::uint64_t values[] = {70'000, 1};
  std::uint8_t records[256];
  std::uint8_t* at = encode_record(records, 5000, record::Metric{.metric = ids[0], .value = values[0]});
  at = encode_record(at, 0, record::Metric{.metric = ids[1], .value = values[1]});
  EXPECT_EQ(tree.metric_bytes(5000, ids, values), static_cast<Bytes>(at - records));
}

}  // namespace
}  // namespace tarry::measure
