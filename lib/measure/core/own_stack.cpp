// own_stack.cpp -- asks the C library, or the kernel where no memory may be allocated.
#include "measure/core/own_stack.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "measure/core/memory.hpp"

extern "C" void* __libc_stack_end;  // of the dynamic linker: where the main thread's stack began

namespace tarry::measure {
namespace {

// Takes /proc/PID/maps, whose lines begin with "begin-end ", character by character.
class MappingLines {
 public:
  /// True once the line of the mapping around `address` has ended.
  bool ends_around(std::uintptr_t address, char c) {
    if (c != '\n') {
      take(c);
      return false;
    }
    if (now_.begin <= address && address < now_.end) return true;
    before_ = now_;
    now_ = {};
    field_ = 0;
    return false;
  }
  std::uintptr_t begin() const { return now_.begin; }
  std::uintptr_t end_before() const { return before_.end; }

 private:
  struct Mapping {
    std::uintptr_t begin = 0, end = 0;
  };

  void take(char c) {
    if (field_ > 1) return;
    std::uintptr_t& number = field_ == 0 ? now_.begin : now_.end;
    if (c == '-' || c == ' ') ++field_;
    else number = number * 16 + static_cast<std::uintptr_t>(c <= '9' ? c - '0' : c - 'a' + 10);
  }

  Mapping now_, before_;
  int field_ = 0;  // 0: begin, 1: end, 2: the rest of the line
};

// The description of a thread other than the first lies at the top of the mapping that is its stack. The first one's
// stack grows down to the mapping before.
OwnStack find_without_memory() {
  const bool is_first = ::getpid() == ::gettid();
  const auto top = is_first ? reinterpret_cast<std::uintptr_t>(__libc_stack_end) : ::pthread_self();
  OwnStack stack;
  // No hook of the program sees these.
  const long file = ::syscall(SYS_openat, AT_FDCWD, "/proc/thread-self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0) return stack;
  MappingLines lines;
  char text[1024];
  for (long size = 0; stack.size == 0 && (size = ::syscall(SYS_read, file, text, sizeof text)) > 0;)
    for (const char* at = text; at != text + size && stack.size == 0; ++at)
      if (lines.ends_around(top, *at)) {
        stack.begin = is_first ? lines.end_before() : lines.begin();
        stack.size = top - stack.begin;
      }
  ::syscall(SYS_close, file);
  return stack;
}

}  // namespace

OwnStack find_own_stack() {
  if (is_in_handler()) return find_without_memory();
  OwnStack stack;
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return stack;
  void* begin = nullptr;
  std::size_t size = 0;
  if (::pthread_attr_getstack(&attributes, &begin, &size) == 0)
    stack = {.begin = reinterpret_cast<std::uintptr_t>(begin), .size = size};
  ::pthread_attr_destroy(&attributes);
  return stack;
}

}  // namespace tarry::measure
