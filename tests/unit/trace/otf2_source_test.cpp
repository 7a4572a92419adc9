// otf2_source_test.cpp -- recorded traces are read whole, by any number of threads; damaged ones as far as possible.
#include "trace/otf2/otf2_source.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "base/tool/log.hpp"
#include "otf2_writer.hpp"
#include "trace/record.hpp"

/// OTF2 believes the sizes in a damaged anchor file and asks for that much memory; it copes with getting none. It also
/// forgets to free some of its own when opening fails.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
extern "C" const char* __lsan_default_suppressions() { return "leak:libopen-trace-format2\n"; }

namespace tarry {
namespace {

namespace fs = std::filesystem;

/// Sums that tell whether two readings of a location gave the same events in the same order.
struct Content {
  std::uint64_t events = 0;
  std::uint64_t sum = 0;
  bool operator==(const Content&) const = default;
};

void add_block(Content& content, std::span<const Event> block) {
  for (const Event& event : block) {
    content.sum = content.sum * 31 + static_cast<std::uint64_t>(event.time);
    content.sum = content.sum * 31 + static_cast<std::uint64_t>(event.kind);
    visit_record(event, [&](const auto& record) {
      for_each_field(record, [&](auto field, auto is_optional, std::string_view) {
        content.sum = content.sum * 31 + bits_of_field(field, is_optional);
      });
    });
  }
  content.events += block.size();
}

Content read_location(Source& source, std::size_t location) {
  Content content;
  const auto reader = source.open(LocationId(location));
  for (auto block = reader->next(); !block.empty(); block = reader->next()) add_block(content, block);
  EXPECT_TRUE(reader->next().empty());
  return content;
}

std::vector<Content> read_in_order(Source& source) {
  std::vector<Content> contents;
  for (std::size_t i = 0; i < source.definitions().locations.size(); ++i) contents.push_back(read_location(source, i));
  return contents;
}

/// Traces recorded by others, unpacked once.
class PeerTraces : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const char* root = std::getenv("TARRY_ROOT");
    const std::string data = std::string(root ? root : ".") + "/tests/data/peer/";
    folder_ = new TempFolder;
    for (const char* name : {"micro", "random"}) {
      const std::string command = "tar xf '" + data + name + ".tar.xz' -C '" + folder_of("") + "'";
      ASSERT_EQ(std::system(command.c_str()), 0) << command;
    }
  }
  static void TearDownTestSuite() {
    delete folder_;
    folder_ = nullptr;
  }

  static std::string folder_of(const std::string& name) { return *folder_ / name; }
  static std::unique_ptr<Source> open(const std::string& name) {
    auto source = open_otf2(folder_of(name) + "/traces.otf2");
    EXPECT_TRUE(source.ok()) << source.error().text();
    return source.ok() ? std::move(source).value() : nullptr;
  }

  static TempFolder* folder_;
};

TempFolder* PeerTraces::folder_ = nullptr;

TEST_F(PeerTraces, DefinitionsOfAHybridProgram) {
  const auto source = open("micro/g5-hybrid");
  const Definitions& definitions = source->definitions();
  ASSERT_EQ(definitions.processes.size(), 2u);
  ASSERT_EQ(definitions.locations.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(definitions.processes[definitions.locations[i].process.value].rank, i / 2);
    EXPECT_EQ(definitions.locations[i].thread, i % 2);
  }
  EXPECT_EQ(definitions.text(definitions.processes[1].name), "MPI Rank 1");
  ASSERT_EQ(definitions.system_nodes.size(), 2u);
  EXPECT_EQ(definitions.system_nodes[1].parent, SystemNodeId(0));
  EXPECT_EQ(definitions.text(definitions.comms[0].name), "MPI_COMM_WORLD");
  EXPECT_EQ(definitions.comms[0].uid, Communicator::kWorldUid);
  EXPECT_EQ(definitions.groups[definitions.comms[0].group.value].members, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(definitions.clock.ticks_per_second, 1e9);
  EXPECT_EQ(definitions.region_name(RegionId(0)), "main");
}

TEST_F(PeerTraces, EveryEventOfEveryTraceArrivesInOrder) {
  std::size_t traces = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder_of(""))) {
    if (entry.path().filename() != "traces.otf2") continue;
    auto source = open_otf2(entry.path());
    ASSERT_TRUE(source.ok()) << source.error().text();
    const auto contents = read_in_order(**source);
    for (std::size_t i = 0; i < contents.size(); ++i)
      EXPECT_EQ(contents[i].events, (*source)->definitions().locations[i].event_count) << entry.path();
    EXPECT_EQ((*source)->faults().summary(), "") << entry.path();
    ++traces;
  }
  EXPECT_EQ(traces, 45u);
}

TEST_F(PeerTraces, FourThreadsReadWhatOneReads) {
  const auto source = open("random/r1019");
  const auto expected = read_in_order(*source);
  for (int round = 0; round < 20; ++round) {
    std::vector<Content> contents(expected.size());
    std::atomic<std::size_t> next = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        for (std::size_t at = next++; at < contents.size(); at = next++) contents[at] = read_location(*source, at);
      });
    for (std::thread& thread : threads) thread.join();
    ASSERT_EQ(contents, expected);
  }
}

