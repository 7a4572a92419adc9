// frame_rules.cpp -- reads .eh_frame: finds the description of a function and runs its program up to one instruction.
#include "measure/callpath/frame_rules.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/auxv.h>
#include <ucontext.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "measure/callpath/dwarf.hpp"
#include "measure/callpath/dwarf_reader.hpp"
#include "measure/processor/processor.hpp"

namespace tarry::measure {
namespace {

// The descriptions of the functions of a module.
struct ModuleIndex {
  const std::uint8_t* begin = nullptr;  // of .eh_frame_hdr; nullptr: there is none
  const std::uint8_t* end = nullptr;    // of the module
};

#ifdef DLFO_STRUCT_HAS_EH_DBASE
// Where the last segment of the program itself ends.
const std::uint8_t* end_of_program() {
  const auto* const segments = reinterpret_cast<const ElfW(Phdr)*>(::getauxval(AT_PHDR));
  const std::span<const ElfW(Phdr)> all(segments, segments ? ::getauxval(AT_PHNUM) : 0);
  std::uintptr_t base = 0, end = 0;
  for (const ElfW(Phdr) & segment : all) {
    if (segment.p_type == PT_PHDR) base = reinterpret_cast<std::uintptr_t>(segments) - segment.p_vaddr;
    if (segment.p_type == PT_LOAD) end = std::max<std::uintptr_t>(end, segment.p_vaddr + segment.p_memsz);
  }
  return reinterpret_cast<const std::uint8_t*>(base + end);
}

ModuleIndex index_of_module(std::uintptr_t instruction) {
  dl_find_object found;
  if (::_dl_find_object(reinterpret_cast<void*>(instruction), &found) != 0) return {};
  const auto* const index = static_cast<const std::uint8_t*>(found.dlfo_eh_frame);
  const auto* const end = static_cast<const std::uint8_t*>(found.dlfo_map_end);
  // Where the program has a gap between its segments, the dynamic linker tells the end of its code.
  return {index, index < end ? end : end_of_program()};
}
#else
// Before glibc 2.35 the dynamic linker's lock is taken; a thread that holds it may take it again.
ModuleIndex index_of_module(std::uintptr_t instruction) {
  struct Search {
    std::uintptr_t instruction;
    ModuleIndex found;
  } search{instruction, {}};
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        const std::uint8_t *index = nullptr, *end = nullptr;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& segment = info->dlpi_phdr[i];
          const auto* const begin = reinterpret_cast<const std::uint8_t*>(info->dlpi_addr + segment.p_vaddr);
          if (segment.p_type == PT_GNU_EH_FRAME) index = begin;
          if (segment.p_type == PT_LOAD &&
              wanted.instruction - reinterpret_cast<std::uintptr_t>(begin) < segment.p_memsz)
            end = begin + segment.p_memsz;
          if (segment.p_type == PT_LOAD && end) end = begin + segment.p_memsz > end ? begin + segment.p_memsz : end;
        }
        if (!end) return 0;
        wanted.found = {index, end};
        return 1;
      },
      &search);
  return search.found;
}
#endif

// The description that may cover an instruction: that of the last function that begins before it.
const std::uint8_t* find_description(std::uintptr_t instruction, const ModuleIndex& module) {
  constexpr std::uint8_t kTable = DW_EH_PE_datarel | DW_EH_PE_sdata4;  // what all linkers write
  const std::uint8_t *const index = module.begin, *const end = module.end;
  if (!index || index >= end || index[0] != 1 || index[3] != kTable) return nullptr;
  const auto base = reinterpret_cast<std::uintptr_t>(index);
  DwarfReader reader(index + 4, end);
  reader.take_pointer(index[1], base);
  const std::uint64_t count = reader.take_pointer(index[2], base);
  struct Entry {
    std::int32_t begin, description;
  };
  const auto entry_at = [&](std::uint64_t i) {
    Entry entry;
    std::memcpy(&entry, reader.at() + i * sizeof entry, sizeof entry);
    return entry;
  };
  if (count > static_cast<std::uint64_t>(end - reader.at()) / sizeof(Entry)) return nullptr;
  const auto wanted = static_cast<std::int64_t>(instruction - base);
  std::uint64_t first = 0, last = count;
  while (first < last) {
    const std::uint64_t middle = first + (last - first) / 2;
    if (entry_at(middle).begin <= wanted) first = middle + 1;
    else last = middle;
  }
  return first == 0 ? nullptr : index + entry_at(first - 1).description;
}

