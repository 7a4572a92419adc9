// archive_source_test.cpp -- reading recordings: translated, corrected, salvaged, damaged.
#include "archive/reading/archive_source.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "archive/files/manifest.hpp"
#include "archive/reading/open_source.hpp"
#include "archive/reading/verify.hpp"
#include "defs/mpi_worlds.hpp"
#include "sample_archive.hpp"

namespace tarry {
namespace {

std::unique_ptr<ArchiveSource> open_sample(const std::string& path, std::size_t block_events = 2048) {
  auto source = ArchiveSource::open(path, {block_events, true});
  EXPECT_TRUE(source.ok()) << source.error().text();
  return source.ok() ? std::move(*source) : nullptr;
}

std::vector<Event> read_all(ArchiveSource& source, std::size_t location) {
  std::vector<Event> events;
  const auto reader = source.open(LocationId(location));
  for (auto block = reader->next(); !block.empty(); block = reader->next())
    events.insert(events.end(), block.begin(), block.end());
  return events;
}

bool is_equal(const Event& a, const Event& b) { return a.time == b.time && spell(a) == spell(b); }

void expect_sample(ArchiveSource& source) {
  const Definitions& all = source.definitions();
  ASSERT_EQ(all.processes.size(), sample::kProcesses);
  ASSERT_EQ(all.locations.size(), 2 * sample::kProcesses);
  for (std::size_t i = 0; i < all.locations.size(); ++i) {
    const std::uint32_t rank = static_cast<std::uint32_t>(i / 2);
    const std::vector<Event> expected = sample::events_of(rank, static_cast<std::uint32_t>(i % 2));
    const std::vector<Event> found = read_all(source, i);
    ASSERT_EQ(found.size(), expected.size());
    EXPECT_EQ(all.locations[i].event_count, expected.size());
    EXPECT_EQ(all.region_name(record_of<record::Enter>(found[0]).region), "main");
    for (std::size_t e = 0; e < found.size(); ++e) {
      const Ticks time = expected[e].time;
      const double drift = rank < 2 ? 0 : -100e-6 * static_cast<double>(time - 1000000);
      EXPECT_EQ(found[e].time, rank < 2 ? time : time - 1000000 + std::llround(drift));
      EXPECT_EQ(found[e].kind, expected[e].kind);
      if (found[e].kind == EventKind::kMpiSend) {
        const std::string_view name = all.text(all.comms[record_of<record::MpiSend>(found[e]).comm.value].name);
        const CommId own = record_of<record::MpiSend>(expected[e]).comm;
        EXPECT_EQ(name, (own == CommId(rank % 2)) ? "MPI_COMM_WORLD" : "MPI_COMM_SELF");
      }
      if (found[e].kind == EventKind::kMetric) {
        const CounterId counter = record_of<record::Metric>(found[e]).metric;
        const CounterId own = record_of<record::Metric>(expected[e]).metric;
        EXPECT_EQ(all.text(all.counters[counter.value].name), (own == CounterId(rank % 2)) ? "clock" : "faults");
      }
    }
  }
  EXPECT_EQ(source.faults().total(), 0u) << source.faults().summary();
}

TEST(ArchiveSourceTest, TranslatesAndCorrectsWithGlobalDefinitions) {
  const sample::Folder folder;
  const std::string path = folder.path("a");
  ASSERT_TRUE(sample::record_and_finish(path).ok());
  EXPECT_EQ(state_of(path), ArchiveState::kComplete);
  expect_sample(*open_sample(path));
}

TEST(ArchiveSourceTest, UnifiesInMemoryWhereNobodyDidYet) {
  const sample::Folder folder;
  const std::string path = folder.path("a");
  ASSERT_TRUE(sample::record(path).ok());
  expect_sample(*open_sample(path, 16));
  EXPECT_TRUE(open_source(path).ok());
}

TEST(ArchiveSourceTest, BackwardReaderMirrorsForwardReader) {
  const sample::Folder folder;
  const std::string path = folder.path("a");
  ASSERT_TRUE(sample::record_and_finish(path, 150).ok());
  for (const std::size_t block : {1, 7, 64, 5000}) {
    const auto source = open_sample(path, block);
    for (std::size_t i = 0; i < source->definitions().locations.size(); ++i) {
      const std::vector<Event> forward = read_all(*source, i);
      std::vector<Event> backward;
      const auto reader = source->open_backward(LocationId(i));
      for (auto part = reader->previous(); !part.empty(); part = reader->previous())
        backward.insert(backward.end(), part.begin(), part.end());
      std::reverse(backward.begin(), backward.end());
      EXPECT_TRUE(std::equal(forward.begin(), forward.end(), backward.begin(), backward.end(), is_equal));
    }
  }
}

TEST(ArchiveSourceTest, ReadsWhatAKilledProcessLeftBeforeAndAfterSalvage) {
  const sample::Folder folder;
  const std::string path = folder.path("a");
  ASSERT_TRUE(create_archive(path).ok());
  for (const std::uint32_t rank : {0u, 1u, 3u}) ASSERT_TRUE(sample::record_process(path, rank, 100).ok());
  ASSERT_TRUE(sample::record_killed(path, 2, 333).ok());
  std::vector<Event> before;
  {
    const auto source = open_sample(path);
    before = read_all(*source, 4);
    EXPECT_EQ(before.size(), 333u);
    EXPECT_EQ(source->faults().count(Fault::kLocationIncomplete), 1u);
    EXPECT_EQ(source->faults().count(Fault::kRecordMalformed), 0u);
  }
  const auto report = finish_archive(path, {});
  ASSERT_TRUE(report.ok()) << report.error().text();
  EXPECT_EQ(report.value().salvaged_spools, 1u);
  EXPECT_EQ(report.value().incomplete_processes, 1u);
  EXPECT_FALSE(report.value().is_complete);
  EXPECT_EQ(state_of(path), ArchiveState::kDead);
  const auto source = open_sample(path);
  const std::vector<Event> after = read_all(*source, 4);
  EXPECT_TRUE(std::equal(before.begin(), before.end(), after.begin(), after.end(), is_equal));
  EXPECT_EQ(source->definitions().locations[4].event_count, 333u);
  const auto verdict = verify_archive(path, VerifyDepth::kDeep);
  ASSERT_TRUE(verdict.ok());
  EXPECT_FALSE(verdict.value().is_complete());
  EXPECT_EQ(verdict.value().incomplete_processes, 1u);
  EXPECT_TRUE(verdict.value().is_intact());
}

TEST(ArchiveSourceTest, WhatIsKilledBehindItsEndIsClosedAndComplete) {
  const sample::Folder folder;
  const std::string path = folder.path("a");
  ASSERT_TRUE(create_archive(path).ok());
  for (const std::uint32_t rank : {0u, 1u, 3u}) ASSERT_TRUE(sample::record_process(path, rank, 100).ok());
  ASSERT_TRUE(sample::record_killed(path, 2, 333, true).ok());
  const std::vector<Event> before = read_all(*open_sample(path), 4);
  const auto report = finish_archive(path, {});
  ASSERT_TRUE(report.ok()) << report.error().text();
  EXPECT_EQ(report.value().incomplete_processes, 0u);
  EXPECT_TRUE(report.value().is_complete);
  EXPECT_EQ(state_of(path), ArchiveState::kComplete);
  const auto source = open_sample(path);
  const std::vector<Event> after = read_all(*source, 4);
  ASSERT_GT(after.size(), before.size());
  EXPECT_TRUE(std::equal(before.begin(), before.end(), after.begin(), is_equal));
  std::int64_t depth = 0;
  for (const Event& event : after) depth += (event.kind == EventKind::kEnter) - (event.kind == EventKind::kLeave);
  EXPECT_EQ(depth, 0);
  for (std::size_t i = before.size(); i < after.size(); ++i) EXPECT_EQ(after[i].time, before.back().time);
  EXPECT_EQ(source->definitions().locations[4].event_count, after.size());
}

TEST(ArchiveSourceTest, SaysThatAProcessDidNotCloseItsRecordingThoughAllEventsAreThere) {
  const sample::Folder folder;
  const std::string path = folder.path("a");
  ASSERT_TRUE(create_archive(path).ok());
  for (const std::uint32_t rank : {0u, 1u, 2u, 3u})
    ASSERT_TRUE(sample::record_process(path, rank, 100, rank != 2).ok());
  ASSERT_TRUE(finish_archive(path, {}).ok());
  const auto source = open_sample(path);
  for (std::size_t i = 0; i < source->definitions().locations.size(); ++i)
    EXPECT_EQ(read_all(*source, i).size(), sample::events_of(static_cast<std::uint32_t>(i / 2), i % 2).size());
  EXPECT_EQ(source->faults().count(Fault::kLocationIncomplete), 2u);
  EXPECT_EQ(source->faults().total(), 2u);
  EXPECT_EQ(source->faults().places()[0].location, "rank 2 thread 0");
  const auto verdict = verify_archive(path, VerifyDepth::kDeep);
  ASSERT_TRUE(verdict.ok());
  EXPECT_FALSE(verdict.value().is_complete());
  EXPECT_TRUE(verdict.value().is_intact());
}

TEST(ArchiveSourceTest, FinishingAgainChangesNothing) {
  const sample::Folder folder;
  const std::string path = folder.path("a");
  ASSERT_TRUE(sample::record_and_finish(path).ok());
  const auto manifest = read_file(path + "/manifest.xml");
  const auto again = finish_archive(path, {});
  ASSERT_TRUE(again.ok()) << again.error().text();
  EXPECT_FALSE(again.value().changed_anything);
  EXPECT_FALSE(again.value().wrote_definitions);
  EXPECT_TRUE(again.value().is_complete);
  EXPECT_EQ(read_file(path + "/manifest.xml").value(), manifest.value());
}

TEST(ArchiveSourceTest, NotesMissingProcess) {
  const sample::Folder folder;
  const std::string path = folder.path("a");
  ASSERT_TRUE(create_archive(path).ok());
  for (const std::uint32_t rank : {0u, 1u, 2u}) ASSERT_TRUE(sample::record_process(path, rank, 100).ok());
  const auto source = open_sample(path);
  ASSERT_EQ(source->faults().count(Fault::kLocationMissing), 1u);
  EXPECT_EQ(source->faults().places()[0].location, "rank 3");
  const auto report = finish_archive(path, {});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report.value().missing_processes, 1u);
  EXPECT_FALSE(report.value().is_complete);
}

// Ranks 1, 2 and 3 were spawned.
TEST(ArchiveSourceTest, NotesMissingProcessOfASecondWorld) {
  const sample::Folder folder;
  const std::string path = folder.path("a");
  ASSERT_TRUE(create_archive(path).ok());
  for (const std::uint32_t rank : {0u, 1u, 3u}) ASSERT_TRUE(sample::record_process(path, rank, 100, true, 1).ok());
  const auto source = open_sample(path);
  ASSERT_EQ(source->faults().count(Fault::kLocationMissing), 1u);
  EXPECT_EQ(source->faults().places()[0].location, "rank 2");
  const auto report = finish_archive(path, {});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report.value().missing_processes, 1u);
  EXPECT_FALSE(report.value().is_complete);
  const auto manifest = read_manifest(path);
  ASSERT_TRUE(manifest.ok());
  EXPECT_EQ(manifest.value().ranks, 4u);
  EXPECT_EQ(manifest.value().missing, "1 process left nothing");
}

