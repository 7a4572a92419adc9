// input_file.cpp -- opens what a user or a file names as an input, without waiting for anybody and without surprises.
#include "base/files/input_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace tarry {
namespace {

constexpr int kPatienceMilliseconds = 2000;  // for a writer who opens the pipe a little later
constexpr int kPauseMilliseconds = 10;

// O_NONBLOCK: a pipe or a device that took the place of the file since stat() must not keep us.
Result<File> open_now(const std::string& path) { return open_file(path, O_RDONLY | O_NONBLOCK | O_NOCTTY); }

Status check_is_regular(unsigned mode, const std::string& path) {
  if (S_ISREG(mode)) return {};
  return Error{path, what_it_is(mode) + ", not a file", ""};
}

// A pipe without a writer is at its end at once; poll() does not tell it from one whose writer takes its time. tee()
// does, and takes nothing out of the pipe.
Status await_writer(const File& pipe, const std::string& path) {
  int copy[2];
  if (::pipe2(copy, O_CLOEXEC | O_NONBLOCK) != 0) return Error{path, system_error(), ""};
  const File copy_out(copy[0]), copy_in(copy[1]);
  for (int waited = 0; waited < kPatienceMilliseconds; waited += kPauseMilliseconds) {
    const ssize_t seen = ::tee(pipe.descriptor(), copy_in.descriptor(), 1, SPLICE_F_NONBLOCK);
    if (seen > 0 || (seen < 0 && errno == EAGAIN)) return {};
    if (seen < 0) return Error{path, system_error(), ""};
    ::poll(nullptr, 0, kPauseMilliseconds);
  }
  return Error{path, "is a pipe without a writer", ""};
}

}  // namespace

std::string what_it_is(unsigned mode) {
  if (S_ISREG(mode)) return "";
  return S_ISDIR(mode)                    ? "is a folder"
         : S_ISFIFO(mode)                 ? "is a pipe"
         : S_ISSOCK(mode)                 ? "is a socket"
         : S_ISCHR(mode) || S_ISBLK(mode) ? "is a device"
                                          : "is something else";
}

bool is_pipe(const std::string& path) {
  struct stat facts;
  return ::stat(path.c_str(), &facts) == 0 && S_ISFIFO(facts.st_mode);
}

Result<File> open_input(const std::string& path) {
  // Before it is opened: opening some devices does something.
  struct stat facts;
  if (::stat(path.c_str(), &facts) != 0) return Error{path, system_error(), ""};
  TARRY_TRY(check_is_regular(facts.st_mode, path));
  TARRY_TRY_ASSIGN(file, open_now(path));
  if (::fstat(file.descriptor(), &facts) != 0) return Error{path, system_error(), ""};
  TARRY_TRY(check_is_regular(facts.st_mode, path));
  return file;
}

Result<File> open_stream(const std::string& path) {
  if (path == "-") return File(::dup(STDIN_FILENO));
  if (!is_pipe(path)) return open_input(path);
  TARRY_TRY_ASSIGN(file, open_now(path));
  TARRY_TRY(await_writer(file, path));
  const int flags = ::fcntl(file.descriptor(), F_GETFL);
  if (flags < 0 || ::fcntl(file.descriptor(), F_SETFL, flags & ~O_NONBLOCK) != 0)
    return Error{path, system_error(), ""};
  return file;
}

}  // namespace tarry
