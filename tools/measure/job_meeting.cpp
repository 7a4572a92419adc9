// job_meeting.cpp -- how the `tarry measure` processes of one launcher's job share an archive.
#include "job_meeting.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>

#include "archive/files/names.hpp"
#include "base/files/file.hpp"
#include "base/files/temporary_file.hpp"

namespace tarry {
namespace {

std::string launch_file(const std::string& archive) { return archive + "/" + names::kLaunch; }
std::string out_file(const std::string& archive) { return launch_file(archive) + ".out"; }
std::string status_file(const std::string& archive) { return launch_file(archive) + ".status"; }
std::string last_file(const std::string& archive) { return launch_file(archive) + ".last"; }

std::string link_of(const std::string& file, const char* infix, std::uint32_t rank) {
  return file + infix + std::to_string(rank);
}

// A file that has its name only when it is whole. False if others have taken the name.
Result<bool> make_file(const std::string& path, const std::string& text) {
  TARRY_TRY_ASSIGN(draft, create_file_beside(path));
  Status made = write_all(draft.file(), text.data(), text.size(), path);
  bool is_taken = false;
  if (made.ok() && ::link(draft.name().c_str(), path.c_str()) != 0) {
    is_taken = errno == EEXIST;
    if (!is_taken) made = Error{path, system_error(), "hard links are needed there; name another folder with -o"};
  }
  if (!made.ok()) return made.error();
  return !is_taken;
}

// Without the line end; none if it cannot be read.
std::optional<std::string> read_line(const std::string& path) {
  const auto bytes = read_file(path);
  if (!bytes.ok()) return std::nullopt;
  const std::string text(bytes.value().begin(), bytes.value().end());
  return text.substr(0, text.find('\n'));
}

// Links beside the file's own name. A file system tells their number truly when the file is opened.
Result<std::uint64_t> count_links(const std::string& path) {
  TARRY_TRY_ASSIGN(file, open_file(path, O_RDONLY | O_NOFOLLOW));
  struct stat facts;
  if (::fstat(file.descriptor(), &facts) != 0) return Error{path, system_error(), ""};
  return facts.st_nlink - 1;
}

int read_status(const std::string& archive) {
  const std::string text = read_line(status_file(archive)).value_or("0");
  int status = 1;
  std::from_chars(text.data(), text.data() + text.size(), status);
  return status;
}

}  // namespace

Status JobMeeting::open(const std::string& archive) const {
  const std::string folder = archive + "/" + names::kMeetings;
  if (::mkdir(folder.c_str(), 0777) != 0) return Error{folder, system_error(), ""};
  for (const std::string& file : {launch_file(archive), out_file(archive)})
    if (const auto made = make_file(file, job_.id + "\n"); !made.ok()) return made.error();
  const auto entered = enter(archive);
  return entered.ok() ? Status() : Status(entered.error());
}

Result<bool> JobMeeting::enter(const std::string& archive) const {
  const std::string launch = launch_file(archive), link = link_of(launch, ".in.", job_.rank);
  if (read_line(launch) != job_.id) return false;
  if (::link(launch.c_str(), link.c_str()) == 0) return true;
  if (errno == EEXIST || errno == ENOENT) return false;  // ENOENT: its job is over
  return Error{link, system_error(), "hard links are needed there; name another folder with -o"};
}

std::string JobMeeting::sheet(int attempt) const { return ".tarry-job-" + job_.id + "." + std::to_string(attempt); }

Result<std::string> JobMeeting::agree_on_name(int attempt, const std::function<Result<std::string>()>& propose) const {
  constexpr int kAttempts = 100;
  for (int i = 0; i < kAttempts; ++i) {
    if (auto name = read_line(sheet(attempt)); name && !name->empty()) return *name;
    TARRY_TRY_ASSIGN(name, propose());
    TARRY_TRY_ASSIGN(is_first, make_file(sheet(attempt), name + "\n"));
    if (is_first) return name;
  }
  return Error{sheet(attempt), "cannot be read", "name the archive with -o"};
}

void JobMeeting::forget_names(const std::string& archive, int attempts) const {
  const auto there = count_links(launch_file(archive));
  if (!there.ok() || there.value() < job_.size) return;
  for (int attempt = 0; attempt < attempts; ++attempt) ::unlink(sheet(attempt).c_str());
}

Result<std::optional<int>> JobMeeting::leave(const std::string& archive, int status) const {
  const std::string text = std::to_string(status) + "\n";
  if (status != 0)
    if (const auto told = make_file(status_file(archive), text); !told.ok()) return told.error();
  const std::string out = out_file(archive), link = link_of(out, ".", job_.rank);
  if (::link(out.c_str(), link.c_str()) != 0) return Error{link, system_error(), ""};
  // Whoever makes the last link sees all of them; another one may, too.
  TARRY_TRY_ASSIGN(gone, count_links(out));
  if (gone < job_.size) return std::optional<int>();
  TARRY_TRY_ASSIGN(is_last, make_file(last_file(archive), ""));
  return is_last ? std::optional(read_status(archive)) : std::optional<int>();
}

}  // namespace tarry