TEST(ArchiveSourceTest, SeveralWorldsAreComplete) {
  const sample::Folder folder;
  const std::string path = folder.path("a");
  ASSERT_TRUE(create_archive(path).ok());
  for (const std::uint32_t rank : {0u, 1u, 2u, 3u}) ASSERT_TRUE(sample::record_process(path, rank, 100, true, 2).ok());
  const auto report = finish_archive(path, {});
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(report.value().is_complete);
  expect_sample(*open_sample(path));
  EXPECT_EQ(describe(mpi_worlds(open_sample(path)->definitions())), "2: ranks 0-1; ranks 2-3");
  const auto verdict = verify_archive(path, VerifyDepth::kDeep);
  ASSERT_TRUE(verdict.ok());
  EXPECT_TRUE(verdict.value().is_complete() && verdict.value().is_intact());
}

TEST(ArchiveSourceTest, NotesMissingAndDamagedChunksOnceForAllPasses) {
  const sample::Folder folder;
  const std::string path = folder.path("a");
  ASSERT_TRUE(sample::record_and_finish(path, 100).ok());
  const std::string file = path + "/" + names::container("n0");
  auto bytes = read_file(file).value();
  const auto container = Container::open(file);
  ASSERT_TRUE(container.ok());
  for (const ChunkRef& chunk : container.value().chunks())
    if (chunk.header.process == 0 && chunk.header.thread == 1 && chunk.header.sequence == 2)
      bytes[chunk.offset + 5] ^= 1;
  ASSERT_TRUE(write_file(file, std::span<const std::uint8_t>(bytes)).ok());
  const auto source = open_sample(path);
  for (int pass = 0; pass < 2; ++pass) EXPECT_EQ(read_all(*source, 1).size() + 100, sample::events_of(0, 1).size());
  EXPECT_EQ(source->faults().count(Fault::kChunkDamaged), 1u);
  EXPECT_EQ(source->faults().places()[0].location, "rank 0 thread 1");
}

