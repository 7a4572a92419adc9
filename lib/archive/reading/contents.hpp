// contents.hpp -- what the container files and spools of an archive hold, sorted by process and thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "archive/profile/profile_codec.hpp"
#include "base/result.hpp"
#include "defs/definitions.hpp"
#include "defs/unify.hpp"
#include "trace/container.hpp"
#include "trace/faults.hpp"

namespace tarry {

/// One chunk of an archive: which file, and where in it.
struct ChunkPlace {
  std::uint32_t file = 0;  // index into ArchiveContents::files()
  ChunkRef chunk;
};

/// The chunks of one process, each list in the order of sequence numbers, every number at most once.
struct ProcessChunks {
  std::vector<ChunkPlace> definitions;
  std::map<std::uint32_t, std::vector<ChunkPlace>> events;          // by thread
  std::map<std::uint32_t, std::vector<ChunkPlace>> profiles;        // by thread
  std::map<std::uint32_t, std::vector<ChunkPlace>> profile_memory;  // by thread: what a killed process left of them
};

/// All containers and spools of an archive, open for reading. A chunk is both in a container and in a spool if its
/// process was killed while it closed its recording. Then the container's is taken if it is whole.
class ArchiveContents {
 public:
  /// Fails only if the folder cannot be listed. Files that cannot be read, damaged stretches and repeated chunks are
  /// noted in `faults`.
  static Result<ArchiveContents> open(const std::string& archive, FaultLog& faults);

  const std::vector<Container>& files() const { return files_; }
  const Container& file_of(const ChunkPlace& place) const { return files_[place.file]; }
  const std::map<std::uint32_t, ProcessChunks>& processes() const { return processes_; }

  /// The chunks of events of a thread, in order; empty if there are none.
  std::span<const ChunkPlace> events_of(std::uint32_t process, std::uint32_t thread) const;

  /// Files in the archive's events folder that are none of ours or cannot be read at all.
  const std::vector<Error>& unreadable() const { return unreadable_; }

  bool has_events() const;

  /// Payload of a chunk, with `padding` zero bytes behind it.
  Status load(const ChunkPlace& place, std::size_t padding, std::vector<std::uint8_t>& out) const {
    return file_of(place).load(place.chunk, padding, out);
  }

  /// Notes that a chunk cannot be used: file, byte, whose chunk it is, and why.
  void note_damaged(const ChunkPlace& place, const std::string& why, FaultLog& faults) const;

  /// The definitions of process `number` as far as they can be read. They have exactly one process entry (rank
  /// `number`), and one location for each thread that has chunks.
  Definitions load_definitions(std::uint32_t number, FaultLog& faults) const;

 private:
  void add_file(Container file);
  bool is_there(const ChunkHeader& header) const;
  std::size_t note_damage(const Container& file, FaultLog& faults) const;
  void sort_and_deduplicate(std::vector<ChunkPlace>& chunks, FaultLog& faults) const;

  std::vector<Container> files_;
  std::vector<Error> unreadable_;
  std::map<std::uint32_t, ProcessChunks> processes_;
};

/// The call-path summary of one thread; regions, counters and communicators are numbered globally. Counters as in
/// Profile.
struct ThreadProfile {
  LocationId location;
  std::vector<ProfileNode> nodes;
  std::vector<IterationCluster> clusters = {};
  std::vector<std::uint32_t> counters = {};
  std::vector<std::uint64_t> counter_values = {};
  std::vector<ReceiverCount> receivers = {};
  std::vector<FileCount> files = {};
  std::vector<ForkPlace> forks = {}, teams = {};
};

/// Calls visit(profile) for all threads that have a summary, in the order of locations. Holds one at a time. Unreadable
/// ones are noted in `faults`.
void for_each_profile(const ArchiveContents& contents, const UnifiedDefinitions& unified, FaultLog& faults,
                      const std::function<void(ThreadProfile&&)>& visit);

/// All of them.
std::vector<ThreadProfile> read_profiles(const ArchiveContents& contents, const UnifiedDefinitions& unified,
                                         FaultLog& faults);

}  // namespace tarry
