// call_path.hpp -- turns the unwound stack of a thread into enters and leaves of functions without hooks.
//
// Each recorded call first brings the open frames up to date. Functions that are gone are left at the time of the
// thread's latest event, and those that are new are entered now. So the time between two calls belongs to the deepest
// function that is open at both of them. What a sample finds lasts from its time to the next record.
//
// New frames are opened only inside the innermost frame that is known otherwise. That is an instrumented function, a
// user region, or a call of MPI that calls back. A function that the program has left and called again from the same
// place is one visit, because its stack looks the same.
//
// Calls: handler-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>

#include "defs/lost_samples.hpp"
#include "measure/callpath/call_sites.hpp"
#include "measure/callpath/call_stack.hpp"
#include "measure/callpath/known_callers.hpp"
#include "measure/callpath/python_path.hpp"
#include "measure/callpath/stack_cuts.hpp"
#include "measure/callpath/steps.hpp"
#include "measure/core/recorder.hpp"

namespace tarry::measure {

/// What the call paths of a thread, or of all, have cost and lack.
struct CallPathCosts {
  std::uint64_t stacks = 0;  // that were looked at
  StackCuts cuts;            // of these: without their outermost functions
  Ticks ticks = 0;           // estimated from every 32nd stack; first sights of functions are all measured

  void add(const CallPathCosts& other) {
    stacks += other.stacks;
    cuts.add(other.cuts);
    ticks += other.ticks;
  }
};

/// How often the code of a module has been forgotten.
extern std::atomic<std::uint32_t> g_code_unloads;

class CallPath {
 public:
  /// For the thread whose own stack that is, in the memory of the first of `free` if there is one. nullptr where stacks
  /// cannot be unwound.
  static CallPath* open(const OwnStack& own, CallPath*& free);

  /// The thread has ended: the call path becomes the first of those.
  void join_free(CallPath*& free) { next_free_ = std::exchange(free, this); }

  CallPathCosts costs() const {
    CallPathCosts all = costs_;
    all.ticks += first_sights_;
    return all;
  }

  /// Makes the open frames fit to where a signal has interrupted the thread. Why that cannot be done at the moment, if
  /// so. For signal handlers, which hold the gate.
  std::optional<LostSample> sample(Thread& thread, const Registers& interrupted, Ticks time);

  /// A thread begins now, and calls that function, which is entered then: when the stack is looked at next, or when the
  /// thread ends. For callers that hold the gate.
  void note_thread_begin(std::uintptr_t function, Ticks time) {
    thread_function_ = function;
    begun_at_ = time;
  }

  /// The thread ends: enters the function that it called if nothing has been recorded in it. For callers that hold the
  /// gate.
  void enter_unseen_function(Thread& thread);

  /// The number of a region that is entered now, as it is called from where the latest look has found the thread.
  RegionId region_of_call(RegionId region) {
    const StackFrame* const caller = calling_frame();
    return caller && caller->callee == region ? caller->callee_there : find_region_of_call(region);
  }

  /// Where the program is then, behind a call of a library; nullptr: not known.
  const void* place_of_call() const { return reinterpret_cast<const void*>(call_site_.code ? 0 : call_site_.place); }

  /// A function with hooks that is entered inside one without: whether the open frames are those around the call, as
  /// an earlier look has found.
  [[gnu::always_inline]] bool knows_call(const Thread& thread, const HookedCall& call) const {
    return callers_.knows(call, thread.frames.top(), is_top_pinned(thread)) && !python_ &&
           unloads_ == g_code_unloads.load(std::memory_order_acquire);
  }

  /// The latest look was for that call: it need not be made again.
  void note_call(const Thread& thread, const HookedCall& call);

  /// Frames were closed elsewhere, or a look at the stack was abandoned: nothing is known about it.
  void forget();

 private:
  // How far the stack and the open frames agree.
  struct Matched {
    std::size_t next = 0;         // on the stack: the outermost frame that is not known to be open
    std::size_t done = 0;         // of the functions of that frame: how many are known to be open
    std::size_t end = 0;          // behind the innermost frame of the stack that counts
    const Frame* open = nullptr;  // behind the innermost open frame that is known to be on the stack. nullptr: the
                                  // innermost one that is known otherwise is gone, and nothing can be told
  };

  void open_again(const OwnStack& own);

  friend bool update_call_path_of(Thread& thread, const Registers& caller, Ticks& time, std::uintptr_t outside);
  friend void close_unwound_frame(Thread& thread, Ticks time);