TEST(ArchiveSourceTest, RefusesWhatIsNoArchive) {
  const sample::Folder folder;
  EXPECT_FALSE(open_source(folder.path("nothing")).ok());
  ASSERT_TRUE(write_file(folder.path("text"), "hello").ok());
  EXPECT_NE(open_source(folder.path("text")).error().why.find("OTF2"), std::string::npos);
  ASSERT_TRUE(create_archive(folder.path("empty")).ok());
  EXPECT_FALSE(open_source(folder.path("empty")).ok());
  const Status again = create_archive(folder.path("empty"));
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().what, folder.path("empty"));
}

TEST(ArchiveSourceTest, ProfilesAreTranslated) {
  const sample::Folder folder;
  const std::string path = folder.path("a");
  ASSERT_TRUE(sample::record_and_finish(path).ok());
  const auto source = open_sample(path);
  const auto profiles = read_profiles(source->contents(), source->unified(), source->faults());
  ASSERT_EQ(profiles.size(), 8u);
  for (const ThreadProfile& profile : profiles) {
    ASSERT_EQ(profile.nodes.size(), 2u);
    EXPECT_EQ(source->definitions().region_name(RegionId(profile.nodes[0].region)), "main");
    EXPECT_EQ(source->definitions().region_name(RegionId(profile.nodes[1].region)),
              "only \"" + std::to_string(profile.location.value / 2) + "\"");
  }
}

TEST(ArchiveSourceTest, LockTellsThatARecordingGoesOn) {
  const sample::Folder folder;
  const std::string path = folder.path("a");
  ASSERT_TRUE(sample::record(path).ok());
  {
    const auto lock = lock_recording(path);
    ASSERT_TRUE(lock.ok());
    EXPECT_EQ(state_of(path), ArchiveState::kRecording);
    EXPECT_FALSE(finish_archive(path, {}).ok());
  }
  EXPECT_EQ(state_of(path), ArchiveState::kDead);
  ASSERT_TRUE(finish_archive(path, {}).ok());
  EXPECT_EQ(state_of(path), ArchiveState::kComplete);
}

// The pipeline test sets TARRY_SAMPLE to keep the archive and read it with the other reader.
TEST(ArchiveSourceTest, WritesSampleForOtherReaders) {
  const sample::Folder folder;
  const char* kept = std::getenv("TARRY_SAMPLE");
  const Status outcome = sample::record_and_finish(kept ? kept : folder.path("a"), 64);
  EXPECT_TRUE(outcome.ok()) << outcome.error().text();
}

}  // namespace
}  // namespace tarry
