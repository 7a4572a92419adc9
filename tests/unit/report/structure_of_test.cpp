// structure_of_test.cpp -- system tree and regions of a report from definitions.
#include "report/tree/structure_of.hpp"

#include <gtest/gtest.h>

#include <string>

#include "defs/processor_use.hpp"

namespace tarry {
namespace {

TEST(StructureOf, KeepsIndicesAndSpellsNames) {
  Definitions definitions;
  const auto text = [&](const char* name) { return definitions.strings.intern(name); };
  definitions.regions = {
      {text("solve"), text("_Z5solvev"), text("a.cc"), 7, 9, Paradigm::kUser, RegionRole::kFunction},
      {text("MPI_Send"), text("MPI_Send"), text("MPI"), 0, 0, Paradigm::kMpi, RegionRole::kPointToPoint}};
  definitions.system_nodes = {{text("m"), text("machine"), {}}, {text("n"), text("node"), SystemNodeId(0)}};
  definitions.processes = {{text("MPI Rank 3"), 3, SystemNodeId(1), true}};
  definitions.locations = {{text("Master thread"), ProcessId(0), 0, 12}, {text("thread 1"), ProcessId(0), 1, 0}};
  const ReportStructure structure = structure_of(definitions);
  EXPECT_EQ(structure.regions[0].mangled_name, "_Z5solvev");
  EXPECT_EQ(structure.regions[0].begin_line, 7);
  EXPECT_EQ(structure.regions[1].begin_line, -1);
  EXPECT_EQ(structure.regions[1].paradigm, "mpi");
  EXPECT_EQ(structure.regions[1].role, "point2point");
  EXPECT_EQ(structure.system_nodes[1].parent, 0u);
  EXPECT_EQ(structure.processes[0].rank, 3);
  EXPECT_EQ(structure.processes[0].node, 1u);
  EXPECT_EQ(structure.locations[1].rank, 1);
}

TEST(StructureOf, HasThreadsAndQueues) {
  Definitions definitions;
  const auto text = [&](const char* name) { return definitions.strings.intern(name); };
  definitions.processes = {{text("rank 0"), 0, {}, true}, {text("rank 1"), 1, {}, true}};
  definitions.locations = {{text("thread"), ProcessId(0), 0, 12},
                           {text("stream"), ProcessId(0), 1, 7, LocationKind::kQueue, text("GPU 0")},
                           {text("thread"), ProcessId(1), 0, 12},
                           {text("power"), ProcessId(1), 1, 9, LocationKind::kMetrics}};
  const ReportStructure structure = structure_of(definitions);
  ASSERT_EQ(structure.locations.size(), 3u);
  EXPECT_EQ(structure.thread_count(), 2u);
  EXPECT_EQ(structure.locations[1].type, "accelerator stream");
  EXPECT_EQ(structure.locations[2].process, 1u);
  EXPECT_EQ(report_numbers(definitions), (std::vector<std::uint32_t>{0, 1, 2, kNoReportNumber}));
}

TEST(StructureOf, EachProcessHasANode) {
  Definitions definitions;
  const auto text = [&](const char* name) { return definitions.strings.intern(name); };
  definitions.processes = {{text("MPI Rank 0"), 0, {}, false}};
  const ReportStructure bare = structure_of(definitions);
  ASSERT_EQ(bare.system_nodes.size(), 2u);
  EXPECT_EQ(bare.processes[0].node, 1u);
  definitions.system_nodes = {{text("m"), text("machine"), {}}};
  EXPECT_EQ(structure_of(definitions).processes[0].node, 0u);
}

TEST(StructureOf, ProcessesKeepTheirAccounts) {
  Definitions definitions;
  const auto text = [&](const std::string& name) { return definitions.strings.intern(name); };
  definitions.processes = {{text("MPI Rank 3"), 3, {}, true}, {text("MPI Rank 4"), 4, {}, true}};
  const std::string key(kProcessorUseKey);
  definitions.properties = {{text(key + "4"), text("wall_ns=5")},
                            {text(key + "7"), text("wall_ns=6")},  // of no process
                            {text(key + "3x"), text("wall_ns=7")}};
  const ReportStructure structure = structure_of(definitions);
  EXPECT_TRUE(structure.processes[0].attributes.empty());
  ASSERT_EQ(structure.processes[1].attributes.size(), 1u);
  EXPECT_EQ(structure.processes[1].attributes[0].first, kProcessorUseAttribute);
  EXPECT_EQ(structure.processes[1].attributes[0].second, "wall_ns=5");
}

TEST(StructureOf, RegionsAtCallSitesAreTheirBases) {
  Definitions definitions;
  const auto text = [&](const char* name) { return definitions.strings.intern(name); };
  for (const char* name : {"main", "send", "send", "recv"}) definitions.regions.emplace_back().name = text(name);
  definitions.regions[2].base = RegionId(1);
  definitions.regions[2].site_file = text("ring.c");
  definitions.regions[2].site_line = 12;
  EXPECT_EQ(report_regions(definitions), (std::vector<std::uint32_t>{0, 1, 1, 2}));
  const ReportStructure structure = structure_of(definitions);
  ASSERT_EQ(structure.regions.size(), 3u);
  EXPECT_EQ(structure.regions[2].name, "recv");
  ReportCallPath path;
  set_call_site(definitions, definitions.regions[2], path);
  EXPECT_EQ(path.module, "ring.c");
  EXPECT_EQ(path.line, 12);
}

TEST(StructureOf, InventsASystemWhereThereIsNone) {
  Definitions definitions;
  definitions.processes = {{StringId(), 0, {}, true}};
  const ReportStructure structure = structure_of(definitions);
  ASSERT_EQ(structure.system_nodes.size(), 2u);
  EXPECT_EQ(structure.system_nodes[0].class_name, "machine");
  EXPECT_EQ(structure.processes[0].node, 1u);
}

}  // namespace
}  // namespace tarry
