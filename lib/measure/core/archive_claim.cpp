// archive_claim.cpp -- which archive a program is recorded into, and the numbers of its processes there.
#include "measure/core/archive_claim.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "archive/files/manifest.hpp"
#include "archive/files/names.hpp"
#include "base/processes/environment_value.hpp"
#include "base/files/file.hpp"
#include "base/files/owned_file.hpp"
#include "measure/core/host.hpp"
#include "measure/core/runtime.hpp"
#include "measure/core/say.hpp"

namespace tarry::measure {
namespace {

constexpr int kMaxArchiveNumber = 100000;
constexpr std::size_t kMostMarkBytes = 1024;

// For a program that runs without `tarry measure`: tarry-PROGRAM-N/ with the next free N.
bool make_archive(Settings& settings) {
  char folder[kMaxArchivePath];
  if (!::getcwd(folder, sizeof folder)) return false;
  for (int number = 1; number < kMaxArchiveNumber; ++number) {
    const std::string path = std::string(folder) + "/tarry-" + program_name() + "-" + std::to_string(number);
    if (path.size() >= kMaxArchivePath) return false;
    if (::mkdir(path.c_str(), 0777) != 0) {
      if (errno == EEXIST) continue;
      say(path + ": " + system_error() + " (set TARRY_ARCHIVE to a folder that can be written); nothing is recorded");
      return false;
    }
    std::memcpy(settings.archive, path.c_str(), path.size() + 1);
    return true;
  }
  return false;
}

// The folder that TARRY_ARCHIVE names, made if it is not there. Its path must outlive the program's working folder.
// Under `tarry measure` it is there, except in a container that has another folder of that name.
bool open_named_archive(Settings& settings) {
  const std::string named = settings.archive;
  if (environment_value(kParentVariable) && !path_exists(named)) {
    say(named + ": is not there for " + program_name() +
        " (in a container? Name a folder that it sees with -o); nothing is recorded");
    return false;
  }
  if (::mkdir(named.c_str(), 0777) != 0 && errno != EEXIST) {
    say(named + ": " + system_error() + "; nothing is recorded");
    return false;
  }
  char folder[kMaxArchivePath];
  if (named[0] == '/' || !::getcwd(folder, sizeof folder)) return true;
  const std::string path = std::string(folder) + "/" + named;
  if (path.size() < kMaxArchivePath) std::memcpy(settings.archive, path.c_str(), path.size() + 1);
  return true;
}

// What a mark holds: the lines "FIRST PROCESSES", the clock of its process 0, and the name of a job without MPI.
struct WorldMark {
  std::uint32_t first = 0;
  std::uint32_t processes = 0;
  std::string clock, job;

  std::uint32_t next() const { return first + processes; }
};

std::string text_of(const WorldMark& mark) {
  return std::to_string(mark.first) + " " + std::to_string(mark.processes) + "\n" + mark.clock + "\n" + mark.job + "\n";
}

std::string take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  return std::string(line);
}

std::optional<WorldMark> read_mark(const std::string& path) {
  auto file = OwnedFile::open(path, O_RDONLY);
  char text[kMostMarkBytes];
  const ssize_t size = file.ok() ? ::read(file->descriptor(), text, sizeof text) : -1;
  if (size <= 0) return std::nullopt;
  WorldMark mark;
  const char* const end = text + size;
  const auto first = std::from_chars(text, end, mark.first);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != ' ') return std::nullopt;
  const auto processes = std::from_chars(first.ptr + 1, end, mark.processes);
  if (processes.ec != std::errc() || processes.ptr == end || *processes.ptr != '\n') return std::nullopt;
  std::string_view rest(processes.ptr + 1, static_cast<std::size_t>(end - processes.ptr - 1));
  mark.clock = take_line(rest);
  mark.job = take_line(rest);
  const bool is_possible = mark.first <= kMostRanks && mark.processes <= kMostRanks;
  return is_possible ? std::optional(mark) : std::nullopt;
}

