// unify_test.cpp -- merging definitions of processes: ids, communicators, clocks, hostile input.
#include "defs/unify.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "defs/definition_codec.hpp"

namespace tarry {
namespace {

Definitions process(std::uint32_t rank) {
  Definitions definitions;
  Process process;
  process.rank = rank;
  definitions.processes.push_back(process);
  return definitions;
}

void add_region(Definitions& to, const std::string& name, std::uint32_t line = 0) {
  Region region;
  region.name = region.mangled_name = to.strings.intern(name);
  region.file = to.strings.intern("a.c");
  region.begin_line = line;
  to.regions.push_back(region);
}

void add_comm(Definitions& to, std::uint64_t uid, std::uint32_t rank, std::uint32_t size, bool is_inter = false,
              CommId parent = {}) {
  Communicator comm;
  comm.name = to.strings.intern("c" + std::to_string(uid));
  comm.uid = uid;
  comm.rank = rank;
  comm.size = size;
  comm.is_inter = is_inter;
  comm.parent = parent;
  to.comms.push_back(comm);
}

void add_property(Definitions& to, const std::string& key, const std::string& value) {
  to.properties.push_back({to.strings.intern(key), to.strings.intern(value)});
}

void add_clock(Definitions& to, const std::string& domain, const std::string& start, const std::string& end) {
  add_property(to, "clock_domain", domain);
  add_property(to, "clock_start", start);
  add_property(to, "clock_end", end);
}

TEST(UnifyTest, EqualRegionsBecomeOneInOrderOfRank) {
  Definitions a = process(1), b = process(0);
  add_region(a, "x");
  add_region(a, "y");
  add_region(b, "y");
  add_region(b, "y", 7);
  const UnifiedDefinitions all = unify({a, b});
  ASSERT_EQ(all.global.regions.size(), 3u);
  EXPECT_EQ(all.global.region_name(RegionId(0)), "y");
  EXPECT_EQ(all.global.region_name(RegionId(2)), "x");
  EXPECT_TRUE(all.maps[0].regions.empty());
  EXPECT_EQ(all.maps[1].regions, (std::vector{RegionId(2), RegionId(0)}));
}

void add_site(Definitions& to, std::uint32_t base, const std::string& file, std::uint32_t line) {
  ByteWriter bytes;
  encode_region(bytes, {.base = RegionId(base), .site_file = file, .site_line = line});
  ASSERT_TRUE(decode_definitions(bytes.bytes(), to).ok());
}

TEST(UnifyTest, CallSitesAreOneByRegionAndLine) {
  Definitions a = process(0), b = process(1);
  add_region(a, "send");
  add_site(a, 0, "ring.c", 12);
  add_site(a, 0, "ring.c", 13);
  add_region(b, "recv");
  add_region(b, "send");
  add_site(b, 1, "ring.c", 13);
  add_site(b, 0, "ring.c", 13);
  UnifiedDefinitions all = unify({a, b});
  ASSERT_EQ(all.global.regions.size(), 5u);  // send, send at 12 and at 13, recv, recv at 13
  EXPECT_EQ(all.maps[1].regions, (std::vector<RegionId>{RegionId(3), RegionId(0), RegionId(2), RegionId(4)}));
  EXPECT_EQ(all.global.regions[2].base, RegionId(0));
  EXPECT_EQ(all.global.region_name(RegionId(2)), "send");
  EXPECT_EQ(all.global.regions[4].base, RegionId(3));
  EXPECT_EQ(all.global.text(all.global.regions[4].site_file), "ring.c");

  ByteWriter bytes;
  encode_definitions(bytes, all.global);
  Definitions back;
  ASSERT_TRUE(decode_definitions(bytes.bytes(), back).ok());
  EXPECT_EQ(back.region_name(RegionId(4)), "recv");
  EXPECT_EQ(back.regions[4].site_line, 13u);

  forget_call_sites(all);
  ASSERT_EQ(all.global.regions.size(), 2u);
  EXPECT_EQ(all.maps[1].regions, (std::vector<RegionId>{RegionId(1), RegionId(0), RegionId(0), RegionId(1)}));
}

// A process that was killed could not look up its names: that is done later, for all at once.
TEST(UnifyTest, RegionsThatGetEqualNamesBecomeOne) {
  Definitions a = process(0), b = process(1);
  add_region(a, "main");
  add_region(a, "send");
  add_site(a, 1, "ring.c", 12);
  add_region(b, "app+0x10");
  add_region(b, "app+0x20");
  add_site(b, 1, "ring.c", 12);
  UnifiedDefinitions all = unify({a, b});
  ASSERT_EQ(all.global.regions.size(), 6u);
  merge_equal_regions(all);
  ASSERT_EQ(all.global.regions.size(), 6u);
  for (const auto& [region, name] : {std::pair(3u, "main"), std::pair(4u, "send")})
    all.global.regions[region].name = all.global.regions[region].mangled_name = all.global.strings.intern(name);
  all.global.regions[4].describe(all.global.regions[5]);
  merge_equal_regions(all);
  ASSERT_EQ(all.global.regions.size(), 3u);
  EXPECT_EQ(all.maps[1].regions, (std::vector<RegionId>{RegionId(0), RegionId(1), RegionId(2)}));
  EXPECT_EQ(all.global.regions[2].base, RegionId(1));
}

// Two places in the code on one line are two until it is known which inlined functions they are in.
TEST(UnifyTest, CallSitesAreOneByLineOnceTheirPlaceInTheCodeIsForgotten) {
  Definitions a = process(0);
  add_region(a, "send");
  for (const std::uint64_t address : {0x10u, 0x20u, 0x30u}) {
    ByteWriter bytes;
    encode_region(bytes, {.base = RegionId(0),
                          .site_file = "ring.c",
                          .site_line = 12,
                          .code_file = "/bin/app",
                          .code_address = address});
    ASSERT_TRUE(decode_definitions(bytes.bytes(), a).ok());
  }
  EXPECT_EQ(a.text(a.regions[2].code_file), "/bin/app");
  EXPECT_EQ(a.regions[2].code_address, 0x20u);
  UnifiedDefinitions all = unify({a});
  ASSERT_EQ(all.global.regions.size(), 4u);
  EXPECT_EQ(all.global.text(all.global.regions[3].code_file), "/bin/app");
  add_region(all.global, "exchange");
  add_site(all.global, 4, "main.c", 7);
  for (Region& region : all.global.regions) region.code_file = {}, region.code_address = 0;
  all.global.regions[2].inlined_in = all.global.regions[3].inlined_in = RegionId(5);
  merge_equal_regions(all);
  ASSERT_EQ(all.global.regions.size(), 5u);
  EXPECT_EQ(all.maps[0].regions,
            (std::vector<RegionId>{RegionId(0), RegionId(1), RegionId(2), RegionId(2), RegionId(3), RegionId(4)}));
  EXPECT_EQ(all.global.regions[2].inlined_in, RegionId(4));
  ByteWriter bytes;
  encode_definitions(bytes, all.global);
  Definitions back;
  ASSERT_TRUE(decode_definitions(bytes.bytes(), back).ok());
  EXPECT_EQ(back.regions[2].inlined_in, RegionId(4));
  EXPECT_FALSE(back.regions[1].inlined_in.is_valid() || back.regions[2].code_file.is_valid());
}

TEST(UnifyTest, ACallSiteNeedsAnEarlierRegion) {
  Definitions to = process(0);
  ByteWriter bytes;
  encode_region(bytes, {.base = RegionId(0), .site_file = "ring.c", .site_line = 12});
  EXPECT_FALSE(decode_definitions(bytes.bytes(), to).ok());
  EXPECT_TRUE(to.regions.empty());
}

TEST(UnifyTest, CommunicatorsAreAssembledFromTheirMembers) {
  std::vector<Definitions> processes;
  for (const std::uint32_t rank : {2u, 0u, 3u}) {
    processes.push_back(process(rank));
    add_comm(processes.back(), 0, rank, 4);
    add_comm(processes.back(), 17, 3 - rank, 4, false, CommId(0));
  }
  const UnifiedDefinitions all = unify(std::move(processes));
  ASSERT_EQ(all.global.comms.size(), 2u);
  constexpr std::uint32_t kMissing = 0xffffffffu;
  EXPECT_EQ(all.global.groups[all.global.comms[0].group.value].members,
            (std::vector<std::uint32_t>{0, kMissing, 2, 3}));
  EXPECT_EQ(all.global.groups[all.global.comms[1].group.value].members,
            (std::vector<std::uint32_t>{3, 2, kMissing, 0}));
  EXPECT_EQ(all.global.comms[1].parent, CommId(0));
}

TEST(UnifyTest, SidesOfAnIntercommunicatorAreToldApartByTheirParents) {
  std::vector<Definitions> processes;
  for (std::uint32_t rank = 0; rank < 5; ++rank) {
    processes.push_back(process(rank));
    const bool is_left = rank % 2 == 0;
    add_comm(processes.back(), is_left ? 100 : 200, rank / 2, is_left ? 3 : 2);
    add_comm(processes.back(), 300, rank / 2, is_left ? 3 : 2, true, CommId(0));
  }
  const UnifiedDefinitions all = unify(std::move(processes));
  const Communicator& comm = all.global.comms[all.maps[1].comms.empty() ? 1 : all.maps[1].comms[1].value];
  EXPECT_EQ(comm.uid, 300u);
  EXPECT_EQ(all.global.groups[comm.group.value].members, (std::vector<std::uint32_t>{0, 2, 4}));
  EXPECT_EQ(all.global.groups[comm.remote_group.value].members, (std::vector<std::uint32_t>{1, 3}));
}

TEST(UnifyTest, OneClockDomainNeedsNoCorrection) {
  Definitions a = process(0), b = process(1);
  add_clock(a, "n0", "1000 0 5000000000", "3001000 1000000 5001000000");
  add_clock(b, "n0", "900 -33 4999999967", "3001100 1000033 5001000033");
  const UnifiedDefinitions all = unify({a, b});
  EXPECT_TRUE(all.global.clock_offsets.empty());
  EXPECT_NEAR(all.global.clock.ticks_per_second, 3e9, 1e6);
  EXPECT_EQ(all.global.clock.origin, 900);
  EXPECT_EQ(all.global.clock.epoch_ns, 4999999967u);
}

TEST(UnifyTest, OtherDomainsAreCorrectedByMeasuredPairsOrByWhatIsKnown) {
  Definitions a = process(0), b = process(1), c = process(2), d = process(3), e = process(4);
  add_clock(a, "n0", "0 0 1000000000", "1000000000 1000000000 2000000000");
  for (Definitions* each : {&b, &c}) add_clock(*each, "n1", "500 0 1000000000", "1000000500 1000000000 2000000000");
  b.clock_offsets = {{ProcessId(0), 500, -500}, {ProcessId(0), 1000000500, -490}};
  add_clock(d, "n2", "0 0 1000000007", "2000000000 1000000000 2000000007");  // nothing measured, twice as fast
  add_clock(e, "n3", "70 0 1000000000", "1000000070 1000000000 2000000000");
  e.clock_offsets = {{ProcessId(0), 70, -70}};  // only at the start
  const UnifiedDefinitions all = unify({a, b, c, d, e});
  const auto& offsets = all.global.clock_offsets;
  ASSERT_EQ(offsets.size(), 8u);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(offsets[i].process, ProcessId(1 + i / 2));
  EXPECT_EQ(offsets[3].offset, -490);
  EXPECT_EQ(offsets[4].offset, 7);
  EXPECT_NEAR(static_cast<double>(offsets[5].offset - 7) / static_cast<double>(offsets[5].at), -0.5, 1e-9);
  EXPECT_EQ(offsets[7].offset, -70);
}

TEST(UnifyTest, OriginCanBeMoved) {
  Clock clock{2e9, 1000, 5000};
  set_clock_origin(clock, 3000);
  EXPECT_EQ(clock.origin, 3000);
  EXPECT_EQ(clock.epoch_ns, 6000u);
}

TEST(UnifyTest, IdMapsSurvive) {
  std::vector<IdMap> maps(3);
  maps[0].regions = {RegionId(5), RegionId(), RegionId(0)};
  maps[2].comms = {CommId(1)};
  maps[2].windows = {WindowId(0xfffffffe)};
  ByteWriter out;
  encode_id_maps(out, maps);
  const auto found = decode_id_maps(out.bytes());
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found.value().size(), 3u);
  EXPECT_EQ(found.value()[0].regions, maps[0].regions);
  EXPECT_EQ(found.value()[2].windows, maps[2].windows);
  for (std::size_t size = 0; size < out.bytes().size(); ++size)
    EXPECT_FALSE(decode_id_maps(std::span(out.bytes()).first(size)).ok());
}

TEST(UnifyTest, LaterPartsOfIdMapsSurvive) {
  std::vector<IdMap> maps(2);
  maps[0].regions = {RegionId(1)};
  maps[0].groups = {GroupId(3), GroupId(0)};
  maps[1].io_handles = {IoHandleId(2)};
  ByteWriter out;
  encode_id_maps(out, maps);
  const auto found = decode_id_maps(out.bytes());
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found.value()[0].regions, maps[0].regions);
  EXPECT_EQ(found.value()[0].groups, maps[0].groups);
  EXPECT_TRUE(found.value()[1].groups.empty());
  EXPECT_EQ(found.value()[1].io_handles, maps[1].io_handles);
}

