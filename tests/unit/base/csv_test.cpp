// csv_test.cpp -- what is written is read back, whatever the names; foreign tables end nothing.
#include "base/text/csv.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace tarry {
namespace {

const std::vector<std::string> kHostile = {"a,b", "\"quoted\"", "two\nlines", "\r\n",   "\x01\x1b[2J", "\xff\xfe",
                                           "",    " ",          "'",          "a\"\"b", "=1+1",        "\xc3\xa4"};

TEST(Csv, QuotesOnlyWhereItMust) {
  EXPECT_EQ(csv_field("plain name"), "plain name");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
}

// A spreadsheet computes what begins like this, also behind blanks.
TEST(Csv, FormulasAreMarkedForSpreadsheets) {
  for (const char* text : {"=1+1", "+1", "-cmd", "@sum", " =1", "\t=1"})
    EXPECT_EQ(csv_field_for_spreadsheets(text), "'" + std::string(text)) << text;
  EXPECT_EQ(csv_field_for_spreadsheets("=1,\"2\""), "\"'=1,\"\"2\"\"\"");
  EXPECT_EQ(csv_field_for_spreadsheets("\r=1"), "\"'\r=1\"");
  for (const char* text : {"", " ", "a=1", "1+1", "main"}) EXPECT_EQ(csv_field_for_spreadsheets(text), text);
}

TEST(Csv, WritesRowsFieldByField) {
  CsvWriter out("name,count,seconds,more");
  out.add("a,b").add(7).add(0.1).skip().end_row();
  out.skip(2).add(-1.5).add(std::uint64_t{1} << 63).end_row();
  EXPECT_EQ(out.take(), "name,count,seconds,more\n\"a,b\",7,0.10000000000000001,\n,,-1.5,9223372036854775808\n");
}

TEST(Csv, HostileNamesComeBack) {
  CsvWriter out("name,behind");
  for (const std::string& name : kHostile) out.add(name).add("x").end_row();
  const CsvTable table = CsvTable::parse(out.take());
  ASSERT_EQ(table.size(), kHostile.size());
  for (std::size_t row = 0; row < table.size(); ++row) {
    EXPECT_EQ(table.text(row, "name"), kHostile[row]);
    EXPECT_EQ(table.text(row, "behind"), "x");
  }
}

TEST(Csv, ColumnsAreFoundByName) {
  const CsvTable table = CsvTable::parse("b,a\r\n1,2\r\n3\r\n4,5,6");
  ASSERT_EQ(table.size(), 3u);
  EXPECT_TRUE(table.has_column("a"));
  EXPECT_FALSE(table.has_column("c"));
  EXPECT_EQ(table.text(0, "a"), "2");
  EXPECT_EQ(table.text(1, "a"), "");
  EXPECT_EQ(table.text(1, "c"), "");
  EXPECT_EQ(table.text(2, "a"), "5");
}

TEST(Csv, NumbersAreWholeFields) {
  const CsvTable table = CsvTable::parse("x\n1e-3\nnan\n\n1 s\ninf\n-2\n");
  EXPECT_EQ(table.number(0, "x"), 1e-3);
  for (const std::size_t row : {1u, 2u, 3u, 4u}) EXPECT_FALSE(table.number(row, "x").has_value()) << row;
  EXPECT_EQ(table.number(5, "x"), -2);
  EXPECT_FALSE(table.number(0, "y").has_value());
}

TEST(Csv, AnyTextGivesATable) {
  EXPECT_EQ(CsvTable::parse("").size(), 0u);
  EXPECT_EQ(CsvTable::parse("\n\n\n").size(), 2u);
  const CsvTable cut = CsvTable::parse("a,b\n0,0\n1,\"never ends\n2,3\n");
  EXPECT_EQ(cut.size(), 1u);
  EXPECT_TRUE(cut.is_cut());
  EXPECT_TRUE(CsvTable::parse("\xef\xbb\xbf\"a\"\r\n1\r\n").has_column("a"));
  EXPECT_EQ(CsvTable::parse(std::string(1000, '"')).size(), 0u);
  EXPECT_EQ(CsvTable::parse(std::string_view("a\0b\n\0\n", 6)).size(), 1u);
}

}  // namespace
}  // namespace tarry
