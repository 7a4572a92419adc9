// cubex_values_test.cpp -- rows of values in every layout, and damaged ones.
#include "report/cubex/cubex_values.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <vector>

namespace tarry {
namespace {

std::string little(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text.push_back(static_cast<char>(value >> (8 * i)));
  return text;
}

std::string big(std::uint64_t value, int bytes) {
  std::string text = little(value, bytes);
  std::reverse(text.begin(), text.end());
  return text;
}

using Number = std::string (*)(std::uint64_t, int);

std::string sparse(Number number, const std::vector<std::uint32_t>& rows) {
  std::string index = "CUBEX.INDEX" + number(1, 4) + number(0, 2) + "\1" + number(rows.size(), 4);
  for (const std::uint32_t row : rows) index += number(row, 4);
  return index;
}

std::string compressed(Number number, const std::vector<std::string>& rows) {
  std::string table, area;
  for (const std::string& row : rows) {
    uLongf size = compressBound(row.size());
    std::string stream(size, '\0');
    compress(reinterpret_cast<Bytef*>(stream.data()), &size, reinterpret_cast<const Bytef*>(row.data()), row.size());
    table += number(0, 8) + number(area.size(), 8) + number(size, 8);
    area += stream.substr(0, size);
  }
  return "ZCUBEX.DATA" + number(rows.size(), 8) + table + area;
}

// "row:bytes row:bytes |trouble"
std::string decoded(const std::string& index, const std::string& data, std::size_t row_bytes, std::uint32_t rows) {
  const auto bytes = [](const std::string& text) {
    return std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  };
  StoredRows stored;
  bool is_wrong = !stored.open({bytes(index), bytes(data)}, row_bytes, rows).empty();
  std::string all;
  std::vector<std::uint8_t> buffer;
  for (std::uint32_t k = 0; k < stored.count(); ++k) {
    const std::uint8_t* at = stored.bytes(k, buffer, is_wrong);
    EXPECT_EQ(stored.find(stored.row(k)), k);
    if (at)
      all += std::to_string(stored.row(k)) + ":" + std::string(reinterpret_cast<const char*>(at), row_bytes) + " ";
  }
  return all + (is_wrong ? "!" : "");
}

TEST(CubexValues, SparseBothByteOrders) {
  EXPECT_EQ(decoded(sparse(little, {1, 3}), "CUBEX.DATAabcd", 2, 4), "1:ab 3:cd ");
  EXPECT_EQ(decoded(sparse(big, {1, 3}), "CUBEX.DATAabcd", 2, 4), "1:ab 3:cd ");
  EXPECT_EQ(decoded(sparse(little, {1, 3}), "CUBEX.DATAabcd\n", 2, 4), "1:ab 3:cd ");
}

TEST(CubexValues, Dense) {
  const std::string index = "CUBEX.INDEX" + little(1, 4) + little(0, 2) + "\3";
  EXPECT_EQ(decoded(index, "CUBEX.DATAabcdef", 3, 2), "0:abc 1:def ");
}

TEST(CubexValues, CompressedBothByteOrders) {
  EXPECT_EQ(decoded(sparse(little, {0, 2}), compressed(little, {"abc", "def"}), 3, 3), "0:abc 2:def ");
  EXPECT_EQ(decoded(sparse(big, {0, 2}), compressed(big, {"abc", "def"}), 3, 3), "0:abc 2:def ");
}

TEST(CubexValues, EmptyMetricsWithoutACount) {
  EXPECT_EQ(decoded(sparse(little, {}).substr(0, 18), "CUBEX.DATA", 8, 5), "");
  EXPECT_EQ(decoded(sparse(little, {}), "CUBEX.DATA", 8, 5), "");
}

TEST(CubexValues, DamageIsSaidAndTheRestRead) {
  EXPECT_EQ(decoded(sparse(little, {0, 9}), "CUBEX.DATAabcd", 2, 4), "0:ab !");
  EXPECT_EQ(decoded(sparse(little, {2, 2}), "CUBEX.DATAabcd", 2, 4), "2:ab !");
  EXPECT_EQ(decoded(sparse(little, {0, 1}), "CUBEX.DATAabc", 2, 4), "0:ab !");
  EXPECT_EQ(decoded(sparse(little, {0, 1}).substr(0, 28), "CUBEX.DATAabcd", 2, 4), "0:ab !");
  EXPECT_EQ(decoded(sparse(little, {0}), "nothing of us", 2, 4), "!");
  EXPECT_EQ(decoded("CUBEX", "CUBEX.DATAabcd", 2, 4), "!");
  EXPECT_EQ(decoded(sparse(little, {0}), "ZCUBEX.DATA\1", 2, 4), "!");
}

TEST(CubexValues, CompressedRowsMayNotLieAboutTheirSize) {
  const std::string data = compressed(little, {"abc", "def"});
  EXPECT_EQ(decoded(sparse(little, {0, 1}), data, 4, 3), "!");
  EXPECT_EQ(decoded(sparse(little, {0, 1}), data, 2, 3), "!");
  EXPECT_EQ(decoded(sparse(little, {0, 1}), data, 1000000, 3), "!");
  std::string far = data;
  far[19 + 8] = 100;
  EXPECT_EQ(decoded(sparse(little, {0, 1}), far, 3, 3), "!");
}

}  // namespace
}  // namespace tarry
