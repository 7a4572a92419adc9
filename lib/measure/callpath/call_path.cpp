// call_path.cpp -- compares the functions on the stack with the frames that are open in the recording.
#include "measure/callpath/call_path.hpp"

#include <sys/auxv.h>

#include <algorithm>
#include <atomic>
#include <ranges>

#include "measure/callpath/calling_code.hpp"
#include "measure/callpath/function_regions.hpp"
#include "measure/core/memory.hpp"
#include "measure/core/runtime.hpp"

namespace tarry::measure {

std::atomic<std::uint32_t> g_code_unloads = 0;

namespace {

constexpr std::size_t kMostFrames = std::size_t{1} << 17;  // address space; memory is taken as deep as stacks are
constexpr std::size_t kMostPythonFrames = std::size_t{1} << 16;
constexpr std::uint32_t kMostAlike = 64;          // of deeper recursion the rest is left out
constexpr std::uint64_t kTimedStacks = 32;        // of so many, one is timed
constexpr std::uintptr_t kMostStartBytes = 64;    // of the code in front of main()
constexpr std::size_t kMostEnteredAtOnce = 4000;  // in a sample
constexpr Ticks kNever = -1;
constexpr Ticks kLongestLook = 100'000;  // what takes longer was interrupted

std::atomic<std::uint32_t> g_closed = 0;

bool is_of_python(std::uintptr_t function) {
  return calling_code(reinterpret_cast<const void*>(function)) == CallingCode::kPython;
}

// Without a summary the trace's own time is not older than 0.
Ticks time_of_latest_event(const Thread& thread) { return thread.summarises ? thread.profile.last_time() : 0; }

// Leaves what is open from the top frame on: at `time`, which is that of a sample, or else with the latest event.
void close_top_frame(Thread& thread, bool is_sampled, Ticks time) {
  const std::uint32_t depth = thread.frames.top().depth;
  thread.frames.pop();
  if (!is_sampled) time = time_of_latest_event(thread);
  while (thread.depth > depth) is_sampled ? leave_counted(thread, time) : leave_guarded(thread, time);
}

void push(Thread& thread, std::uintptr_t key, std::uintptr_t cfa) {
  thread.frames.push({.key = key,
                      .stack = 0,
                      .depth = thread.depth,
                      .is_recorded = true,
                      .is_user = false,
                      .is_unwound = true,
                      .cfa = cfa});
}

}  // namespace

CallPath* CallPath::open(const OwnStack& own, CallPath*& free) {
  if (!processor::kHasCallPaths) return nullptr;
  if (CallPath* const known = free) {
    free = known->next_free_;
    known->open_again(own);
    return known;
  }
  auto* const path = new CallPath;
  path->callers_.open();
  if (path->stack_.open(kMostFrames, own)) return path;
  delete path;
  return nullptr;
}

void CallPath::open_again(const OwnStack& own) {
  CallPath fresh;
  fresh.stack_ = stack_;
  fresh.stack_.open_again(own);
  fresh.python_ = python_;
  fresh.python_path_ = python_path_;
  fresh.python_path_.forget();
  fresh.callers_ = callers_;
  fresh.callers_.forget();
  *this = fresh;
}

// Nothing has been recorded since.
bool CallPath::is_sampled(const Thread& thread) const {
  return sampled_at_ >= thread.profile.last_time() && sampled_at_ >= thread.events.last_time();
}

void CallPath::forget() {
  known_top_ = nullptr;
  stack_.forget();
  python_path_.forget();
}

// The frame of a caller begins where that of its callee ends. Of the outermost one only the lower end is known.
std::uintptr_t CallPath::cfa_of(std::size_t frame) const {
  const auto frames = stack_.frames();
  return frame > 0 ? frames[frame - 1].stack : frames[0].stack + 1;
}

RegionId CallPath::find_region(std::size_t frame) {
  const StackFrame& there = stack_.frames()[frame];
  RegionId region = kFiltered;
  if (there.function && there.alike <= kMostAlike) {
    region = g_regions.find(there.function);
    if (region == kUnknownRegion) region = define(frame);
    if (is_throttled(region)) region = kFiltered;  // here it is as if a filter left it out
  }
  stack_.note_region(frame, region);
  return region;
}

[[gnu::noinline]] RegionId CallPath::define(std::size_t frame) {
  const Ticks begin = now();
  const StackFrame& there = stack_.frames()[frame];
  const bool is_outlined = frame > 0 && is_outlined_call(there.function, stack_.frames()[frame - 1].return_address);
  const RegionId region =
      is_outlined ? mark_outlined(there.function) : region_of_unwound(there.function, is_main(frame));
  first_sights_ += now() - begin;
  return region;
}

RegionId CallPath::region_of(const PythonPath::Function& function) {
  RegionId region = g_regions.find(function.key);
  if (region != kUnknownRegion) [[likely]]
    return region;
  const Ticks begin = now();
  const auto told = python_->describe(function.code, is_python_uncertain());
  if (!told) return kUnknownRegion;
  const KeyFacts facts{
      .name = told->name.c_str(), .file = told->file.c_str(), .line = told->line, .is_interpreted = true};
  region = told->is_internal() ? filter_key(function.key) : region_of_interpreted(function.key, facts);
  first_sights_ += now() - begin;
  return region;
}

// `region` as it is called from there, of which the latest answer stays with the frame.
RegionId CallPath::region_called(std::size_t frame, RegionId region, const CallSite& site) {
  const StackFrame& there = stack_.frames()[frame];
  if (site.code || region != there.region) return region_at_site(region, site);
  if (there.called_from == site.place && there.called != kUnknownRegion) return there.called;
  const RegionId called = region_at_site(region, site);
  if (called != region) stack_.note_called(frame, site.place, called);
  return called;
}

[[gnu::noinline]] RegionId CallPath::find_region_of_call(RegionId region) {
  const RegionId there = region_at_site(region, call_site_);
  if (there != region && calling_frame()) stack_.note_callee(end_ - 1, region, there);
  return there;
}

CallSite CallPath::site_in(const PythonPath::Function& function) {
  return {.place = function.key, .code = function.code, .instruction = function.instruction};
}

// Of a call by the innermost recorded function among a frame and those outside it.
CallSite CallPath::find_site_inside(std::size_t frame) {
  for (std::size_t at = frame + 1; at-- > 0;) {
    if (python_)
      for (const PythonPath::Function& each : python_path_.in(at) | std::views::reverse)
        if (is_recorded(region_of(each))) return site_in(each);
    if (is_run_time_code(stack_.frames()[at].function)) return {};
    if (has_call_sites(region_of(at))) return {.place = stack_.frames()[at].return_address};
  }
  return {};
}

// Calls `visit(key, region, site)` for each function of a frame that is recorded: for that of C, and for those of
// Python that it runs. Stops and returns false when `visit` returns false.
template <bool kWithPython, class Visit>
bool CallPath::each_function(std::size_t frame, Visit visit) {
  const auto site_outside = [&] { return frame > 0 ? site_inside(frame - 1) : CallSite(); };
  const RegionId region = region_of(frame);
  if (is_recorded(region)) {
    const CallSite site = site_outside();
    if (!visit(stack_.frames()[frame].function ^ site.mark(), region, site)) return false;
  }
  if constexpr (!kWithPython) return true;
  const PythonPath::Function* outer = nullptr;
  for (const PythonPath::Function& each : python_path_.in(frame)) {
    const RegionId its_region = region_of(each);
    if (!is_recorded(its_region)) continue;
    const CallSite site = outer ? site_in(*outer) : site_outside();
    if (!visit(each.key ^ site.mark(), its_region, site)) return false;
    outer = &each;
  }
  return true;
}

// A signal may have interrupted the interpreter while it changes its frames. In a handler of ours it may have done so
// just now. A call on a file may come from a handler of the program, which the stack tells.
bool CallPath::is_python_uncertain() const {
  if (!is_in_handler()) return false;
  return !is_patient_in_handler() || stack_.is_truncated() || stack_.is_in_handler();
}

// Of the outermost frames that are as they were, how many run the same Python functions, too. The interpreter is found
// when the first of its functions is.
std::size_t CallPath::look_at_python(std::size_t kept) {
  const std::size_t size = stack_.frames().size();
  if (!python_)
    for (std::size_t at = kept; at < size; ++at) region_of(at);
  const PythonInterpreter* const python = followed_python();
  if (python != python_) [[unlikely]] {
    python_ = python;
    if (python_ && !python_path_.open(*python_, kMostPythonFrames)) python_ = nullptr;
  }
  return python_ ? python_path_.update(stack_.frames(), kept, is_python_uncertain()) : kept;
}

// The outermost function of the program, in the thread that begins where the program does.
bool CallPath::is_main(std::size_t frame) {
  const auto frames = stack_.frames();
  if (frame == 0 || frames[0].function || frames[0].return_address - ::getauxval(AT_ENTRY) > kMostStartBytes)
    return false;
  for (std::size_t outer = 1; outer < frame; ++outer)
    if (region_of(outer) != kFiltered || is_of_python(frames[outer].function)) return false;
  return true;
}

bool CallPath::update(Thread& thread, const Registers& here, Ticks& time, std::uintptr_t outside) {
  if (unloads_ != g_code_unloads.load(std::memory_order_acquire)) [[unlikely]]
    note_unloaded(thread, time ? time : now());
  const std::size_t before = stack_.frames().size();
  std::size_t kept = stack_.update(here);
  if (const auto cut = stack_.cut()) [[unlikely]]
    costs_.cuts.note(*cut, stack_.frames().front().return_address);
  kept = look_at_python(kept);
  if (kept < before || kept < stack_.frames().size() || (python_ && python_path_.has_moved()) || !is_as_left(thread)) {
    const Matched matched = match(thread, kept, outside);
    if (!matched.open) return false;
    apply(thread, matched, time);
  }
  sampled_at_ = kNever;
  return true;
}

// A stack without its outermost functions tells nothing about which of them are open.
std::optional<LostSample> CallPath::sample(Thread& thread, const Registers& interrupted, Ticks time) {
  if (unloads_ != g_code_unloads.load(std::memory_order_acquire)) [[unlikely]]
    note_unloaded(thread, time);
  const std::size_t kept = look_at_python(stack_.update(interrupted));
  const Matched matched =
      stack_.is_truncated() || kept == PythonPath::kFailed ? Matched() : match(thread, kept, interrupted.stack - 1);
  if (!matched.open) return forget(), LostSample::kNotUnwound;
  if (!has_room_for(thread, matched, time)) return forget(), LostSample::kNoRoom;
  apply(thread, matched, time);
  sampled_at_ = time;
  return std::nullopt;
}

// Nobody can write blocks out while the thread is in a signal handler.
bool CallPath::has_room_for(Thread& thread, const Matched& matched, Ticks time) const {
  if (!thread.traces) return true;
  const std::size_t open_inside = thread.depth - base_->depth;
  const std::size_t entered = std::min(matched.end - matched.next + python_path_.size(), kMostEnteredAtOnce);
  const std::size_t counters = thread.counters ? 2 * thread.counters->ids().size() : 0;
  return thread.events.has_room_for(open_inside + entered + counters + 1, time);
}

// Whether the open frames are those of the latest look.
bool CallPath::is_as_left(const Thread& thread) const {
  return known_top_ == &thread.frames.top() && depth_ == thread.depth;
}

CallPath::Matched CallPath::match(const Thread& thread, std::size_t kept, std::uintptr_t outside) {
  const auto frames = stack_.frames();
  std::size_t end = frames.size();
  while (end > 0 && frames[end - 1].stack <= outside) --end;
  kept = std::min({kept, end, end_});
  const bool is_known = is_as_left(thread) && first_ < kept;
  if (!is_known) base_ = thread.frames.find_base(thread.depth);
  if (thread.frames.is_gone(*base_, outside + 1)) return {};
  Matched matched = is_known ? match_known(kept) : match_from_base(thread, end);
  matched.end = end;
  const std::size_t last = is_known ? std::min(end, kept + 1) : end;
  python_ ? match_further<true>(thread, matched, last) : match_further<false>(thread, matched, last);
  return matched;
}

void CallPath::apply(Thread& thread, Matched matched, Ticks& time) {
  if (begun_at_ != kNever) [[unlikely]]
    enter_since_begin(thread, matched);
  if (!time && is_sampled(thread)) time = now();
  const Ticks blocked = time ? blocked_before(thread, time) : 0;
  known_top_ = nullptr;
  while (&thread.frames.top() >= matched.open) close_top_frame(thread, is_sampled(thread), time - blocked);
  if (blocked) record_blocked_time(thread, time, blocked);
  python_ ? enter_frames<true>(thread, matched, time) : enter_frames<false>(thread, matched, time);
  known_top_ = &thread.frames.top();
  depth_ = thread.depth;
  end_ = matched.end;
  call_site_ = end_ > 0 ? site_inside(end_ - 1) : CallSite();
}

// When the thread began, if nothing has been recorded since; told once. What was counted since then belongs to where
// the thread was: with counters nothing is entered in the past.
Ticks CallPath::take_begin(const Thread& thread) {
  const Ticks begin = std::exchange(begun_at_, kNever);
  const bool is_latest = begin >= thread.profile.last_time() && begin >= thread.events.last_time();
  return is_latest && !thread.counters && thread.frames.has_room() ? begin : kNever;
}

// The outermost function of a thread that has recorded nothing yet has been there since its begin.
void CallPath::enter_since_begin(Thread& thread, Matched& matched) {
  const Ticks begin = take_begin(thread);
  if (begin == kNever || matched.open <= &thread.frames.top()) return;
  for (bool is_entered = false; !is_entered && matched.next < matched.end;) {
    each_function<true>(matched.next, [&](std::uintptr_t key, RegionId region, const CallSite& site) {
      if (is_entered) return false;
      push(thread, key, cfa_of(matched.next));
      enter_guarded(thread, region_at_site(region, site), begin);
      ++matched.open;
      ++matched.done;
      return is_entered = true;
    });
    if (!is_entered) stack_.note_opened(matched.next++, static_cast<std::uint32_t>(&thread.frames.top() - base_));
  }
}

void CallPath::enter_unseen_function(Thread& thread) {
  const Ticks begin = take_begin(thread);
  if (begin == kNever) return;
  const RegionId region = region_of_unwound(thread_function_, false);
  if (!is_recorded(region)) return;
  forget();
  push(thread, thread_function_, 0);
  enter_guarded(thread, region, begin);
}

CallPath::Matched CallPath::match_known(std::size_t kept) const {
  return {.next = kept, .open = base_ + 1 + stack_.frames()[kept - 1].opened};
}

CallPath::Matched CallPath::match_from_base(const Thread& thread, std::size_t end) {
  first_ = end;
  around_ = 0;
  const Frame& bound = base_->is_lasting ? *FrameStack::holder_of(base_) : *base_;
  while (first_ > 0 && thread.frames.may_be_inside(cfa_of(first_ - 1), bound)) --first_;
  if (base_->is_lasting) [[unlikely]]
    find_first_inside(end);
  return {.next = first_, .open = base_ + 1};
}

// What has begun the region may have returned since. Inside the region is what was not open around it.
void CallPath::find_first_inside(std::size_t end) {
  const Frame* open = FrameStack::holder_of(base_) + 1;
  for (; first_ < end; ++first_) {
    around_ = 0;
    const bool is_around = each_function<true>(first_, [&](std::uintptr_t key, RegionId, const CallSite&) {
      while (open < base_ && open->is_lasting) ++open;
      if (open == base_ || open->key != key || open->cfa != cfa_of(first_)) return false;
      ++open;
      ++around_;
      return true;
    });
    if (!is_around) return;
  }
  around_ = 0;
}

// The first frame that is not as it was may be the same function, further on. It has called anew those inside it.
template <bool kWithPython>
void CallPath::match_further(const Thread& thread, Matched& matched, std::size_t end) {
  for (; matched.next < end; ++matched.next) {
    matched.done = 0;
    std::size_t around = matched.next == first_ ? around_ : 0;
    const bool is_open = each_function<kWithPython>(matched.next, [&](std::uintptr_t key, RegionId, const CallSite&) {
      if (around > 0) {
        --around;
        ++matched.done;
        return true;
      }
      if (matched.open > &thread.frames.top() || matched.open->key != key || matched.open->cfa != cfa_of(matched.next))
        return false;
      ++matched.open;
      ++matched.done;
      return true;
    });
    if (!is_open) return;
    stack_.note_opened(matched.next, static_cast<std::uint32_t>(matched.open - base_ - 1));
  }
  matched.done = 0;
}

// What was counted since the latest event belongs to the deepest common function: counters are read before the first
// new one is entered.
template <bool kWithPython>
void CallPath::enter_frames(Thread& thread, const Matched& matched, Ticks& time) {
  bool is_first = true;
  std::size_t known = matched.done;
  for (std::size_t at = matched.next; at < matched.end; ++at) {
    const auto enter = [&](std::uintptr_t key, RegionId region, const CallSite& site) __attribute__((always_inline)) {
      if (known > 0) return --known, true;
      if (!thread.frames.has_room()) return false;
      region = region_called(at, region, site);
      if (!time) note_blocked_time(thread, time = now());
      push(thread, key, cfa_of(at));
      if (is_first && thread.counters) [[unlikely]]
        enter_counted(thread, region, time);
      else enter_guarded(thread, region, time);
      is_first = false;
      return true;
    };
    each_function<kWithPython>(at, enter);
    stack_.note_opened(at, static_cast<std::uint32_t>(&thread.frames.top() - base_));
  }
}

// The same addresses may be other functions now.
void CallPath::note_unloaded(Thread& thread, Ticks time) {
  unloads_ = g_code_unloads.load(std::memory_order_acquire);
  close_unwound_frames(thread, time);
  callers_.forget();
  stack_.forget_walks();
  forget();
}

// Frames of Python are not seen in these words, and what a signal has interrupted may be on another stack.
void CallPath::note_call(const Thread& thread, const HookedCall& call) {
  const auto frames = stack_.frames();
  if (python_ || !thread.frames.top().is_unwound || end_ >= frames.size()) return;
  const StackFrame& called = frames[end_];
  if (called.stack != call.stack || called.is_in_handler) return;
  callers_.note(call, thread.frames.top(), is_top_pinned(thread), called.needs_base,
                stack_.words_between(first_, end_));
}

// The caller's own frame is not looked at.
[[gnu::noinline]] bool update_call_path(Thread& thread, Ticks time, std::uintptr_t outside) {
  const Registers caller = registers_of(processor::stack_of_caller_here());
  return update_call_path_of(thread, caller, time, outside ? outside : caller.stack);
}

bool update_call_path_of(Thread& thread, const Registers& caller, Ticks& time, std::uintptr_t outside) {
  CallPath* const path = kCallPath.of(thread);
  if (!path || thread.gate.is_paused()) return true;
  if (!outside) outside = caller.stack - 1;
  if (path->costs_.stacks++ % kTimedStacks != 0) [[likely]]
    return path->update(thread, caller, time, outside);
  const Ticks begin = now(), first_sights = path->first_sights_;
  const bool is_done = path->update(thread, caller, time, outside);
  const Ticks spent = now() - begin - (path->first_sights_ - first_sights);
  path->costs_.ticks += static_cast<Ticks>(kTimedStacks) * std::clamp(spent, Ticks{0}, kLongestLook);
  return is_done;
}

void close_unwound_frames(Thread& thread, Ticks time) {
  while (thread.frames.top().is_unwound && thread.frames.top().depth + 1 == thread.depth)
    close_unwound_frame(thread, time);
}

void close_unwound_frame(Thread& thread, Ticks time) {
  CallPath* const path = kCallPath.of(thread);
  if (path) path->known_top_ = nullptr;
  close_top_frame(thread, path && path->is_sampled(thread), time);
}

void note_outlined_code(const void* behind_call) {
  if (!is_recording() || !settings().records_call_paths) return;
  const std::uintptr_t function = g_rules.find(reinterpret_cast<std::uintptr_t>(behind_call)).function;
  if (function) mark_outlined(function);
}

std::uint32_t closed_libraries() { return g_closed.load(std::memory_order_acquire); }
void note_closed_library() { g_closed.fetch_add(1, std::memory_order_release); }

void forget_unloaded_code() {
  unsigned at = 0;
  bool has_unloaded = false;
  while (const auto gone = forget_unloaded_object(at)) {
    g_rules.forget(gone->begin, gone->end);
    forget_python(gone->begin, gone->end);
    forget_regions(gone->begin, gone->end);
    forget_sites(gone->begin, gone->end);
    has_unloaded = true;
  }
  if (has_unloaded) g_code_unloads.fetch_add(1, std::memory_order_release);
}

}  // namespace tarry::measure