// What a description and the common part that it refers to say.
struct Description {
  std::uintptr_t begin = 0, size = 0;  // of the code
  std::uint64_t code_unit = 1;
  std::int64_t data_unit = 1;
  std::uint64_t return_column = processor::kReturnAddress;
  std::uint8_t encoding = 0;  // of addresses
  bool is_signal = false;
  bool has_extra = false;  // its length precedes the program
  const std::uint8_t *common_program = nullptr, *common_end = nullptr;
  const std::uint8_t *program = nullptr, *program_end = nullptr;
};

// The length of a record precedes it.
DwarfReader open_record(const std::uint8_t* record, const std::uint8_t* end) {
  DwarfReader reader(record, end);
  std::uint64_t length = reader.take<std::uint32_t>();
  if (length == 0xffffffff) length = reader.take<std::uint64_t>();
  const auto left = static_cast<std::uint64_t>(end - reader.at());
  return {reader.at(), reader.at() + (length < left ? length : left)};
}

bool read_common(const std::uint8_t* record, const std::uint8_t* end, Description& into) {
  DwarfReader reader = open_record(record, end);
  if (reader.take<std::uint32_t>() != 0) return false;
  const auto version = reader.take<std::uint8_t>();
  const char* const letters = reinterpret_cast<const char*>(reader.at());
  while (!reader.is_at_end() && reader.take<char>() != '\0') {
  }
  into.code_unit = reader.take_unsigned();
  into.data_unit = reader.take_signed();
  into.return_column = version == 1 ? reader.take<std::uint8_t>() : reader.take_unsigned();
  into.has_extra = letters[0] == 'z';
  if (letters[0] && !into.has_extra) return false;
  const std::uint64_t extra = into.has_extra ? reader.take_unsigned() : 0;
  into.common_program = reader.at() + extra;
  into.common_end = reader.end();
  for (const char* letter = letters; *letter; ++letter) {
    if (*letter == 'R') into.encoding = reader.take<std::uint8_t>();
    if (*letter == 'S') into.is_signal = true;
    if (*letter == 'L') reader.skip(1);
    if (*letter == 'P')
      reader.take_pointer(reader.take<std::uint8_t>() & static_cast<std::uint8_t>(~DW_EH_PE_indirect), 0);
  }
  return into.common_program <= into.common_end;
}

bool read_description(const std::uint8_t* record, const std::uint8_t* end, Description& into) {
  DwarfReader reader = open_record(record, end);
  const std::uint8_t* const here = reader.at();
  const auto distance = reader.take<std::uint32_t>();
  if (distance == 0 || !read_common(here - distance, end, into)) return false;
  into.begin = reader.take_pointer(into.encoding, 0);
  into.size = reader.take_pointer(into.encoding & kPointerFormat, 0);
  if (into.has_extra) reader.skip(reader.take_unsigned());
  into.program = reader.at();
  into.program_end = reader.end();
  return true;
}

// Where a register of the caller is.
struct Place {
  enum Kind : std::uint8_t { kSame, kAtOffset, kUndefined, kOther };
  Kind kind = kSame;
  std::int64_t offset = 0;  // from the CFA
};

// What holds at an instruction.
struct Row {
  std::uint64_t cfa_register = processor::kStackPointer;
  std::int64_t cfa_offset = 0;
  const std::uint8_t *cfa_expression = nullptr, *cfa_expression_end = nullptr;
  Place frame_pointer, return_address;
};

// Runs a program that changes the row from instruction to instruction.
class RowProgram {
 public:
  RowProgram(const Description& description, std::uintptr_t instruction)
      : description_(description), instruction_(instruction), location_(description.begin) {}

  // False if it holds something that is not understood.
  bool run() {
    if (!run(description_.common_program, description_.common_end)) return false;
    initial_ = row_;
    return run(description_.program, description_.program_end);
  }

  const Row& row() const { return row_; }

