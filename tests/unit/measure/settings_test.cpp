// settings_test.cpp -- environment variables of a measurement.
#include "measure/core/settings.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace tarry::measure {
namespace {

class SettingsTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const SettingInfo& setting : all_settings()) ::unsetenv(setting.name);
  }
  void TearDown() override { SetUp(); }

  Settings settings_;
};

TEST_F(SettingsTest, MemorySizes) {
  std::uint64_t bytes = 0;
  EXPECT_TRUE(parse_memory_size("65536", bytes));
  EXPECT_EQ(bytes, 65536u);
  EXPECT_TRUE(parse_memory_size("200M", bytes));
  EXPECT_EQ(bytes, 200u << 20);
  EXPECT_TRUE(parse_memory_size("1.5GiB", bytes));
  EXPECT_EQ(bytes, 3u << 29);
  for (const char* wrong : {"", "M", "-1", "12x", "1e30", "nan", " 5"})
    EXPECT_FALSE(parse_memory_size(wrong, bytes)) << wrong;
}

TEST_F(SettingsTest, NothingSetMeansSummary) {
  EXPECT_EQ(read_settings(settings_), "");
  EXPECT_FALSE(settings_.traces);
  EXPECT_TRUE(settings_.summarises);
  EXPECT_EQ(settings_.memory, 200u << 20);
}

TEST_F(SettingsTest, TraceAloneMeansNoSummary) {
  ::setenv("TARRY_TRACE", "1", 1);
  EXPECT_EQ(read_settings(settings_), "");
  EXPECT_TRUE(settings_.traces);
  EXPECT_FALSE(settings_.summarises);
  ::setenv("TARRY_SUMMARY", "yes", 1);
  EXPECT_EQ(read_settings(settings_), "");
  EXPECT_TRUE(settings_.summarises);
}

TEST_F(SettingsTest, UnsuccessfulTests) {
  EXPECT_EQ(read_settings(settings_), "");
  EXPECT_TRUE(settings_.coalesces_tests);
  ::setenv("TARRY_TESTS", "each", 1);
  EXPECT_EQ(read_settings(settings_), "");
  EXPECT_FALSE(settings_.coalesces_tests);
  settings_ = {};
  ::setenv("TARRY_TESTS", "some", 1);
  EXPECT_NE(read_settings(settings_).find("TARRY_TESTS"), std::string::npos);
  EXPECT_TRUE(settings_.coalesces_tests);
}

TEST_F(SettingsTest, EachValueGetsToItsPlace) {
  const std::pair<const char*, const char*> values[] = {{"TARRY_ARCHIVE", "run"},
                                                        {"TARRY_MEMORY", "1M"},
                                                        {"TARRY_WHEN_FULL", "ring"},
                                                        {"TARRY_COMPRESSION", "9"},
                                                        {"TARRY_SPOOL", "memory"},
                                                        {"TARRY_FILTER", "rules"},
                                                        {"TARRY_SELECT", "step:1"},
                                                        {"TARRY_METRICS", "ru_utime"},
                                                        {"TARRY_ITERATIONS", "7"},
                                                        {"TARRY_CLUSTERS", "64"},
                                                        {"TARRY_DEPTH", "1000000"},
                                                        {"TARRY_PTHREADS", "off"},
                                                        {"TARRY_IO", "on"},
                                                        {"TARRY_CALLPATHS", "0"},
                                                        {"TARRY_SYSTEM_FRAMES", "1"},
                                                        {"TARRY_SAMPLE", "97"},
                                                        {"TARRY_SAMPLE_INSIDE", "true"},
                                                        {"TARRY_CLOCK", "monotonic"},
                                                        {"TARRY_CLOCK_EVERY", "2.5s"},
                                                        {"TARRY_VERBOSE", "1"},
                                                        {"TARRY_REDACT", "1"}};
  for (const auto& [name, value] : values) ::setenv(name, value, 1);
  EXPECT_EQ(read_settings(settings_), "");
  EXPECT_STREQ(settings_.archive, "run");
  EXPECT_STREQ(settings_.filter, "rules");
  EXPECT_STREQ(settings_.select, "step:1");
  EXPECT_STREQ(settings_.metrics, "ru_utime");
  EXPECT_EQ(settings_.memory, 1u << 20);
  EXPECT_EQ(settings_.when_full, WhenFull::kRing);
  EXPECT_EQ(settings_.compression, 9);
  EXPECT_EQ(settings_.max_iterations, 7u);
  EXPECT_EQ(settings_.max_clusters, 64u);
  EXPECT_EQ(settings_.max_depth, 1'000'000u);
  EXPECT_EQ(settings_.sample_rate, 97u);
  EXPECT_EQ(settings_.clock_period, 2.5);
  EXPECT_FALSE(settings_.records_pthreads);
  EXPECT_TRUE(settings_.spools_in_memory && settings_.records_files && settings_.keeps_system_frames);
  EXPECT_TRUE(settings_.samples_inside && settings_.is_verbose && settings_.is_redacted);
  EXPECT_TRUE(settings_.records_call_paths);  // samples have them
}

