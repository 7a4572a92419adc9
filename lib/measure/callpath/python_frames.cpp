// python_frames.cpp -- follows the interpreter's chains of frames.
#include "measure/callpath/python_frames.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/text/utf8.hpp"
#include "measure/callpath/python_lines.hpp"
#include "measure/core/loaded_object.hpp"

namespace tarry::measure {
namespace {

constexpr std::size_t kObjectType = 8;   // in every object
constexpr std::size_t kTextLength = 16;  // in a string: the number of its characters
constexpr std::size_t kTextHash = 24;    // a checksum of them: names of functions have it
constexpr std::size_t kTextState = 32;   // and how they are stored
constexpr std::size_t kMostCharacters = 4096;
constexpr std::uintptr_t kReferenceTags = 3;  // of Python 3.14: who counts the reference

// Memory of this process.
struct OwnMemory {
  template <class T>
  bool read(std::uintptr_t address, T& value) const {
    std::memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
    return true;
  }
};

// The same for addresses that may be none, and memory that another thread may give back. The kernel copies it, some
// words at a time. What is near is wanted next, as a rule, and the thread does not change it during a look.
class UncertainMemory {
 public:
  UncertainMemory() {}

  template <class T>
  bool read(std::uintptr_t address, T& value) const {
    const std::uintptr_t begin = address / kBlock * kBlock;
    if (address + sizeof value > begin + kBlock) return copy(address, &value, sizeof value);
    const Block* const block = find(begin);
    if (!block) return false;
    std::memcpy(&value, block->bytes + (address - begin), sizeof value);
    return true;
  }

 private:
  static constexpr std::size_t kBlock = 128, kBlocks = 4;
  struct Block {
    std::uintptr_t begin;
    std::uint8_t bytes[kBlock];
  };

  bool copy(std::uintptr_t address, void* to, std::size_t size) const {
    iovec here{to, size};
    iovec there{reinterpret_cast<void*>(address), size};
    return ::process_vm_readv(process_, &here, 1, &there, 1, 0) == static_cast<ssize_t>(size);
  }

  const Block* find(std::uintptr_t begin) const {
    for (std::size_t i = 0; i < std::min(loaded_, kBlocks); ++i)
      if (blocks_[i].begin == begin) return &blocks_[i];
    Block& oldest = blocks_[loaded_ % kBlocks];
    oldest.begin = 0;
    if (!copy(begin, oldest.bytes, kBlock)) return nullptr;
    oldest.begin = begin;
    ++loaded_;
    return &oldest;
  }

  const pid_t process_ = ::getpid();
  mutable Block blocks_[kBlocks];
  mutable std::size_t loaded_ = 0;
};

template <class Memory>
bool read_character(const Memory& memory, std::uintptr_t address, std::size_t width, std::uint32_t& character) {
  std::uint8_t one = 0;
  std::uint16_t two = 0;
  if (width == 4) return memory.read(address, character);
  const bool is_read = width == 1 ? memory.read(address, one) : memory.read(address, two);
  character = width == 1 ? one : two;
  return is_read;
}

// The bytes of a table that may be gone, in blocks.
class UncertainBytes : public TableBytes {
 public:
  UncertainBytes(std::uintptr_t begin, std::uint64_t size) : next_(begin), left_(size) {}

  std::optional<std::uint8_t> next() override {
    if (at_ == block_.size && !load()) return std::nullopt;
    return block_.bytes[at_++];
  }

 private:
  static constexpr std::size_t kBytes = 256;

  bool load() {
    iovec here{block_.bytes, std::min<std::uint64_t>(left_, kBytes)};
    iovec there{reinterpret_cast<void*>(next_), here.iov_len};
    const ssize_t count = left_ > 0 ? ::process_vm_readv(::getpid(), &here, 1, &there, 1, 0) : 0;
    block_.size = static_cast<std::size_t>(std::max<ssize_t>(count, 0));
    next_ += block_.size;
    left_ -= block_.size;
    at_ = 0;
    return block_.size > 0;
  }