TEST(UnifyTest, CountersAreOneIfAllTheirFieldsAre) {
  Definitions a = process(0), b = process(1);
  const auto counter = [](Definitions& in, const char* name, CounterMode mode) {
    in.counters.push_back({in.strings.intern(name), in.strings.intern("bytes"), StringId(0), mode});
  };
  counter(a, "heap", CounterMode::kAbsolutePoint);
  counter(b, "faults", CounterMode::kSinceStart);
  counter(b, "heap", CounterMode::kAbsolutePoint);
  counter(b, "heap", CounterMode::kSinceStart);
  const UnifiedDefinitions all = unify({a, b});
  ASSERT_EQ(all.global.counters.size(), 3u);
  EXPECT_TRUE(all.maps[0].counters.empty());
  EXPECT_EQ(all.maps[1].counters, (std::vector{CounterId(1), CounterId(0), CounterId(2)}));
  ByteWriter out;
  encode_id_maps(out, all.maps);
  const auto found = decode_id_maps(out.bytes());
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found.value()[1].counters, all.maps[1].counters);
}

TEST(UnifyTest, GroupsAreOneByTheirMembers) {
  Definitions a = process(0), b = process(1);
  a.groups = {{a.strings.intern(""), {1, 2}}, {a.strings.intern(""), {0}}};
  b.groups = {{b.strings.intern(""), {0}}, {b.strings.intern(""), {2, 1}}};
  const UnifiedDefinitions all = unify({a, b});
  ASSERT_EQ(all.global.groups.size(), 3u);
  EXPECT_TRUE(all.maps[0].groups.empty());
  EXPECT_EQ(all.maps[1].groups, (std::vector{GroupId(1), GroupId(2)}));
}

