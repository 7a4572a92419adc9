// hostile_archive_test.cpp -- archives whose checksums are right and whose content cannot be.
#include <gtest/gtest.h>

#include "archive/reading/archive_source.hpp"
#include "archive/writing/archive_writer.hpp"
#include "archive/files/unified_file.hpp"
#include "archive/reading/verify.hpp"
#include "sample_archive.hpp"

namespace tarry {
namespace {

// Two ranks of one process each, a communicator of both, one region.
Definitions two_ranks() {
  Definitions all;
  all.regions.push_back({all.strings.intern("MPI_Bcast"), all.strings.intern("MPI_Bcast"), all.strings.intern("MPI"), 0,
                         0, Paradigm::kMpi, RegionRole::kOneToAll});
  all.system_nodes.push_back({all.strings.intern("n0"), all.strings.intern("node"), {}});
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    all.processes.push_back({all.strings.intern("process"), rank, SystemNodeId(0)});
    all.locations.push_back({all.strings.intern("thread"), ProcessId(rank), 0, 0});
  }
  all.groups.push_back({all.strings.intern("all"), {0, 1}});
  Communicator world;
  world.name = all.strings.intern("MPI_COMM_WORLD");
  world.group = GroupId(0);
  all.comms.push_back(world);
  all.windows.push_back({all.strings.intern("win"), CommId(0)});
  all.io_handles.push_back({all.strings.intern("file"), CommId(0)});
  return all;
}

using Change = std::function<void(Definitions&)>;

// Why definitions with this change are refused; empty if they are not.
std::string refusal(const Change& change) {
  const sample::Folder folder;
  UnifiedDefinitions unified;
  unified.global = two_ranks();
  change(unified.global);
  const std::string path = folder.path("definitions.tdef");
  EXPECT_TRUE(write_unified(path, unified).ok());
  const auto read = read_unified(path);
  return read.ok() ? "" : read.error().why;
}

TEST(HostileArchiveTest, DefinitionsThatNameWhatIsNotThereAreRefusedByName) {
  EXPECT_EQ(refusal([](Definitions&) {}), "");
  EXPECT_EQ(refusal([](Definitions& all) { all.processes[1].node = SystemNodeId(1); }),
            "process 1 names system node 1, which is not defined");
  EXPECT_EQ(refusal([](Definitions& all) { all.locations[1].process = ProcessId(4000000000u); }),
            "location 1 names process 4000000000, which is not defined");
  EXPECT_EQ(refusal([](Definitions& all) { all.comms[0].group = GroupId(7); }),
            "communicator 0 names group 7, which is not defined");
  EXPECT_EQ(refusal([](Definitions& all) { all.comms[0].parent = CommId(7); }),
            "communicator 0 names parent 7, which is not defined");
  EXPECT_EQ(refusal([](Definitions& all) { all.windows[0].comm = CommId(9); }),
            "window 0 names communicator 9, which is not defined");
  EXPECT_EQ(refusal([](Definitions& all) { all.io_handles[0].comm = CommId(9); }),
            "file 0 names communicator 9, which is not defined");
  EXPECT_EQ(refusal([](Definitions& all) {
              all.clock_offsets.push_back({ProcessId(2), 0, 0});
            }),
            "clock offset 0 names process 2, which is not defined");
}

TEST(HostileArchiveTest, RanksBeyondAllJobsAreRefused) {
  EXPECT_EQ(refusal([](Definitions& all) { all.processes[1].rank = 4000000000u; }), "rank 4000000000 cannot be");
  EXPECT_EQ(refusal([](Definitions& all) { all.locations[1].thread = 4000000000u; }), "thread 4000000000 cannot be");
  EXPECT_EQ(refusal([](Definitions& all) { all.groups[0].members[1] = 4000000000u; }),
            "member of a group 4000000000 cannot be");
  EXPECT_EQ(refusal([](Definitions& all) { all.groups[0].members[1] = 0xffffffffu; }), "");  // left nothing
}

TEST(HostileArchiveTest, ARootThatIsNoMemberIsAFault) {
  const sample::Folder folder;
  const std::string path = folder.path("archive");
  auto writer = ArchiveWriter::create(path, two_ranks(), {});
  ASSERT_TRUE(writer.ok()) << writer.error().text();
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    const record::MpiCollectiveEnd end{.operation = CollectiveOp::kBcast,
                                       .comm = CommId(0),
                                       .root = CommRank(rank == 0 ? 1 : 2),
                                       .sent = 8,
                                       .received = 8};
    const Event events[] = {event_of(1, record::Enter{.region = RegionId(0)}),
                            event_of(2, record::MpiCollectiveBegin{}), event_of(3, end), event_of(4, record::Leave{})};
    ASSERT_TRUE(writer->append(LocationId(rank), events, {}).ok());
  }
  ASSERT_TRUE(writer->close().ok());
  auto source = ArchiveSource::open(path, {});
  ASSERT_TRUE(source.ok());
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    const auto reader = (*source)->open(LocationId(rank));
    const auto block = reader->next();
    ASSERT_EQ(block.size(), 4u);
    EXPECT_EQ(record_of<record::MpiCollectiveEnd>(block[2]).root, rank == 0 ? CommRank(1) : CommRank());
  }
  EXPECT_EQ((*source)->faults().count(Fault::kUndefinedReference), 1u);
  auto report = verify_archive(path, VerifyDepth::kDeep);
  ASSERT_TRUE(report.ok());
  EXPECT_FALSE(report->is_intact());
}

}  // namespace
}  // namespace tarry
