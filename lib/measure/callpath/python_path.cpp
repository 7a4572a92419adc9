// python_path.cpp -- joins the frames of Python with those of C.
#include "measure/callpath/python_path.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <tuple>
#include <utility>

#include "measure/core/loaded_object.hpp"
#include "measure/core/memory.hpp"
#include "measure/core/say.hpp"

namespace tarry::measure {
namespace {

template <class T>
T* map_array(std::size_t count) {
  void* const memory =
      ::mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<T*>(memory);
}

std::uintptr_t key_of_frame(const PythonFrame& frame) {
  constexpr std::uintptr_t kNoAddress = std::uintptr_t{1} << 63;
  return kNoAddress | (frame.code ^ frame.identity * 0x9e3779b97f4a7c15u) >> 1;
}

// The latest one that was found. Threads may still look at one that is gone: it is never destroyed.
std::atomic<PythonInterpreter*> g_python = nullptr;
std::atomic<std::uintptr_t> g_python_place = 0;

void tell_unknown() {
  static std::atomic<bool> is_told = false;
  if (!is_told.exchange(true))
    say("this version of Python is not known: call paths show the functions of its interpreter");
}

}  // namespace

PythonRole python_role_of(std::uintptr_t function) {
  const auto* const place = reinterpret_cast<const void*>(function);
  if (is_in_handler()) return followed_python() ? PythonRole::kFollowed : PythonRole::kUncertain;
  if (!PythonInterpreter::is_at(place)) return PythonRole::kFollowed;  // its main program, or a module of its own
  if (g_python.load(std::memory_order_acquire)) return PythonRole::kFollowed;
  auto* const python = new PythonInterpreter;
  if (!python->open(place)) {
    tell_unknown();
    return PythonRole::kUnknownInterpreter;
  }
  g_python_place = function;
  g_python.store(python, std::memory_order_release);
  return PythonRole::kFollowed;
}

void find_python() {
  const auto place = reinterpret_cast<std::uintptr_t>(find_loaded("Py_GetVersion").address);
  if (place) python_role_of(place);
}

const PythonInterpreter* followed_python() { return g_python.load(std::memory_order_acquire); }

void forget_python(std::uintptr_t begin, std::uintptr_t end) {
  if (g_python_place - begin < end - begin) g_python.store(nullptr, std::memory_order_release);
}

bool PythonPath::open(const PythonInterpreter& python, std::size_t limit) {
  python_ = &python;
  found_ = map_array<PythonFrame>(limit);
  functions_ = map_array<Function>(limit);
  latest_ = map_array<Function>(limit);
  limit_ = limit;
  return found_ && functions_ && latest_;
}

std::size_t PythonPath::update(std::span<const StackFrame> stack, std::size_t kept, bool is_uncertain) {
  const std::size_t count = python_->find_frames(stack, {found_, limit_}, is_uncertain);
  if (count == kFailed) {
    forget();
    return is_uncertain ? kFailed : 0;
  }
  std::swap(functions_, latest_);
  std::size_t frame = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const PythonFrame& found = found_[count - 1 - i];
    while (frame + 1 < stack.size() && stack[frame].stack > found.stack) ++frame;
    functions_[i] = {.key = key_of_frame(found), .code = found.code, .frame = frame, .instruction = found.instruction};
  }
  const std::size_t same = count_same(count);
  if (same < count) kept = std::min(kept, functions_[same].frame);
  if (same < size_) kept = std::min(kept, latest_[same].frame);
  has_moved_ = same > 0 && functions_[same - 1].instruction != latest_[same - 1].instruction;
  if (has_moved_) kept = std::min(kept, functions_[same - 1].frame + 1);
  size_ = count;
  return kept;
}

// How many of the outermost functions are as they were, and were called from where they were.
std::size_t PythonPath::count_same(std::size_t new_size) const {
  const std::size_t most = std::min(new_size, size_);
  for (std::size_t i = 0; i < most; ++i) {
    const Function &one = functions_[i], &other = latest_[i];
    if (std::tie(one.key, one.code, one.frame) != std::tie(other.key, other.code, other.frame)) return i;
    if (one.instruction != other.instruction) return i + 1;
  }
  return most;
}

std::span<const PythonPath::Function> PythonPath::in(std::size_t frame) const {
  const std::span all(functions_, size_);
  const auto found = std::ranges::equal_range(all, frame, {}, &Function::frame);
  return {found.begin(), found.end()};
}

}  // namespace tarry::measure
