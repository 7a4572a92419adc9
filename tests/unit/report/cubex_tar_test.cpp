// cubex_tar_test.cpp -- headers, padding and the tolerant walk.
#include "report/cubex/cubex_tar.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

std::string member(const std::string& name, const std::string& body) {
  return tar_header(name, body.size()) + body + std::string(tar_padding(body.size()), '\0');
}

Result<TarDirectory> read(const std::string& bytes) {
  return read_tar_directory({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, "test");
}

TEST(CubexTar, FindsWhatItWrote) {
  auto found = read(member("a", "xyz") + member("anchor.xml", std::string(700, 'q')) + std::string(1024, '\0'));
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->size(), 2u);
  EXPECT_EQ((*found)["a"].offset, 512u);
  EXPECT_EQ((*found)["a"].size, 3u);
  EXPECT_EQ((*found)["anchor.xml"].size, 700u);
}

TEST(CubexTar, PaddingOfMultiplesOf512) {
  EXPECT_EQ(tar_filler(1024), 1u);
  EXPECT_EQ(tar_filler(1023), 0u);
  EXPECT_EQ(tar_filler(0), 0u);
  const std::string exact = member("a", std::string(512, 'x'));
  for (const std::string& gap : {std::string(), std::string(512, '\0')}) {
    auto found = read(exact + gap + member("b", "1"));
    EXPECT_EQ(found->count("b"), 1u);
  }
}

TEST(CubexTar, HugeMembersHaveAnExtendedHeader) {
  const std::string header = tar_header("1.data", 0x1ffffffffull);
  ASSERT_EQ(header.size(), 3 * kTarBlock);
  EXPECT_EQ(header.substr(512, 19), "19 size=8589934591\n");
  auto found = read(header + "0123");
  EXPECT_EQ((*found)["1.data"].size, 4u);
  EXPECT_TRUE((*found)["1.data"].is_truncated);
  EXPECT_EQ(tar_header("1.data", 0x1fffffffeull).size(), kTarBlock);
}

TEST(CubexTar, WrongSizeOfCompressedDataIsPutRight) {
  std::string body = "ZCUBEX.DATA" + std::string("\1\0\0\0\0\0\0\0", 8) + std::string(16, '\0') +
                     std::string("\5\0\0\0\0\0\0\0", 8) + "12345";
  for (const std::uint64_t wrong : {std::uint64_t{20}, std::uint64_t{5000}}) {
    const std::string padding(tar_padding(body.size()), '\0');
    auto found = read(tar_header("1.data", wrong) + body + padding + member("b", "1"));
    EXPECT_EQ((*found)["1.data"].size, body.size());
    EXPECT_EQ(found->count("b"), 1u) << wrong;
  }
}

TEST(CubexTar, DamagedHeadersAreSteppedOver) {
  std::string bytes = member("a", "1") + member("b", "2") + member("c", "3");
  bytes[1024 + 3] ^= 1;  // name of b: the checksum no longer fits
  auto found = read(bytes);
  EXPECT_EQ(found->size(), 2u);
  EXPECT_FALSE(read("not a tar").ok());
  EXPECT_FALSE(read(std::string(5000, 'x')).ok());
  EXPECT_FALSE(read("").ok());
}

}  // namespace
}  // namespace tarry
