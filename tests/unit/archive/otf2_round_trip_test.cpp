// otf2_round_trip_test.cpp -- nothing is lost between OTF2 and archives: records that are no events of ours,
// attributes, and events that OTF2 has no record for.
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <type_traits>

#include "archive/reading/archive_source.hpp"
#include "archive/writing/archive_writer.hpp"
#include "defs/comm_uid.hpp"
#include "defs/mpi_worlds.hpp"
#include "tests/unit/trace/any_record.hpp"
#include "tests/unit/trace/otf2_writer.hpp"
#include "trace/fingerprint.hpp"
#include "trace/otf2/otf2_sink.hpp"
#include "trace/otf2/otf2_source.hpp"

namespace tarry {
namespace {

void import(const std::string& anchor, const std::string& archive) {
  auto source = open_otf2(anchor);
  ASSERT_TRUE(source.ok()) << source.error().text();
  ASSERT_TRUE((*source)->keep_extras().ok());
  auto writer = ArchiveWriter::create(archive, (*source)->definitions());
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE(writer->keep_extras((*source)->otf2_facts()).ok());
  for (std::size_t i = 0; i < (*source)->definitions().locations.size(); ++i) {
    const auto reader = (*source)->open(LocationId(i));
    for (bool is_end = false; !is_end;) {
      const auto block = reader->next();
      is_end = block.empty();
      ASSERT_TRUE(writer->append(LocationId(i), block, reader->extras()).ok());
    }
  }
  EXPECT_EQ((*source)->faults().total(), 0u) << (*source)->faults().summary();
  ASSERT_TRUE(writer->close().ok());
}

std::string write_otf2(Source& source, const std::string& folder) {
  EXPECT_TRUE(source.keep_extras().ok());
  std::optional<Otf2Facts> facts;
  if (!source.otf2_facts().empty()) facts = *decode_otf2_facts(source.otf2_facts());
  auto sink = Otf2Sink::create(folder, source.definitions(), facts ? &*facts : nullptr);
  EXPECT_TRUE(sink.ok());
  for (std::size_t i = 0; i < source.definitions().locations.size(); ++i) {
    auto writer = (*sink)->open(LocationId(i));
    EXPECT_TRUE(writer.ok());
    const auto reader = source.open(LocationId(i));
    for (bool is_end = false; !is_end;) {
      const auto block = reader->next();
      is_end = block.empty();
      const Status outcome = (*writer)->append(block, reader->extras());
      EXPECT_TRUE(outcome.ok()) << outcome.error().text();
    }
    EXPECT_TRUE((*writer)->close().ok());
  }
  EXPECT_TRUE((*sink)->close().ok());
  EXPECT_EQ((*sink)->unwritten(), "");
  return folder + "/traces.otf2";
}

std::string content(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<Event> events_of(Source& source, LocationId location) {
  std::vector<Event> events;
  const auto reader = source.open(location);
  for (auto block = reader->next(); !block.empty(); block = reader->next())
    events.insert(events.end(), block.begin(), block.end());
  return events;
}

void write_foreign_records(OTF2_EvtWriter* writer, std::uint64_t) {
  OTF2_AttributeList* attributes = OTF2_AttributeList_New();
  const OTF2_Type types[] = {OTF2_TYPE_DOUBLE, OTF2_TYPE_UINT64};
  OTF2_MetricValue values[2];
  values[0].floating_point = -1.5;
  values[1].unsigned_int = 77;
  const OTF2_StringRef arguments[] = {0, 0};
  OTF2_EvtWriter_ProgramBegin(writer, nullptr, 5, 0, 2, arguments);
  OTF2_EvtWriter_Metric(writer, nullptr, 6, 0, 2, types, values);
  OTF2_AttributeList_AddInt16(attributes, 0, -3);
  OTF2_AttributeList_AddDouble(attributes, 1, 0.125);
  OTF2_EvtWriter_Enter(writer, attributes, 10, 0);
  OTF2_EvtWriter_ParameterInt(writer, nullptr, 11, 0, -12);
  OTF2_EvtWriter_ParameterUnsignedInt(writer, nullptr, 11, 0, 12);
  OTF2_AttributeList_AddUint8(attributes, 2, 9);
  OTF2_EvtWriter_IoOperationBegin(writer, attributes, 12, 3, 1, 0, 4096, 5);
  OTF2_EvtWriter_IoSeek(writer, nullptr, 13, 3, -4, 0, 17);
  OTF2_EvtWriter_ThreadFork(writer, nullptr, 14, OTF2_PARADIGM_OMPSS, 4);
  OTF2_EvtWriter_MpiCollectiveBegin(writer, nullptr, 15);
  OTF2_EvtWriter_MpiCollectiveEnd(writer, nullptr, 16, OTF2_COLLECTIVE_OP_BCAST, 0, OTF2_COLLECTIVE_ROOT_SELF, 8, 8);
  OTF2_EvtWriter_BufferFlush(writer, nullptr, 17, 20);
  OTF2_EvtWriter_MeasurementOnOff(writer, nullptr, 21, OTF2_MEASUREMENT_OFF);
  OTF2_EvtWriter_Leave(writer, nullptr, 30, 0);
  OTF2_EvtWriter_ProgramEnd(writer, nullptr, 31, -1);
  OTF2_EvtWriter_ParameterString(writer, nullptr, 32, 0, 0);
  OTF2_AttributeList_Delete(attributes);
}

TEST(Otf2RoundTrip, KeepsRecordsThatAreNoEvents) {
  TempFolder folder;
  Otf2TestTrace trace;
  trace.locations = 2;
  trace.events = write_foreign_records;
  trace.definitions = [](OTF2_GlobalDefWriter* writer) {
    OTF2_GlobalDefWriter_WriteIoParadigm(writer, 0, 0, 0, OTF2_IO_PARADIGM_CLASS_SERIAL, OTF2_IO_PARADIGM_FLAG_NONE, 0,
                                         nullptr, nullptr, nullptr);
    OTF2_GlobalDefWriter_WriteIoHandle(writer, 3, 0, OTF2_UNDEFINED_IO_FILE, 0, OTF2_IO_HANDLE_FLAG_NONE,
                                       OTF2_UNDEFINED_COMM, OTF2_UNDEFINED_IO_HANDLE);
  };
  const std::string anchor = trace.write(folder / "first");
  import(anchor, folder / "archive");
  auto source = open_archive(folder / "archive");
  ASSERT_TRUE(source.ok());
  EXPECT_EQ(events_of(**source, LocationId(0)).size(), 11u);  // two of them I/O
  write_otf2(**source, folder / "second");
  for (const char* file : {"0.evt", "1.evt"}) {
    // A trace and its copy differ in an identifier of the trace, behind which the records are.
    const std::string first = content(folder / (std::string("first/traces/") + file));
    const std::string second = content(folder / (std::string("second/traces/") + file));
    ASSERT_FALSE(first.empty());
    EXPECT_EQ(first.size(), second.size());
    std::size_t different = 0;
    for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) different += first[i] != second[i];
    EXPECT_LE(different, 8u);
  }
}

// A class of two members and an instance of it; the copy has the same records, and the archive an event for each value.
TEST(Otf2RoundTrip, MetricsAreEventsAndComeBackAsTheyWere) {
  TempFolder folder;
  Otf2TestTrace trace;
  trace.events = [](OTF2_EvtWriter* writer, std::uint64_t) {
    const OTF2_Type types[] = {OTF2_TYPE_DOUBLE, OTF2_TYPE_INT64};
    OTF2_MetricValue values[2];
    for (int i = 0; i < 3; ++i) {
      values[0].floating_point = 0.5 * i;
      values[1].signed_int = -i;
      OTF2_EvtWriter_Metric(writer, nullptr, 10 + i, i == 1 ? 7 : 5, 2, types, values);
      OTF2_EvtWriter_Metric(writer, nullptr, 10 + i, 6, 1, types, values);
    }
  };
  trace.definitions = [](OTF2_GlobalDefWriter* writer) {
    const OTF2_MetricMemberRef members[] = {3, 4};
    OTF2_GlobalDefWriter_WriteMetricMember(writer, 3, 0, 0, OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ABSOLUTE_POINT,
                                           OTF2_TYPE_DOUBLE, OTF2_BASE_DECIMAL, 0, 0);
    OTF2_GlobalDefWriter_WriteMetricMember(writer, 4, 0, 0, OTF2_METRIC_TYPE_PAPI, OTF2_METRIC_ACCUMULATED_START,
                                           OTF2_TYPE_INT64, OTF2_BASE_DECIMAL, 0, 0);
    OTF2_GlobalDefWriter_WriteMetricClass(writer, 5, 2, members, OTF2_METRIC_SYNCHRONOUS, OTF2_RECORDER_KIND_CPU);
    OTF2_GlobalDefWriter_WriteMetricClass(writer, 6, 1, members, OTF2_METRIC_SYNCHRONOUS, OTF2_RECORDER_KIND_CPU);
    OTF2_GlobalDefWriter_WriteMetricInstance(writer, 7, 5, 0, OTF2_SCOPE_LOCATION, 0);
  };
  const std::string anchor = trace.write(folder / "first");
  import(anchor, folder / "archive");
  auto source = open_archive(folder / "archive");
  ASSERT_TRUE(source.ok());
  const Definitions& all = (*source)->definitions();
  ASSERT_EQ(all.counters.size(), 2u);
  EXPECT_EQ(all.counters[0].mode, CounterMode::kAbsolutePoint);
  EXPECT_EQ(all.counters[0].type, CounterType::kDouble);
  EXPECT_EQ(all.counters[1].source, CounterSource::kPapi);
  const auto events = events_of(**source, LocationId(0));
  ASSERT_EQ(events.size(), 9u);
  EXPECT_EQ(events[3].kind, EventKind::kMetric);
  EXPECT_EQ(counter_value(all.counters[0].type, record_of<record::Metric>(events[3]).value), 0.5);
  EXPECT_EQ(counter_value(all.counters[1].type, record_of<record::Metric>(events[4]).value), -1);
  EXPECT_EQ(record_of<record::Metric>(events[5]).metric, CounterId(0));
  write_otf2(**source, folder / "second");
  const std::string first = content(folder / "first/traces/0.evt"), second = content(folder / "second/traces/0.evt");
  ASSERT_EQ(first.size(), second.size());
  std::size_t different = 0;  // an identifier of the trace
  for (std::size_t i = 0; i < first.size(); ++i) different += first[i] != second[i];
  EXPECT_LE(different, 8u);
}

/// The only id of each table, and different numbers in fields that are none: 1, 2, ...
Event numbered_event(Ticks time, EventKind kind) {
  std::uint64_t last = 0;
  return any_event(time, kind, [&]<class Field>(Field& field, bool, std::string_view name) {
    constexpr bool kIsId = kFieldMeaning<Field> != FieldMeaning::kPlain || std::is_same_v<Field, TeamId>;
    ++last;
    set_field(field, kIsId ? 0 : name == "is_on" ? 1 : last);
  });
}

/// An event of every kind we have, with fields that fit everywhere.
std::vector<Event> one_of_each_kind() {
  std::vector<Event> events;
  for (int code = 1; code < kEventKindCount; ++code) {
    const auto kind = static_cast<EventKind>(code);
    if (info_of(kind).name.empty() || kind == EventKind::kLeave) continue;
    const Event plain = numbered_event(100 + 10 * code, kind);
    events.push_back(plain);
    visit_record(plain, [&](auto record) {
      const auto add_changed = [&](auto& field, std::uint64_t value) {
        set_field(field, value);
        events.push_back(event_of(plain.time, record));
      };
      // With every optional field absent.
      for_each_field(record, [&](auto& field, bool is_optional, std::string_view) {
        if (is_optional) add_changed(field, kNoField);
      });
      // What OTF2's narrower fields cannot hold.
      for_each_field(record, [&](auto& field, bool, std::string_view name) {
        if (name == "tag" || name == "lock") add_changed(field, std::uint64_t{1} << 40);
      });
    });
  }
  events.push_back(event_of(100 + 10 * kEventKindCount, record::Leave{.region = RegionId(0)}));
  return events;
}

TEST(Otf2RoundTrip, KeepsEveryKindOfEvent) {
  TempFolder folder;
  Definitions all;
  all.clock.ticks_per_second = 2596172355.25;
  all.clock.origin = 100;
  all.processes.push_back({all.strings.intern("rank 0"), 0, {}, false});
  all.locations.push_back({all.strings.intern("thread 0"), ProcessId(0), 0, 0});
  Region region;
  region.name = region.mangled_name = all.strings.intern("app");
  region.paradigm = Paradigm::kMeasurement;
  region.role = RegionRole::kArtificial;
  all.regions.push_back(region);
  all.groups.push_back({StringId(0), {0, 0xffffffffu}});
  Communicator world;
  world.name = all.strings.intern("MPI_COMM_WORLD");
  world.group = GroupId(0);
  all.comms.push_back(world);
  all.windows.push_back({all.strings.intern("window"), CommId(0)});
  all.io_handles.push_back({all.strings.intern("data.bin"), CommId(0)});
  all.counters.push_back({all.strings.intern("page-faults"), StringId(0), StringId(0)});
  const std::vector<Event> events = one_of_each_kind();
  auto writer = ArchiveWriter::create(folder / "archive", all);
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE(writer->append(LocationId(0), events).ok());
  ASSERT_TRUE(writer->close().ok());

  auto first = open_archive(folder / "archive");
  ASSERT_TRUE(first.ok());
  import(write_otf2(**first, folder / "otf2"), folder / "again");
  auto second = open_archive(folder / "again");
  ASSERT_TRUE(second.ok());
  const auto before = events_of(**first, LocationId(0)), after = events_of(**second, LocationId(0));
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(before[i].kind, after[i].kind);
    EXPECT_EQ(before[i].time, after[i].time);
    EXPECT_EQ(spell(before[i]), spell(after[i]));
  }
  EXPECT_EQ((*second)->definitions().clock.ticks_per_second, all.clock.ticks_per_second);
  EXPECT_EQ((*second)->definitions().groups[0].members.size(), 2u);
  EXPECT_EQ((*second)->definitions().groups[0].members[1], 0xffffffffu);
  EXPECT_FALSE((*second)->definitions().processes[0].is_complete);
}

// Two processes have spawned three, of which the first one left nothing.
Definitions definitions_of_two_worlds() {
  Definitions all;
  for (const std::uint32_t rank : {0u, 1u, 3u, 4u}) {
    all.processes.push_back({all.strings.intern("rank " + std::to_string(rank)), rank, {}, true});
    all.locations.push_back({all.strings.intern("thread 0"), ProcessId(all.processes.size() - 1), 0, 0});
  }
  Region region;
  region.name = region.mangled_name = all.strings.intern("app");
  all.regions.push_back(region);
  all.groups = {{StringId(0), {0, 1}}, {StringId(0), {0xffffffffu, 3, 4}}, {StringId(0), {0, 1, 0xffffffffu, 3, 4}}};
  const auto add = [&](const char* name, std::uint64_t uid, std::uint32_t group) -> Communicator& {
    Communicator& comm = all.comms.emplace_back();
    comm.name = all.strings.intern(name);
    comm.uid = uid;
    comm.group = GroupId(group);
    return comm;
  };
  add("MPI_COMM_WORLD", Communicator::kWorldUid, 0);
  add("MPI_COMM_WORLD", comm_uid::of_world(2), 1);
  Communicator& between = add("", 1, 0);
  between.remote_group = GroupId(1);
  between.parent = CommId(0);
  between.is_inter = true;
  add("merged", 2, 2).parent = CommId(2);
  return all;
}

TEST(Otf2RoundTrip, KeepsTheWorldsOfSpawnedProcesses) {
  TempFolder folder;
  const Definitions all = definitions_of_two_worlds();
  auto writer = ArchiveWriter::create(folder / "archive", all);
  ASSERT_TRUE(writer.ok());
  const Event events[] = {event_of(100, record::Enter{.region = RegionId(0)}),
                          event_of(200, record::Leave{.region = RegionId(0)})};
  for (std::size_t i = 0; i < all.locations.size(); ++i) ASSERT_TRUE(writer->append(LocationId(i), events).ok());
  ASSERT_TRUE(writer->close().ok());
  auto first = open_archive(folder / "archive");
  ASSERT_TRUE(first.ok());
  import(write_otf2(**first, folder / "otf2"), folder / "again");
  auto second = open_archive(folder / "again");
  ASSERT_TRUE(second.ok());
  const Definitions& after = (*second)->definitions();
  ASSERT_EQ(after.comms.size(), all.comms.size());
  for (std::size_t i = 0; i < all.comms.size(); ++i) {
    const auto members = [&](const Definitions& of, GroupId group) {
      return group.is_valid() ? of.groups[group.value].members : std::vector<std::uint32_t>();
    };
    EXPECT_EQ(after.text(after.comms[i].name), all.text(all.comms[i].name));
    EXPECT_EQ(members(after, after.comms[i].group), members(all, all.comms[i].group)) << i;
    EXPECT_EQ(members(after, after.comms[i].remote_group), members(all, all.comms[i].remote_group)) << i;
    EXPECT_EQ(after.comms[i].parent, all.comms[i].parent);
    EXPECT_EQ(after.comms[i].is_inter, all.comms[i].is_inter);
    EXPECT_EQ(comm_uid::is_world(after.comms[i].uid), i < 2);
  }
  EXPECT_EQ(describe(mpi_worlds(after)), "2: ranks 0-1; ranks 2-4");
  EXPECT_EQ(describe(mpi_worlds((*first)->definitions())), "2: ranks 0-1; ranks 2-4");
}

}  // namespace
}  // namespace tarry