// Whatever stands in the table and can be wrong is looked at.
TEST_F(SettingsTest, NoVariableIsLeftOut) {
  const std::string wrong(2 * kMaxArchivePath, '?');
  for (const SettingInfo& setting : all_settings()) ::setenv(setting.name, wrong.c_str(), 1);
  const std::string complaints = read_settings(settings_);
  for (const SettingInfo& setting : all_settings())
    EXPECT_EQ(complaints.find(std::string(setting.name) + ": '...'") != std::string::npos,
              setting.parser.read != nullptr)
        << setting.name;
  EXPECT_STREQ(settings_.archive, "");
}

TEST_F(SettingsTest, GroupsOfMpiFunctions) {
  const auto events = [](const char* text) {
    Settings settings;
    ::setenv("TARRY_EVENTS", text, 1);
    return read_settings(settings).empty() ? int{settings.mpi_events} : -1;
  };
  EXPECT_EQ(events("all"), kAllMpiEvents);
  EXPECT_EQ(events("mpi:p2p,coll,rma,io,other"), kAllMpiEvents);
  EXPECT_EQ(events("mpi:coll,p2p"), kMpiCollectiveEvents | kMpiPointToPointEvents);
  EXPECT_EQ(events("mpi:io"), kMpiFileEvents);
  EXPECT_EQ(events("mpi:"), 0);
  EXPECT_EQ(events("mpi"), kAllMpiEvents);
  EXPECT_EQ(events("openmp:teams,mpi:coll"), kMpiCollectiveEvents);
  for (const char* wrong : {"coll", "mpi:coll,,p2p", "mpi:coll p2p", "mpi:,"}) EXPECT_EQ(events(wrong), -1) << wrong;
}

TEST_F(SettingsTest, GroupsOfOtherCalls) {
  ::setenv("TARRY_EVENTS", "openmp:teams,locks,threads:,files", 1);
  EXPECT_EQ(read_settings(settings_), "");
  EXPECT_EQ(settings_.openmp_events, kOpenMpTeamEvents | kOpenMpLockEvents);
  EXPECT_EQ(settings_.thread_events, 0);
  EXPECT_EQ(settings_.file_events, kAllEvents);
  EXPECT_EQ(settings_.mpi_events, kAllMpiEvents);
  for (const char* wrong : {"openmp:p2p", "threads:locks,data", "files:data,", "openmp:teams,coll", "heap"}) {
    Settings settings;
    ::setenv("TARRY_EVENTS", wrong, 1);
    EXPECT_NE(read_settings(settings), "") << wrong;
    EXPECT_EQ(settings.openmp_events, kAllEvents) << wrong;
  }
}

TEST_F(SettingsTest, Throttles) {
  const auto read = [](const char* text) {
    Settings settings;
    ::setenv("TARRY_THROTTLE", text, 1);
    if (!read_settings(settings).empty()) return std::string("wrong");
    return std::to_string(settings.throttled_visits) + " " + std::to_string(settings.throttled_seconds * 1e9);
  };
  EXPECT_EQ(read("off"), "0 1000.000000");
  EXPECT_EQ(read("5"), "5 1000.000000");
  EXPECT_EQ(read("20000:250ns"), "20000 250.000000");
  EXPECT_EQ(read("4000000000:2.5us"), "4000000000 2500.000000");
  for (const char* wrong : {"0", "x", "-1", "100:", "100:1", "100:us", "100:1s", ":1us", "100:0us", "100:1us2"})
    EXPECT_EQ(read(wrong), "wrong") << wrong;
}

TEST_F(SettingsTest, WrongValuesAreNamedAndIgnored) {
  ::setenv("TARRY_TRACE", "maybe", 1);
  ::setenv("TARRY_MEMORY", "10", 1);
  ::setenv("TARRY_COMPRESSION", "11", 1);
  ::setenv("TARRY_SPOOL", "moon", 1);
  const std::string complaints = read_settings(settings_);
  for (const char* name : {"TARRY_TRACE", "TARRY_MEMORY", "TARRY_COMPRESSION", "TARRY_SPOOL"})
    EXPECT_NE(complaints.find(name), std::string::npos) << name;
  EXPECT_FALSE(settings_.traces);
  EXPECT_EQ(settings_.memory, 200u << 20);
  EXPECT_EQ(settings_.compression, 1);
  EXPECT_FALSE(settings_.spools_in_memory);
}

}  // namespace
}  // namespace tarry::measure
