// pack_test.cpp -- bytes as the page holds them.
#include "page/pack.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <string_view>

namespace tarry {
namespace {

std::string base64_of(std::string_view text) {
  return base64(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

// RFC 4648, section 10, and bytes beyond ASCII.
TEST(Pack, Base64) {
  EXPECT_EQ(base64_of(""), "");
  EXPECT_EQ(base64_of("f"), "Zg==");
  EXPECT_EQ(base64_of("fo"), "Zm8=");
  EXPECT_EQ(base64_of("foo"), "Zm9v");
  EXPECT_EQ(base64_of("foob"), "Zm9vYg==");
  EXPECT_EQ(base64_of("\xff\xfb\xf0"), "//vw");
}

TEST(Pack, IsAZlibStream) {
  for (const std::size_t size : {0, 1, 1000, 100'000}) {
    std::vector<std::uint8_t> bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i * i % 251);
    const std::vector<std::uint8_t> packed = pack(bytes);
    std::vector<std::uint8_t> unpacked(size + 1);
    uLongf unpacked_size = unpacked.size();
    ASSERT_EQ(uncompress(unpacked.data(), &unpacked_size, packed.data(), packed.size()), Z_OK);
    unpacked.resize(unpacked_size);
    EXPECT_EQ(unpacked, bytes);
  }
}

}  // namespace
}  // namespace tarry