/// A copy of random/r1005, small enough to be broken often: two locations with 315 and 311 events.
class DamagedTrace : public PeerTraces {
 protected:
  static constexpr std::uint64_t kEvents[] = {315, 311};

  void SetUp() override { copy(); }

  void copy() {
    fs::remove_all(trace_);
    fs::copy(folder_of("random/r1005"), trace_, fs::copy_options::recursive);
  }
  std::string file(const std::string& name) const { return trace_ + "/" + name; }
  std::unique_ptr<Source> open_copy() {
    auto source = open_otf2(file("traces.otf2"));
    return source.ok() ? std::move(source).value() : nullptr;
  }
  void break_something(std::mt19937& random);

  TempFolder copies_;
  std::string trace_ = copies_ / "trace";
};

TEST_F(DamagedTrace, MissingFileOfALocation) {
  fs::remove(file("traces/1.evt"));
  const auto source = open_copy();
  EXPECT_EQ(read_location(*source, 0).events, kEvents[0]);
  EXPECT_EQ(read_location(*source, 1).events, 0u);
  EXPECT_EQ(source->faults().count(Fault::kLocationMissing), 1u);
  EXPECT_EQ(source->faults().places()[0].location, "rank 1 thread 0");
}

TEST_F(DamagedTrace, NoFilesOfEvents) {
  fs::remove(file("traces/0.evt"));
  fs::remove(file("traces/1.evt"));
  EXPECT_EQ(open_otf2(file("traces.otf2")).error().why,
            "its event files are missing, 2 of 2 (first: " + file("traces/0.evt") + " of rank 0 thread 0)");
}

TEST_F(DamagedTrace, LocationWithoutTheDefinitionsItsNumbersReferTo) {
  fs::remove(file("traces/0.def"));
  const auto source = open_copy();
  EXPECT_EQ(read_location(*source, 0).events, 0u);
  EXPECT_EQ(read_location(*source, 1).events, kEvents[1]);
  EXPECT_EQ(source->faults().summary(), "1 record skipped: 1 missing location (first: rank 0 thread 0, event 0)");
}

TEST_F(DamagedTrace, TruncatedEvents) {
  fs::resize_file(file("traces/0.evt"), fs::file_size(file("traces/0.evt")) / 2);
  const auto source = open_copy();
  const Content half = read_location(*source, 0);
  EXPECT_GT(half.events, 100u);
  EXPECT_LT(half.events, kEvents[0]);
  EXPECT_EQ(source->faults().total(), 1u);
  EXPECT_NEAR(static_cast<double>(source->faults().places()[0].position), static_cast<double>(half.events), 3);
}

TEST_F(DamagedTrace, NotATrace) {
  EXPECT_EQ(open_otf2(file("nothing.otf2")).error().why, "there is no such file");
  EXPECT_FALSE(open_otf2(file("gold.csv")).ok());
  EXPECT_FALSE(open_otf2(trace_).ok());
  fs::resize_file(file("traces.def"), 100);
  EXPECT_FALSE(open_otf2(file("traces.otf2")).ok());
}

void DamagedTrace::break_something(std::mt19937& random) {
  static const char* const kFiles[] = {"traces.otf2",  "traces.def",   "traces/0.def",
                                       "traces/1.def", "traces/0.evt", "traces/1.evt"};
  const std::string path = file(kFiles[random() % std::size(kFiles)]);
  const auto size = static_cast<std::uint32_t>(fs::file_size(path));
  if (random() % 8 == 0) return fs::resize_file(path, random() % size);
  std::fstream bytes(path, std::ios::in | std::ios::out | std::ios::binary);
  for (auto left = 1 + random() % 4; left > 0; --left) {
    bytes.seekp(random() % size);
    bytes.put(static_cast<char>(random()));
  }
}

TEST_F(DamagedTrace, FourHundredMutationsNeitherCrashNorHang) {
  log_setup("test", Verbosity::kQuiet);
  alarm(120);  // what hangs is killed
  std::mt19937 random(7);
  int opened = 0;
  for (int i = 0; i < 400; ++i) {
    copy();
    break_something(random);
    if (const auto source = open_copy()) {
      ++opened;
      const auto contents = read_in_order(*source);
      for (const Content& content : contents) EXPECT_LT(content.events, 2000u);
    }
  }
  alarm(0);
  EXPECT_GT(opened, 200);
}

TEST(Otf2Source, TimeNeverDecreases) {
  const TempFolder folder;
  Otf2TestTrace trace;
  trace.clock_offsets = {{1000, 0}, {1010, -500}, {1020, 0}};
  trace.events = [](OTF2_EvtWriter* writer, std::uint64_t) {
    for (std::uint64_t time = 1000; time < 1030; ++time) OTF2_EvtWriter_Enter(writer, nullptr, time, 0);
  };
  auto source = open_otf2(trace.write(folder / "run"));
  ASSERT_TRUE(source.ok()) << source.error().text();
  const auto reader = (*source)->open(LocationId(0));
  Ticks last = 0;
  for (const Event& event : reader->next()) {
    EXPECT_GE(event.time, last);
    last = event.time;
  }
  EXPECT_EQ(last, 1479);
  EXPECT_EQ((*source)->faults().count(Fault::kTimeBackwards), 19u);
}

