// settings_test.cpp -- environment variables of a measurement.
#include "measure/core/settings.hpp"

#include <gtest/gtest.h>

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
  ::setenv("TARRY_TESTS", "some", 1);
  EXPECT_NE(read_settings(settings_).find("TARRY_TESTS"), std::string::npos);
  EXPECT_TRUE(settings_.coalesces_tests);
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
