// path_place_test.cpp -- the call site, else the innermost function that has a file and a line.
#include "findings/path_place.hpp"

#include <gtest/gtest.h>

#include "tests/unit/findings/example_report.hpp"

namespace tarry {
namespace {

TEST(PathPlace, IsOfTheInnermostKnownFunction) {
  Example example;
  ReportStructure& structure = example.report.structure;
  EXPECT_FALSE(find_place(structure, example.allreduce));
  EXPECT_FALSE(find_place(structure, CallPathId()));
  structure.regions[0].module = "heat.c";
  structure.regions[0].begin_line = 10;
  structure.regions[2].module = "mpi.c";  // of the library
  structure.regions[2].begin_line = 7;
  const auto function = find_place(structure, example.allreduce);
  ASSERT_TRUE(function);
  EXPECT_EQ(function->region, 0u);
  EXPECT_EQ(function->file, "heat.c");
  EXPECT_EQ(function->line, 10);
  structure.call_paths[example.allreduce.value].module = "solve.c";
  structure.call_paths[example.allreduce.value].line = 42;
  const auto call = find_place(structure, example.allreduce);
  ASSERT_TRUE(call);
  EXPECT_EQ(call->region, 0u);
  EXPECT_EQ(call->file, "solve.c");
  EXPECT_EQ(call->line, 42);
}

TEST(PathPlaces, AreThoseOfEachCallPath) {
  Example example;
  ReportStructure& structure = example.report.structure;
  const auto expect_same = [&] {
    const PathPlaces places(structure);
    for (const CallPathId path : {example.root, example.compute, example.allreduce, example.receive}) {
      const auto one = find_place(structure, path), same = places.find(path);
      ASSERT_EQ(one.has_value(), same.has_value());
      if (one) {
        EXPECT_TRUE(one->region == same->region && one->file == same->file && one->line == same->line);
      }
    }
  };
  expect_same();
  structure.regions[0].module = "heat.c";
  structure.regions[0].begin_line = 10;
  structure.call_paths[example.receive.value].module = "solve.c";
  structure.call_paths[example.receive.value].line = 42;
  expect_same();
}

}  // namespace
}  // namespace tarry