/// More readers than files may stay open: they are reopened for each block, at the right place.
TEST(Otf2Source, MoreReadersThanOpenFiles) {
  const TempFolder folder;
  Otf2TestTrace trace;
  trace.locations = 300;
  trace.events = [](OTF2_EvtWriter* writer, std::uint64_t location) {
    for (std::uint64_t i = 0; i < 2100; ++i) {
      OTF2_EvtWriter_Enter(writer, nullptr, 1000 + 10 * i + location % 7, i % 2);
      if (i % 5 == 0) OTF2_EvtWriter_MpiSend(writer, nullptr, 1001 + 10 * i + location % 7, i % 300, 0, 1, i * i);
    }
  };
  auto source = open_otf2(trace.write(folder / "run"));
  ASSERT_TRUE(source.ok()) << source.error().text();
  const auto expected = read_in_order(**source);

  std::vector<std::unique_ptr<EventReader>> readers;
  for (std::size_t i = 0; i < trace.locations; ++i) readers.push_back((*source)->open(LocationId(i)));
  std::vector<Content> contents(readers.size());
  for (bool is_more = true; is_more;) {
    is_more = false;
    for (std::size_t i = 0; i < readers.size(); ++i) {
      const auto block = readers[i]->next();
      add_block(contents[i], block);
      is_more = is_more || !block.empty();
    }
  }
  EXPECT_EQ(contents, expected);
  EXPECT_EQ((*source)->faults().summary(), "");
}

TEST(Otf2Source, RootRegionOfAProgramIsAddedOnce) {
  const TempFolder folder;
  Otf2TestTrace trace;
  trace.locations = 3;
  trace.events = [](OTF2_EvtWriter* writer, std::uint64_t) {
    OTF2_EvtWriter_ProgramBegin(writer, nullptr, 1, 6, 0, nullptr);
    OTF2_EvtWriter_ProgramEnd(writer, nullptr, 2, OTF2_UNDEFINED_INT64);
  };
  auto source = open_otf2(trace.write(folder / "run"));
  ASSERT_TRUE(source.ok()) << source.error().text();
  const Definitions& definitions = (*source)->definitions();
  ASSERT_EQ(definitions.regions.size(), 3u);
  EXPECT_EQ(definitions.region_name(RegionId(2)), "app");
  EXPECT_EQ(definitions.text(definitions.regions[2].mangled_name), "/opt/run/app");
  const auto reader = (*source)->open(LocationId(2));
  const auto events = reader->next();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(record_of<record::ProgramBegin>(events[0]).region, RegionId(2));
  EXPECT_EQ(record_of<record::ProgramEnd>(events[1]).status, kNoField);
}

TEST(Otf2Source, GroupsAndCommunicators) {
  const TempFolder folder;
  Otf2TestTrace trace;
  trace.locations = 3;
  trace.events = [](OTF2_EvtWriter* writer, std::uint64_t) { OTF2_EvtWriter_Enter(writer, nullptr, 1, 0); };
  trace.definitions = [](OTF2_GlobalDefWriter* writer) {
    const std::uint64_t members[] = {2, 0};
    OTF2_GlobalDefWriter_WriteGroup(writer, 3, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                    2, members);
    OTF2_GlobalDefWriter_WriteGroup(writer, 4, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                    1, members);
    OTF2_GlobalDefWriter_WriteComm(writer, 9, 2, 3, 0, OTF2_COMM_FLAG_NONE);
    OTF2_GlobalDefWriter_WriteInterComm(writer, 12, 0, 3, 4, 0, OTF2_COMM_FLAG_NONE);
  };
  auto source = open_otf2(trace.write(folder / "run"));
  ASSERT_TRUE(source.ok()) << source.error().text();
  const Definitions& definitions = (*source)->definitions();
  ASSERT_EQ(definitions.comms.size(), 4u);
  EXPECT_EQ(definitions.comms[0].size, 3u);
  EXPECT_EQ(definitions.comms[1].size, 1u);  // MPI_COMM_SELF: each process alone
  EXPECT_TRUE(definitions.groups[definitions.comms[1].group.value].members.empty());
  EXPECT_EQ(definitions.comms[2].uid, 10u);
  EXPECT_EQ(definitions.comms[2].parent, CommId(0));
  EXPECT_EQ(definitions.groups[definitions.comms[2].group.value].members, (std::vector<std::uint32_t>{2, 0}));
  EXPECT_TRUE(definitions.comms[3].is_inter);
  EXPECT_EQ(definitions.groups[definitions.comms[3].remote_group.value].members, (std::vector<std::uint32_t>{2}));
  EXPECT_EQ((*source)->faults().summary(), "");
}

}  // namespace
}  // namespace tarry