  bool update(Thread& thread, const Registers& here, Ticks& time, std::uintptr_t outside);
  bool is_as_left(const Thread& thread) const;
  Matched match(const Thread& thread, std::size_t kept, std::uintptr_t outside);
  Matched match_known(std::size_t kept) const;
  Matched match_from_base(const Thread& thread, std::size_t end);
  void find_first_inside(std::size_t end);
  template <bool kWithPython>
  void match_further(const Thread& thread, Matched& matched, std::size_t end);
  bool has_room_for(Thread& thread, const Matched& matched, Ticks time) const;
  void apply(Thread& thread, Matched matched, Ticks& time);
  template <bool kWithPython>
  void enter_frames(Thread& thread, const Matched& matched, Ticks& time);
  Ticks take_begin(const Thread& thread);
  void enter_since_begin(Thread& thread, Matched& matched);
  template <bool kWithPython, class Visit>
  bool each_function(std::size_t frame, Visit visit);
  bool is_python_uncertain() const;
  std::size_t look_at_python(std::size_t kept);
  RegionId region_of(const PythonPath::Function& function);
  RegionId region_of(std::size_t frame) {
    const RegionId known = stack_.frames()[frame].region;
    return known != kUnknownRegion ? known : find_region(frame);
  }
  RegionId find_region(std::size_t frame);
  RegionId define(std::size_t frame);
  bool is_main(std::size_t frame);
  std::uintptr_t cfa_of(std::size_t frame) const;
  static CallSite site_in(const PythonPath::Function& function);
  CallSite site_inside(std::size_t frame) {
    const StackFrame& there = stack_.frames()[frame];
    if (python_ || !has_call_sites(there.region) || is_run_time_code(there.function)) return find_site_inside(frame);
    return {.place = there.return_address};
  }
  CallSite find_site_inside(std::size_t frame);
  RegionId region_called(std::size_t frame, RegionId region, const CallSite& site);
  RegionId find_region_of_call(RegionId region);
  const StackFrame* calling_frame() const {  // if its return address is the place of the call
    const auto frames = stack_.frames();
    return !python_ && end_ - 1 < frames.size() && frames[end_ - 1].return_address == call_site_.place
               ? &frames[end_ - 1]
               : nullptr;
  }
  bool is_sampled(const Thread& thread) const;
  void note_unloaded(Thread& thread, Ticks time);

  // Whether other regions are open in the innermost frame: then it is open, too.
  static bool is_top_pinned(const Thread& thread) { return thread.frames.top().depth + 1 != thread.depth; }

  CallStack stack_;
  KnownCallers callers_;
  const PythonInterpreter* python_ = nullptr;  // whose functions are on the path
  PythonPath python_path_;
  const Frame* known_top_ = nullptr;    // innermost open frame after the latest look; nullptr: not known
  const Frame* base_ = nullptr;         // at that look: the innermost one that is known otherwise
  std::uint32_t depth_ = 0;             // at that look: of the thread
  std::size_t first_ = 0, end_ = 0;     // at that look: the frames of the stack that are inside `base_`
  std::size_t around_ = 0;              // at that look: of the functions of the first of them, those that are not
  Ticks begun_at_ = -1;                 // since when nothing has been recorded but the begin of a created thread
  std::uintptr_t thread_function_ = 0;  // that it called then
  Ticks sampled_at_ = -1;               // if the latest look was a sample; what it found lasts until the next record
  CallSite call_site_;                  // at that look: of a call by the innermost function that is recorded
  std::uint32_t unloads_ = 0;           // of modules, that have been noted
  Ticks first_sights_ = 0;              // time spent on defining functions, not in the costs
  CallPathCosts costs_;
  CallPath* next_free_ = nullptr;
};

/// CallPath::region_of_call() where the thread has a call path.
inline RegionId region_of_call(const Thread& thread, RegionId region) {
  CallPath* const path = kCallPath.of(thread);
  return path ? path->region_of_call(region) : region;
}

/// CallPath::place_of_call() where the thread has a call path.
inline const void* place_of_latest_call(const Thread& thread) {
  const CallPath* const path = kCallPath.of(thread);
  return path ? path->place_of_call() : nullptr;
}

/// Looks at the calling thread's stack and makes its open frames fit. For callers that hold the gate. Functions with
/// stack pointers up to `outside` are left out. `time` 0: now. Does nothing while the recording is paused, or if
/// `thread` has no call path. False if the innermost known frame is gone: that has to be closed first, in a step of its
/// own.
bool update_call_path(Thread& thread, Ticks time = 0, std::uintptr_t outside = 0);

/// The same from a function further out. If `time` is 0 and frames are entered, it becomes the time of that.
bool update_call_path_of(Thread& thread, const Registers& caller, Ticks& time, std::uintptr_t outside = 0);

/// Leaves the unwound functions that are open inside the innermost other region. That is at `time` if a sample has
/// found them, else at the time of the latest event. For callers that hold the gate.
void close_unwound_frames(Thread& thread, Ticks time);

/// Leaves the function of the top frame, which is unwound, and what is open inside it.
void close_unwound_frame(Thread& thread, Ticks time);

/// The compiler has made a function of a construct of OpenMP, and this place is in it.
void note_outlined_code(const void* behind_call);

/// How often the program has closed a library: what was known of places in libraries may be wrong by then.
std::uint32_t closed_libraries();
void note_closed_library();

/// Modules may have been unloaded: forgets what is known of their code.
/// Calls: may block.
void forget_unloaded_code();

}  // namespace tarry::measure