 private:
  bool run(const std::uint8_t* program, const std::uint8_t* end) {
    DwarfReader reader(program, end);
    while (!reader.is_at_end() && location_ <= instruction_)
      if (!step(reader)) return false;
    return true;
  }

  bool step(DwarfReader& reader) {
    const auto code = reader.take<std::uint8_t>();
    const std::uint64_t operand = code & kPrimaryOperand;
    switch (code & kPrimaryInstruction) {
      case DW_CFA_advance_loc: return advance(operand);
      case DW_CFA_offset: return set(operand, take_at_offset(reader));
      case DW_CFA_restore: return restore(operand);
      default: return step_extended(code, reader);
    }
  }

  bool step_extended(std::uint8_t code, DwarfReader& reader) {
    switch (code) {
      case DW_CFA_nop: return true;
      case DW_CFA_set_loc: location_ = reader.take_pointer(description_.encoding, 0); return true;
      case DW_CFA_advance_loc1: return advance(reader.take<std::uint8_t>());
      case DW_CFA_advance_loc2: return advance(reader.take<std::uint16_t>());
      case DW_CFA_advance_loc4: return advance(reader.take<std::uint32_t>());
      case DW_CFA_remember_state: return remember();
      case DW_CFA_restore_state: return recall();
      case DW_CFA_GNU_args_size: reader.take_unsigned(); return true;
      default: return processor::is_signing(code) || step_cfa(code, reader);
    }
  }

  bool step_cfa(std::uint8_t code, DwarfReader& reader) {
    switch (code) {
      case DW_CFA_def_cfa:
        row_.cfa_register = reader.take_unsigned();
        return set_offset(static_cast<std::int64_t>(reader.take_unsigned()));
      case DW_CFA_def_cfa_sf: row_.cfa_register = reader.take_unsigned(); return set_offset(take_signed_scaled(reader));
      case DW_CFA_def_cfa_register: row_.cfa_register = reader.take_unsigned(); return set_offset(row_.cfa_offset);
      case DW_CFA_def_cfa_offset: return set_offset(static_cast<std::int64_t>(reader.take_unsigned()));
      case DW_CFA_def_cfa_offset_sf: return set_offset(take_signed_scaled(reader));
      case DW_CFA_def_cfa_expression: return set_expression(reader);
      case DW_CFA_restore_extended: return restore(reader.take_unsigned());
      default: return step_register(code, reader.take_unsigned(), reader);
    }
  }

  // Instructions that say where a register of the caller is.
  bool step_register(std::uint8_t code, std::uint64_t column, DwarfReader& reader) {
    switch (code) {
      case DW_CFA_offset_extended: return set(column, take_at_offset(reader));
      case DW_CFA_offset_extended_sf: return set(column, {Place::kAtOffset, take_signed_scaled(reader)});
      case DW_CFA_GNU_negative_offset_extended: return set(column, {Place::kAtOffset, -take_scaled(reader)});
      case DW_CFA_undefined: return set(column, {Place::kUndefined});
      case DW_CFA_same_value: return set(column, {Place::kSame});
      case DW_CFA_register:
      case DW_CFA_val_offset: reader.take_unsigned(); return set(column, {Place::kOther});
      case DW_CFA_val_offset_sf: reader.take_signed(); return set(column, {Place::kOther});
      case DW_CFA_expression:
      case DW_CFA_val_expression: reader.skip(reader.take_unsigned()); return set(column, {Place::kOther});
      default: return false;
    }
  }

  Place take_at_offset(DwarfReader& reader) const { return {Place::kAtOffset, take_scaled(reader)}; }
  std::int64_t take_scaled(DwarfReader& reader) const {
    return static_cast<std::int64_t>(reader.take_unsigned()) * description_.data_unit;
  }

  std::int64_t take_signed_scaled(DwarfReader& reader) const { return reader.take_signed() * description_.data_unit; }

  bool advance(std::uint64_t units) {
    location_ += units * description_.code_unit;
    return true;
  }

  bool set(std::uint64_t column, const Place& place) {
    if (column == processor::kFramePointer) row_.frame_pointer = place;
    if (column == description_.return_column) row_.return_address = place;
    return true;
  }
  bool restore(std::uint64_t column) {
    if (column == processor::kFramePointer) row_.frame_pointer = initial_.frame_pointer;
    if (column == description_.return_column) row_.return_address = initial_.return_address;
    return true;
  }

