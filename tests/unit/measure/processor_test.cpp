// processor_test.cpp -- what the folder of this processor says, where the compiler or the C library says it, too.
#include "measure/processor/handler_entries.hpp"
#include "measure/processor/processor.hpp"

#include <alloca.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <csetjmp>

namespace tarry::measure {
namespace {

struct Caller {
  const void* stack;
  std::uintptr_t return_address, frame_pointer, told_return_address, told_frame_pointer;
};

// With functions of its own between it and who asks, as the recorder has.
[[gnu::noinline]] void ask_further_in(Caller& caller) {
  caller.return_address = processor::return_address_to(caller.stack);
  caller.frame_pointer = processor::frame_pointer_in(caller.stack);
  asm volatile("" ::: "memory");
}
[[gnu::noinline]] void ask_in_between(Caller& caller, std::size_t bytes) {
  auto* const room = static_cast<volatile char*>(::alloca(bytes));
  room[0] = 1;
  ask_further_in(caller);
  room[bytes - 1] = 2;
}
[[gnu::noinline]] Caller called(std::size_t bytes) {
  Caller caller{};
  caller.stack = processor::stack_of_caller_here();
  caller.told_return_address = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  caller.told_frame_pointer = *static_cast<const std::uintptr_t*>(__builtin_frame_address(0));
  EXPECT_EQ(caller.stack, __builtin_dwarf_cfa());
  ask_in_between(caller, bytes);
  return caller;
}

TEST(Processor, FindsTheCaller) {
  if (!processor::kHasCallPaths) GTEST_SKIP() << "there are no call paths on this processor";
  for (const std::size_t bytes : {16u, 4000u}) {
    const Caller caller = called(bytes);
    EXPECT_EQ(caller.return_address, caller.told_return_address);
    EXPECT_EQ(caller.frame_pointer, caller.told_frame_pointer);
    EXPECT_TRUE(processor::is_behind_call(reinterpret_cast<const std::uint8_t*>(caller.return_address)));
  }
}

// What setjmp() keeps is the stack pointer of the function that calls it.
[[gnu::noinline]] void expect_known_stack(std::size_t bytes) {
  auto* const room = static_cast<volatile char*>(::alloca(bytes));
  room[0] = 1;
  jmp_buf target;
  if (setjmp(target) != 0) return;
  const std::uintptr_t stack = processor::stack_of_jump(target);
  EXPECT_LE(stack, reinterpret_cast<std::uintptr_t>(room));
  EXPECT_LT(reinterpret_cast<std::uintptr_t>(room) - stack, 256u);
}

TEST(Processor, ShowsTheStackOfAJump) {
  if (!processor::kHasCallPaths) GTEST_SKIP() << "not known on this processor";
  for (const std::size_t bytes : {16u, 100u, 5000u}) expect_known_stack(bytes);
}

TEST(Processor, CallsOnAnotherStack) {
  constexpr std::size_t kSize = 1 << 16;
  auto* const memory =
      static_cast<char*>(::mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(memory, MAP_FAILED);
  const void* stack = nullptr;
  const auto note = [](void* where) { *static_cast<const void**>(where) = __builtin_frame_address(0); };
  tarry_call_on_stack(note, &stack, memory + kSize);
  if (processor::kHasCallPaths) {
    EXPECT_LT(static_cast<std::size_t>(static_cast<const char*>(stack) - memory), kSize);
  }
  ::munmap(memory, kSize);
}

TEST(Processor, CountsAtOnce) {
  std::int64_t sum = 5;
  std::uint64_t calls = 1;
  EXPECT_FALSE(processor::add_at_once(sum, 3));
  processor::subtract_at_once(sum, 10);
  EXPECT_TRUE(processor::add_at_once(sum, 1));
  processor::count_at_once(calls);
  EXPECT_EQ(sum, -1);
  EXPECT_EQ(calls, 2u);
}

#if defined(__aarch64__)

// As linkers write them: plain, for BTI, for BTI and signed addresses; and the one in front of all.
TEST(Processor, KnowsTheStubsOfLinkers) {
  alignas(64) constexpr std::uint32_t kPlain[] = {0xb0000010, 0xf9400211, 0x91000210, 0xd61f0220};
  alignas(64) constexpr std::uint32_t kProtected[] = {0xd503245f, 0xb0000010, 0xf9400211,
                                                      0x91000210, 0xd503219f, 0xd61f0220};
  alignas(64) constexpr std::uint32_t kFirst[] = {0xa9bf7bf0, 0xb0000010, 0xf9400211, 0x91000210, 0xd61f0220};
  for (const std::uint32_t& code : kPlain) EXPECT_TRUE(processor::stub_at(&code).is_stub);
  for (const std::uint32_t& code : kProtected) {
    EXPECT_TRUE(processor::stub_at(&code).is_stub);
    EXPECT_EQ(processor::stub_at(&code).pushed, 0u);
  }
  EXPECT_EQ(processor::stub_at(kFirst).pushed, 0u);
  EXPECT_EQ(processor::stub_at(kFirst + 1).pushed, 16u);
  EXPECT_EQ(processor::stub_at(kFirst + 4).return_place, 8u);
  alignas(64) constexpr std::uint32_t kNoStub[] = {0xb0000010, 0xf9400211, 0x91000210, 0xd65f03c0};
  EXPECT_FALSE(processor::stub_at(kNoStub).is_stub);
}

#endif

}  // namespace
}  // namespace tarry::measure
