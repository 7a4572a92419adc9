// numbers_test.cpp -- partners of messages, times as text, Paraver's numbers and protocol buffers.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <map>

#include "tests/unit/convert/small_trace.hpp"
#include "convert/paraver/message_ends.hpp"
#include "convert/paraver/paraver_numbers.hpp"
#include "convert/perfetto/protobuf_writer.hpp"
#include "convert/text/text_pipeline.hpp"

namespace tarry {
namespace {

std::string seconds(std::int64_t nanoseconds) {
  std::string text;
  append_seconds(text, nanoseconds);
  return text;
}

TEST(AppendSeconds, WritesAllNineDecimals) {
  EXPECT_EQ(seconds(0), "0.000000000");
  EXPECT_EQ(seconds(1), "0.000000001");
  EXPECT_EQ(seconds(1234567890), "1.234567890");
  EXPECT_EQ(seconds(-1), "-0.000000001");
  EXPECT_EQ(seconds(std::numeric_limits<std::int64_t>::min()), "-9223372036.854775808");
}

TEST(NanosecondClock, RoundsToTheNearest) {
  const NanosecondClock clock({.ticks_per_second = 3e9, .origin = 100});
  EXPECT_EQ(clock(100), 0);
  EXPECT_EQ(clock(103), 1);
  EXPECT_EQ(clock(104), 1);
  EXPECT_EQ(clock(105), 2);
  EXPECT_EQ(clock(97), -1);
}

TEST(MessageEnds, RanksAreThoseOfTheRun) {
  Definitions all = small_definitions();
  all.groups[0].members = {5, 3};
  EXPECT_EQ(partner_of(all, CommId(0), CommRank(0), 3), 5u);
  EXPECT_EQ(partner_of(all, CommId(0), CommRank(1), 5), 3u);
  EXPECT_EQ(partner_of(all, CommId(0), CommRank(2), 5), kNoRank);
  EXPECT_EQ(partner_of(all, CommId(9), CommRank(0), 5), kNoRank);
}

TEST(MessageEnds, AcrossAnInterCommunicatorTheOtherGroupIsMeant) {
  Definitions all = small_definitions();
  all.groups = {{{}, {0, 1}}, {{}, {2, 3}}};
  all.comms[0].is_inter = true;
  all.comms[0].remote_group = GroupId(1);
  EXPECT_EQ(partner_of(all, CommId(0), CommRank(1), 0), 3u);
  EXPECT_EQ(partner_of(all, CommId(0), CommRank(1), 2), 1u);
}

// The numbers of regions of these names, after those of small_definitions().
std::vector<paraver::RegionNumbers> numbers_of_names(const std::vector<std::string>& names) {
  Definitions all = small_definitions();
  const std::size_t before = all.regions.size();
  for (const std::string& name : names) {
    Region region = all.regions[2];
    region.name = all.strings.intern(name);
    all.regions.push_back(region);
  }
  auto numbers = paraver::numbers_of(all);
  numbers.erase(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(before));
  return numbers;
}

TEST(ParaverNumbers, AFunctionOfTheProgramHasItsNumber) {
  const auto numbers = paraver::numbers_of(small_definitions());
  EXPECT_EQ(numbers[0].type, paraver::kUserFunction);
  EXPECT_EQ(numbers[1].value, 2u);
  EXPECT_EQ(numbers[2].type, paraver::kPointToPoint);
}

TEST(ParaverNumbers, MpiCallsHaveTheValuesOfBscsTools) {
  const char* root = std::getenv("TARRY_ROOT");
  std::ifstream table(std::string(root ? root : ".") + "/tests/data/paraver-mpi-values.csv");
  std::vector<std::string> names;
  std::vector<std::array<unsigned long, 2>> expected;
  std::string line;
  std::getline(table, line);
  while (std::getline(table, line)) {
    const std::size_t comma = line.find(','), second = line.find(',', comma + 1);
    expected.push_back({std::stoul(line), std::stoul(line.substr(comma + 1))});
    names.push_back(line.substr(second + 1));
  }
  ASSERT_EQ(names.size(), 215u);
  // What Dimemas stops at has the values of its kin.
  const std::map<std::size_t, std::size_t> kin = {{211, 22}, {212, 173}, {213, 21}, {214, 30}, {215, 167}};
  for (const auto& [value, other] : kin) expected[value - 1] = expected[other - 1];
  const auto numbers = numbers_of_names(names);
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(numbers[i].type, expected[i][0]) << names[i];
    EXPECT_EQ(numbers[i].value, expected[i][1]) << names[i];
  }
}

TEST(ParaverNumbers, OtherSpellingsHaveTheSameValue) {
  const auto numbers = numbers_of_names({"MPI_Send", "mpi_send_", "MPI_Send_c", "MPI_Init", "MPI_Init_thread"});
  EXPECT_EQ(numbers[1].value, numbers[0].value);
  EXPECT_EQ(numbers[2].value, numbers[0].value);
  EXPECT_EQ(numbers[4].value, numbers[3].value);
}

TEST(ParaverNumbers, MpiCallsWithoutAValueAreFunctions) {
  for (const auto& numbers : numbers_of_names({"MPI_Mystery", "MPI_Win_allocate", "MPI_Bcast_init"})) {
    EXPECT_EQ(numbers.type, paraver::kUserFunction);
    EXPECT_EQ(numbers.state, paraver::kOthers);
  }
}

TEST(ParaverNumbers, EveryStateHasALabel) { EXPECT_EQ(paraver::state_labels().size(), paraver::kSendReceive + 1u); }

TEST(ProtobufWriter, WritesTheWireFormat) {
  ProtobufWriter inner, out;
  inner.varint(1, 150);
  EXPECT_EQ(inner.bytes(), std::string("\x08\x96\x01", 3));
  out.message(3, inner);
  out.text(2, "testing");
  out.fixed64(4, 1);
  EXPECT_EQ(out.bytes(), std::string("\x1a\x03\x08\x96\x01\x12\x07testing\x21\x01\0\0\0\0\0\0\0", 23));
}

}  // namespace
}  // namespace tarry
