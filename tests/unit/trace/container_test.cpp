// container_test.cpp -- appending, sealing, walking and resynchronising.
#include "trace/container.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "base/bytes/bytes.hpp"
#include "base/bytes/crc32.hpp"

namespace tarry {
namespace {

class ContainerTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "tarry-test-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    path_ = folder_ + "/a.tev";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static ChunkHeader header(std::uint32_t sequence) {
    ChunkHeader header;
    header.process = 7;
    header.sequence = sequence;
    return header;
  }

  static std::vector<std::uint8_t> payload(std::uint32_t sequence) {
    std::vector<std::uint8_t> bytes(100 + sequence);
    std::iota(bytes.begin(), bytes.end(), static_cast<std::uint8_t>(sequence));
    return bytes;
  }

  void append(std::uint32_t first, std::uint32_t last) {
    auto writer = ContainerWriter::open(path_);
    ASSERT_TRUE(writer.ok()) << writer.error().text();
    for (std::uint32_t i = first; i < last; ++i) {
      ChunkHeader head = header(i);
      const auto bytes = payload(i);
      head.raw_bytes = static_cast<std::uint32_t>(bytes.size());
      ASSERT_TRUE(writer->append(head, bytes).ok());
    }
  }

  std::vector<std::uint32_t> sequences(const Container& container) {
    std::vector<std::uint32_t> found;
    for (const ChunkRef& chunk : container.chunks()) {
      std::vector<std::uint8_t> bytes;
      EXPECT_TRUE(container.load(chunk, 3, bytes).ok());
      auto expected = payload(chunk.header.sequence);
      expected.resize(expected.size() + 3, 0);
      EXPECT_EQ(bytes, expected);
      found.push_back(chunk.header.sequence);
    }
    return found;
  }

  std::vector<std::uint8_t> bytes() { return read_file(path_).value(); }
  void write(const std::vector<std::uint8_t>& bytes) {
    ASSERT_TRUE(write_file(path_, std::span<const std::uint8_t>(bytes)).ok());
  }
  std::size_t offset_of(std::uint32_t sequence) {
    std::size_t at = kContainerHeaderBytes;
    for (std::uint32_t i = 0; i < sequence; ++i) at += kChunkHeaderBytes + payload(i).size();
    return at;
  }

  std::string folder_, path_;
};

using Numbers = std::vector<std::uint32_t>;

TEST_F(ContainerTest, SeveralWritersShareAFileAndItCanBeSealedTwice) {
  append(0, 2);
  append(2, 5);
  for (const bool is_sealed : {false, true}) {
    const auto container = Container::open(path_);
    ASSERT_TRUE(container.ok());
    EXPECT_EQ(container.value().is_sealed(), is_sealed);
    EXPECT_EQ(sequences(container.value()), (Numbers{0, 1, 2, 3, 4}));
    EXPECT_TRUE(container.value().damage().empty());
    ASSERT_TRUE(seal_container(path_).ok());
    const auto size = bytes().size();
    ASSERT_TRUE(seal_container(path_).ok());
    EXPECT_EQ(bytes().size(), size);
  }
}

TEST_F(ContainerTest, DamagedHeaderCostsOneChunk) {
  append(0, 5);
  auto data = bytes();
  data[offset_of(2) + 20] ^= 4;
  write(data);
  const auto container = Container::open(path_);
  EXPECT_EQ(sequences(container.value()), (Numbers{0, 1, 3, 4}));
  ASSERT_EQ(container.value().damage().size(), 1u);
  EXPECT_EQ(container.value().damage()[0].offset, offset_of(2));
  EXPECT_EQ(container.value().damage()[0].bytes, offset_of(3) - offset_of(2));
}

TEST_F(ContainerTest, TornChunkDoesNotHideTheNext) {
  append(0, 2);
  auto data = bytes();
  data.erase(data.end() - 40, data.end());  // the writer of chunk 1 was killed, another process went on
  write(data);
  append(2, 4);
  for (int sealed = 0; sealed < 2; ++sealed) {
    const auto container = Container::open(path_);
    EXPECT_EQ(sequences(container.value()), (Numbers{0, 2, 3}));
    ASSERT_EQ(container.value().damage().size(), 1u);
    EXPECT_EQ(container.value().damage()[0].offset, offset_of(1));
    ASSERT_TRUE(seal_container(path_).ok());
  }
}

