// archive.cpp -- the experiment directory.
#include "archive/archive.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "archive/files/manifest.hpp"
#include "archive/files/names.hpp"

namespace tarry {
namespace {

std::string in(const std::string& archive, std::string_view name) { return archive + "/" + std::string(name); }

// Names in a folder, without "." and "..", unsorted.
Result<std::vector<std::string>> list_folder(const std::string& path) {
  DIR* folder = ::opendir(path.c_str());
  if (!folder) return Error{path, system_error(), ""};
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(folder)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  ::closedir(folder);
  return names;
}

bool is_regular(const std::string& path) {
  struct stat facts;
  return ::lstat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode);
}

}  // namespace

std::string_view name_of(ArchiveState state) {
  static const std::string_view kNames[] = {"recording", "dead", "complete", "analysed"};
  return kNames[static_cast<int>(state)];
}

Status create_archive(const std::string& path) {
  if (::mkdir(path.c_str(), 0777) != 0) {
    if (errno == EEXIST)
      return Error{path, "exists already and is never overwritten", "name another folder or remove it"};
    return Error{path, system_error(), ""};
  }
  if (::mkdir(in(path, names::kEvents).c_str(), 0777) != 0) return Error{in(path, names::kEvents), system_error(), ""};
  return {};
}

bool is_archive(const std::string& path) {
  return is_directory(path) && (path_exists(in(path, names::kManifest)) || is_directory(in(path, names::kEvents)));
}

Status check_is_archive(const std::string& path) {
  if (is_archive(path)) return {};
  const std::string hint = "name the folder that 'tarry measure' made";
  if (!path_exists(path)) return Error{path, "no such file or directory", hint};
  if (!is_directory(path)) return Error{path, "is a file, not an archive (a folder)", hint};
  return Error{path, "is no archive: it holds neither manifest.xml nor events/", hint};
}

Result<File> lock_recording(const std::string& archive) {
  const std::string path = in(archive, names::kRecording);
  TARRY_TRY_ASSIGN(file, open_file(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK));
  // Without locks on this file system the file alone shows that a recording is going on.
  if (::flock(file.descriptor(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return Error{path, "is locked by another tool", "wait until it is done"};
  return file;
}

bool is_being_recorded(const std::string& archive) {
  const auto file = open_file(in(archive, names::kRecording), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  return file.ok() && ::flock(file.value().descriptor(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

ArchiveState state_of(const std::string& archive) {
  if (is_being_recorded(archive)) return ArchiveState::kRecording;
  if (path_exists(in(archive, names::kRecording))) return ArchiveState::kDead;
  const auto manifest = read_manifest(archive);
  if (!manifest.ok() || !manifest.value().is_complete) return ArchiveState::kDead;
  const bool is_analysed =
      path_exists(in(archive, names::kAnalysis)) || path_exists(in(archive, names::kAnalysisCompat));
  return is_analysed ? ArchiveState::kAnalysed : ArchiveState::kComplete;
}

std::string why_nothing_recorded(const std::string& archive) {
  const auto manifest = read_manifest(archive);
  return manifest.ok() && manifest.value().missing.starts_with(kNothingRecorded) ? manifest.value().missing : "";
}

bool is_spool_name(std::string_view name) { return name.ends_with(names::kSpoolSuffix); }

Result<std::vector<std::string>> list_event_files(const std::string& archive) {
  std::vector<std::string> files;
  const std::string folder = in(archive, names::kEvents);
  if (!path_exists(folder) && is_archive(archive)) return files;
  TARRY_TRY_ASSIGN(found, list_folder(folder));
  for (const std::string& name : found)
    if (name.ends_with(names::kContainerSuffix) || is_spool_name(name))
      files.push_back(std::string(names::kEvents) + "/" + name);
  std::sort(files.begin(), files.end(), [](const std::string& a, const std::string& b) {
    return std::pair(is_spool_name(a), a) < std::pair(is_spool_name(b), b);
  });
  return files;
}

Result<std::vector<std::string>> list_files(const std::string& archive) {
  std::vector<std::string> files;
  TARRY_TRY_ASSIGN(top, list_folder(archive));
  for (const std::string& name : top) {
    if (is_regular(in(archive, name))) files.push_back(name);
    if (name != names::kEvents || !is_directory(in(archive, name))) continue;
    TARRY_TRY_ASSIGN(events, list_folder(in(archive, name)));
    for (const std::string& event_file : events)
      if (is_regular(in(archive, name + "/" + event_file))) files.push_back(name + "/" + event_file);
  }
  std::sort(files.begin(), files.end());
  return files;
}

// An analysis and its tables: analysis.cubex, analysis-compat.cubex, analysis-instances.csv and so on.
static bool is_of_analysis(const std::string& name) {
  return name.starts_with("analysis") && (name.ends_with(".cubex") || name.ends_with(".csv"));
}

bool is_input_file(const std::string& input, const std::string& file) {
  if (is_same_file(input, file)) return true;
  if (!is_archive(input)) return false;
  auto files = list_files(input);
  if (!files.ok()) return false;
  return std::any_of(files->begin(), files->end(), [&](const std::string& name) {
    return !is_of_analysis(name) && is_same_file(in(input, name), file);
  });
}

}  // namespace tarry