TEST(UnifyTest, FilesAreOneByCommunicatorNameAndOrder) {
  Definitions a = process(0), b = process(1);
  for (Definitions* each : {&a, &b}) add_comm(*each, 0, each->processes[0].rank, 2);
  const auto open = [](Definitions& in, const char* name) {
    in.io_handles.push_back({in.strings.intern(name), CommId(0)});
  };
  for (const char* name : {"x", "y", "x"}) open(a, name);
  for (const char* name : {"y", "x", "x"}) open(b, name);
  const UnifiedDefinitions all = unify({a, b});
  ASSERT_EQ(all.global.io_handles.size(), 3u);
  EXPECT_EQ(all.maps[1].io_handles, (std::vector{IoHandleId(1), IoHandleId(0), IoHandleId(2)}));
}

TEST(UnifyTest, HostileSizesAndReferencesCostLittle) {
  Definitions a;  // no process at all
  for (std::uint64_t i = 0; i < 1000; ++i)
    add_comm(a, i, static_cast<std::uint32_t>(i * 7919), 0xfffffff0u, i % 2, CommId(i * 3));
  a.windows.push_back({{}, CommId(99999)});
  a.system_nodes.push_back({{}, {}, SystemNodeId(5)});
  a.locations.resize(3);
  a.clock_offsets = {{ProcessId(9), std::numeric_limits<Ticks>::min(), std::numeric_limits<Ticks>::max()}};
  Definitions b = process(0xffffffffu);
  add_clock(b, "x", "9223372036854775807 1 1", "-9223372036854775808 2 2");
  const UnifiedDefinitions all = unify({a, b, Definitions()});
  EXPECT_EQ(all.maps.size(), 3u);
  std::size_t members = 0;
  for (const Group& group : all.global.groups) members += group.members.size();
  EXPECT_LT(members, std::size_t{10000000});
}

