// sampler.cpp -- the handler of our timers' signal.
//
// A sample that cannot be taken is lost and counted (defs/lost_samples.hpp). It is late if the one before is still
// waiting. So are the first samples of a thread behind many short ones.
#include "measure/sampling/sampler.hpp"

#include <dlfcn.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <ctime>
#include <utility>

#include "measure/callpath/call_path.hpp"
#include "measure/callpath/function_regions.hpp"
#include "measure/core/memory.hpp"
#include "measure/core/runtime.hpp"
#include "measure/processor/handler_entries.hpp"
#include "measure/processor/processor.hpp"
#include "measure/sampling/full_queue.hpp"
#include "measure/sampling/main_thread.hpp"
#include "measure/sampling/program_handlers.hpp"
#include "measure/sampling/sample_signal.hpp"
#include "measure/sampling/sample_stacks.hpp"

namespace tarry::measure {

namespace {

constexpr std::size_t kRecordsOfVisit = 8;   // at most, when a coalesced visit is closed
constexpr Ticks kLongestSample = 1'000'000;  // what takes longer was interrupted

std::uintptr_t g_own_begin = 0, g_own_end = 0;  // this library's code and data

Registers interrupted_registers(const void* context) {
  const auto& interrupted = *static_cast<const ucontext_t*>(context);
  return {.return_address = processor::instruction_of(interrupted) + 1,
          .stack = processor::stack_of(interrupted),
          .base = processor::frame_pointer_of(interrupted),
          .is_interrupted = true,
          .link = processor::return_register_of(interrupted)};
}

bool is_in_this_library(std::uintptr_t instruction) { return instruction - g_own_begin < g_own_end - g_own_begin; }

// A call of MPI is open, also one of a coalesced visit.
bool is_in_recorded_call(const Thread& thread) {
  return thread.frames.is_any_call_on_top() ||
         (thread.gate.has_coalesced_visit() && __atomic_load_n(&kCoalesced.of(thread)->sum, __ATOMIC_RELAXED) < 0);
}

// The program may run on the alternate stack of its handlers. Then that has no room for one of ours to be interrupted.
bool is_on_alternate_stack(const void* context) {
  const stack_t& stack = static_cast<const ucontext_t*>(context)->uc_stack;
  return processor::stack_of(*static_cast<const ucontext_t*>(context)) - reinterpret_cast<std::uintptr_t>(stack.ss_sp) <
         stack.ss_size;
}

bool is_main_thread() { return !(tarry_signal_state & kIsNotMain); }

void find_this_library() {
#ifdef DLFO_STRUCT_HAS_EH_DBASE
  dl_find_object found;
  if (::_dl_find_object(reinterpret_cast<void*>(&find_this_library), &found) != 0) return;
  g_own_begin = reinterpret_cast<std::uintptr_t>(found.dlfo_map_start);
  g_own_end = reinterpret_cast<std::uintptr_t>(found.dlfo_map_end);
#endif
}

std::atomic<bool> g_is_sampling = false;

// Threads that use a processor no longer than this are not worth an event. Behind so many of them in a row, the next
// are taken to be alike: the event of a longer one comes late.
constexpr long kShortLife = 2'000'000;  // nanoseconds
constexpr int kEnoughShortLives = 16;
int g_short_lives = 0;  // in a row; for callers that hold the list of threads

bool has_been_short() {
  timespec used{};
  return ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used) == 0 && used.tv_sec == 0 && used.tv_nsec < kShortLife;
}

SampleTimer::EventStart event_start() {
  if (!is_full_queue_guarded()) return SampleTimer::EventStart::kNever;
  return g_short_lives < kEnoughShortLives ? SampleTimer::EventStart::kAtOnce
                                           : SampleTimer::EventStart::kBehindFirstSignal;
}

}  // namespace

bool is_sampling() { return g_is_sampling.load(std::memory_order_relaxed); }

bool prepare_sampling() {
  if (!processor::kHasCallPaths) return false;
  find_this_library();
  prepare_for_handlers();
  if (!handle_sample_signal()) return false;
  guard_full_queue();
  stand_before_handlers();
  g_is_sampling.store(true);
  return true;
}

void keep_sample_signal() {
  if (is_sampling()) handle_sample_signal();
}

