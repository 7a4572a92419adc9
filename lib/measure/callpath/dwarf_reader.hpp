// dwarf_reader.hpp -- reads the numbers and pointers of .eh_frame.
//
// Calls: handler-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "measure/callpath/dwarf.hpp"

namespace tarry::measure {

/// Reads up to an end; what lies behind is zeros.
class DwarfReader {
 public:
  DwarfReader(const std::uint8_t* at, const std::uint8_t* end) : at_(at), end_(end) {}

  const std::uint8_t* at() const { return at_; }
  const std::uint8_t* end() const { return end_; }
  bool is_at_end() const { return at_ >= end_; }

  template <class T>
  T take() {
    T value{};
    if (end_ - at_ < static_cast<std::ptrdiff_t>(sizeof value)) return at_ = end_, value;
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  void skip(std::uint64_t bytes) { at_ = bytes > static_cast<std::uint64_t>(end_ - at_) ? end_ : at_ + bytes; }

  /// LEB128.
  std::uint64_t take_unsigned() {
    std::uint64_t value = 0;
    for (int shift = 0; !is_at_end(); shift += 7) {
      const auto byte = take<std::uint8_t>();
      if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (!(byte & 0x80)) break;
    }
    return value;
  }
  std::int64_t take_signed() {
    std::uint64_t value = 0;
    for (int shift = 0; !is_at_end();) {
      const auto byte = take<std::uint8_t>();
      if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      shift += 7;
      if (byte & 0x80) continue;
      if (shift < 64 && byte & 0x40) value |= ~std::uint64_t{0} << shift;
      break;
    }
    return static_cast<std::int64_t>(value);
  }

  /// `data_base` is what DW_EH_PE_datarel means. 0 if there is no pointer.
  std::uintptr_t take_pointer(std::uint8_t encoding, std::uintptr_t data_base) {
    if (encoding == DW_EH_PE_omit) return 0;
    const auto own = reinterpret_cast<std::uintptr_t>(at_);
    std::uintptr_t value = take_value(encoding & kPointerFormat);
    if (value && (encoding & kPointerBase) == DW_EH_PE_pcrel) value += own;
    if (value && (encoding & kPointerBase) == DW_EH_PE_datarel) value += data_base;
    if (value && encoding & DW_EH_PE_indirect) std::memcpy(&value, reinterpret_cast<const void*>(value), sizeof value);
    return value;
  }

 private:
  std::uintptr_t take_value(std::uint8_t format) {
    switch (format) {
      case DW_EH_PE_uleb128: return take_unsigned();
      case DW_EH_PE_udata2: return take<std::uint16_t>();
      case DW_EH_PE_udata4: return take<std::uint32_t>();
      case DW_EH_PE_sleb128: return static_cast<std::uintptr_t>(take_signed());
      case DW_EH_PE_sdata2: return static_cast<std::uintptr_t>(std::intptr_t{take<std::int16_t>()});
      case DW_EH_PE_sdata4: return static_cast<std::uintptr_t>(std::intptr_t{take<std::int32_t>()});
      default: return take<std::uint64_t>();  // DW_EH_PE_absptr, _udata8, _sdata8
    }
  }

  const std::uint8_t* at_;
  const std::uint8_t* end_;
};

}  // namespace tarry::measure