  std::uintptr_t next_;
  std::uint64_t left_;
  std::size_t at_ = 0;
  struct {
    std::uint8_t bytes[kBytes];
    std::size_t size = 0;
  } block_;
};

}  // namespace

// One look at the frames of a thread. A failed read ends it without a frame.
template <class Memory>
class PythonInterpreter::Walk {
 public:
  Walk(const PythonInterpreter& python, const Memory& memory, std::span<PythonFrame> out)
      : layout_(*python.layout_), python_(python), memory_(memory), out_(out) {}

  std::size_t run(std::span<const StackFrame> stack) {
    const auto state = reinterpret_cast<std::uintptr_t>(python_.get_thread_state_());
    if (!state) return 0;
    const std::uintptr_t top = pointer_at(state + layout_.top);
    bool is_done = false;
    switch (layout_.chain) {
      using enum PythonLayout::Chain;
      case kOneEach: is_done = follow_frames(top, stack); break;
      case kRecords: is_done = follow_records(top); break;
      case kEntries: is_done = follow_entries(layout_.has_record ? pointer_at(top + layout_.record_frame) : top); break;
    }
    return is_done && !has_failed_ ? count_ : kFailed;
  }

 private:
  std::uintptr_t pointer_at(std::uintptr_t address) {
    std::uintptr_t value = 0;
    if (!address || has_failed_ || !memory_.read(address, value)) has_failed_ = true;
    return has_failed_ ? 0 : value;
  }

  bool is_marked(std::uintptr_t frame) {
    std::uint8_t mark = 0;
    has_failed_ |= !memory_.read(frame + layout_.frame_mark, mark);
    return mark == layout_.mark;
  }

  bool is_full() const { return count_ == out_.size(); }
  std::uintptr_t outer(std::uintptr_t frame) { return pointer_at(frame + layout_.frame_outer); }

  // From its name and line.
  std::uint64_t identity_of(std::uintptr_t code) {
    std::int32_t line = 0;
    has_failed_ |= !memory_.read(code + layout_.code_line, line);
    return pointer_at(pointer_at(code + layout_.code_short_name) + kTextHash) + static_cast<std::uint64_t>(line);
  }

  // False if the frame has no code.
  bool add(std::uintptr_t frame, std::uintptr_t stack) {
    const std::uintptr_t code = pointer_at(frame + layout_.frame_code) & ~kReferenceTags;
    if (has_failed_ || pointer_at(code + kObjectType) != python_.code_type_) return false;
    out_[count_++] = {
        .code = code, .identity = identity_of(code), .stack = stack, .instruction = instruction_of(frame, code)};
    return true;
  }

  std::uint32_t instruction_of(std::uintptr_t frame, std::uintptr_t code) {
    if (layout_.code_begin)
      return static_cast<std::uint32_t>(pointer_at(frame + layout_.frame_instruction) - code - layout_.code_begin);
    std::uint32_t number = 0;
    has_failed_ |= !memory_.read(frame + layout_.frame_instruction, number);
    return number * layout_.instruction_bytes;
  }

  // As many frames as the evaluating function is open, from the inside.
  bool follow_frames(std::uintptr_t frame, std::span<const StackFrame> stack) {
    std::size_t at = stack.size();
    for (; frame && !is_full(); frame = outer(frame)) {
      while (at > 0 && stack[at - 1].function != python_.evaluator_) --at;
      if (at == 0 || !add(frame, stack[--at].stack)) return false;
    }
    return true;
  }

  // From each record its frames, up to the marked one.
  bool follow_records(std::uintptr_t record) {
    for (; record && !is_full(); record = pointer_at(record + layout_.record_outer)) {
      for (std::uintptr_t frame = pointer_at(record + layout_.record_frame); frame && !is_full();) {
        if (!add(frame, record)) return false;
        if (is_marked(frame)) break;
        frame = outer(frame);
      }
    }
    return true;
  }

  // The marked frame behind others tells where they run.
  bool follow_entries(std::uintptr_t frame) {
    std::size_t placed = count_;
    for (; frame && !is_full(); frame = outer(frame)) {
      if (!is_marked(frame)) {
        if (!add(frame, 0)) return false;
        continue;
      }
      for (; placed < count_; ++placed) out_[placed].stack = frame;
    }
    count_ = placed;
    return true;
  }

