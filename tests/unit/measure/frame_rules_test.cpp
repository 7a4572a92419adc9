// frame_rules_test.cpp -- what each instruction of a frame's description says, seen at the places between them.
#include "measure/callpath/frame_rules.hpp"

#include <gtest/gtest.h>

#if defined(__x86_64__)

// Each line of code has one byte. Instructions that the assembler has no directive for are spelled as numbers.
asm(R"(
  .pushsection .text
described_by_all_instructions:
  .cfi_startproc
  nop
  .cfi_def_cfa_offset 32
  nop
  .cfi_offset 6, -24
  nop
  .cfi_def_cfa_register 6
  nop
  .cfi_remember_state
  .cfi_def_cfa 7, 8
  .cfi_same_value 6
  nop
  .cfi_restore_state
  nop
  .cfi_restore 6
  nop
  .cfi_escape 0x14, 6, 2                 # DW_CFA_val_offset
  nop
  .cfi_escape 0x11, 6, 2                 # DW_CFA_offset_extended_sf
  nop
  .cfi_escape 0x15, 6, 2                 # DW_CFA_val_offset_sf
  nop
  .cfi_escape 0x2f, 6, 3                 # DW_CFA_GNU_negative_offset_extended
  nop
  .cfi_escape 0x2e, 16                   # DW_CFA_GNU_args_size
  .cfi_escape 0x12, 7, 0x7c              # DW_CFA_def_cfa_sf
  nop
  .cfi_escape 0x13, 0x7e                 # DW_CFA_def_cfa_offset_sf
  nop
  .cfi_escape 0x0f, 3, 0x76, 0x78, 0x06  # DW_CFA_def_cfa_expression: DW_OP_breg6, DW_OP_deref
  nop
  .cfi_escape 0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22  # of the linker's stubs
  nop
  .cfi_def_cfa 7, 8
  .cfi_register 6, 3
  nop
  .cfi_escape 0x10, 6, 1, 0x06           # DW_CFA_expression
  nop
  .cfi_escape 0x06, 6                    # DW_CFA_restore_extended
  nop
  .cfi_escape 0x16, 6, 1, 0x06           # DW_CFA_val_expression
  nop
  .cfi_same_value 6
  .cfi_escape 0x05, 16, 2                # DW_CFA_offset_extended
  nop
  .cfi_escape 0x06, 16
  nop
  .cfi_undefined 16
  nop
  .cfi_endproc
  .popsection
)");
extern "C" const char described_by_all_instructions[];

namespace tarry::measure {
namespace {

using Kind = FrameRule::Kind;

TEST(FrameRules, EachInstructionIsUnderstood) {
  constexpr FrameRule kUnknown{};
  const FrameRule expected[] = {
      {.offset = 8, .base_offset = 0, .kind = Kind::kStack},
      {.offset = 32, .base_offset = 0, .kind = Kind::kStack},
      {.offset = 32, .base_offset = -24, .kind = Kind::kStack},
      {.offset = 32, .base_offset = -24, .kind = Kind::kFrame},
      {.offset = 8, .base_offset = 0, .kind = Kind::kStack},
      {.offset = 32, .base_offset = -24, .kind = Kind::kFrame},
      {.offset = 32, .base_offset = 0, .kind = Kind::kFrame},
      kUnknown,
      {.offset = 32, .base_offset = -16, .kind = Kind::kFrame},
      kUnknown,
      {.offset = 32, .base_offset = 24, .kind = Kind::kFrame},
      {.offset = 32, .base_offset = 24, .kind = Kind::kStack},
      {.offset = 16, .base_offset = 24, .kind = Kind::kStack},
      {.offset = -8, .base_offset = 24, .kind = Kind::kFrameDeref},
      {.offset = 8, .base_offset = 24, .kind = Kind::kPlt},
      kUnknown,
      kUnknown,
      {.offset = 8, .base_offset = 0, .kind = Kind::kStack},
      kUnknown,
      kUnknown,
      {.offset = 8, .base_offset = 0, .kind = Kind::kStack},
      {.offset = 0, .base_offset = 0, .kind = Kind::kOutermost},
  };
  const auto code = reinterpret_cast<std::uintptr_t>(described_by_all_instructions);
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    const FrameRule rule = frame_rule_at(code + i);
    EXPECT_EQ(rule.function, code);
    EXPECT_EQ(rule.kind, expected[i].kind) << i;
    EXPECT_EQ(rule.offset, expected[i].offset) << i;
    EXPECT_EQ(rule.base_offset, expected[i].base_offset) << i;
  }
}

TEST(FrameRules, CodeWithoutADescriptionIsUnknown) {
  static int no_code;
  EXPECT_EQ(frame_rule_at(reinterpret_cast<std::uintptr_t>(&no_code)).kind, Kind::kUnknown);
  EXPECT_EQ(frame_rule_at(16).kind, Kind::kUnknown);
}

}  // namespace
}  // namespace tarry::measure

#elif defined(__aarch64__)

// Each line of code has four bytes.
asm(R"(
  .pushsection .text
  .p2align 2
described_for_aarch64:
  .cfi_startproc
  nop
  .cfi_negate_ra_state
  nop
  .cfi_def_cfa_offset 32
  .cfi_offset 29, -32
  .cfi_offset 30, -24
  nop
  .cfi_def_cfa_register 29
  nop
  .cfi_remember_state
  .cfi_restore 30
  .cfi_restore 29
  .cfi_def_cfa 31, 0
  nop
  .cfi_restore_state
  nop
  .cfi_def_cfa 12, 4096                          // while the stack grows page by page
  nop
  .cfi_def_cfa 31, 32
  .cfi_escape 0x0f, 5, 0x8f, 0x10, 0x92, 0x2e, 0  // DW_CFA_def_cfa_expression, with the length of vectors
  nop
  .cfi_def_cfa 31, 32
  .cfi_register 30, 9
  nop
  .cfi_undefined 30
  nop
  .cfi_endproc
  .popsection
)");
extern "C" const char described_for_aarch64[];

namespace tarry::measure {
namespace {

using Kind = FrameRule::Kind;

TEST(FrameRules, ReturnAddressesLieAnywhere) {
  const FrameRule expected[] = {
      {.kind = Kind::kStack},
      {.kind = Kind::kStack},
      {.offset = 32, .base_offset = -32, .return_offset = -24, .kind = Kind::kStack},
      {.offset = 32, .base_offset = -32, .return_offset = -24, .kind = Kind::kFrame},
      {.kind = Kind::kStack},
      {.offset = 32, .base_offset = -32, .return_offset = -24, .kind = Kind::kFrame},
      {.offset = 4096, .base_offset = -32, .return_offset = -24, .kind = Kind::kUnknown},
      {.base_offset = -32, .return_offset = -24, .kind = Kind::kUnknown},
      {.kind = Kind::kUnknown},
      {.kind = Kind::kOutermost},
  };
  const auto code = reinterpret_cast<std::uintptr_t>(described_for_aarch64);
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    const FrameRule rule = frame_rule_at(code + 4 * i);
    EXPECT_EQ(rule.function, code);
    EXPECT_EQ(rule.kind, expected[i].kind) << i;
    EXPECT_EQ(rule.offset, expected[i].offset) << i;
    EXPECT_EQ(rule.base_offset, expected[i].base_offset) << i;
    EXPECT_EQ(rule.return_offset, expected[i].return_offset) << i;
  }
}

}  // namespace
}  // namespace tarry::measure

#endif
