// limit_signals.cpp -- the signals by which a refused write would end a tool.
#include "base/files/limit_signals.hpp"

namespace tarry {
namespace {

constexpr int kRaisedByWrites[] = {SIGPIPE, SIGXFSZ};

sigset_t empty_set() {
  sigset_t set;
  sigemptyset(&set);
  return set;
}

sigset_t g_changed = empty_set();

bool is_ignored(int signal) {
  struct sigaction action;
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

void ignore_write_signals() {
  for (const int signal : kRaisedByWrites) {
    if (is_ignored(signal)) continue;
    ::signal(signal, SIG_IGN);
    sigaddset(&g_changed, signal);
  }
}

sigset_t changed_write_signals() { return g_changed; }

void restore_write_signals() {
  for (const int signal : kRaisedByWrites)
    if (sigismember(&g_changed, signal)) ::signal(signal, SIG_DFL);
  g_changed = empty_set();
}

}  // namespace tarry