TEST(UnifyTest, MutatedDefinitionsNeverCrash) {
  Definitions sound = process(0);
  for (int i = 0; i < 5; ++i) add_region(sound, "f" + std::to_string(i), static_cast<std::uint32_t>(i));
  add_comm(sound, 0, 0, 4);
  add_comm(sound, 5, 1, 2, true, CommId(0));
  add_clock(sound, "n0", "0 0 1000000000", "1000000000 1000000000 2000000000");
  sound.clock_offsets = {{ProcessId(0), 500, -500}};
  sound.system_nodes.push_back({sound.strings.intern("n0"), sound.strings.intern("node"), {}});
  sound.windows.push_back({sound.strings.intern("w"), CommId(0)});
  sound.groups.push_back({sound.strings.intern("g"), {0, 1, 2}});
  ByteWriter out;
  encode_definitions(out, sound);
  std::mt19937 random(11);
  for (int round = 0; round < 1000; ++round) {
    std::vector<Definitions> processes(2);
    for (Definitions& each : processes) {
      auto bytes = out.bytes();
      for (unsigned i = random() % 4; i > 0; --i) bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
      (void)decode_definitions(bytes, each);
    }
    const UnifiedDefinitions all = unify(std::move(processes));
    EXPECT_EQ(all.maps.size(), 2u);
  }
}

