// bench_otf2_writer.cpp -- the yardstick of conversion to OTF2: OTF2's own writer, fed with the events of an archive.
//
// usage: bench_otf2_writer ARCHIVE FOLDER       prints million events per second
//
// One location after the other is read into memory, which does not count, and then written by plain calls of OTF2's
// functions; definitions too, as few as can be.
#include <otf2/otf2.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "archive/reading/open_source.hpp"
#include "write_otf2.hpp"

namespace {

using namespace tarry;

std::vector<Event> read(Source& source, LocationId location) {
  std::vector<Event> events;
  std::vector<RegionId> open;
  const auto reader = source.open(location);
  for (auto block = reader->next(); !block.empty(); block = reader->next())
    for (Event event : block) {
      if (event.kind == EventKind::kEnter) open.push_back(record_of<record::Enter>(event).region);
      if (event.kind == EventKind::kLeave) {
        set_record(event, record::Leave{.region = open.back()});
        open.pop_back();
      }
      events.push_back(event);
    }
  return events;
}

}  // namespace

int main(int argc, char** argv) {
  require(argc == 3, "naming an archive and a folder");
  const auto source = open_source(argv[1]);
  require(source.ok(), "opening the archive");
  const Definitions& all = source.value()->definitions();
  OTF2_Archive* archive = OTF2_Archive_Open(argv[2], "traces", OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20,
                                            OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  require(archive != nullptr, "making the OTF2 archive");
  static const OTF2_FlushCallbacks kFlush = {
      [](void*, OTF2_FileType, OTF2_LocationRef, void*, bool) -> OTF2_FlushType { return OTF2_FLUSH; }, nullptr};
  OTF2_Archive_SetFlushCallbacks(archive, &kFlush, nullptr);
  OTF2_Archive_SetSerialCollectiveCallbacks(archive);
  OTF2_Archive_OpenEvtFiles(archive);
  std::uint64_t count = 0;
  std::chrono::duration<double> elapsed{0};
  for (std::size_t i = 0; i < all.locations.size(); ++i) {
    const std::vector<Event> events = read(*source.value(), LocationId(i));
    const auto begin = std::chrono::steady_clock::now();
    OTF2_EvtWriter* writer = OTF2_Archive_GetEvtWriter(archive, i);
    for (const Event& event : events) write_otf2(writer, event);
    OTF2_Archive_CloseEvtWriter(archive, writer);
    elapsed += std::chrono::steady_clock::now() - begin;
    count += events.size();
  }
  OTF2_Archive_CloseEvtFiles(archive);
  OTF2_Archive_Close(archive);
  std::printf("%.4f\n", static_cast<double>(count) / elapsed.count() / 1e6);
  return 0;
}
