// archive_writer.hpp -- writes an archive from events in memory: import of other formats, synthetic traces.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "archive/files/manifest.hpp"
#include "archive/files/otf2_file.hpp"
#include "base/files/file.hpp"
#include "base/result.hpp"
#include "defs/unify.hpp"
#include "trace/container.hpp"
#include "trace/event.hpp"

namespace tarry {

struct WriterOptions {
  static constexpr std::size_t kUnlimited = ~std::size_t{0};

  std::string stage = "import";           // for the manifest
  std::string command = {};               // that writes the archive
  std::vector<std::string> inputs = {};   // files it reads, for the manifest
  std::size_t chunk_bytes = 256u << 10;   // of encoded records per chunk
  std::size_t memory_bytes = 256u << 20;  // of records waiting in all locations; beyond, short chunks are written.
                                          // kUnlimited: different locations may be written by different threads
  int level = 1;                          // of zlib; 0: not compressed
  bool is_chronological = false;          // chunks of all locations are in order of their first times
};

/// Usage: create, append events of any location in order of time, finish locations that are done (optional), close.
/// Without close() the archive stays in the state "dead" and holds what was written.
class ArchiveWriter {
 public:
  /// Makes the folder, which must not exist. `definitions` are global ones (consistent ids; event counts are set here).
  static Result<ArchiveWriter> create(const std::string& path, Definitions definitions, WriterOptions options = {});

  /// Appends events with global ids and times on the definitions' clock. Fails if time runs backwards, a kind is
  /// unknown, or the disk is full.
  Status append(LocationId location, std::span<const Event> events, const RecordExtras& extras = {});

  /// For imported traces: from now on extras are kept, beside the definitions that they refer to.
  Status keep_extras(std::span<const std::uint8_t> otf2_facts);

  /// Nothing more will come for `location`: its memory is given back.
  Status finish(LocationId location);

  /// Finishes everything, seals the container, writes definitions and manifest.
  Status close();

  /// Facts for the manifest that only the caller knows (program, exit status, settings, what is missing); set before
  /// close().
  Manifest& manifest() { return manifest_; }

 private:
  struct Stream {
    std::vector<std::uint8_t> records;
    std::vector<RegionId> open_regions;  // to leave out the region of a LEAVE that closes the innermost one
    ChunkHeader header;
    Ticks time = 0;
    bool is_finished = false;
    Otf2FileWriter::Stream extras;
  };

  Status encode(Stream& stream, const Event& event);
  Status flush(std::size_t location, bool is_last);
  Status limit_memory(std::size_t new_events);

  std::string path_;
  WriterOptions options_;
  Definitions definitions_;
  Manifest manifest_;
  std::vector<Stream> streams_;
  std::size_t waiting_bytes_ = 0;
  File recording_;
  std::optional<ContainerWriter> container_;
  std::optional<Otf2FileWriter> otf2_;
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();  // on both files
};

}  // namespace tarry
