// call_stack.cpp -- walks the part of a stack that has changed.
#include "measure/callpath/call_stack.hpp"

#include <dlfcn.h>
#include <sys/mman.h>

#include <algorithm>
#include <utility>

namespace tarry::measure {
namespace {

constexpr std::uintptr_t kWord = sizeof(std::uintptr_t);
constexpr std::uintptr_t kMostFrameBytes = std::uintptr_t{16} << 20;  // of one function, if the stack's end is unknown

constexpr std::uintptr_t kPage = 4096;

bool is_mapped(std::uintptr_t address) {
  return ::msync(reinterpret_cast<void*>(address / kPage * kPage), 1, MS_ASYNC) == 0;
}

bool is_in_module([[maybe_unused]] std::uintptr_t instruction) {
#ifdef DLFO_STRUCT_HAS_EH_DBASE
  dl_find_object found;
  return ::_dl_find_object(reinterpret_cast<void*>(instruction), &found) == 0;
#else
  return true;
#endif
}

// Whether it is known how to go on from there.
bool has_description(std::uintptr_t address) {
  if (!is_in_module(address)) return false;
  const auto kind = g_rules.find(address).kind;
  return kind != FrameRule::Kind::kUnknown && kind != FrameRule::Kind::kSignal;
}

// Whether a function of a module has called something, which returns there.
bool is_return_address(std::uintptr_t address) {
  if (!has_description(address) || !is_in_module(address - processor::kLongestCall)) return false;
  return processor::is_behind_call(reinterpret_cast<const std::uint8_t*>(address));
}

}  // namespace

bool CallStack::open(std::size_t limit, const OwnStack& own) {
  own_ = own;
  const std::size_t frames = 2 * limit + 1, words = 2 * limit;  // a frame more while the caller of the last is found
  const std::size_t bytes = frames * sizeof(StackFrame) + words * sizeof(StackWord) + WalkedFrames::kBytes;
  void* const memory =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  frames_ = static_cast<StackFrame*>(memory);
  fresh_ = frames_ + limit;
  marks_ = reinterpret_cast<StackWord*>(fresh_ + limit + 1);
  walked_.open(marks_ + words);
  limit_ = limit;
  return true;
}

std::size_t CallStack::walk(const Registers& now) {
  keep_walked();
  changes_ = g_regions.changes();
  if (const std::size_t known = find_walked(now)) return known;
  std::size_t kept = size_;
  std::size_t count = find_fresh({.return_address = now.return_address,
                                  .stack = now.stack,
                                  .base = now.base,
                                  .is_interrupted = now.is_interrupted,
                                  .link = now.link},
                                 kept);
  if (kept + count > limit_) {  // what is further out is lost
    const std::size_t lost = kept + count - limit_;
    std::move(frames_ + lost, frames_ + kept, frames_);
    kept -= lost;
    cut_ = CutStack::kTooDeep;
    std::reverse_copy(fresh_, fresh_ + count, frames_ + kept);
    size_ = limit_;
    keep_needed_bases(kept);
    mark(0);
    return first_walked_ = 0;
  }
  std::reverse_copy(fresh_, fresh_ + count, frames_ + kept);
  size_ = kept + count;
  keep_needed_bases(kept);
  mark(kept);
  return first_walked_ = kept;
}

// Not when it is made, but when the next one is: by then it is known which regions the functions are.
void CallStack::keep_walked() {
  const std::size_t first = std::exchange(first_walked_, 0);
  if (first == 0 || first >= size_ || size_ - first >= KeptWalk::kMostFrames) return;
  const StackFrame& innermost = frames_[size_ - 1];
  if (innermost.is_in_handler || innermost.is_interrupted) return;
  walked_.keep(changes_, {frames_ + first - 1, frames_ + size_}, words_between(first, size_ - 1));
}

// The known frame that a kept walk begins in, if all is as it was then; else the number of frames.
std::size_t CallStack::frame_outside(const KeptWalk& walk, const Registers& now) const {
  if (walk.changes != changes_ || (walk.innermost().needs_base && walk.innermost().base != now.base)) return size_;
  std::size_t outer = size_;
  while (outer > 0 && frames_[outer - 1].stack < walk.outer().stack) --outer;
  if (outer-- == 0 || outer + walk.size > limit_ || !walk.is_inside(frames_[outer])) return size_;
  const auto words = walk.used_words();
  return has_changed(words.data(), words.data() + words.size()) || !is_intact(outer) ? size_ : outer;
}

// As walk(), if these frames are kept; else 0.
std::size_t CallStack::find_walked(const Registers& now) {
  if (now.is_interrupted) return 0;
  std::size_t outer = 0;
  const auto fits = [&](const KeptWalk& walk) { return (outer = frame_outside(walk, now)) < size_; };
  const KeptWalk* const walk = walked_.find(now.return_address, now.stack, fits);
  if (!walk) return 0;
  std::size_t known = 1;  // of the frames of that walk: those which are still on the stack
  while (outer + known < size_ && known < walk->size && walk->frames[known].is_at(frames_[outer + known])) ++known;
  take(*walk, outer, known);
  return outer + known;
}

// Its frames inside that one, of which some are there already.
void CallStack::take(const KeptWalk& walk, std::size_t outer, std::size_t known) {
  const std::uint32_t marks = frames_[outer].marks;
  const auto words = walk.used_words();
  std::copy(words.begin(), words.end(), marks_ + marks);
  for (std::size_t i = known; i < walk.size; ++i) {
    frames_[outer + i] = walk.frames[i];
    frames_[outer + i].marks += marks - walk.outer().marks;
  }
  size_ = outer + walk.size;
}

// Fills fresh_ with the frames that are not known, innermost first, and returns their number. `kept` becomes the number
// of known frames outside them.
std::size_t CallStack::find_fresh(const StackFrame& innermost, std::size_t& kept) {
  fresh_[0] = innermost;
  for (std::size_t count = 0; count < limit_; ++count) {
    StackFrame& frame = fresh_[count];
    while (kept > 0 && frames_[kept - 1].stack < frame.stack) --kept;
    if (kept > 0 && is_known(frame, kept - 1)) return count;
    const Step to = step(frame, fresh_[count + 1] = StackFrame());
    if (to != Step::kCaller) {
      cut_ = cut_at(to);
      kept = 0;
      return count + 1;
    }
  }
  cut_ = CutStack::kTooDeep;
  kept = 0;
  return limit_;
}

std::optional<CutStack> CallStack::cut_at(Step last) {
  switch (last) {
    case Step::kNoUnwindInfo: return CutStack::kNoUnwindInfo;
    case Step::kRunTimeCode: return CutStack::kRunTimeCode;
    case Step::kUnreadable: return CutStack::kUnreadable;
    default: return std::nullopt;
  }
}

CallStack::Step CallStack::step(StackFrame& frame, StackFrame& caller) const {
  using Kind = FrameRule::Kind;
  // A program is interrupted anywhere: there is no use in keeping the rules of all its instructions.
  const FrameRule rule =
      frame.is_interrupted ? frame_rule_at(frame.return_address - 1) : g_rules.find(frame.return_address);
  frame.function = rule.function;
  std::uintptr_t cfa = static_cast<std::uintptr_t>(rule.offset);
  switch (rule.kind) {
    case Kind::kUnknown: return step_out_of_undescribed(frame, caller);
    case Kind::kOutermost: frame.function = 0; return Step::kOutermost;
    case Kind::kSignal: return step_over_signal(frame, caller);
    case Kind::kPlt: cfa += frame.stack + processor::pushed_in_stub(frame.return_address - 1); break;
    case Kind::kStack: cfa += frame.stack; break;
    case Kind::kFrameDeref:
      frame.needs_base = true;
      cfa += frame.base;
      if (!is_readable(cfa, frame.stack)) return Step::kUnreadable;
      cfa = read(cfa);
      break;
    case Kind::kFrame:
      frame.needs_base = true;
      cfa += frame.base;
      break;
  }
  if (processor::kReturnsByRegister && rule.return_offset == 0) return step_out_of_leaf(frame, caller, cfa, rule);
  const std::uintptr_t place = processor::return_place(cfa, rule.return_offset);
  if (cfa <= frame.stack || !is_readable(place, frame.stack)) return Step::kUnreadable;
  frame.return_place.note(place);
  caller.return_address = processor::without_signature(read(place));
  caller.stack = cfa;
  if (!find_base(frame, caller, rule)) return Step::kUnreadable;
  return caller.return_address ? Step::kCaller : Step::kOutermost;
}

// The frame pointer of the caller, whose stack pointer is known. A function that is about to return has it back
// already: then its place lies below the stack pointer, whatever the description says. False if the place cannot be
// read.
bool CallStack::find_base(StackFrame& frame, StackFrame& caller, const FrameRule& rule) const {
  caller.base = frame.base;
  const std::uintptr_t place = caller.stack + static_cast<std::uintptr_t>(std::intptr_t{rule.base_offset});
  if (rule.base_offset == 0 || (frame.is_interrupted && place < frame.stack)) return true;
  if (!is_readable(place, frame.stack)) return false;
  frame.base_slot = place;
  caller.base = read(place);
  return true;
}

// The interrupted function has called nothing yet: its return address is in its register.
CallStack::Step CallStack::step_out_of_leaf(StackFrame& frame, StackFrame& caller, std::uintptr_t cfa,
                                            const FrameRule& rule) const {
  if (!frame.is_interrupted || cfa < frame.stack) return Step::kUnreadable;
  caller.return_address = frame.link.take();
  caller.stack = cfa;
  if (!find_base(frame, caller, rule)) return Step::kUnreadable;
  return caller.return_address ? Step::kCaller : Step::kOutermost;
}

// What the frame goes on with, if nothing describes it.
const std::uint32_t* CallStack::undescribed_code(const StackFrame& frame) {
  const std::uintptr_t address = frame.return_address - frame.is_interrupted;
  if (processor::kHasDescribedStubs || address % sizeof(std::uint32_t) != 0 || !is_mapped(address)) return nullptr;
  return reinterpret_cast<const std::uint32_t*>(address);
}

// A stub of the dynamic linker may have no description, nor may the end of a signal's handler.
CallStack::Step CallStack::step_out_of_undescribed(StackFrame& frame, StackFrame& caller) const {
  if (const auto* const code = undescribed_code(frame); code && frame.is_interrupted) {
    const processor::StubFrame stub = processor::stub_at(code);
    if (stub.is_stub) return step_out_of_stub(frame, caller, stub);
  } else if (code && processor::is_signal_return(code)) {
    return step_over_signal(frame, caller);
  }
  return step_out_of_unknown_code(frame, caller);
}

CallStack::Step CallStack::step_out_of_stub(StackFrame& frame, StackFrame& caller,
                                            const processor::StubFrame& stub) const {
  const std::uintptr_t cfa = frame.stack + stub.pushed;
  if (stub.pushed == 0) return step_out_of_leaf(frame, caller, cfa, {});
  const std::uintptr_t place = frame.stack + stub.return_place;
  if (!is_readable(place, frame.stack)) return Step::kUnreadable;
  frame.return_place.note(place);
  caller.return_address = processor::without_signature(read(place));
  caller.stack = cfa;
  caller.base = frame.base;
  return caller.return_address ? Step::kCaller : Step::kOutermost;
}

bool CallStack::is_return_at(std::uintptr_t place, std::uintptr_t inside) const {
  return is_readable(place, inside) && is_return_address(processor::without_signature(read(place)));
}

// Whether a frame pointer lies at `base`, in a frame whose innermost word is at `inside`, and a return address above.
bool CallStack::is_link(std::uintptr_t base, std::uintptr_t inside) const {
  return base >= inside && is_readable(base, inside) && is_readable(base + kWord, inside);
}

// Frame pointers that lead from one frame without a description to the next, and at last to one that has one. The
// number of those in between; nothing if they do not. Many of them in a row are no accident.
std::optional<std::size_t> CallStack::count_links(const StackFrame& frame) const {
  constexpr std::size_t kEnoughLinks = 64;
  std::uintptr_t base = frame.base, inside = frame.stack;
  for (std::size_t links = 0; links < kEnoughLinks; ++links) {
    if (!is_link(base, inside)) return std::nullopt;
    const std::uintptr_t target = processor::without_signature(read(base + kWord));
    if (is_return_address(target)) return links;
    if (target < kPage || target >= processor::kEndOfPrograms || has_description(target)) return std::nullopt;
    inside = base + 2 * kWord;
    base = read(base);
  }
  return kEnoughLinks;
}

// Nothing describes the frames of code that was made at run time, nor of code that a runtime has brought along. The
// first may have no frame at all. Both may have frame pointers. Else the innermost word that looks like a return
// address to a module is one.
CallStack::Step CallStack::step_out_of_unknown_code(StackFrame& frame, StackFrame& caller) const {
  constexpr std::uintptr_t kMostWords = 256;
  const bool is_of_module = is_in_module(frame.return_address - 1);
  if (!is_of_module) frame.function = run_time_code_at(frame.return_address - 1);
  const bool has_frame = is_of_module || frame.is_on_chain || !is_return_at(frame.stack, frame.stack);
  const auto links = has_frame && !frame.is_on_chain ? count_links(frame) : std::nullopt;
  caller.is_on_chain = frame.is_on_chain || (links && (*links > 0 || !is_of_module));
  if (is_of_module && !caller.is_on_chain) return Step::kNoUnwindInfo;
  if (frame.is_on_chain && !is_link(frame.base, frame.stack)) return Step::kUnreadable;
  std::uintptr_t place = caller.is_on_chain ? frame.base + kWord : frame.stack;
  const std::uintptr_t last = place + kMostWords * kWord;
  while (!caller.is_on_chain && place < last && !is_return_at(place, frame.stack)) place += kWord;
  if (place >= last) return Step::kRunTimeCode;
  frame.return_place.note(place);
  caller.return_address = processor::without_signature(read(place));
  caller.stack = place + kWord;
  caller.base = caller.is_on_chain ? read(frame.base) : frame.base;
  frame.needs_base = caller.is_on_chain;
  if (caller.is_on_chain) frame.base_slot = frame.base;
  return Step::kCaller;
}

// To the interrupted function, which may have been on another stack.
CallStack::Step CallStack::step_over_signal(const StackFrame& frame, StackFrame& caller) const {
  if (!is_readable(frame.stack + processor::kSavedInstruction, frame.stack)) return Step::kUnreadable;
  caller.return_address = read(frame.stack + processor::kSavedInstruction) + 1;
  caller.stack = read(frame.stack + processor::kSavedStack);
  caller.base = read(frame.stack + processor::kSavedFramePointer);
  caller.link = processor::saved_return_register(frame.stack);
  caller.is_interrupted = true;
  return Step::kCaller;
}

// A system call tells whether memory beyond the thread's own stack can be read: the program may have made that stack
// itself. On the page from which the callee returns no call is needed.
bool CallStack::is_readable_elsewhere(std::uintptr_t address, std::uintptr_t inside) {
  if (address - inside >= kMostFrameBytes) return false;
  return address / kPage == (inside - kWord) / kPage || is_mapped(address);
}

// From `first` on frames are new. A place with a frame pointer matters only if a frame further out is found by it:
// else the register holds whatever the program wants.
void CallStack::keep_needed_bases(std::size_t first) {
  for (std::size_t i = first; i < size_; ++i) {
    StackFrame& frame = frames_[i];
    const bool caller_needs = i > 0 && frames_[i - 1].needs_base;
    if (!caller_needs) frame.base_slot = 0;
    else if (frame.base_slot == 0) frame.needs_base = true;
  }
}

// A frame's return address lies below where its stack pointer was, or is in a register yet. What a signal has
// interrupted may be on another stack, which may be gone.
void CallStack::mark(std::size_t first) {
  for (std::size_t i = first; i < size_; ++i) {
    StackFrame& frame = frames_[i];
    frame.is_in_handler = i > 0 && (frames_[i - 1].is_in_handler || frames_[i - 1].is_interrupted);
    frame.marks = i > 0 ? frames_[i - 1].marks : 0;
    if (i == 0) continue;
    const StackFrame& caller = frames_[i - 1];
    frame.alike = frame.function == caller.function ? caller.alike + 1 : 1;
    const std::uintptr_t place = frame.return_place.below(caller.stack);
    if (!processor::kReturnsByRegister || place)
      marks_[frame.marks++] = {place, processor::kSignsReturns ? read(place) : caller.return_address};
    if (frame.base_slot) marks_[frame.marks++] = {frame.base_slot, caller.base};
  }
}

}  // namespace tarry::measure
