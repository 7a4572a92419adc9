// schema_test.cpp -- older tables become those of today and keep their rows; newer ones are refused.
#include "store/schema.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>

#include "store/open_store.hpp"
#include "store/run_filter.hpp"

namespace tarry {
namespace {

class Schema : public testing::Test {
 protected:
  void SetUp() override {
    path_ = testing::TempDir() + "schema_test_" + std::to_string(::getpid()) + ".db";
    std::filesystem::remove(path_);
  }
  void TearDown() override { std::filesystem::remove(path_); }

  std::string path_;
};

TEST_F(Schema, GrowsForward) {
  {
    auto old = open_database(path_, StoreAccess::kWrite);
    ASSERT_TRUE(old.ok());
    ASSERT_TRUE(migrate_schema(*old.value(), 1).ok());
    ASSERT_TRUE(old.value()->run("INSERT INTO application (name) VALUES ($1)", {"cg"}).ok());
    EXPECT_FALSE(check_schema(*old.value()).ok());
  }
  EXPECT_FALSE(open_store(path_, StoreAccess::kRead).ok());
  const auto now = open_store(path_, StoreAccess::kWrite);
  ASSERT_TRUE(now.ok());
  EXPECT_EQ(find_integer(*now.value(), "SELECT COUNT(*) FROM application", {}).value(), 1);
  EXPECT_EQ(find_integer(*now.value(), "SELECT COUNT(*) FROM run_overheads", {}).value(), 0);
  EXPECT_TRUE(check_schema(*now.value()).ok());
}

TEST_F(Schema, OfEachOlderVersionGrowsWithItsRows) {
  for (int version = 1; version < schema_version(); ++version) {
    std::filesystem::remove(path_);
    {
      auto old = open_database(path_, StoreAccess::kWrite);
      ASSERT_TRUE(migrate_schema(*old.value(), version).ok());
      ASSERT_TRUE(old.value()
                      ->run("INSERT INTO physical_machine (id, key, name, nodes, network, clocks, mpi) "
                            "VALUES (1, $1, 'm', 1, '', '', '')",
                            {std::vector<std::uint8_t>{1}})
                      .ok());
      ASSERT_TRUE(old.value()->run("INSERT INTO physical_node (machine, position, name) VALUES (1, 0, 'n1')").ok());
    }
    const auto now = open_store(path_, StoreAccess::kWrite);
    ASSERT_TRUE(now.ok());
    EXPECT_EQ(
        find_integer(*now.value(),
                     "SELECT COUNT(*) FROM physical_node WHERE name = 'n1' AND cores IS NULL AND processor = ''", {})
            .value(),
        1);
    EXPECT_EQ(find_integer(*now.value(), "SELECT COUNT(*) FROM run_nodes", {}).value(), 0);
  }
}

TEST_F(Schema, OfANewerToolIsRefusedByItsVersion) {
  {
    auto store = open_store(path_, StoreAccess::kWrite);
    ASSERT_TRUE(store.ok());
    ASSERT_TRUE(store.value()->run("UPDATE store_version SET version = 77").ok());
  }
  for (const StoreAccess access : {StoreAccess::kRead, StoreAccess::kWrite}) {
    const auto opened = open_store(path_, access);
    ASSERT_FALSE(opened.ok());
    EXPECT_NE(opened.error().why.find("version 77"), std::string::npos) << opened.error().text();
  }
}

StoredRun sample_run() {
  StoredRun run;
  run.id = 12;
  run.program = "cg";
  run.ranks = 64;
  run.date = "2026-01-31T12:00:00Z";
  run.parameters = {{"layout", "a, b"}, {"n", "512"}};
  run.tags = {"baseline"};
  return run;
}

TEST(RunFilters, CompareNumbersAsNumbersAndTextAsText) {
  const auto accepts = [](const std::string& text) {
    const auto filter = RunFilter::parse(text);
    EXPECT_TRUE(filter.ok()) << text;
    return filter.ok() && filter.value().accepts(sample_run());
  };
  EXPECT_TRUE(accepts(""));
  EXPECT_TRUE(accepts("n=512"));
  EXPECT_TRUE(accepts("n = 512.0 and ranks >= 64, program = cg"));
  EXPECT_TRUE(accepts("n > 99"));
  EXPECT_TRUE(accepts("layout = 'a, b'"));
  EXPECT_TRUE(accepts("date >= 2026-01 and date < 2026-02"));
  EXPECT_TRUE(accepts("tag = baseline and tag != other and program ~ 'c*'"));
  EXPECT_FALSE(accepts("n < 512"));
  EXPECT_FALSE(accepts("tag != baseline"));
  EXPECT_FALSE(accepts("m = 1"));
}

TEST(RunFilters, AreRefusedWhereTheyAreNone) {
  for (const char* text : {"n", "n=", "= 3", "n = 3 and", "n = 3 or m = 4", "n = 'a", "n = 3 m = 4", ","})
    EXPECT_FALSE(RunFilter::parse(text).ok()) << text;
}

}  // namespace
}  // namespace tarry
