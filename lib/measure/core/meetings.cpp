// meetings.cpp -- how processes learn that the recorder is in others, too.
#include "measure/core/meetings.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <string_view>

#include "archive/files/names.hpp"
#include "base/bytes/crc32.hpp"
#include "base/files/file.hpp"
#include "base/files/owned_file.hpp"
#include "measure/core/host.hpp"
#include "measure/core/launched_world.hpp"
#include "measure/core/process_start.hpp"
#include "measure/core/runtime.hpp"
#include "measure/core/say.hpp"

namespace tarry::measure {
namespace {

constexpr std::string_view kAnnouncement = "spawn.", kAnswer = "answer.", kRoll = "world.", kAccept = "accept.",
                           kConnect = "connect.";

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

bool is_empty_file(const std::string& path) {
  auto file = OwnedFile::open(path, O_RDONLY);
  struct stat facts;
  return !file.ok() || ::fstat(file->descriptor(), &facts) != 0 || facts.st_size == 0;
}

// Of a place: names of ports are too long for names of files.
std::string key_of(std::string_view place) {
  return std::to_string(crc32(place.data(), place.size())) + "." + std::to_string(place.size()) + ".";
}

constexpr int kMostSecondsForConnector = 5, kMostSecondsForAcceptor = 60;

template <class Condition>
void wait_until(int seconds, Condition is_true) {
  using Clock = std::chrono::steady_clock;
  for (const auto end = Clock::now() + std::chrono::seconds(seconds); !is_true() && Clock::now() < end;) ::usleep(1000);
}

std::string name_of_process() { return host_name() + "." + std::to_string(process_id()); }

std::vector<std::string> find_files(const std::string& folder, std::string_view beginning) {
  std::vector<std::string> found;
  DIR* const listed = ::opendir(folder.c_str());
  if (!listed) return found;
  while (const dirent* entry = ::readdir(listed))
    if (std::string_view(entry->d_name).starts_with(beginning)) found.emplace_back(entry->d_name);
  ::closedir(listed);
  return found;
}

}  // namespace

RollCall::RollCall(const std::string& archive) {
  const LaunchedWorld world = launched_world();
  // Processes may have several working folders: they find each other at a full path.
  is_called_ = world.has_several_programs || (!world.name.empty() && archive.starts_with('/'));
  if (!is_called_ || archive.empty()) return;
  const std::string folder = folder_of(archive), name = std::string(kRoll) + world.name;
  ::mkdir(archive.c_str(), 0777);
  ::mkdir((archive + "/" + names::kEvents).c_str(), 0777);
  roll_ = folder + "/" + name;
  is_caller_ = make_file(folder, roll_);
  link_ = folder + "/" + std::string(kAnswer) + name + "." + name_of_process();
  if (::link(roll_.c_str(), link_.c_str()) == 0) return;
  link_.clear();
  const bool has_no_links = errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS;  // that file system
  if (has_no_links && !world.has_several_programs) is_called_ = false;
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

Announcement::Announcement(const std::string& archive, WorldRank process) {
  static std::atomic<std::uint32_t> serial = 0;
  const std::string folder = folder_of(archive);
  std::string path = folder + "/" + std::string(kAnnouncement) + std::to_string(process.value) + "." +
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
  for (const std::string& announcement : find_files(folder, kAnnouncement)) {
    std::string link = folder + std::string(kAnswer) + announcement + "." + name_of_process();
    if (::link((folder + announcement).c_str(), link.c_str()) == 0) links_.push_back(std::move(link));
  }
}

Answers::~Answers() {
  for (const std::string& link : links_) remove_file(link);
}

// A process that accepts makes a file, with one name for the others and one of its own. One that connects makes another
// file. Once connected, it gives the first file a third name, if that file is there. The process that accepts takes the
// first name away, so that no process comes later. It writes into the file if exactly one process has come.

Handshake::Handshake(const std::string& archive, Side side, std::string_view place) {
  static std::atomic<std::uint32_t> serial = 0;
  if (archive.empty() || place.empty()) return;
  folder_ = folder_of(archive) + "/";
  side_ = side;
  key_ = key_of(place);
  const std::string own = name_of_process() + "." + std::to_string(serial.fetch_add(1));
  if (side == Side::kConnects) {
    own_ = folder_ + std::string(kConnect) + key_ + own;
    make_file(folder_of(archive), own_);
    return;
  }
  const std::string open = folder_ + std::string(kAccept) + key_;
  own_ = folder_ + "accepting." + key_ + own;
  if (make_file(folder_of(archive), own_) && ::link(own_.c_str(), open.c_str()) == 0) {
    open_ = open;
    return;
  }
  // Two threads accept at the same port: it is unknown which of them is connected with it. A folder stays instead.
  ::unlink(open.c_str());
  ::mkdir(open.c_str(), 0777);
}

Handshake::~Handshake() { end(); }

void Handshake::end() {
  if (!open_.empty()) ::unlink(open_.c_str());
  if (!own_.empty()) remove_file(own_);
  open_.clear();
  own_.clear();
}

bool Handshake::is_met() {
  if (own_.empty()) return false;
  const bool is_met = side_ == Side::kConnects ? connect() : accept();
  end();
  return is_met;
}

bool Handshake::is_anybody_connecting() const { return !find_files(folder_, std::string(kConnect) + key_).empty(); }

bool Handshake::accept() {
  if (open_.empty()) return false;
  wait_until(kMostSecondsForConnector, [this] {
    const bool may_come = is_anybody_connecting();  // who comes takes this away after it has come
    return count_links(own_) > 1 || !may_come;
  });
  if (::unlink(open_.c_str()) != 0 || count_links(own_) != 1) return false;
  open_.clear();
  auto file = OwnedFile::open(own_, O_WRONLY);
  return file.ok() && ::write(file->descriptor(), "y", 1) == 1;
}

bool Handshake::connect() const {
  const std::string link = folder_ + std::string(kAnswer) + own_.substr(folder_.size());
  if (::link((folder_ + std::string(kAccept) + key_).c_str(), link.c_str()) != 0) return false;
  ::unlink(own_.c_str());
  bool is_met = false;
  wait_until(kMostSecondsForAcceptor, [&] {
    const bool is_over = count_links(link) == 0;  // whatever is written has been written before
    is_met = !is_empty_file(link);
    return is_met || is_over;
  });
  remove_file(link);
  return is_met;
}

}  // namespace tarry::measure