TEST_F(ContainerTest, EveryLengthOfACutFileIsReadable) {
  append(0, 4);
  ASSERT_TRUE(seal_container(path_).ok());
  const auto data = bytes();
  for (std::size_t length = 0; length < data.size(); ++length) {
    write({data.begin(), data.begin() + static_cast<std::ptrdiff_t>(length)});
    const auto container = Container::open(path_);
    if (!container.ok()) continue;
    std::uint32_t whole = 0;
    while (whole < 4 && offset_of(whole + 1) <= length) ++whole;
    EXPECT_EQ(sequences(container.value()).size(), whole) << length;
    EXPECT_FALSE(container.value().is_sealed());
  }
}

TEST_F(ContainerTest, DamagedContainerHeaderAndIndexCostNothing) {
  append(0, 4);
  ASSERT_TRUE(seal_container(path_).ok());
  const auto data = bytes();
  for (std::size_t at = 0; at < data.size(); ++at) {
    const bool is_chunk = at >= kContainerHeaderBytes && at < offset_of(4);
    if (is_chunk) continue;
    auto changed = data;
    changed[at] ^= 0x10;
    write(changed);
    const auto container = Container::open(path_);
    ASSERT_TRUE(container.ok()) << at << ": " << container.error().text();
    EXPECT_EQ(sequences(container.value()).size(), 4u) << at;
    EXPECT_TRUE(!container.value().is_sealed() || !container.value().damage().empty()) << at;
  }
}

TEST_F(ContainerTest, NewerVersionIsRefusedByName) {
  auto head = encode_container_header(0);
  head[8] = 3;
  store_le<std::uint32_t>(&head[28], crc32(head.data(), 28));
  write({head.begin(), head.end()});
  const auto container = Container::open(path_);
  ASSERT_FALSE(container.ok());
  EXPECT_NE(container.error().why.find("3.0, newer than 2.0"), std::string::npos);
  EXPECT_FALSE(ContainerWriter::open(path_).ok());
}

TEST_F(ContainerTest, HeaderThatIsNotWholeIsWrittenAgain) {
  const auto head = encode_container_header(0);
  write({head.begin(), head.begin() + 9});
  append(0, 1);
  EXPECT_EQ(sequences(Container::open(path_).value()), (Numbers{0}));
}

TEST_F(ContainerTest, ManyHeadersThatClaimMuchAreReadInLinearTime) {
  ChunkHeader greedy = header(0);
  greedy.raw_bytes = greedy.stored_bytes = kMaxChunkBytes;
  const auto head = encode_container_header(0);
  const auto chunk = encode_chunk_header(greedy);
  std::vector<std::uint8_t> data(head.begin(), head.end());
  for (int i = 0; i < 20000; ++i) data.insert(data.end(), chunk.begin(), chunk.end());
  write(data);
  const auto container = Container::open(path_);
  if (!container.ok()) return;
  std::vector<std::uint8_t> out;
  for (const ChunkRef& each : container.value().chunks()) EXPECT_FALSE(container.value().load(each, 0, out).ok());
}

// A block of a spool as processes leave it: chunks one behind the other, of which the last one may be about to come.
TEST_F(ContainerTest, ABlockOfASpoolMayHoldSeveralChunks) {
  constexpr std::uint32_t kBlock = 4096;
  const ContainerHeaderBytes head = encode_container_header(kBlock);
  std::vector<std::uint8_t> file(kSpoolFirstBlock + 3 * kBlock);
  std::copy(head.begin(), head.end(), file.begin());
  const auto put = [&](std::size_t at, std::uint32_t sequence) {
    const std::vector<std::uint8_t> chunk = encode_chunk(header(sequence), payload(sequence), 0);
    std::copy(chunk.begin(), chunk.end(), file.begin() + static_cast<std::ptrdiff_t>(at));
    return at + chunk.size();
  };
  const std::size_t third = put(put(kSpoolFirstBlock, 0), 1);
  put(third, 2);
  store_le<std::uint32_t>(&file[third], 0);
  put(kSpoolFirstBlock + 2 * kBlock, 3);
  const std::string path = folder_ + "/a.spool";
  ASSERT_TRUE(write_file(path, file).ok());
  auto container = Container::open(path);
  ASSERT_TRUE(container.ok()) << container.error().text();
  EXPECT_EQ(sequences(*container), (std::vector<std::uint32_t>{0, 1, 3}));
  EXPECT_TRUE(container->damage().empty());
}

}  // namespace
}  // namespace tarry
