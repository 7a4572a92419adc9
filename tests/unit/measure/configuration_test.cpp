// configuration_test.cpp -- settings from tarry.conf, the environment and options, and which wins.
#include "tools/measure/configuration.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

class ConfigurationTest : public ::testing::Test {
 protected:
  void SetUp() override { forget(); }
  void TearDown() override { forget(); }
  static void forget() {
    for (const auto& info : measure::all_settings()) ::unsetenv(info.name);
  }
};

TEST_F(ConfigurationTest, OptionsBeatTheEnvironment) {
  ::setenv("TARRY_MEMORY", "30M", 1);
  auto configuration = Configuration::load();
  ASSERT_TRUE(configuration.ok());
  EXPECT_EQ(configuration->value_of("TARRY_MEMORY"), "30M");
  configuration->set_option("TARRY_MEMORY", "40M");
  const auto settings = configuration->apply();
  ASSERT_TRUE(settings.ok());
  EXPECT_EQ(settings.value().memory, 40u << 20);
  EXPECT_NE(configuration->text(settings.value()).find("TARRY_MEMORY=40M       option "), std::string::npos);
}

TEST_F(ConfigurationTest, LinesOfAFileSetWhatTheyName) {
  auto configuration = Configuration::load();
  ASSERT_TRUE(configuration->read_lines("tarry.conf", "# mine\n\n memory = 50M  # large\nTARRY_TRACE=1\n").ok());
  EXPECT_EQ(configuration->value_of("TARRY_MEMORY"), "50M");
  EXPECT_TRUE(configuration->is_set("TARRY_TRACE"));
  EXPECT_FALSE(configuration->is_set("TARRY_COMPRESSION"));
  const auto settings = configuration->apply();
  EXPECT_TRUE(settings.value().traces);
}

TEST_F(ConfigurationTest, MistakesAreNamed) {
  auto configuration = Configuration::load();
  const Status unknown = configuration->read_lines("tarry.conf", "trace = 1\ncolour = red\n");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().what, "tarry.conf:2");
  EXPECT_FALSE(configuration->read_lines("tarry.conf", "trace\n").ok());
  configuration->set_option("TARRY_MEMORY", "much");
  const auto settings = configuration->apply();
  ASSERT_FALSE(settings.ok());
  EXPECT_EQ(settings.error().what, "TARRY_MEMORY");
}

}  // namespace
}  // namespace tarry
