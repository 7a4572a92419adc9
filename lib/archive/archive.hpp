// archive.hpp -- the experiment directory: creating and opening it, its files, and the states of its life.
//
// The life of an archive. `recording` is a file that everyone who records holds under a shared lock (flock); the kernel
// drops the lock of a process that dies. Anyone can tell the state from outside:
//
//   state      | recording        | definitions.tdef | manifest: complete | what it is
//   -----------+------------------+------------------+--------------------+--------------------------------------------
//   recording  | exists, locked   | any              | any                | a run is being recorded: read, do not touch
//   dead       | exists, unlocked | any              | any                | the recorder died; `tarry unify` salvages
//   dead       | none             | any              | no                 | salvaged: some process never closed
//   complete   | none             | any              | yes                | everything that was recorded is there
//   analysed   | none             | any              | yes                | and an analysis report is there
//
// A stage writes a file to a temporary name and renames it, so that a killed stage leaves the state as it was.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file.hpp"
#include "base/result.hpp"

namespace tarry {

enum class ArchiveState { kRecording, kDead, kComplete, kAnalysed };

/// "recording", "dead", "complete", "analysed".
std::string_view name_of(ArchiveState state);

/// Makes a new folder with events/ in it. Never touches what exists: the error names the folder.
Status create_archive(const std::string& path);

/// True if `path` is a folder with a manifest or an events folder in it.
bool is_archive(const std::string& path);

/// Fails unless is_archive(): what `path` is instead, and the way out.
Status check_is_archive(const std::string& path);

/// Creates `recording` if need be and takes the shared lock on it; the lock lasts as long as the file is open.
Result<File> lock_recording(const std::string& archive);

/// True if someone holds the lock: a recording is going on.
bool is_being_recorded(const std::string& archive);

/// Reads the state; see the table above. An archive without a manifest counts as not complete.
ArchiveState state_of(const std::string& archive);

/// How the manifest's `missing` begins in an archive of a run of which nothing was recorded; behind it is the cause.
inline constexpr char kNothingRecorded[] = "nothing was recorded: ";

/// The contents of that manifest; empty for other archives.
std::string why_nothing_recorded(const std::string& archive);

/// Names of the containers and spools, relative to the archive, sorted; containers first.
Result<std::vector<std::string>> list_event_files(const std::string& archive);

/// All regular files of the archive, relative to it, sorted.
Result<std::vector<std::string>> list_files(const std::string& archive);

/// True if writing to `file` would overwrite what a stage reads. That is `input` itself or, if it is an archive, any of
/// its files. Reports of analyses do not count: they are made anew.
bool is_input_file(const std::string& input, const std::string& file);

bool is_spool_name(std::string_view name);

}  // namespace tarry
