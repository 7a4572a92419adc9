// metric_plugin_test.cpp -- lists of metric plug-ins, and libraries that are none.
#include "measure/metrics/metric_plugin.hpp"

#include <gtest/gtest.h>

namespace tarry::measure {
namespace {

TEST(MetricPlugin, ListsOfPathsAndArguments) {
  const auto all = parse_plugins("/a/b.so;;network:eth0,ib0:x;c.so:");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].path, "/a/b.so");
  EXPECT_EQ(all[0].arguments, "");
  EXPECT_EQ(all[1].path, "network");
  EXPECT_EQ(all[1].arguments, "eth0,ib0:x");
  EXPECT_EQ(all[2].path, "c.so");
  EXPECT_EQ(join_plugins(all), "/a/b.so;network:eth0,ib0:x;c.so");
  EXPECT_TRUE(parse_plugins("").empty());
  EXPECT_EQ(join_plugins({}), "");
}

TEST(MetricPlugin, WhatIsNoPluginIsAnError) {
  EXPECT_FALSE(MetricPlugin::start({"/no/such/library.so", ""}, 32).ok());
  const auto c_library = MetricPlugin::start({"libm.so.6", ""}, 32);
  ASSERT_FALSE(c_library.ok());
  EXPECT_NE(c_library.error().why.find("tarry_get_metric_plugin"), std::string::npos);
}

}  // namespace
}  // namespace tarry::measure
