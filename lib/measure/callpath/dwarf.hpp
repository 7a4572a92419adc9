// dwarf.hpp -- the numbers of DWARF that .eh_frame uses, by their names in the standards.
//
// Source: DWARF 5, sections 7.7.1 and 7.24; Linux Standard Base 5, sections 10.5 and 10.6.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>

namespace tarry::measure {

/// Instructions of the programs that describe frames. The first three have an operand in their low six bits.
enum DwarfFrameInstruction : std::uint8_t {
  DW_CFA_advance_loc = 0x40,
  DW_CFA_offset = 0x80,
  DW_CFA_restore = 0xc0,

  DW_CFA_nop = 0x00,
  DW_CFA_set_loc = 0x01,
  DW_CFA_advance_loc1 = 0x02,
  DW_CFA_advance_loc2 = 0x03,
  DW_CFA_advance_loc4 = 0x04,
  DW_CFA_offset_extended = 0x05,
  DW_CFA_restore_extended = 0x06,
  DW_CFA_undefined = 0x07,
  DW_CFA_same_value = 0x08,
  DW_CFA_register = 0x09,
  DW_CFA_remember_state = 0x0a,
  DW_CFA_restore_state = 0x0b,
  DW_CFA_def_cfa = 0x0c,
  DW_CFA_def_cfa_register = 0x0d,
  DW_CFA_def_cfa_offset = 0x0e,
  DW_CFA_def_cfa_expression = 0x0f,
  DW_CFA_expression = 0x10,
  DW_CFA_offset_extended_sf = 0x11,
  DW_CFA_def_cfa_sf = 0x12,
  DW_CFA_def_cfa_offset_sf = 0x13,
  DW_CFA_val_offset = 0x14,
  DW_CFA_val_offset_sf = 0x15,
  DW_CFA_val_expression = 0x16,
  DW_CFA_GNU_args_size = 0x2e,
  DW_CFA_GNU_negative_offset_extended = 0x2f,
};
inline constexpr std::uint8_t kPrimaryInstruction = 0xc0, kPrimaryOperand = 0x3f;  // bits of the first three

/// Operations of expressions.
enum DwarfOperation : std::uint8_t {
  DW_OP_deref = 0x06,
  DW_OP_breg0 = 0x70,  // what register n holds, and an offset: n more
  DW_OP_breg16 = 0x80,
};

/// Encodings of pointers: a format, what the value is relative to, and whether it is the address of the pointer.
enum DwarfPointerEncoding : std::uint8_t {
  DW_EH_PE_absptr = 0x00,
  DW_EH_PE_uleb128 = 0x01,
  DW_EH_PE_udata2 = 0x02,
  DW_EH_PE_udata4 = 0x03,
  DW_EH_PE_udata8 = 0x04,
  DW_EH_PE_sleb128 = 0x09,
  DW_EH_PE_sdata2 = 0x0a,
  DW_EH_PE_sdata4 = 0x0b,
  DW_EH_PE_sdata8 = 0x0c,
  DW_EH_PE_pcrel = 0x10,
  DW_EH_PE_datarel = 0x30,
  DW_EH_PE_indirect = 0x80,
  DW_EH_PE_omit = 0xff,
};
inline constexpr std::uint8_t kPointerFormat = 0x0f, kPointerBase = 0x70;  // bits of an encoding

}  // namespace tarry::measure
