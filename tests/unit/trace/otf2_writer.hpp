// otf2_writer.hpp -- writes small OTF2 traces for tests.
#pragma once

#include <gtest/gtest.h>
#include <otf2/otf2.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace tarry {

/// A folder that goes away with the test.
class TempFolder {
 public:
  TempFolder() {
    std::string name = ::testing::TempDir() + "tarry-otf2-XXXXXX";
    path_ = mkdtemp(name.data());
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder() { std::filesystem::remove_all(path_); }

  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

/// A test trace holds one process per location, and
///   regions 0 "main", 1 "work", communicators 0 MPI_COMM_WORLD, 1 MPI_COMM_SELF, group 1 of all, window 0,
///   strings 0 "" and up
struct Otf2TestTrace {
  using WriteEvents = std::function<void(OTF2_EvtWriter*, std::uint64_t location)>;
  using WriteDefinitions = std::function<void(OTF2_GlobalDefWriter*)>;

  std::uint64_t locations = 1;
  WriteEvents events;
  WriteDefinitions definitions;                                      // more of them; may be empty
  std::vector<std::pair<std::uint64_t, std::int64_t>> clock_offsets;  // time, offset
  bool lists_main_last = false;                                       // local region 0 is global region 1

  /// Writes FOLDER/traces.otf2 and the files that belong to it; returns its path.
  std::string write(const std::string& folder) const;

 private:
  void write_locations(OTF2_Archive* archive, std::vector<std::uint64_t>& event_counts) const;
  void write_local_definitions(OTF2_Archive* archive) const;
  void write_definitions(OTF2_Archive* archive, const std::vector<std::uint64_t>& event_counts) const;
};

inline std::string Otf2TestTrace::write(const std::string& folder) const {
  OTF2_Archive* archive = OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_MIN,
                                            OTF2_CHUNK_SIZE_MIN, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  static const OTF2_FlushCallbacks kFlush = {
      [](void*, OTF2_FileType, OTF2_LocationRef, void*, bool) -> OTF2_FlushType { return OTF2_FLUSH; },
      [](void*, OTF2_FileType, OTF2_LocationRef) { return OTF2_TimeStamp{0}; }};
  OTF2_Archive_SetFlushCallbacks(archive, &kFlush, nullptr);
  OTF2_Archive_SetSerialCollectiveCallbacks(archive);
  std::vector<std::uint64_t> event_counts;
  write_locations(archive, event_counts);
  write_local_definitions(archive);
  write_definitions(archive, event_counts);
  OTF2_Archive_Close(archive);
  return folder + "/traces.otf2";
}

inline void Otf2TestTrace::write_locations(OTF2_Archive* archive, std::vector<std::uint64_t>& event_counts) const {
  OTF2_Archive_OpenEvtFiles(archive);
  for (std::uint64_t i = 0; i < locations; ++i) {
    OTF2_EvtWriter* writer = OTF2_Archive_GetEvtWriter(archive, i);
    events(writer, i);
    OTF2_EvtWriter_GetNumberOfEvents(writer, &event_counts.emplace_back());
    OTF2_Archive_CloseEvtWriter(archive, writer);
  }
  OTF2_Archive_CloseEvtFiles(archive);
}

inline void Otf2TestTrace::write_local_definitions(OTF2_Archive* archive) const {
  OTF2_Archive_OpenDefFiles(archive);
  for (std::uint64_t i = 0; i < locations; ++i) {
    OTF2_DefWriter* writer = OTF2_Archive_GetDefWriter(archive, i);
    if (lists_main_last) {
      const std::uint64_t global[] = {1, 0};
      OTF2_IdMap* map = OTF2_IdMap_CreateFromUint64Array(2, global, false);
      OTF2_DefWriter_WriteMappingTable(writer, OTF2_MAPPING_REGION, map);
      OTF2_IdMap_Free(map);
    }
    for (const auto& [time, offset] : clock_offsets) OTF2_DefWriter_WriteClockOffset(writer, time, offset, 0);
    OTF2_Archive_CloseDefWriter(archive, writer);
  }
  OTF2_Archive_CloseDefFiles(archive);
}

inline void Otf2TestTrace::write_definitions(OTF2_Archive* archive,
                                             const std::vector<std::uint64_t>& event_counts) const {
  OTF2_GlobalDefWriter* writer = OTF2_Archive_GetGlobalDefWriter(archive);
  OTF2_GlobalDefWriter_WriteClockProperties(writer, 1000000, 100, 1000000, OTF2_UNDEFINED_TIMESTAMP);
  const char* const strings[] = {"", "main", "work", "MPI_COMM_WORLD", "MPI_COMM_SELF", "node", "/opt/run/app"};
  for (std::uint32_t i = 0; i < 7; ++i) OTF2_GlobalDefWriter_WriteString(writer, i, strings[i]);
  for (std::uint32_t i = 0; i < 2; ++i)
    OTF2_GlobalDefWriter_WriteRegion(writer, i, 1 + i, 1 + i, 0, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_USER,
                                     OTF2_REGION_FLAG_NONE, 0, 10, 20);
  OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, 5, 5, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
  std::vector<std::uint64_t> members;
  for (std::uint32_t i = 0; i < locations; ++i) {
    OTF2_GlobalDefWriter_WriteLocationGroup(writer, i, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                            OTF2_UNDEFINED_LOCATION_GROUP);
    OTF2_GlobalDefWriter_WriteLocation(writer, i, 0, OTF2_LOCATION_TYPE_CPU_THREAD, event_counts[i], i);
    members.push_back(i);
  }
  const auto count = static_cast<std::uint32_t>(locations);
  OTF2_GlobalDefWriter_WriteGroup(writer, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                  OTF2_GROUP_FLAG_NONE, count, members.data());
  OTF2_GlobalDefWriter_WriteGroup(writer, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                  count, members.data());
  OTF2_GlobalDefWriter_WriteGroup(writer, 2, 0, OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 0,
                                  nullptr);
  OTF2_GlobalDefWriter_WriteComm(writer, 0, 3, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  OTF2_GlobalDefWriter_WriteComm(writer, 1, 4, 2, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  OTF2_GlobalDefWriter_WriteRmaWin(writer, 0, 0, 0, OTF2_RMA_WIN_FLAG_NONE);
  if (definitions) definitions(writer);
}

}  // namespace tarry
