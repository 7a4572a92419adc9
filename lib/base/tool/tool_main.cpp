// tool_main.cpp -- the boundary between a tool and the system.
#include "base/tool/tool_main.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <new>
#include <stdexcept>
#include <system_error>

#include "base/files/limit_signals.hpp"
#include "base/tool/log.hpp"
#include "base/files/temporary_file.hpp"

namespace tarry {
namespace {

constexpr char kNoMemory[] = "memory: there is not enough (allow more: ulimit -v)";

int g_failure_status = 1;
std::string g_subject;

Error out_of_memory() {
  return {g_subject.empty() ? "memory" : g_subject, "there is not enough memory", "allow more: ulimit -v"};
}

// The last way: needs no memory, and a signal handler may call it.
void print_plainly(const char* text) {
  const char* parts[] = {program_invocation_short_name, ": ", text, "\n"};
  iovec pieces[std::size(parts)];
  for (std::size_t i = 0; i < std::size(parts); ++i) pieces[i] = {const_cast<char*>(parts[i]), std::strlen(parts[i])};
  if (::writev(STDERR_FILENO, pieces, std::size(pieces)) < 0) return;
}

void print_error(std::exception_ptr exception) noexcept {
  try {
    log_error(error_of(std::move(exception)));
  } catch (...) {
    print_plainly(kNoMemory);
  }
}

// Where no exception may pass (in a destructor, before main()), or where there is no memory for an exception.
[[noreturn]] void end_now() {
  const std::exception_ptr exception = std::current_exception();
  if (exception) print_error(exception);
  else print_plainly(kNoMemory);
  remove_drafts();
  ::_exit(g_failure_status);
}

[[noreturn]] void end_by_limit(int signal) {
  print_plainly(signal == SIGXCPU ? "time: the limit of processor time is reached (allow more: ulimit -t)" : kNoMemory);
  remove_drafts();
  ::_exit(g_failure_status);
}

void handle(int signal) {
  struct sigaction action = {};
  action.sa_handler = end_by_limit;
  action.sa_flags = SA_ONSTACK | SA_RESETHAND;
  struct sigaction before;
  if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_DFL) ::sigaction(signal, &action, nullptr);
}

// Before objects of other files are made, which need memory. Below a limit of memory, neither the stack nor the
// allocator has another way than SIGSEGV to tell that there is none.
[[gnu::constructor(101)]] void watch_limits() {
  std::set_terminate(end_now);
  handle(SIGXCPU);
  rlimit memory;
  if (::getrlimit(RLIMIT_AS, &memory) != 0 || memory.rlim_cur == RLIM_INFINITY) return;
  static char stack[16384];
  stack_t own = {};
  own.ss_sp = stack;
  own.ss_size = sizeof stack;
  if (::sigaltstack(&own, nullptr) == 0) handle(SIGSEGV);
}

// Opened the wrong way round: who reads or writes gets an error. A command that is started finds the stream closed.
void occupy_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0 &&
        ::open("/dev/null", (stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC) < 0)
      return;
}

}  // namespace

void set_subject(const std::string& input) { g_subject = input; }

void set_failure_status(int status) { g_failure_status = status; }

Error error_of(std::exception_ptr exception) {
  const auto subject = [](const char* resource) { return g_subject.empty() ? resource : g_subject; };
  try {
    if (exception) std::rethrow_exception(std::move(exception));
    return {subject("tarry"), "the tool cannot go on", ""};
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const std::length_error&) {
    return out_of_memory();
  } catch (const std::filesystem::filesystem_error& error) {
    return {error.path1().empty() ? subject("files") : error.path1().string(), error.code().message(), ""};
  } catch (const std::system_error& error) {
    const bool is_limit = error.code() == std::errc::resource_unavailable_try_again;
    return {subject("the system"), is_limit ? "no more threads can be started" : error.code().message(),
            is_limit ? "allow more: ulimit -u, ulimit -v" : ""};
  } catch (const std::exception& error) {
    return {subject("tarry"), error.what(), "this is a fault of the tool: please report it"};
  } catch (...) {
    return {subject("tarry"), "the tool cannot go on", "this is a fault of the tool: please report it"};
  }
}

int tool_main(const char* name, int argc, char** argv, int (*tool)(int argc, char** argv)) {
  occupy_closed_streams();
  ignore_write_signals();
  try {
    log_setup(std::string("tarry-") + name, Verbosity::kNormal);
    return tool(argc, argv);
  } catch (...) {
    print_error(std::current_exception());
    return g_failure_status;
  }
}

}  // namespace tarry
