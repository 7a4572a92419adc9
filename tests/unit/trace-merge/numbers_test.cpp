// numbers_test.cpp -- partners of messages, times as text, Paraver's numbers and protocol buffers.
#include <gtest/gtest.h>

#include "tests/unit/trace-merge/small_trace.hpp"
#include "tools/trace-merge/message_ends.hpp"
#include "tools/trace-merge/paraver_numbers.hpp"
#include "tools/trace-merge/protobuf_writer.hpp"
#include "tools/trace-merge/text_pipeline.hpp"

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
  EXPECT_EQ(partner_of(all, 0, 0, 3), 5u);
  EXPECT_EQ(partner_of(all, 0, 1, 5), 3u);
  EXPECT_EQ(partner_of(all, 0, 2, 5), kNoRank);
  EXPECT_EQ(partner_of(all, 9, 0, 5), kNoRank);
}

TEST(MessageEnds, AcrossAnInterCommunicatorTheOtherGroupIsMeant) {
  Definitions all = small_definitions();
  all.groups = {{{}, {0, 1}}, {{}, {2, 3}}};
  all.comms[0].is_inter = true;
  all.comms[0].remote_group = GroupId(1);
  EXPECT_EQ(partner_of(all, 0, 1, 0), 3u);
  EXPECT_EQ(partner_of(all, 0, 1, 2), 1u);
}

TEST(ParaverNumbers, MpiHasConventionalValuesAndOthersTheirOwn) {
  Definitions all = small_definitions();
  for (const char* name : {"MPI_Mystery", "MPI_Riddle", "MPI_Mystery", "mpi_send_"}) {
    Region region = all.regions[2];
    region.name = all.strings.intern(name);
    all.regions.push_back(region);
  }
  const auto numbers = paraver::numbers_of(all);
  EXPECT_EQ(numbers[0].type, paraver::kUserFunction);
  EXPECT_EQ(numbers[1].value, 2u);
  EXPECT_EQ(numbers[2].type, paraver::kPointToPoint);
  EXPECT_EQ(numbers[6].value, numbers[2].value);  // as Fortran compilers spell it
  EXPECT_EQ(numbers[3].type, paraver::kOtherMpi);
  EXPECT_GE(numbers[3].value, 1000u);
  EXPECT_EQ(numbers[5].value, numbers[3].value);
  EXPECT_NE(numbers[4].value, numbers[3].value);
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
