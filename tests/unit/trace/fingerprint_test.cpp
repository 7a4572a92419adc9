// fingerprint_test.cpp -- the same content gives the same sum, any other another.
#include "trace/fingerprint.hpp"

#include <gtest/gtest.h>

#include "trace/record.hpp"

namespace tarry {
namespace {

struct SmallTrace {
  Definitions all;
  std::vector<std::vector<Event>> events{2};

  SmallTrace() {
    all.processes = {{all.strings.intern("rank 0"), 0, {}}, {all.strings.intern("rank 1"), 1, {}}};
    all.locations = {{StringId(0), ProcessId(0), 0, 0}, {StringId(0), ProcessId(1), 0, 0}};
    for (const char* name : {"main", "work"}) {
      Region region;
      region.name = region.mangled_name = all.strings.intern(name);
      all.regions.push_back(region);
    }
    all.clock.origin = 100;
    for (auto& location : events) {
      add(location, 100, record::Enter{.region = RegionId(0)});
      add(location, 150, record::Enter{.region = RegionId(1)});
      add(location, 150, record::MpiRequestTest{.request = 7});
      add(location, 200, record::Leave{});
      add(location, 300, record::Leave{});
    }
  }
  template <class Record>
  static void add(std::vector<Event>& to, Ticks time, const Record& record) {
    to.push_back(event_of(time, record));
  }
  Fingerprint sum(bool is_reverse = false) const {
    const FingerprintTables tables(all);
    Fingerprint total;
    for (std::size_t i = 0; i < 2; ++i) {
      const std::size_t which = is_reverse ? 1 - i : i;
      LocationFingerprint one(tables, LocationId(which));
      one.add(events[which]);
      total += one.sum();
    }
    return total;
  }
};

TEST(Fingerprint, DoesNotDependOnTheOrderOfLocations) {
  const SmallTrace trace;
  EXPECT_EQ(trace.sum(), trace.sum(true));
  EXPECT_EQ(trace.sum().events, 10u);
}

TEST(Fingerprint, DoesNotDependOnNumbersOrOrigin) {
  SmallTrace other;
  std::swap(other.all.regions[0], other.all.regions[1]);
  other.all.clock.origin += 1000;
  for (auto& location : other.events)
    for (Event& event : location) {
      event.time += 1000;
      if (event.kind == EventKind::kEnter)
        set_record(event, record::Enter{.region = RegionId(1 - record_of<record::Enter>(event).region.value)});
    }
  EXPECT_EQ(SmallTrace().sum(), other.sum());
}

TEST(Fingerprint, ALeaveThatNamesItsRegionIsTheSame) {
  SmallTrace other;
  set_record(other.events[0][3], record::Leave{.region = RegionId(1)});
  EXPECT_EQ(SmallTrace().sum(), other.sum());
  set_record(other.events[0][3], record::Leave{.region = RegionId(0)});
  EXPECT_NE(SmallTrace().sum(), other.sum());
}

TEST(Fingerprint, SeesEveryChange) {
  const Fingerprint original = SmallTrace().sum();
  const auto differs = [&](auto change) {
    SmallTrace other;
    change(other);
    return !(other.sum() == original);
  };
  EXPECT_TRUE(differs([](SmallTrace& t) { t.events[0][2].time += 1; }));
  EXPECT_TRUE(differs([](SmallTrace& t) { set_record(t.events[0][2], record::MpiRequestTest{.request = 8}); }));
  EXPECT_TRUE(differs([](SmallTrace& t) { set_record(t.events[0][2], record::MpiRequestCancelled{.request = 7}); }));
  EXPECT_TRUE(differs([](SmallTrace& t) { std::swap(t.events[0][1], t.events[0][2]); }));
  EXPECT_TRUE(differs([](SmallTrace& t) { t.events[1].erase(t.events[1].begin() + 2); }));
  EXPECT_TRUE(differs([](SmallTrace& t) { t.all.regions[1].begin_line = 12; }));
  EXPECT_TRUE(differs([](SmallTrace& t) { t.all.processes[1].rank = 2; }));
}

}  // namespace
}  // namespace tarry
