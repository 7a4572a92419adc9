// faults_test.cpp -- faults are counted, and what is kept of them does not depend on who came first.
#include "trace/faults.hpp"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

namespace tarry {
namespace {

TEST(Faults, EachHasANameAndASentence) {
  std::set<std::string_view> names;
  for (int i = 0; i < static_cast<int>(Fault::kCount); ++i) {
    names.insert(name_of(static_cast<Fault>(i)));
    EXPECT_TRUE(explain(static_cast<Fault>(i)).ends_with('.'));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(Fault::kCount));
  EXPECT_EQ(name_of(Fault::kUnmatchedSend), "unmatched_send");
  EXPECT_EQ(name_of(Fault::kUnknownRecord), "unknown_record");
}

TEST(FaultLog, SummaryNamesCountsAndFirstPlaces) {
  FaultLog log;
  EXPECT_EQ(log.summary(), "");
  log.add(Fault::kUnmatchedReceive, "rank 10", 4);
  log.add(Fault::kUnmatchedReceive, "rank 3", 120, {}, 6);
  EXPECT_EQ(log.summary(), "7 records skipped: 7 unmatched receives (first: rank 3, event 120)");
  log.add(Fault::kChunkDamaged, "node.tev", 4096);
  EXPECT_EQ(log.summary(),
            "8 records skipped: 1 damaged chunk (first: node.tev, byte 4096), "
            "7 unmatched receives (first: rank 3, event 120)");
  EXPECT_EQ(log.total(), 8u);
  EXPECT_EQ(log.count(Fault::kUnmatchedReceive), 7u);
  EXPECT_EQ(log.count(Fault::kUnmatchedSend), 0u);
}

TEST(FaultLog, OneRecordIsSpokenOfInTheSingular) {
  FaultLog log;
  log.add(Fault::kUndefinedReference, "traces.def", 0, "region 7");
  EXPECT_EQ(log.summary(), "1 record skipped: 1 undefined reference (first: traces.def)");
}

TEST(FaultLog, KeepsTheFirstFivePlacesWhateverTheOrderOfThreads) {
  FaultLog log;
  std::vector<std::thread> threads;
  for (std::uint64_t start = 0; start < 4; ++start)
    threads.emplace_back([&log, start] {
      for (std::uint64_t i = 0; i < 500; ++i) {
        const std::uint64_t rank = 1999 - (4 * i + start);
        log.add(Fault::kTimeBackwards, "rank " + std::to_string(rank), 1);
        log.add(Fault::kUnmatchedSend, "rank 1", rank);
      }
    });
  for (std::thread& thread : threads) thread.join();
  const auto places = log.places();
  ASSERT_EQ(places.size(), 10u);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(places[i].fault, Fault::kTimeBackwards);
    EXPECT_EQ(places[i].location, "rank " + std::to_string(i));
    EXPECT_EQ(places[5 + i].fault, Fault::kUnmatchedSend);
    EXPECT_EQ(places[5 + i].position, i);
  }
  EXPECT_EQ(log.count(Fault::kTimeBackwards), 2000u);
}

}  // namespace
}  // namespace tarry
