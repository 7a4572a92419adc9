// meetings.cpp -- how processes learn that the recorder is in others, too.
#include "measure/core/meetings.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string_view>

#include "archive/names.hpp"
#include "base/file.hpp"
#include "base/owned_file.hpp"
#include "measure/core/host.hpp"
#include "measure/core/process_start.hpp"
#include "measure/core/runtime.hpp"
#include "measure/core/say.hpp"
#include "measure/core/settings.hpp"

namespace tarry::measure {
namespace {

constexpr std::string_view kAnnouncement = "spawn.", kAnswer = "answer.", kRoll = "world.";

std::string folder_of(const std::string& archive) { return archive + "/" + names::kMeetings; }

// It goes with the last file in it.
void remove_file(const std::string& path) {
  ::unlink(path.c_str());
  ::rmdir(path.substr(0, path.rfind('/')).c_str());
}

// True if it was not there before. Others may remove the folder before the file is in it.
bool make_file(const std::string& folder, const std::string& path) {
  constexpr int kAttempts = 100;
  for (int i = 0; i < kAttempts; ++i) {
    ::mkdir(folder.c_str(), 0777);
    if (OwnedFile::open(path, O_WRONLY | O_CREAT | O_EXCL).ok()) return true;
    if (path_exists(path)) return false;
  }
  return false;
}

// Of `path` beside its own name; 0 if it cannot be looked at.
std::uint64_t count_links(const std::string& path) {
  auto file = OwnedFile::open(path, O_RDONLY);
  struct stat facts;
  if (!file.ok() || ::fstat(file->descriptor(), &facts) != 0) return 0;
  return facts.st_nlink > 0 ? facts.st_nlink - 1 : 0;
}

std::string name_of_process() { return host_name() + "." + std::to_string(process_id()); }

// Launchers that start several programs as one world say so. Where `tarry measure` is inside of the launcher, it may
// be there in some processes only. The name of such a world; empty elsewhere.
std::string world_of_several_programs() {
  const char* const programs = std::getenv("OMPI_NUM_APP_CTX");
  const char* const job = std::getenv(kJobVariable);
  const char* const world = std::getenv("PMIX_NAMESPACE");
  const bool has_several = programs && std::strtol(programs, nullptr, 10) >= 2;
  if (!job && !(has_several && world)) return {};
  std::string name(world ? world : job);
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

std::vector<std::string> find_announcements(const std::string& folder) {
  std::vector<std::string> found;
  DIR* const listed = ::opendir(folder.c_str());
  if (!listed) return found;
  while (const dirent* entry = ::readdir(listed))
    if (std::string_view(entry->d_name).starts_with(kAnnouncement)) found.emplace_back(entry->d_name);
  ::closedir(listed);
  return found;
}

}  // namespace

RollCall::RollCall(const std::string& archive) {
  const std::string world = world_of_several_programs();
  is_called_ = !world.empty();
  if (!is_called_ || archive.empty()) return;
  const std::string folder = folder_of(archive), name = std::string(kRoll) + world;
  ::mkdir(archive.c_str(), 0777);
  ::mkdir((archive + "/" + names::kEvents).c_str(), 0777);
  roll_ = folder + "/" + name;
  is_caller_ = make_file(folder, roll_);
  link_ = folder + "/" + std::string(kAnswer) + name + "." + name_of_process();
  if (::link(roll_.c_str(), link_.c_str()) != 0) link_.clear();
}

bool RollCall::is_complete(std::uint64_t processes, int rank) const {
  if (!is_called_) return true;
  const std::uint64_t there = roll_.empty() ? 0 : count_links(roll_);
  if (there >= processes) return true;
  if (roll_.empty() && rank == 0 && is_recording_wanted())
    say("a job of several programs is recorded only into an archive that TARRY_ARCHIVE names: nothing is recorded");
  if (is_caller_)
    say("the recorder is in " + std::to_string(there) + " of " + std::to_string(processes) +
        " processes only (a program that is static, or that a wrapper starts without LD_PRELOAD or TARRY_ARCHIVE, "
        "has none): nothing is recorded");
  return false;
}

void RollCall::dismiss() const {
  if (is_caller_) remove_file(roll_);
  if (!link_.empty()) remove_file(link_);
}

Announcement::Announcement(const std::string& archive, std::uint32_t number) {
  static std::atomic<std::uint32_t> serial = 0;
  const std::string folder = folder_of(archive);
  std::string path = folder + "/" + std::string(kAnnouncement) + std::to_string(number) + "." +
                     std::to_string(serial.fetch_add(1));
  if (make_file(folder, path)) path_ = std::move(path);
}

Announcement::~Announcement() {
  if (!path_.empty()) remove_file(path_);
}

std::uint64_t Announcement::count_answers() const { return path_.empty() ? 0 : count_links(path_); }

Answers::Answers(const std::string& archive) {
  if (archive.empty()) return;
  const std::string folder = folder_of(archive) + "/";
  for (const std::string& announcement : find_announcements(folder)) {
    std::string link = folder + std::string(kAnswer) + announcement + "." + name_of_process();
    if (::link((folder + announcement).c_str(), link.c_str()) == 0) links_.push_back(std::move(link));
  }
}

Answers::~Answers() {
  for (const std::string& link : links_) remove_file(link);
}

}  // namespace tarry::measure
