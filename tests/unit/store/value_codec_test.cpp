// value_codec_test.cpp -- vectors come back bit for bit, and damaged ones are no trouble.
#include "store/value_codec.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cfloat>
#include <cmath>
#include <random>

namespace tarry {
namespace {

void expect_same(const std::vector<double>& values) {
  std::vector<std::uint8_t> bytes;
  encode_vector(values, bytes);
  const auto back = decode_vector(bytes);
  ASSERT_TRUE(back.ok());
  ASSERT_EQ(back.value().size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(back.value()[i]), std::bit_cast<std::uint64_t>(values[i])) << i;
}

TEST(Vectors, ComeBackAsTheyWere) {
  expect_same({});
  expect_same({0});
  expect_same({1, 2, 3, -4, 9007199254740992.0});
  expect_same({0.1, 0, 0.3, 0, 0, 1e-300, -0.0});
  expect_same({NAN, INFINITY, -INFINITY, DBL_MAX, -DBL_MAX});
  expect_same(std::vector<double>(1000, 2.5));
  std::vector<double> mostly_zeros(5000);
  mostly_zeros[77] = 0.123;
  expect_same(mostly_zeros);
  std::mt19937_64 random(1);
  std::normal_distribution<double> noise(1, 0.1);
  std::vector<double> times(4096);
  for (double& time : times) time = noise(random);
  expect_same(times);
}

TEST(Vectors, AreSmall) {
  std::vector<std::uint8_t> bytes;
  std::vector<double> counts;
  for (int i = 0; i < 64; ++i) counts.push_back(100 + i % 3);
  encode_vector(counts, bytes);
  EXPECT_LE(bytes.size(), 80u);
  encode_vector(std::vector<double>(65536, 0.25), bytes);
  EXPECT_LE(bytes.size(), 16u);
}

TEST(Vectors, ThatAreDamagedAreRefusedOrAtLeastHarmless) {
  std::mt19937_64 random(2);
  std::vector<std::uint8_t> bytes;
  std::vector<double> values;
  for (int i = 0; i < 300; ++i) values.push_back(i * 0.37);
  encode_vector(values, bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(decode_vector(std::span(bytes).first(size)).ok()) << size;
  for (int turn = 0; turn < 5000; ++turn) {
    std::vector<std::uint8_t> damaged = bytes;
    damaged[random() % damaged.size()] ^= static_cast<std::uint8_t>(1 + random() % 255);
    const auto back = decode_vector(damaged, 1000);
    EXPECT_TRUE(!back.ok() || back.value().size() <= 1000u);
  }
  // A number of values that no memory holds.
  EXPECT_FALSE(decode_vector(std::vector<std::uint8_t>{1, 0xff, 0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0, 0, 0, 0, 0}).ok());
}

TEST(Vectors, GoOnlyIntoARowOfTheirSize) {
  std::vector<std::uint8_t> bytes;
  encode_vector(std::vector<double>{1.5, 2.5}, bytes);
  std::vector<double> row(3);
  EXPECT_FALSE(decode_vector_into(bytes, row));
  row.resize(2);
  EXPECT_TRUE(decode_vector_into(bytes, row));
  EXPECT_EQ(row[1], 2.5);
}

}  // namespace
}  // namespace tarry