TEST(UnifyTest, GridsOfACommunicatorAreOneAndNeighborhoodsAreKept) {
  std::vector<Definitions> processes;
  for (const std::uint32_t rank : {1u, 0u}) {
    Definitions& own = processes.emplace_back(process(rank));
    if (rank == 0) add_comm(own, 99, 0, 1);
    add_comm(own, 17, rank, 2);
    const CommId comm(own.comms.size() - 1);
    own.carts.push_back({own.strings.intern("grid"), comm, {{own.strings.intern(""), 2, true}}, {}});
    own.neighborhoods.push_back({comm, rank, {1 - rank}, {rank, 1 - rank}});
    own.neighborhoods.push_back({CommId(7), rank, {}, {}});
  }
  ByteWriter out;
  encode_definitions(out, unify(std::move(processes)).global);
  Definitions all;
  ASSERT_TRUE(decode_definitions(out.bytes(), all).ok());
  ASSERT_EQ(all.carts.size(), 1u);
  EXPECT_EQ(all.text(all.carts[0].name), "grid");
  EXPECT_EQ(all.carts[0].comm, CommId(1));
  ASSERT_EQ(all.carts[0].dimensions.size(), 1u);
  EXPECT_EQ(all.carts[0].dimensions[0].size, 2u);
  EXPECT_TRUE(all.carts[0].dimensions[0].is_periodic);
  ASSERT_EQ(all.neighborhoods.size(), 2u);
  EXPECT_EQ(all.neighborhoods[1].comm, CommId(1));
  EXPECT_EQ(all.neighborhoods[1].rank, 1u);
  EXPECT_EQ(all.neighborhoods[1].sources, std::vector<std::uint32_t>{0});
  EXPECT_EQ(all.neighborhoods[1].destinations, (std::vector<std::uint32_t>{1, 0}));
}

TEST(UnifyTest, PlacesInTheHardwareArePutTogether) {
  std::vector<Definitions> processes;
  for (const std::uint32_t rank : {0u, 1u, 2u}) {
    Definitions& own = processes.emplace_back(process(rank));
    own.system_nodes.push_back({own.strings.intern(rank == 1 ? "b" : "a"), own.strings.intern("node"), {}});
    own.processes[0].node = SystemNodeId(0);
    own.carts.push_back({own.strings.intern("hardware"),
                         CommId(),
                         {{own.strings.intern(kNodeDimension), 1, false}, {own.strings.intern("core"), 4, false}},
                         {{rank, {0, rank + 3}}}});
  }
  const Definitions all = unify(std::move(processes)).global;
  ASSERT_EQ(all.carts.size(), 1u);
  EXPECT_EQ(all.carts[0].dimensions[0].size, 2u);
  EXPECT_EQ(all.carts[0].dimensions[1].size, 6u);
  ASSERT_EQ(all.carts[0].places.size(), 3u);
  EXPECT_EQ(all.carts[0].places[1].coordinates, (std::vector<std::uint32_t>{1, 4}));
  EXPECT_EQ(all.carts[0].places[2].coordinates, (std::vector<std::uint32_t>{0, 5}));
}

}  // namespace
}  // namespace tarry
