// otf2_events_test.cpp -- each OTF2 record becomes the right event.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "any_record.hpp"
#include "otf2_writer.hpp"
#include "trace/otf2/otf2_source.hpp"

namespace tarry {
namespace {

std::vector<Event> read_all(Source& source, LocationId location) {
  std::vector<Event> events;
  const auto reader = source.open(location);
  for (auto block = reader->next(); !block.empty(); block = reader->next())
    events.insert(events.end(), block.begin(), block.end());
  return events;
}

/// Writes one location with `write`, which gets a clock that ticks; returns the events as text.
std::vector<std::string> round_trip(const std::function<void(OTF2_EvtWriter*, std::uint64_t& time)>& write,
                                    const Otf2TestTrace::WriteDefinitions& definitions = {}) {
  const TempFolder folder;
  Otf2TestTrace trace;
  trace.definitions = definitions;
  trace.events = [&](OTF2_EvtWriter* writer, std::uint64_t) {
    std::uint64_t time = 100;
    write(writer, time);
  };
  auto source = open_otf2(trace.write(folder / "run"));
  if (!source.ok()) return {source.error().text()};
  std::vector<std::string> lines;
  Ticks time = 100;
  for (const Event& event : read_all(*source.value(), LocationId(0))) {
    EXPECT_EQ(event.time, time++);
    lines.push_back(spell(event));
  }
  EXPECT_EQ((*source)->faults().summary(), "");
  return lines;
}

TEST(Otf2Events, MessagesAndRegions) {
  const auto lines = round_trip([](OTF2_EvtWriter* writer, std::uint64_t& time) {
    OTF2_EvtWriter_ProgramBegin(writer, nullptr, time++, 6, 0, nullptr);
    OTF2_EvtWriter_Enter(writer, nullptr, time++, 1);
    OTF2_EvtWriter_MpiSend(writer, nullptr, time++, 3, 0, 7, 64);
    OTF2_EvtWriter_MpiIsend(writer, nullptr, time++, 3, 0, 7, 64, 11);
    OTF2_EvtWriter_MpiIsendComplete(writer, nullptr, time++, 11);
    OTF2_EvtWriter_MpiIrecvRequest(writer, nullptr, time++, 12);
    OTF2_EvtWriter_MpiRecv(writer, nullptr, time++, 2, 1, 8, 65);
    OTF2_EvtWriter_MpiIrecv(writer, nullptr, time++, 2, 1, 8, 65, 12);
    OTF2_EvtWriter_MpiRequestTest(writer, nullptr, time++, 13);
    OTF2_EvtWriter_MpiRequestCancelled(writer, nullptr, time++, 13);
    OTF2_EvtWriter_Leave(writer, nullptr, time++, 1);
    OTF2_EvtWriter_BufferFlush(writer, nullptr, time, time + 50);
    OTF2_EvtWriter_MeasurementOnOff(writer, nullptr, ++time, OTF2_MEASUREMENT_OFF);
    OTF2_EvtWriter_MeasurementOnOff(writer, nullptr, ++time, OTF2_MEASUREMENT_ON);
    OTF2_EvtWriter_ProgramEnd(writer, nullptr, ++time, 3);
  });
  const std::vector<std::string> expected = {"PROGRAM_BEGIN 2",
                                             "ENTER 1",
                                             "MPI_SEND 3 0 7 64",
                                             "MPI_ISEND 3 0 7 64 11",
                                             "MPI_ISEND_COMPLETE 11",
                                             "MPI_IRECV_REQUEST 12",
                                             "MPI_RECV 2 1 8 65",
                                             "MPI_IRECV 2 1 8 65 12",
                                             "MPI_REQUEST_TEST 13",
                                             "MPI_REQUEST_CANCELLED 13",
                                             "LEAVE 1",
                                             "BUFFER_FLUSH 50",
                                             "MEASUREMENT_ON_OFF 0",
                                             "MEASUREMENT_ON_OFF 1",
                                             "PROGRAM_END 3"};
  EXPECT_EQ(lines, expected);
}

TEST(Otf2Events, Collectives) {
  const auto lines = round_trip([](OTF2_EvtWriter* writer, std::uint64_t& time) {
    OTF2_EvtWriter_MpiCollectiveBegin(writer, nullptr, time++);
    OTF2_EvtWriter_MpiCollectiveEnd(writer, nullptr, time++, OTF2_COLLECTIVE_OP_BCAST, 0, 2, 10, 20);
    OTF2_EvtWriter_MpiCollectiveEnd(writer, nullptr, time++, OTF2_COLLECTIVE_OP_REDUCE, 1, OTF2_COLLECTIVE_ROOT_SELF,
                                    10, 20);
    OTF2_EvtWriter_MpiCollectiveEnd(writer, nullptr, time++, OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK, 0,
                                    OTF2_COLLECTIVE_ROOT_NONE, 10, 20);
    OTF2_EvtWriter_NonBlockingCollectiveRequest(writer, nullptr, time++, 5);
    OTF2_EvtWriter_NonBlockingCollectiveComplete(writer, nullptr, time++, OTF2_COLLECTIVE_OP_BARRIER, 0,
                                                 OTF2_COLLECTIVE_ROOT_NONE, 0, 0, 5);
    OTF2_EvtWriter_CommCreate(writer, nullptr, time++, 1);
    OTF2_EvtWriter_CommDestroy(writer, nullptr, time++, 1);
  });
  const std::vector<std::string> expected = {"MPI_COLLECTIVE_BEGIN",
                                             "MPI_COLLECTIVE_END 1 0 2 10 20",
                                             "MPI_COLLECTIVE_END 12 1 - 10 20",
                                             "MPI_COLLECTIVE_END 16 0 - 10 20",
                                             "NON_BLOCKING_COLLECTIVE_REQUEST 5",
                                             "NON_BLOCKING_COLLECTIVE_COMPLETE 0 0 - 0 0 5",
                                             "COMM_CREATE 1",
                                             "COMM_DESTROY 1"};
  EXPECT_EQ(lines, expected);
}

TEST(Otf2Events, Threads) {
  const auto lines = round_trip([](OTF2_EvtWriter* writer, std::uint64_t& time) {
    OTF2_EvtWriter_ThreadFork(writer, nullptr, time++, OTF2_PARADIGM_OPENMP, 4);
    OTF2_EvtWriter_ThreadTeamBegin(writer, nullptr, time++, 1);
    OTF2_EvtWriter_ThreadAcquireLock(writer, nullptr, time++, OTF2_PARADIGM_PTHREAD, 8, 9);
    OTF2_EvtWriter_ThreadReleaseLock(writer, nullptr, time++, OTF2_PARADIGM_PTHREAD, 8, 9);
    OTF2_EvtWriter_ThreadTaskCreate(writer, nullptr, time++, 1, 2, 3);
    OTF2_EvtWriter_ThreadTaskSwitch(writer, nullptr, time++, 1, 2, 3);
    OTF2_EvtWriter_ThreadTaskComplete(writer, nullptr, time++, 1, 2, 3);
    OTF2_EvtWriter_ThreadTeamEnd(writer, nullptr, time++, 1);
    OTF2_EvtWriter_ThreadJoin(writer, nullptr, time++, OTF2_PARADIGM_OPENMP);
    OTF2_EvtWriter_ThreadCreate(writer, nullptr, time++, 0, 6);
    OTF2_EvtWriter_ThreadBegin(writer, nullptr, time++, 0, 6);
    OTF2_EvtWriter_ThreadEnd(writer, nullptr, time++, 0, 6);
    OTF2_EvtWriter_ThreadWait(writer, nullptr, time++, 0, 6);
  });
  const std::vector<std::string> expected = {"THREAD_FORK 4 4",
                                             "THREAD_TEAM_BEGIN 1",
                                             "THREAD_ACQUIRE_LOCK 5 8 9",
                                             "THREAD_RELEASE_LOCK 5 8 9",
                                             "THREAD_TASK_CREATE 1 2 3",
                                             "THREAD_TASK_SWITCH 1 2 3",
                                             "THREAD_TASK_COMPLETE 1 2 3",
                                             "THREAD_TEAM_END 1",
                                             "THREAD_JOIN 4",
                                             "THREAD_CREATE 0 6",
                                             "THREAD_BEGIN 0 6",
                                             "THREAD_END 0 6",
                                             "THREAD_WAIT 0 6"};
  EXPECT_EQ(lines, expected);
}

TEST(Otf2Events, OneSidedCommunication) {
  const auto lines = round_trip([](OTF2_EvtWriter* writer, std::uint64_t& time) {
    OTF2_EvtWriter_RmaWinCreate(writer, nullptr, time++, 0);
    OTF2_EvtWriter_RmaCollectiveBegin(writer, nullptr, time++);
    OTF2_EvtWriter_RmaCollectiveEnd(writer, nullptr, time++, OTF2_COLLECTIVE_OP_BARRIER, OTF2_RMA_SYNC_LEVEL_PROCESS, 0,
                                    OTF2_COLLECTIVE_ROOT_NONE, 4, 5);
    OTF2_EvtWriter_RmaGroupSync(writer, nullptr, time++, OTF2_RMA_SYNC_LEVEL_MEMORY, 0, 1);
    OTF2_EvtWriter_RmaRequestLock(writer, nullptr, time++, 0, 2, 3, OTF2_LOCK_SHARED);
    OTF2_EvtWriter_RmaAcquireLock(writer, nullptr, time++, 0, 2, 3, OTF2_LOCK_EXCLUSIVE);
    OTF2_EvtWriter_RmaTryLock(writer, nullptr, time++, 0, 2, 3, OTF2_LOCK_SHARED);
    OTF2_EvtWriter_RmaReleaseLock(writer, nullptr, time++, 0, 2, 3);
    OTF2_EvtWriter_RmaSync(writer, nullptr, time++, 0, 2, OTF2_RMA_SYNC_TYPE_NOTIFY_IN);
    OTF2_EvtWriter_RmaWaitChange(writer, nullptr, time++, 0);
    OTF2_EvtWriter_RmaPut(writer, nullptr, time++, 0, 2, 128, 9);
    OTF2_EvtWriter_RmaGet(writer, nullptr, time++, 0, 2, 128, 9);
    OTF2_EvtWriter_RmaAtomic(writer, nullptr, time++, 0, 2, OTF2_RMA_ATOMIC_TYPE_INCREMENT, 8, 16, 9);
    OTF2_EvtWriter_RmaOpCompleteBlocking(writer, nullptr, time++, 0, 9);
    OTF2_EvtWriter_RmaOpCompleteNonBlocking(writer, nullptr, time++, 0, 9);
    OTF2_EvtWriter_RmaOpTest(writer, nullptr, time++, 0, 9);
    OTF2_EvtWriter_RmaOpCompleteRemote(writer, nullptr, time++, 0, 9);
    OTF2_EvtWriter_RmaWinDestroy(writer, nullptr, time++, 0);
  });
  const std::vector<std::string> expected = {"RMA_WIN_CREATE 0",
                                             "RMA_COLLECTIVE_BEGIN",
                                             "RMA_COLLECTIVE_END 0 1 0 - 4 5",
                                             "RMA_GROUP_SYNC 2 0 1",
                                             "RMA_REQUEST_LOCK 0 2 3 1",
                                             "RMA_ACQUIRE_LOCK 0 2 3 0",
                                             "RMA_TRY_LOCK 0 2 3 1",
                                             "RMA_RELEASE_LOCK 0 2 3",
                                             "RMA_SYNC 0 2 1",
                                             "RMA_WAIT_CHANGE 0",
                                             "RMA_PUT 0 2 128 9",
                                             "RMA_GET 0 2 128 9",
                                             "RMA_ATOMIC 0 2 1 8 16 9",
                                             "RMA_OP_COMPLETE_BLOCKING 0 9",
                                             "RMA_OP_COMPLETE_NON_BLOCKING 0 9",
                                             "RMA_OP_TEST 0 9",
                                             "RMA_OP_COMPLETE_REMOTE 0 9",
                                             "RMA_WIN_DESTROY 0"};
  EXPECT_EQ(lines, expected);
}

/// Contexts 40 main, 41 main/work, 42 main/work/work; the times of their events are not compared.
std::vector<std::string> read_contexts(const std::function<void(OTF2_EvtWriter*)>& write,
                                       std::string* faults = nullptr) {
  const TempFolder folder;
  Otf2TestTrace trace;
  trace.definitions = [](OTF2_GlobalDefWriter* writer) {
    const auto define = [&](OTF2_CallingContextRef self, OTF2_RegionRef region, OTF2_CallingContextRef parent) {
      OTF2_GlobalDefWriter_WriteCallingContext(writer, self, region, OTF2_UNDEFINED_SOURCE_CODE_LOCATION, parent);
    };
    define(40, 0, OTF2_UNDEFINED_CALLING_CONTEXT);
    define(41, 1, 40);
    define(42, 1, 41);
  };
  trace.events = [&](OTF2_EvtWriter* writer, std::uint64_t) { write(writer); };
  auto source = open_otf2(trace.write(folder / "run"));
  if (!source.ok()) return {source.error().text()};
  std::vector<std::string> lines;
  for (const Event& event : read_all(*source.value(), LocationId(0)))
    lines.push_back(std::to_string(event.time) + " " + spell(event));
  if (faults) *faults = (*source)->faults().summary();
  return lines;
}

using Lines = std::vector<std::string>;

TEST(Otf2Events, CallingContextsAreEntersAndLeavesOfTheirRegion) {
  const auto lines = read_contexts([](OTF2_EvtWriter* writer) {
    OTF2_EvtWriter_CallingContextEnter(writer, nullptr, 100, 40, 1);
    OTF2_EvtWriter_CallingContextLeave(writer, nullptr, 101, 40);
  });
  EXPECT_EQ(lines, (Lines{"100 ENTER 0", "101 LEAVE 0"}));
}

TEST(Otf2Events, SamplesLeaveAndEnterWhatLiesBetweenThem) {
  const auto lines = read_contexts([](OTF2_EvtWriter* writer) {
    OTF2_EvtWriter_CallingContextSample(writer, nullptr, 100, 42, 4, 0);
    OTF2_EvtWriter_CallingContextSample(writer, nullptr, 110, 42, 0, 0);
    OTF2_EvtWriter_CallingContextSample(writer, nullptr, 120, 41, 1, 0);
    OTF2_EvtWriter_CallingContextSample(writer, nullptr, 130, 41, 2, 0);
    OTF2_EvtWriter_CallingContextSample(writer, nullptr, 140, 41, 1, 0);
  });
  EXPECT_EQ(lines, (Lines{"100 ENTER 0", "100 ENTER 1", "100 ENTER 1", "120 LEAVE 1", "130 LEAVE 1", "130 ENTER 1",
                          "140 LEAVE 1", "140 LEAVE 0"}));
}

TEST(Otf2Events, InstrumentedRegionsAmongSamples) {
  const auto lines = read_contexts([](OTF2_EvtWriter* writer) {
    OTF2_EvtWriter_CallingContextSample(writer, nullptr, 100, 40, 2, 0);
    OTF2_EvtWriter_CallingContextEnter(writer, nullptr, 110, 42, 3);
    OTF2_EvtWriter_CallingContextLeave(writer, nullptr, 120, 42);
    OTF2_EvtWriter_CallingContextEnter(writer, nullptr, 130, 41, 2);
  });
  EXPECT_EQ(lines, (Lines{"100 ENTER 0", "110 ENTER 1", "110 ENTER 1", "120 LEAVE 1", "130 LEAVE 1", "130 ENTER 1"}));
}

TEST(Otf2Events, DamagedCallingContexts) {
  std::string faults;
  const auto lines = read_contexts(
      [](OTF2_EvtWriter* writer) {
        OTF2_EvtWriter_CallingContextSample(writer, nullptr, 100, 40, 1000, 0);
        OTF2_EvtWriter_CallingContextSample(writer, nullptr, 110, 77, 1, 0);
        OTF2_EvtWriter_CallingContextLeave(writer, nullptr, 120, 41);
      },
      &faults);
  EXPECT_EQ(lines, (Lines{"100 ENTER 0", "120 ENTER 1", "120 LEAVE 1", "120 LEAVE 0"}));
  EXPECT_EQ(faults, "1 record skipped: 1 undefined reference (first: rank 0 thread 0, event 2)");
}

TEST(Otf2Events, WhatIsNotNeededIsLeftOutWithoutAFault) {
  const auto lines = round_trip([](OTF2_EvtWriter* writer, std::uint64_t& time) {
    OTF2_EvtWriter_Enter(writer, nullptr, time++, 0);
    OTF2_EvtWriter_ParameterInt(writer, nullptr, time, 0, 5);
    OTF2_EvtWriter_ParameterString(writer, nullptr, time, 0, 1);
    OTF2_EvtWriter_IoAcquireLock(writer, nullptr, time, 0, OTF2_LOCK_SHARED);
    OTF2_EvtWriter_Leave(writer, nullptr, time++, 0);
  });
  EXPECT_EQ(lines, (std::vector<std::string>{"ENTER 0", "LEAVE 0"}));
}

TEST(Otf2Events, LocalIdsAndClocksAreTranslated) {
  const TempFolder folder;
  Otf2TestTrace trace;
  trace.lists_main_last = true;
  trace.clock_offsets = {{1000, 100}, {3000, 300}};
  trace.events = [](OTF2_EvtWriter* writer, std::uint64_t) {
    OTF2_EvtWriter_Enter(writer, nullptr, 1000, 0);
    OTF2_EvtWriter_Leave(writer, nullptr, 2000, 0);
    OTF2_EvtWriter_BufferFlush(writer, nullptr, 4000, 5000);
  };
  auto source = open_otf2(trace.write(folder / "run"));
  ASSERT_TRUE(source.ok()) << source.error().text();
  const auto events = read_all(*source.value(), LocationId(0));
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ((*source)->definitions().region_name(record_of<record::Enter>(events[0]).region), "work");
  EXPECT_EQ(events[0].time, 1100);
  EXPECT_EQ(events[1].time, 2200);
  EXPECT_EQ(events[2].time, 4400);
  EXPECT_EQ(record_of<record::BufferFlush>(events[2]).duration, 1100u);
}

TEST(Otf2Events, OneClockOffsetAloneCorrectsNothing) {
  const TempFolder folder;
  Otf2TestTrace trace;
  trace.clock_offsets = {{1000, 100}};
  trace.events = [](OTF2_EvtWriter* writer, std::uint64_t) { OTF2_EvtWriter_Enter(writer, nullptr, 2000, 0); };
  auto source = open_otf2(trace.write(folder / "run"));
  ASSERT_TRUE(source.ok()) << source.error().text();
  const auto events = read_all(*source.value(), LocationId(0));
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].time, 2000);
}

