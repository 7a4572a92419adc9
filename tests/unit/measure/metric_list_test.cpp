// metric_list_test.cpp -- what --metrics may name.
#include "measure/metrics/metric_list.hpp"

#include <gtest/gtest.h>

#include "measure/metrics/papi_library.hpp"

namespace tarry::measure {
namespace {

std::string names(const std::string& list) {
  const auto chosen = parse_metrics(list);
  if (!chosen.ok()) return "error: " + chosen.error().text();
  std::string text;
  for (const ChosenMetric& metric : chosen.value()) text += metric.name + (metric.info ? " " : "! ");
  return text;
}

TEST(MetricList, KeepsTheOrderAndTakesEachOnce) {
  EXPECT_EQ(names(""), "");
  EXPECT_EQ(names("ru_utime,page-faults,ru_utime"), "ru_utime page-faults ");
  EXPECT_EQ(
      names("heap_peak,heap"),
      "heap_peak heap_allocated heap_freed heap_allocations heap_in_use heap_leaked heap_leaked_blocks heap_at_peak ");
}

TEST(MetricList, GroupsStandForAllOfASource) {
  EXPECT_TRUE(names("software").starts_with("page-faults "));
  EXPECT_NE(names("rusage").find("ru_nivcsw"), std::string::npos);
  EXPECT_EQ(names("rusage").find("heap"), std::string::npos);
}

TEST(MetricList, PapisNamesAreLeftToPapi) {
  EXPECT_EQ(names("PAPI_TOT_INS,perf::CYCLES,net:::eth0:rx"), "PAPI_TOT_INS! perf::CYCLES! net:::eth0:rx! ");
}

TEST(MetricList, OtherNamesAreRefusedWithTheNearest) {
  EXPECT_NE(names("page-falts").find("'page-faults'"), std::string::npos);
  EXPECT_TRUE(names("ru_utime,,page-faults").starts_with("error"));
  std::string many;
  for (int i = 0; i < 40; ++i) many += (i ? ",PAPI_" : "PAPI_") + std::to_string(i);
  EXPECT_TRUE(names(many).starts_with("error"));
}

TEST(MetricList, EveryCounterIsDescribed) {
  for (const MetricInfo& info : known_metrics()) {
    EXPECT_TRUE(info.description[0]) << info.name;
    EXPECT_FALSE(is_papi_name(info.name));
  }
}

// Where PAPI is installed: its names are known, whether or not they can be counted here.
TEST(PapiLibrary, KnowsItsPresets) {
  std::string why;
  const PapiLibrary* papi = PapiLibrary::load(why);
  if (!papi) GTEST_SKIP() << why;
  EXPECT_TRUE(papi->knows("PAPI_TOT_INS"));
  EXPECT_FALSE(papi->knows("PAPI_NO_SUCH"));
  PapiEvent event;
  if (papi->count_hardware_counters() == 0) {
    EXPECT_FALSE(papi->find("PAPI_TOT_INS", event, why));
    EXPECT_FALSE(why.empty());
  }
}

}  // namespace
}  // namespace tarry::measure