  bool set_offset(std::int64_t offset) {
    row_.cfa_offset = offset;
    row_.cfa_expression = nullptr;
    return true;
  }
  bool set_expression(DwarfReader& reader) {
    const std::uint64_t length = reader.take_unsigned();
    row_.cfa_expression = reader.at();
    reader.skip(length);
    row_.cfa_expression_end = reader.at();
    return true;
  }

  bool remember() {
    if (depth_ == kMostRemembered) return false;
    remembered_[depth_++] = row_;
    return true;
  }
  bool recall() {
    if (depth_ == 0) return false;
    row_ = remembered_[--depth_];
    return true;
  }

  static constexpr int kMostRemembered = 8;

  const Description& description_;
  const std::uintptr_t instruction_;
  std::uintptr_t location_;
  Row row_, initial_;
  Row remembered_[kMostRemembered];
  int depth_ = 0;
};

using Kind = FrameRule::Kind;

// Two expressions are in use: what lies at an offset from the frame pointer, and that of the linker's stubs.
void read_expression(const Row& row, FrameRule& into) {
  constexpr std::uint8_t kFromFramePointer = DW_OP_breg0 + processor::kFramePointer,
                         kFromStackPointer = DW_OP_breg0 + processor::kStackPointer;
  DwarfReader reader(row.cfa_expression, row.cfa_expression_end);
  const auto code = reader.take<std::uint8_t>();
  const std::int64_t offset = reader.take_signed();
  if (code == kFromFramePointer && reader.take<std::uint8_t>() == DW_OP_deref && reader.is_at_end()) {
    into.kind = Kind::kFrameDeref;
    into.offset = static_cast<std::int32_t>(offset);
  } else if (processor::kHasDescribedStubs && code == kFromStackPointer && offset == 8 &&
             reader.take<std::uint8_t>() == DW_OP_breg16) {
    into.kind = Kind::kPlt;
    into.offset = 8;
  }
}

void read_cfa(const Row& row, FrameRule& into) {
  if (row.cfa_expression) return read_expression(row, into);
  if (row.cfa_register == processor::kStackPointer) into.kind = Kind::kStack;
  if (row.cfa_register == processor::kFramePointer) into.kind = Kind::kFrame;
  into.offset = static_cast<std::int32_t>(row.cfa_offset);
}

// In the C library only the code where the stacks of makecontext() begin has no description.
bool is_start_of_context(const ModuleIndex& module) {
  return module.begin && module.begin == index_of_module(reinterpret_cast<std::uintptr_t>(&::makecontext)).begin;
}

bool is_return_address_in_place(const Row& row) {
  if (row.return_address.kind == Place::kSame) return processor::kReturnsByRegister;
  return row.return_address.kind == Place::kAtOffset && processor::is_return_place(row.return_address.offset);
}

}  // namespace

FrameRule frame_rule_at(std::uintptr_t instruction) {
  FrameRule rule;
  const ModuleIndex module = index_of_module(instruction);
  const std::uint8_t* const record = find_description(instruction, module);
  Description description;
  if (!record || !read_description(record, module.end, description)) return rule;
  if (instruction - description.begin >= description.size) {
    if (is_start_of_context(module)) rule.kind = Kind::kOutermost;
    return rule;
  }
  rule.function = description.begin;
  if (description.is_signal) {
    rule.kind = Kind::kSignal;
    return rule;
  }
  RowProgram program(description, instruction);
  if (!program.run()) return rule;
  const Row& row = program.row();
  if (row.return_address.kind == Place::kUndefined) {
    rule.kind = Kind::kOutermost;
  } else if (is_return_address_in_place(row) && row.frame_pointer.kind != Place::kOther) {
    read_cfa(row, rule);
    if (row.frame_pointer.kind == Place::kAtOffset)
      rule.base_offset = static_cast<std::int32_t>(row.frame_pointer.offset);
    rule.return_offset = static_cast<std::int32_t>(row.return_address.offset);
  }
  return rule;
}

}  // namespace tarry::measure