ThreadSampler* ThreadSampler::start(const Settings& settings) {
  if (!is_sampling()) return nullptr;
  void* const stack_top = take_sample_stack();
  if (!stack_top) return nullptr;
  auto* const sampler = new ThreadSampler;
  sampler->stack_top_ = stack_top;
  sampler->keeps_inside_ = settings.samples_inside;
  keep_sample_signal();
  unblock_sample_signal();
  if (::getpid() == ::gettid()) tarry_signal_state &= static_cast<unsigned char>(~kIsNotMain);
  const bool is_started = sampler->timer_.start(settings.sample_rate, event_start());
  if (is_main_thread() && sampler->timer_.has_event()) begin_main_thread();
  if (is_started) return sampler;
  give_sample_stack_back(stack_top);
  delete sampler;
  return nullptr;
}

void ThreadSampler::stop(bool is_of_caller) {
  timer_.stop();
  if (is_of_caller) g_short_lives = has_been_short() ? g_short_lives + 1 : 0;
  if (is_of_caller && is_main_thread()) forget_main_thread();
  void* const stack_top = is_of_caller ? std::exchange(stack_top_, nullptr) : nullptr;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (stack_top) give_sample_stack_back(stack_top);
}

void ThreadSampler::forget() {
  timer_.forget();
  forget_main_thread();
}

struct ThreadSampler::Visit {
  ThreadSampler& sampler;
  Thread& thread;
  const siginfo_t& info;
  const void* context;
};

void ThreadSampler::take_on_own_stack(void* visit) {
  const auto& [sampler, thread, info, context] = *static_cast<const Visit*>(visit);
  sampler.take(thread, info, context);
  if (is_full_queue_guarded()) sampler.timer_.open_waiting_event();
}

bool ThreadSampler::take_signal(Thread& thread, const siginfo_t& info, void* context) {
  const SampleTimer::Source source = timer_.source_of(info);
  const std::uint64_t mask = kernel_mask(static_cast<ucontext_t*>(context)->uc_sigmask);
  if (source == SampleTimer::Source::kOther) return take_sent_signal(info, mask);
  if (is_main_thread()) note_mask_of_main_thread(mask);
  if (source == SampleTimer::Source::kEvent) timer_.note_event();
  if (!stack_top_ || thread.gate.is_closed()) return true;
  if (is_on_alternate_stack(context)) return counts_.lose(LostSample::kOnOtherStack), true;
  Visit visit{*this, thread, info, context};
  tarry_call_on_stack(take_on_own_stack, &visit, stack_top_);
  return true;
}

// Where an event counts the program's own code, the timer serves the system calls.
bool ThreadSampler::is_wanted(SampleTimer::Source source, const void* context) const {
  return source == SampleTimer::Source::kEvent || !timer_.has_event() ||
         processor::is_behind_system_call(instruction_of(context));
}

void ThreadSampler::take(Thread& thread, const siginfo_t& info, const void* context) {
  const SampleTimer::Source source = timer_.source_of(info);
  if (thread.gate.is_closed() || thread.gate.is_paused() || !is_wanted(source, context)) return;
  if (source == SampleTimer::Source::kTimer && !timer_.has_event() && info.si_overrun > 0)
    counts_.lose(LostSample::kLate, static_cast<std::uint64_t>(info.si_overrun));
  const Ticks time = now();
  if (thread.gate.is_busy() || is_in_this_library(instruction_of(context))) counts_.lose(LostSample::kInRecorder);
  else if (!keeps_inside_ && is_in_recorded_call(thread)) ++counts_.inside_calls;
  else if (const auto why = record(thread, context, time)) counts_.lose(*why);
  else ++counts_.taken;
  counts_.ticks += std::min(now() - time, kLongestSample);
}

// Why it cannot be recorded.
std::optional<LostSample> ThreadSampler::record(Thread& thread, const void* context, Ticks time) {
  const InHandler here;
  if (thread.gate.has_coalesced_visit()) {
    if (thread.traces && !thread.events.has_room_for(kRecordsOfVisit, time)) return LostSample::kNoRoom;
    end_coalesced_visit(thread);
  }
  const Guard guard(thread.gate);
  if (!guard) return LostSample::kInRecorder;
  return kCallPath.of(thread)->sample(thread, interrupted_registers(context), time);
}

}  // namespace tarry::measure

void tarry_take_sample(int signal, siginfo_t* info, void* context) {
  using namespace tarry::measure;
  const int error = errno;
  Thread* const thread = t_thread;
  ThreadSampler* const sampler = thread ? kSampler.of(*thread) : nullptr;
  const bool is_ours = sampler && sampler->take_signal(*thread, *info, context);
  if (!is_ours) hand_on_signal(signal, info, context);
  errno = error;
}
