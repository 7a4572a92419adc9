// crc32_test.cpp -- the checksum against its published check value and against itself in pieces.
#include "base/bytes/crc32.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tarry {
namespace {

TEST(Crc32, CheckValueOfThePolynomial) {
  const std::string digits = "123456789";
  EXPECT_EQ(crc32(digits.data(), digits.size()), 0xcbf43926u);
  EXPECT_EQ(crc32(nullptr, 0), 0u);
}

TEST(Crc32, ContinuesAnEarlierSumAtAnyCutAndAlignment) {
  std::vector<unsigned char> bytes(300);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i * 37 + (i >> 3));
  for (std::size_t begin = 0; begin < 9; ++begin) {
    const std::uint32_t whole = crc32(bytes.data() + begin, bytes.size() - begin);
    for (std::size_t cut = begin; cut <= bytes.size(); ++cut) {
      const std::uint32_t front = crc32(bytes.data() + begin, cut - begin);
      ASSERT_EQ(crc32(bytes.data() + cut, bytes.size() - cut, front), whole) << begin << " " << cut;
    }
  }
}

}  // namespace
}  // namespace tarry
