// runtime.cpp -- the recording of this process: start, threads, fork.
#include "measure/core/runtime.hpp"

#include <limits.h>
#include <pthread.h>

#include <atomic>

#include "archive/files/names.hpp"
#include "defs/early_ends.hpp"
#include "defs/unify.hpp"
#include "measure/core/adapter.hpp"
#include "measure/core/disk_space.hpp"
#include "measure/core/host.hpp"
#include "measure/core/lone_thread.hpp"
#include "measure/core/memory.hpp"
#include "measure/core/process_start.hpp"
#include "measure/core/runtime_state.hpp"
#include "measure/core/say.hpp"
#include "measure/core/signal_block.hpp"

namespace tarry::measure {

__thread Thread* t_thread __attribute__((tls_model("initial-exec"))) = nullptr;

namespace {

// Set while a thread gets its recording: an allocator that is instrumented itself, or a signal handler, comes back
// here.
__thread bool t_is_being_added __attribute__((tls_model("initial-exec"))) = false;

// The calling thread's recording is closed, but the thread is still there.
__thread bool t_has_ended __attribute__((tls_model("initial-exec"))) = false;
constinit std::atomic<std::uint64_t> g_calls_behind_end = 0;

// Rounds of destructors of the thread's data that its recording has seen. Those of the program may call what is
// recorded. The recording ends in the last round but one: data that is new in a round may have to wait for the next.
__thread int t_end_rounds __attribute__((tls_model("initial-exec"))) = 0;
constexpr int kRoundsUntilEnd = PTHREAD_DESTRUCTOR_ITERATIONS - 1;

// Made by start_recording() and never destroyed: threads may still look at it while the process ends.
RuntimeState* g_state = nullptr;
std::atomic<bool> g_is_recording = false;

// The threads of a child process do not exist there, and its parent's files are not its own.
void forget_everything_in_child() {
  g_is_recording.store(false);
  set_phase(Phase::kOff);
  if (!g_state) return;
  g_state->recording.forget();
  for (Thread* thread = g_state->threads; thread; thread = thread->next) thread->gate.close();
  tell_adapters(&Adapter::left_to_parent);
}

// Once the recording ends, all threads are closed there. What the thread does behind this is not recorded.
void finish_thread_at_its_end(void* thread) {
  if (!g_is_recording.load()) return;
  if (++t_end_rounds < kRoundsUntilEnd && pthread_setspecific(g_state->thread_end, thread) == 0) return;
  const Locked lock(g_state->threads_lock);
  if (!g_is_recording.load()) return;  // it has ended meanwhile, maybe in front of a sandbox
  Thread& ended = *static_cast<Thread*>(thread);
  finish_thread(ended, now());
  g_state->processors.end_thread(ended.delay);
  t_has_ended = true;
  t_thread = nullptr;
  g_state->ended.add(*g_state, ended);
}

void enter_root(Thread& thread, Ticks time) {
  const Hold hold(thread.gate);
  enter_counted(thread, g_state->root_region, time);
}

Thread* add_thread(Ticks time, bool has_root) {
  const TryLocked lock(g_state->threads_lock);
  if (!lock) return nullptr;  // once more with the next event
  t_is_being_added = true;
  Thread* const ended = g_state->ended.reuse();
  Thread* const thread = ended ? ended : new Thread;
  thread->number = g_state->thread_count++;
  if (thread->number > 0) note_second_thread();
  thread->traces = g_state->settings.traces;
  thread->summarises = g_state->settings.summarises;
  g_state->definitions.add_location(thread->number);
  thread->delay = g_state->processors.begin_thread(thread->number == 0);
  if (ended) thread->frames.open_again();
  else thread->frames.open(g_state->settings.max_depth);
  tell_adapters(&Adapter::thread_begins, *thread);
  if (thread->summarises) thread->profile.outlive_process(g_state->pool, g_state->rank, thread->number);
  if (thread->summarises) thread->events.count_flushes_in(thread->profile);
  if (thread->traces) thread->events.open(g_state->pool, g_state->rank, thread->number, time);
  join_list(*g_state, *thread);
  t_thread = thread;
  begin_blocked_watch(*thread);
  if (has_root) enter_root(*thread, time);
  if (g_state->is_paused) thread->gate.pause();
  tell_adapters(&Adapter::thread_has_begun, *thread);
  t_is_being_added = false;
  return thread;
}

void define_process(LocalDefinitions& all, const ProcessFacts& facts) {
  Clock clock;
  const ClockReading reading = read_clocks();
  clock.ticks_per_second = ticks_per_second(facts.clock_start, reading);
  clock.origin = facts.clock_start.ticks;
  clock.epoch_ns = static_cast<std::uint64_t>(facts.clock_start.realtime_ns);
  all.set_clock(clock);
  const SystemNodeId machine(all.add_system_node("machine", "machine", SystemNodeId()));
  const SystemNodeId node(all.add_system_node(host_name(), "node", machine));
  all.add_process((facts.is_alone ? "Process " : "MPI Rank ") + std::to_string(facts.rank.value), facts.rank, node);
  all.add_property("clock_domain", clock_domain());
  all.add_property("clock_start", facts.clock_start.text());
  g_state->root_region = all.add_region(program_name(), "", 0, Paradigm::kCompiler, RegionRole::kFunction);
}

void open_pool(const Settings& settings) {
  const std::string folder = std::string(settings.archive) + "/";
  g_state->pool.open({.container = folder + names::container(host_name()),
                      .spool = folder + names::spool(host_name(), process_id()),
                      .memory = settings.memory,
                      .compression = settings.compression,
                      .spools_in_memory = settings.spools_in_memory,
                      .when_full = settings.when_full,
                      .processes = g_state->processes,
                      .archive = g_state->rank == WorldRank(0) ? settings.archive : ""});
}

}  // namespace

void start_recording(const Settings& settings, const ProcessFacts& facts) {
  if (g_state) return;
  g_state = new RuntimeState;
  g_state->settings = settings;
  g_state->rank = facts.rank;
  g_state->processes = facts.processes;
  g_state->clock_start = facts.clock_start;
  g_state->recording.hold(std::string(settings.archive) + "/" + names::kRecording);
  if (facts.rank == WorldRank(0)) forecast_buffers(settings, facts.processes);
  open_pool(settings);
  g_state->definitions.open(g_state->pool, facts.rank);
  define_process(g_state->definitions, facts);
  define_hardware_place(g_state->definitions, facts.rank);
  if (!settings.is_redacted) define_host_facts(g_state->definitions);
  g_state->processors.begin();
  define_program(g_state->definitions, settings.is_redacted, facts.rank == WorldRank(0));
  pthread_key_create(&g_state->thread_end, finish_thread_at_its_end);
  pthread_atfork(nullptr, nullptr, forget_everything_in_child);
  g_state->is_alone = facts.is_alone;
  tell_adapters(&Adapter::starting, facts);
  Thread* thread = add_thread(facts.begin, true);
  g_is_recording.store(true);
  set_phase(Phase::kRecording);
  tell_adapters(&Adapter::started, *thread, facts);
}

bool is_recording() { return g_is_recording.load(std::memory_order_relaxed); }

static Thread* adopt(bool has_root) {
  if (!is_recording() || t_is_being_added || t_has_ended || g_state->ended_early) return nullptr;
  Thread* thread = add_thread(now(), has_root);
  pthread_setspecific(g_state->thread_end, thread);
  return thread;
}

Thread* adopt_thread() { return adopt(true); }
Thread* adopt_worker() { return adopt(false); }

void note_call_behind_end() {
  if (t_has_ended && is_recording()) g_calls_behind_end.fetch_add(1, std::memory_order_relaxed);
}

std::uint64_t count_calls_behind_end() { return g_calls_behind_end.load(std::memory_order_relaxed); }

LocalDefinitions& definitions() { return g_state->definitions; }

std::optional<std::uint32_t> open_queue(std::string_view name, std::string_view device, EventBuffer& events) {
  if (!is_recording() || !g_state->settings.traces) return std::nullopt;
  const Locked lock(g_state->threads_lock);
  const std::uint32_t number = g_state->thread_count++;
  g_state->definitions.add_queue(number, name, device);
  events.open(g_state->pool, g_state->rank, number, g_state->clock_start.ticks);
  return number;
}

const ClockReading& clock_at_start() { return g_state->clock_start; }

void note_lost_events(std::uint64_t events) { g_state->lost_by_queues += events; }

void join_mpi() { g_state->is_alone = false; }
void leave_end_to_exit() { g_state->is_alone = true; }

void secure_recording() {
  const SignalBlock no_signals;
  if (is_recording()) secure(*g_state);
}

void mark_complete() {
  if (g_state) g_state->is_complete = true;
}

void finish_recording() {
  const CancelBlock no_cancel;
  if (!is_recording()) return;
  tell_adapters(&Adapter::about_to_end);
  if (!g_is_recording.exchange(false)) return;
  if (!run_within_memory(finish, *g_state))
    say("no memory is left to close the recording; 'tarry unify' does it later");
  set_phase(Phase::kOff);
}

void finish_alone() {
  if (!is_recording() || !g_state->is_alone) return;
  mark_complete();
  finish_recording();
}

void end_recording_early(const char* why) {
  if (!is_recording()) return;
  g_state->ended_early = why;
  finish_recording();
}

void note_abort(std::string_view function) {
  static constinit std::atomic<bool> is_noted = false;
  if (!is_recording() || is_noted.exchange(true)) return;
  const auto now_ns = static_cast<std::uint64_t>(read_clocks().realtime_ns);
  definitions().add_property(std::string(kAbortKey) + std::to_string(g_state->rank.value),
                             abort_text(function, now_ns));
}

void leave_recording_to_parent() { forget_everything_in_child(); }

void stop_recording_for_lack_of_memory() {
  if (!g_state || g_state->ended_early.exchange("there was no memory left")) return;
  for (Thread* thread = g_state->threads; thread; thread = thread->next) thread->gate.close();
}

const Settings& settings() { return g_state->settings; }

void pause_recording() {
  const Locked lock(g_state->threads_lock);
  g_state->is_paused = true;
  for (Thread* thread = g_state->threads; thread; thread = thread->next) thread->gate.pause();
}

void resume_recording() {
  const Locked lock(g_state->threads_lock);
  g_state->is_paused = false;
  for (Thread* thread = g_state->threads; thread; thread = thread->next) thread->gate.resume();
}

void write_out_events() {
  Thread* const thread = current_thread();
  if (!thread || !thread->traces) return;
  const Guard guard(thread->gate);
  if (guard) thread->events.write_out();
}

Thread* first_thread() { return g_state ? g_state->threads : nullptr; }

void visit_threads(void (*visit)(Thread& thread, void* closure), void* closure) {
  const Locked lock(g_state->threads_lock);
  for (Thread* thread = g_state->threads; thread; thread = thread->next) visit(*thread, closure);
}

void keep_latest_events() { g_state->pool.keep_latest(); }
void keep_events_from(Ticks time) { g_state->pool.keep_from(time); }

namespace {

// Behind the program's own exit handlers and destructors: MPI_Finalize may be called in one of them.
__attribute__((destructor)) void finish_at_exit() {
  if (phase() == Phase::kWaitsForMpi) start_alone();
  if (g_state && g_state->is_alone) mark_complete();
  finish_recording();
}

}  // namespace

}  // namespace tarry::measure
