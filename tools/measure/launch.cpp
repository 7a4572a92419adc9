// launch.cpp -- runs the measured command as given and waits for it.
//
// A signal may come for us alone (`kill PID`): then the command must get it from us. Or it comes for the whole process
// group (Ctrl-C, a batch system): then the command has it already. To tell these apart, a sentinel process stays in the
// group and reports the signals it gets.
#include "launch.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "base/files/file.hpp"
#include "base/files/limit_signals.hpp"

namespace tarry {
namespace {

constexpr int kPassedOn[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
constexpr int kSentinelPatienceMs = 200;

sigset_t passed_on_set() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : kPassedOn) sigaddset(&set, signal);
  return set;
}

/// A child in our process group that writes one byte, the number, for each signal it gets.
class Sentinel {
 public:
  Sentinel() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return;
    reading_ = File(ends[0]);
    const File writing(ends[1]);
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ == 0) watch(writing.descriptor(), parent);
  }
  ~Sentinel() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Sentinel(const Sentinel&) = delete;
  Sentinel& operator=(const Sentinel&) = delete;

  /// True if the sentinel got `signal` too, which means that everybody did.
  bool has_seen(int signal) const {
    if (pid_ <= 0) return false;
    pollfd waiting{reading_.descriptor(), POLLIN, 0};
    unsigned char number = 0;
    while (::poll(&waiting, 1, kSentinelPatienceMs) == 1 && ::read(reading_.descriptor(), &number, 1) == 1)
      if (number == signal) return true;
    return false;
  }

 private:
  // Signals are blocked, as in the parent. Ends with the parent.
  [[noreturn]] static void watch(int descriptor, pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const sigset_t set = passed_on_set();
    while (::getppid() == parent) {
      const int signal = ::sigwaitinfo(&set, nullptr);
      const auto number = static_cast<unsigned char>(signal);
      if (signal > 0 && ::write(descriptor, &number, 1) != 1) break;
    }
    ::_exit(0);
  }

  File reading_;
  pid_t pid_ = -1;
};

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> list;
  for (const std::string& word : words) list.push_back(const_cast<char*>(word.c_str()));
  list.push_back(nullptr);
  return list;
}

// errno of the failure, or 0.
int spawn(const std::vector<std::string>& command, const Environment& environment, const sigset_t& mask, pid_t& child) {
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  const sigset_t defaults = changed_write_signals();
  posix_spawnattr_setsigmask(&attributes, &mask);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  const int failure = posix_spawnp(&child, command[0].c_str(), nullptr, &attributes, pointers(command).data(),
                                   pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  return failure;
}

LaunchOutcome failed_start(int failure) {
  errno = failure;
  LaunchOutcome outcome;
  outcome.problem = system_error();
  outcome.status = failure == ENOENT ? 127 : 126;
  return outcome;
}

int shell_status(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

// Until the child is gone; passes on what was meant for it. Its status as waitpid() gives it.
int await(pid_t child, const sigset_t& waited, const Sentinel& sentinel) {
  for (;;) {
    int status = 0;
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child) return status;
    if (ended < 0 && errno != EINTR) return W_EXITCODE(1, 0);
    const int signal = ::sigwaitinfo(&waited, nullptr);
    if (signal > 0 && signal != SIGCHLD && !sentinel.has_seen(signal)) ::kill(child, signal);
  }
}

}  // namespace

LaunchOutcome launch(const std::vector<std::string>& command, const Environment& environment) {
  sigset_t waited = passed_on_set(), before;
  sigaddset(&waited, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &waited, &before);
  LaunchOutcome outcome;
  {
    const Sentinel sentinel;
    pid_t child = -1;
    if (const int failure = spawn(command, environment, before, child)) {
      outcome = failed_start(failure);
    } else {
      outcome.has_started = true;
      const int status = await(child, waited, sentinel);
      outcome.status = shell_status(status);
      outcome.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    }
  }
  // What arrived too late to be passed on shall not end us before the archive is finished.
  const timespec no_time{};
  while (::sigtimedwait(&waited, nullptr, &no_time) > 0) continue;
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  return outcome;
}

LaunchOutcome become(const std::vector<std::string>& command, const Environment& environment) {
  restore_write_signals();
  ::execvpe(command[0].c_str(), pointers(command).data(), pointers(environment).data());
  const int failure = errno;
  ignore_write_signals();
  return failed_start(failure);
}

void end_by(int signal) {
  const rlimit no_core{};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::signal(signal, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
  ::raise(signal);
}

}  // namespace tarry
