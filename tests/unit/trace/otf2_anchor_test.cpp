// otf2_anchor_test.cpp -- anchor files that would keep OTF2's library busy for ever, or end it, do not reach it.
#include "trace/otf2/otf2_anchor.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/files/file.hpp"
#include "otf2_writer.hpp"
#include "trace/otf2/otf2_source.hpp"

namespace tarry {
namespace {

namespace fs = std::filesystem;

Otf2TestTrace small_trace() {
  Otf2TestTrace trace;
  trace.events = [](OTF2_EvtWriter* writer, std::uint64_t) {
    OTF2_EvtWriter_Enter(writer, nullptr, 1000, 0);
    OTF2_EvtWriter_Leave(writer, nullptr, 2000, 0);
  };
  return trace;
}

using Bytes8 = std::vector<std::uint8_t>;

Bytes8 read_bytes(const std::string& path) {
  auto bytes = read_file(path);
  return bytes.ok() ? *bytes : Bytes8();
}

void put(Bytes8& bytes, std::size_t at, std::uint64_t value, std::size_t size, bool is_big) {
  for (std::size_t i = 0; i < size; ++i)
    bytes[at + (is_big ? size - 1 - i : i)] = static_cast<std::uint8_t>(value >> (8 * i));
}

constexpr std::size_t kEventBufferAt = 12, kDefinitionBufferAt = 20, kPropertiesAt = 49;

std::string why(const Bytes8& bytes) {
  const Status checked = check_otf2_anchor(bytes, "anchor");
  return checked.ok() ? "" : checked.error().why;
}

TEST(Otf2Anchor, WhatTheLibraryWritesPasses) {
  const TempFolder folder;
  const Bytes8 anchor = read_bytes(small_trace().write(folder / "t"));
  ASSERT_GT(anchor.size(), kPropertiesAt + 4);
  EXPECT_EQ(why(anchor), "");
  Bytes8 swapped = anchor;  // as a machine of the other byte order writes it
  swapped[1] = '#';
  for (const std::size_t at : {kEventBufferAt, kDefinitionBufferAt}) put(swapped, at, 256 << 10, 8, true);
  EXPECT_EQ(why(swapped), "");
}

TEST(Otf2Anchor, CountsAndTextsBeyondTheFileAreRefused) {
  const TempFolder folder;
  const Bytes8 anchor = read_bytes(small_trace().write(folder / "t"));
  for (const std::uint64_t count : {100u, 0xffff0000u, 0xffffffffu}) {
    Bytes8 bad = anchor;
    put(bad, kPropertiesAt, count, 4, false);
    EXPECT_NE(why(bad), "") << count;
  }
  for (std::size_t length = 0; length < kPropertiesAt + 4; ++length)
    EXPECT_NE(why(Bytes8(anchor.begin(), anchor.begin() + static_cast<std::ptrdiff_t>(length))), "") << length;
  Bytes8 bad = anchor;
  put(bad, kEventBufferAt, std::uint64_t{1} << 60, 8, false);
  EXPECT_NE(why(bad).find("of a size that OTF2 does not allow"), std::string::npos);
}

// What passes the check neither hangs nor ends the library.
TEST(Otf2Anchor, EveryFlippedBitIsSurvived) {
  const TempFolder folder;
  const std::string path = small_trace().write(folder / "t");
  const Bytes8 anchor = read_bytes(path);
  std::size_t refused = 0;
  for (std::size_t bit = 0; bit < 8 * anchor.size(); ++bit) {
    Bytes8 flipped = anchor;
    flipped[bit / 8] ^= static_cast<std::uint8_t>(1u << bit % 8);
    ASSERT_TRUE(write_file(path, flipped).ok());
    const auto source = open_otf2(path);
    refused += !source.ok();
    EXPECT_TRUE(source.ok() || !source.error().why.empty());
  }
  EXPECT_GT(refused, 100u);
}

TEST(Otf2Anchor, FilesThatAreNoneDoNotReachTheLibrary) {
  const TempFolder folder;
  const std::string path = small_trace().write(folder / "t");
  ASSERT_TRUE(open_otf2(path).ok());
  fs::remove(folder / "t/traces.def");
  fs::create_symlink("/dev/zero", folder / "t/traces.def");
  const auto source = open_otf2(path);
  ASSERT_FALSE(source.ok());
  EXPECT_NE(source.error().text().find("traces.def: is a device"), std::string::npos) << source.error().text();
}

}  // namespace
}  // namespace tarry