bool write_text(const OwnedFile& file, const std::string& text) {
  return ::write(file.descriptor(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

bool make_events_folder(const Settings& settings) {
  const std::string folder = std::string(settings.archive) + "/" + names::kEvents;
  if (::mkdir(folder.c_str(), 0777) == 0 || errno == EEXIST) return true;
  say(folder + ": " + system_error() + "; nothing is recorded");
  return false;
}

void complain_of_other_job(const Settings& settings) {
  say(std::string(settings.archive) + ": holds another MPI job or program already (measure one at a time); " +
      program_name() + " is not recorded");
}

// One archive holds one job: the first one to leave its mark.
bool leave_mark(const Settings& settings, std::uint32_t processes) {
  if (!make_events_folder(settings)) return false;
  const std::string mark = std::string(settings.archive) + "/" + names::kJob;
  auto left = OwnedFile::open(mark, O_WRONLY | O_CREAT | O_EXCL);
  if (left.ok()) {
    write_text(*left, text_of({0, processes, clock_domain(), {}}));  // worlds that find it empty are not recorded
    return true;
  }
  if (path_exists(mark)) complain_of_other_job(settings);
  else say(mark + ": " + left.error().why + "; nothing is recorded");
  return false;
}

// The number of worlds that have left their marks, which follow each other without a gap.
std::uint64_t count_worlds(const std::string& archive) {
  const auto is_there = [&](std::uint64_t number) { return path_exists(archive + "/" + names::world(number)); };
  std::uint64_t absent = 1;
  while (is_there(absent)) absent *= 2;
  std::uint64_t present = absent / 2;
  while (absent - present > 1) {
    const std::uint64_t middle = present + (absent - present) / 2;
    (is_there(middle) ? present : absent) = middle;
  }
  return absent;
}

// A mark gets its name when it is whole, so that no process reads half of it. False if others have taken that name;
// empty if none can be had.
std::optional<bool> leave_world_mark(const std::string& archive, std::uint64_t number, const std::string& text) {
  const std::string mark = archive + "/" + names::world(number);
  const std::string draft = mark + "." + host_name() + "." + std::to_string(process_id()) + ".tmp";
  auto file = OwnedFile::open(draft, O_WRONLY | O_CREAT | O_EXCL);
  std::optional<bool> is_left;
  if (file.ok() && write_text(*file, text)) {
    if (::link(draft.c_str(), mark.c_str()) == 0) is_left = true;
    else if (errno == EEXIST) is_left = false;
  }
  if (file.ok()) ::unlink(draft.c_str());
  return is_left;
}

bool refuse(const Settings& settings, const std::string& why) {
  say(std::string(settings.archive) + ": " + why + "; the processes of " + program_name() + " are not recorded");
  return false;
}

}  // namespace

bool claim_archive(Settings& settings, std::uint32_t processes) {
  const bool is_there = settings.archive[0] ? open_named_archive(settings) : make_archive(settings);
  return is_there && leave_mark(settings, processes);
}

bool claim_archive_together(Settings& settings, std::uint32_t processes, const std::string& job) {
  if (!open_named_archive(settings) || !make_events_folder(settings)) return false;
  const std::string archive = settings.archive;
  const auto is_left = leave_world_mark(archive, 0, text_of({0, processes, clock_domain(), job}));
  if (!is_left) {
    say(archive + ": the name of the job cannot be written; nothing is recorded");
    return false;
  }
  if (*is_left) return true;
  const auto mark = read_mark(archive + "/" + names::kJob);
  if (mark && mark->job == job && mark->processes == processes) return true;
  complain_of_other_job(settings);
  return false;
}

bool join_archive(const Settings& settings, std::uint32_t processes, WorldPlace& place) {
  const std::string archive = settings.archive;
  const auto job = read_mark(archive + "/" + names::kJob);
  if (!job) return refuse(settings, "does not say which processes it holds");
  for (std::uint64_t number = count_worlds(archive);; ++number) {
    const auto last = read_mark(archive + "/" + names::world(number - 1));
    if (!last || last->next() + processes > kMostRanks) return refuse(settings, "holds too many processes");
    const WorldMark mark{last->next(), processes, clock_domain(), {}};
    const auto is_left = leave_world_mark(archive, number, text_of(mark));
    if (!is_left) return refuse(settings, "the number of another world of processes cannot be written");
    if (!*is_left) continue;
    place = {WorldRank(mark.first), mark.clock == job->clock};
    return true;
  }
}

}  // namespace tarry::measure
