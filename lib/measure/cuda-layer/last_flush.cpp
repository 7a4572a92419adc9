// last_flush.cpp -- the records that CUPTI still has when nothing more is recorded.
//
// CUPTI gives records back when a buffer is full. So most programs end before it gives any. Behind the exit handlers of
// CUDA it must not be asked. Therefore a handler of our own, which is younger than those, asks when the process exits.
// Where a recording ends before, the recorder asks.
//
// CUPTI may not answer. A signal handler may have called exit() inside a call of CUDA that holds a lock. Or the driver
// may have been shut down. So another thread asks, and nobody waits for it for ever. It takes no signals, and is not
// cancelled. A forked child has no CUDA, and does not ask.
#include "measure/cuda-layer/last_flush.hpp"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <ctime>

#include "measure/cuda-layer/activities.hpp"
#include "measure/cuda-layer/streams.hpp"

namespace tarry::measure {
namespace {

constexpr timespec kMoment = {0, 200'000};
constexpr int kMostMoments = 5000;  // without a step of CUPTI: a second

pid_t g_process = 0;
std::atomic<bool> g_is_asked = false, g_has_answered = false;

void* ask_for_records(void*) {
  g_cupti.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  g_has_answered.store(true);
  return nullptr;
}

bool start_asking() {
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  const bool is_started = ::pthread_create(&thread, nullptr, ask_for_records, nullptr) == 0;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (is_started) ::pthread_detach(thread);
  return is_started;
}

void wait_for_answer() {
  std::uint64_t steps = g_buffer_steps.load();
  for (int moments = 0; !g_has_answered.load() && moments < kMostMoments; ++moments) {
    ::clock_nanosleep(CLOCK_MONOTONIC, 0, &kMoment, nullptr);
    const std::uint64_t latest = g_buffer_steps.load();
    if (latest != steps) moments = 0;
    steps = latest;
  }
}

void flush_once() {
  if (::getpid() != g_process || g_is_asked.exchange(true)) return;
  int cancelling = PTHREAD_CANCEL_ENABLE;
  ::pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelling);
  if (start_asking()) wait_for_answer();
  if (!g_has_answered.load()) g_recorder->say("CUPTI does not answer: the latest work of CUDA is not recorded");
  release_streams();
  ::pthread_setcancelstate(cancelling, nullptr);
}

}  // namespace

void prepare_last_flush() {
  g_process = ::getpid();
  g_recorder->flush_at_end(flush_once);
  std::atexit(flush_once);
}

}  // namespace tarry::measure
