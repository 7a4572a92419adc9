// archive_source.hpp -- an archive as a source of events: containers, and spools that killed processes left.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "archive/reading/contents.hpp"
#include "archive/reading/location_reader.hpp"
#include "archive/files/otf2_file.hpp"
#include "trace/correction.hpp"
#include "trace/source.hpp"

namespace tarry {

struct OpenOptions {
  /// Events per block that a reader hands out; a reader takes 64 bytes for each, and one chunk.
  std::size_t block_events = 512;
  /// Apply the measured clock offsets (only processes that do not share the global clock have any).
  bool apply_offsets = true;
  /// Regions as they are called from one place are regions of their own. Otherwise they are their bases.
  bool has_call_sites = true;
  /// Apply what `tarry sync` left on top of them.
  bool apply_corrections = true;
};

/// Events with global ids and corrected times. Faults of containers and definitions are noted on opening. Those of a
/// location are noted when its events are read: once, by the forward reader that comes there first.
class ArchiveSource : public Source {
 public:
  /// Fails if nothing is usable: no archive, of a newer version, no events in it.
  static Result<std::unique_ptr<ArchiveSource>> open(const std::string& path, const OpenOptions& options);

  const Definitions& definitions() const override { return unified_.global; }
  const UnifiedDefinitions& unified() const { return unified_; }
  const std::string& path() const override { return path_; }
  std::unique_ptr<EventReader> open(LocationId location) override;
  FaultLog& faults() override { return faults_; }
  const ArchiveContents& contents() const { return contents_; }
  void rest() override;
  Status keep_extras() override;
  std::span<const std::uint8_t> otf2_facts() const override;

  /// A reader that starts behind the last event of `location`. It hands out what the forward reader does, and notes no
  /// faults.
  std::unique_ptr<BackwardReader> open_backward(LocationId location);

 private:
  ArchiveSource(std::string path, const OpenOptions& options) : path_(std::move(path)), options_(options) {}
  Status take_definitions(Result<UnifiedDefinitions> unified);
  Status load_corrections();
  void find_streams();
  void note_that_it_goes_on();
  void note_missing();

  std::string path_;
  OpenOptions options_;
  FaultLog faults_;
  ArchiveContents contents_;
  UnifiedDefinitions unified_;
  std::vector<TimeMap> time_maps_;  // of each process
  Corrections corrections_;
  std::vector<LocationStream> streams_;  // of each location
  std::optional<Otf2File> otf2_;         // of an imported trace, if its extras are kept
};

/// The same as a plain source.
Result<std::unique_ptr<Source>> open_archive(const std::string& path, const OpenOptions& options = {});

}  // namespace tarry
