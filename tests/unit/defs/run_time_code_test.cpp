// run_time_code_test.cpp -- names of code made at run time, from files that may say anything.
#include "defs/run_time_code.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <random>

#include "defs/jitdump.hpp"
#include "defs/perf_map.hpp"

namespace tarry {
namespace {

class RunTimeNames : public testing::Test {
 protected:
  ~RunTimeNames() override { std::remove(path_.c_str()); }

  void write(const std::string& content) const { std::ofstream(path_, std::ios::binary) << content; }

  // The names of these addresses, which are seen at time 100.
  std::vector<std::string> names(void (*read)(const std::string&, std::span<RunTimeCode>),
                                 const std::vector<std::uint64_t>& addresses) const {
    std::vector<RunTimeCode> places;
    for (const std::uint64_t address : addresses) places.push_back({address, 100, "", 0});
    read(path_, places);
    std::vector<std::string> found;
    for (const RunTimeCode& place : places) found.push_back(place.name);
    return found;
  }

  const std::string path_ = testing::TempDir() + "run_time_code_test." + std::to_string(::getpid());
};

using Names = std::vector<std::string>;

TEST_F(RunTimeNames, AMapHasALineForEachFunction) {
  write("1000 10 first one \n0x1010 0x8 second\r\n");
  EXPECT_EQ(names(name_by_perf_map, {0xfff, 0x1000, 0x100f, 0x1010, 0x1017, 0x1018}),
            (Names{"", "first one", "first one", "second", "second", ""}));
}

TEST_F(RunTimeNames, TheLastLineCounts) {
  write("1000 10 old\n1000 8 new\n");
  EXPECT_EQ(names(name_by_perf_map, {0x1000, 0x1008}), (Names{"new", "old"}));
}

TEST_F(RunTimeNames, WhatIsNoLineTellsNothing) {
  write("1000 10 good\n1000 10\n1000 10 \n 1000 10 x\n1000 0 x\n0 ffffffffffffffff x\nfff 7fffffff x\n-1000 10 x\n" +
        std::string(200'000, '1') + " 10 x\n" + std::string(100'000, 'x') + "\n1000 10 cut of");
  EXPECT_EQ(names(name_by_perf_map, {0x1000}), Names{"good"});
}

TEST_F(RunTimeNames, NamesAreCutAndClean) {
  write("1000 10 " + std::string(3000, 'n') + "\n2000 10 a\tb\x1b[31m\xff\xc3\xa9\n");
  EXPECT_EQ(names(name_by_perf_map, {0x1000, 0x2000}), (Names{std::string(kMostNameBytes, 'n'), "a?b?[31m?\xc3\xa9"}));
}

TEST_F(RunTimeNames, OnlyAFileIsRead) {
  EXPECT_EQ(names(name_by_perf_map, {0x1000}), Names{""});
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  EXPECT_EQ(names(name_by_perf_map, {0x1000}), Names{""});
  EXPECT_EQ(names(name_by_jitdump, {0x1000}), Names{""});
  std::remove(path_.c_str());
  std::ofstream(path_ + ".target") << "1000 10 name\n";
  ASSERT_EQ(::symlink((path_ + ".target").c_str(), path_.c_str()), 0);
  EXPECT_EQ(names(name_by_perf_map, {0x1000}), Names{""});
  std::remove((path_ + ".target").c_str());
}

template <class... Numbers>
std::string bytes_of(Numbers... numbers) {
  std::string bytes;
  (bytes.append(reinterpret_cast<const char*>(&numbers), sizeof numbers), ...);
  return bytes;
}
using U32 = std::uint32_t;
using U64 = std::uint64_t;

std::string header(U64 flags = 0) {
  return bytes_of(U32{0x4a695444}, U32{1}, U32{40}, U32{62}, U32{0}, U32{1}, U64{0}, flags);
}

std::string load(U64 time, U64 address, const std::string& name, U64 index = 0) {
  const auto size = static_cast<U32>(56 + name.size() + 1 + 4);
  return bytes_of(U32{0}, size, time, U32{1}, U32{1}, address, address, U64{16}, index) + name + std::string(5, '\0');
}

std::string move(U64 time, U64 from, U64 to, U64 index) {
  return bytes_of(U32{1}, U32{64}, time, U32{1}, U32{1}, to, from, to, U64{16}, index);
}

TEST_F(RunTimeNames, ADumpHasARecordForEachFunction) {
  write(header() + load(1, 0x1000, "first") + bytes_of(U32{3}, U32{16}, U64{0}) + load(2, 0x1010, "second"));
  EXPECT_EQ(names(name_by_jitdump, {0xfff, 0x1000, 0x101f, 0x1020}), (Names{"", "first", "second", ""}));
}

TEST_F(RunTimeNames, WhoWasThereWhenTheCodeWasSeenCounts) {
  write(header() + load(1, 0x1000, "gone") + load(99, 0x1000, "seen"));
  EXPECT_EQ(names(name_by_jitdump, {0x1000}), Names{"seen"});
  write(header() + load(99, 0x1000, "seen") + load(101, 0x1000, "later"));
  EXPECT_EQ(names(name_by_jitdump, {0x1000}), Names{"seen or later"});
  write(header() + load(101, 0x1000, "told late"));
  EXPECT_EQ(names(name_by_jitdump, {0x1000}), Names{"told late"});
  write(header(1) + load(1, 0x1000, "first") + load(101, 0x1000, "last"));  // times of another clock
  EXPECT_EQ(names(name_by_jitdump, {0x1000}), Names{"last"});
}

TEST_F(RunTimeNames, MovedCodeKeepsItsName) {
  write(header() + load(1, 0x1000, "moved", 5) + load(2, 0x2000, "other", 6) + move(3, 0x1000, 0x3000, 5));
  EXPECT_EQ(names(name_by_jitdump, {0x1000, 0x2000, 0x3000}), (Names{"moved", "other", "moved"}));
  write(header() + move(3, 0x1000, 0x3000, 5));
  EXPECT_EQ(names(name_by_jitdump, {0x3000}), Names{""});
}

// Each damage ends well, and names are never longer than two of them.
TEST_F(RunTimeNames, DamageIsHarmless) {
  const std::string good = header() + load(1, 0x1000, "first", 1) + load(2, 0x1010, "second", 2) +
                           move(3, 0x1000, 0x1020, 1) + load(4, 0x1030, "third", 3);
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string damaged = good;
    for (int n = 0; n < 3; ++n) damaged[random() % damaged.size()] = static_cast<char>(random());
    if (i % 2) damaged.resize(random() % damaged.size());
    write(damaged);
    for (const std::string& name : names(name_by_jitdump, {0x1000, 0x1010, 0x1020, 0x1030}))
      EXPECT_LE(name.size(), 2 * kMostNameBytes + 4);
    names(name_by_perf_map, {0x1000});
  }
}

TEST(RunTimeCode, NamesOfScriptsTellTheirPlaces) {
  const auto expect = [](const char* name, const char* function, const char* file, std::uint32_t line) {
    const CodePlace place = place_of_run_time_code(name);
    EXPECT_EQ(place.name, function);
    EXPECT_EQ(place.file, file);
    EXPECT_EQ(place.line, line);
  };
  expect("JS:*hot /home/me/my app.js:12:16", "hot", "/home/me/my app.js", 12);
  expect("LazyCompile:~ node:internal/fs:1:2", "(anonymous)", "node:internal/fs", 1);
  expect("Builtin:ArrayMap", "Builtin:ArrayMap", "", 0);
  expect("JS:*hot", "JS:*hot", "", 0);
  expect("JS:*hot x:y:z", "JS:*hot x:y:z", "", 0);
  expect("_Z4workd", "work(double)", "", 0);
}

}  // namespace
}  // namespace tarry