  const PythonLayout& layout_;
  const PythonInterpreter& python_;
  const Memory& memory_;
  std::span<PythonFrame> out_;
  std::size_t count_ = 0;
  bool has_failed_ = false;
};

bool PythonInterpreter::is_at(const void* address) { return find_beside(address, "Py_GetVersion").address != nullptr; }

bool PythonInterpreter::open(const void* address) {
  const auto get_version = reinterpret_cast<const char* (*)()>(find_beside(address, "Py_GetVersion").address);
  if (!get_version) return false;
  layout_ = find_python_layout(get_version());
  get_thread_state_ = reinterpret_cast<GetThreadState>(find_beside(address, "PyGILState_GetThisThreadState").address);
  code_type_ = reinterpret_cast<std::uintptr_t>(find_beside(address, "PyCode_Type").address);
  evaluator_ = reinterpret_cast<std::uintptr_t>(find_beside(address, "_PyEval_EvalFrameDefault").address);
  for (const char* name : {"_Py_IsFinalizing", "Py_IsFinalizing"})
    if (void* const found = find_beside(address, name).address) is_ending_ = reinterpret_cast<IsEnding>(found);
  return layout_ && get_thread_state_ && code_type_ && evaluator_;
}

std::size_t PythonInterpreter::find_frames(std::span<const StackFrame> stack, std::span<PythonFrame> out,
                                           bool is_uncertain) const {
  if (is_proven_.load(std::memory_order_relaxed) && !is_uncertain && !is_ending()) [[likely]]
    return Walk(*this, OwnMemory(), out).run(stack);
  const UncertainMemory memory;
  const std::size_t count = Walk(*this, memory, out).run(stack);
  if (count > 0 && count != kFailed) is_proven_.store(true, std::memory_order_relaxed);
  return count;
}

std::optional<PythonFunction> PythonInterpreter::describe(std::uintptr_t code, bool is_uncertain) const {
  return is_uncertain ? describe_in(UncertainMemory(), code) : describe_in(OwnMemory(), code);
}

template <class Memory>
std::optional<PythonFunction> PythonInterpreter::describe_in(const Memory& memory, std::uintptr_t code) const {
  std::uintptr_t name = 0, file = 0;
  std::int32_t line = 0;
  if (!memory.read(code + layout_->code_name, name) || !memory.read(code + layout_->code_file, file) ||
      !memory.read(code + layout_->code_line, line))
    return std::nullopt;
  PythonFunction function{"", "", static_cast<std::uint32_t>(std::max(line, 0))};
  if (!read_text(memory, name, function.name) || !read_text(memory, file, function.file)) return std::nullopt;
  if (function.name == "<module>") function.name = function.file.substr(function.file.rfind('/') + 1);
  return function;
}

PythonInterpreter::Line PythonInterpreter::find_line(std::uintptr_t code, std::uint32_t instruction) const {
  const UncertainMemory memory;
  if (instruction > std::numeric_limits<std::int32_t>::max()) return {};  // it has not begun
  std::uintptr_t table = 0;
  std::uint64_t size = 0;
  const auto function = describe_in(memory, code);
  if (!function || !memory.read(code + layout_->code_lines, table) || !memory.read(table + layout_->bytes_size, size))
    return {};
  UncertainBytes bytes(table + layout_->bytes, size);
  return {function->file, find_python_line(layout_->lines, bytes, function->line, instruction)};
}

// Characters of 1, 2 or 4 bytes each, behind the head of the string.
template <class Memory>
bool PythonInterpreter::read_text(const Memory& memory, std::uintptr_t string, std::string& text) const {
  std::uint64_t length = 0;
  std::uint32_t state = 0;
  if (!string) return true;
  if (!memory.read(string + kTextLength, length) || !memory.read(string + kTextState, state)) return false;
  const std::size_t width = state >> 2 & 7;
  const bool is_compact = state >> 5 & 1, is_ascii = state >> 6 & 1;
  if (!is_compact || (width != 1 && width != 2 && width != 4)) return true;
  const std::uintptr_t begin = string + (is_ascii ? layout_->ascii_text : layout_->other_text);
  for (std::size_t i = 0; i < std::min<std::uint64_t>(length, kMostCharacters); ++i) {
    std::uint32_t character = 0;
    if (!read_character(memory, begin + i * width, width, character)) return false;
    append_utf8(text, character);
  }
  return true;
}

}  // namespace tarry::measure