TEST(Otf2Events, RecordsThatNameNothingAreSkippedAndCounted) {
  const TempFolder folder;
  Otf2TestTrace trace;
  trace.events = [](OTF2_EvtWriter* writer, std::uint64_t) {
    OTF2_EvtWriter_Enter(writer, nullptr, 100, 0);
    OTF2_EvtWriter_Enter(writer, nullptr, 101, 77);
    OTF2_EvtWriter_MpiSend(writer, nullptr, 102, 0, 5000000, 0, 0);
    OTF2_EvtWriter_MpiCollectiveEnd(writer, nullptr, 103, 99, 0, 0, 0, 0);
    OTF2_EvtWriter_Leave(writer, nullptr, 104, 0);
  };
  auto source = open_otf2(trace.write(folder / "run"));
  ASSERT_TRUE(source.ok()) << source.error().text();
  const auto events = read_all(*source.value(), LocationId(0));
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(spell(events[1]), "LEAVE 0");
  EXPECT_EQ((*source)->faults().count(Fault::kUndefinedReference), 2u);
  EXPECT_EQ((*source)->faults().count(Fault::kUnknownRecord), 1u);
  const auto places = (*source)->faults().places();
  EXPECT_EQ(places[0].location, "rank 0 thread 0");
  EXPECT_EQ(places[0].position, 2u);
  EXPECT_EQ(places[0].detail, "region 77");
}

}  // namespace
}  // namespace tarry
