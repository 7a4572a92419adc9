// mutation_test.cpp -- changed bytes anywhere in an archive: always detected, never a crash (TARRY_MUTATIONS=N: more).
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "archive/archive_source.hpp"
#include "archive/unified_file.hpp"
#include "archive/verify.hpp"
#include "sample_archive.hpp"

namespace tarry {
namespace {

using Bytes8 = std::vector<std::uint8_t>;

int mutation_count() {
  const char* wanted = std::getenv("TARRY_MUTATIONS");
  return wanted ? static_cast<int>(std::strtol(wanted, nullptr, 10)) : 500;
}

// Without waiting for the disk, as write_file() would.
void write_bytes(const std::string& path, const Bytes8& bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  ASSERT_TRUE(file.flush().good());
}

// Reads everything in both directions; whatever comes out, it must end and not crash.
void read_everything(const std::string& path) {
  const auto source = ArchiveSource::open(path, {});
  if (!source.ok()) return;
  const Definitions& all = source.value()->definitions();
  for (std::size_t i = 0; i < all.locations.size(); ++i) {
    std::size_t forward = 0, backward = 0;
    Ticks time = std::numeric_limits<Ticks>::min();
    const auto reader = source.value()->open(LocationId(i));
    for (auto block = reader->next(); !block.empty(); block = reader->next()) {
      for (const Event& event : block) {
        EXPECT_GE(event.time, time);
        time = event.time;
        EXPECT_TRUE(event.kind != EventKind::kEnter || event.fields[0] < all.regions.size());
      }
      forward += block.size();
    }
    const auto mirrored = source.value()->open_backward(LocationId(i));
    for (auto block = mirrored->previous(); !block.empty(); block = mirrored->previous()) backward += block.size();
    EXPECT_EQ(forward, backward);
  }
  read_profiles(source.value()->contents(), source.value()->unified(), source.value()->faults());
}

void mutate(Bytes8& bytes, std::mt19937& random) {
  const std::size_t at = random() % bytes.size();
  switch (random() % 6) {
    case 0: bytes.resize(at); break;
    case 1: bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(at)); break;
    case 2: bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), static_cast<std::uint8_t>(random())); break;
    case 3:
      std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                  std::min<std::size_t>(random() % 64 + 1, bytes.size() - at), random() % 2 ? 0xff : 0x5a);
      break;
    default: bytes[at] ^= static_cast<std::uint8_t>(1u << random() % 8); break;
  }
}

TEST(MutationTest, EveryChangedByteIsDetected) {
  const sample::Folder folder;
  const std::string path = folder.path("a");
  ASSERT_TRUE(sample::record_and_finish(path, 150).ok());
  const auto sound = verify_archive(path, VerifyDepth::kDeep);
  ASSERT_TRUE(sound.ok());
  ASSERT_TRUE(sound.value().is_intact()) << sound.value().problems[0].place << sound.value().problems[0].what;
  std::mt19937 random(1);
  for (const std::string name : {"manifest.xml", "definitions.tdef", "events/n0.tev", "events/n1.tev"}) {
    const Bytes8 original = read_file(path + "/" + name).value();
    for (int i = 0; i < mutation_count() / 4; ++i) {
      Bytes8 bytes = original;
      while (bytes == original) {
        bytes = original;
        mutate(bytes, random);
      }
      write_bytes(path + "/" + name, bytes);
      const auto report = verify_archive(path, VerifyDepth::kDeep);
      EXPECT_TRUE(!report.ok() || !report.value().is_intact()) << name << " mutation " << i;
      read_everything(path);
    }
    write_bytes(path + "/" + name, original);
  }
}

// The payloads are changed before they are summed up, so that the decoders themselves have to cope.
TEST(MutationTest, DecodersCopeWithValidChecksums) {
  const sample::Folder folder;
  const std::string path = folder.path("a");
  ASSERT_TRUE(sample::record_and_finish(path, 150).ok());
  std::mt19937 random(2);
  for (const std::string name : {"definitions.tdef", "events/n0.tev", "events/n1.tev"}) {
    const std::string file = path + "/" + name;
    const Bytes8 original = read_file(file).value();
    for (int i = 0; i < mutation_count() / 3; ++i) {
      write_bytes(file, original);
      const auto container = Container::open(file);
      ASSERT_TRUE(container.ok());
      const ContainerHeaderBytes head = encode_container_header(0);
      Bytes8 changed(head.begin(), head.end());
      const std::size_t victim = random() % container.value().chunks().size();
      for (std::size_t c = 0; c < container.value().chunks().size(); ++c) {
        const ChunkRef& chunk = container.value().chunks()[c];
        Bytes8 payload;
        ASSERT_TRUE(container.value().load(chunk, 0, payload).ok());
        ChunkHeader header = chunk.header;
        if (c == victim && !payload.empty()) mutate(payload, random);
        if (c == victim && random() % 4 == 0) header.first_time = static_cast<Ticks>(std::uint64_t{random()} << 32);
        if (c == victim && random() % 4 == 0) header.sequence ^= 1u << random() % 32;
        if (c == victim && random() % 8 == 0) header.flags = random() % 4;
        const Bytes8 encoded = encode_chunk(header, payload, 0);
        changed.insert(changed.end(), encoded.begin(), encoded.end());
      }
      write_bytes(file, changed);
      read_everything(path);
      std::filesystem::rename(path + "/definitions.tdef", folder.path("kept"));
      read_everything(path);  // unifies
      std::filesystem::rename(folder.path("kept"), path + "/definitions.tdef");
    }
    write_bytes(file, original);
  }
}

TEST(MutationTest, DamagedSpoolsAreSalvagedAsFarAsTheyGo) {
  const sample::Folder folder;
  std::mt19937 random(3);
  for (int i = 0; i < mutation_count() / 10; ++i) {
    const std::string path = folder.path("a");
    ASSERT_TRUE(create_archive(path).ok());
    ASSERT_TRUE(sample::record_process(path, 0, 100).ok());
    ASSERT_TRUE(sample::record_killed(path, 2, 50 + random() % 300).ok());
    const std::string spool = path + "/" + names::spool("n1", 4713);
    Bytes8 bytes = read_file(spool).value();
    bytes.resize(std::min<std::size_t>(bytes.size(), kSpoolFirstBlock + 8192 * 2));
    mutate(bytes, random);
    write_bytes(spool, bytes);
    read_everything(path);
    const auto report = finish_archive(path, {});
    ASSERT_TRUE(report.ok()) << report.error().text();
    EXPECT_FALSE(report.value().is_complete);
    read_everything(path);
    std::filesystem::remove_all(path);
  }
}

}  // namespace
}  // namespace tarry
