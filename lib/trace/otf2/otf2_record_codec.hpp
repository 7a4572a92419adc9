// otf2_record_codec.hpp -- any record of OTF2 as bytes: from the arguments of a reader's callback, to those of a
// writer.
//
// Each field is a varint; signed ones are zigzag. Strings carry their length, and arrays have the length that the
// integer before them tells. Values of attributes are those bytes of the union that their type uses.
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/bytes/bytes.hpp"
#include "base/bytes/varint.hpp"

namespace tarry {

/// The bits of a value that its type uses.
inline std::uint64_t bits_of(OTF2_Type type, const OTF2_AttributeValue& value) {
  switch (type) {
    case OTF2_TYPE_UINT8:
    case OTF2_TYPE_INT8: return value.uint8;
    case OTF2_TYPE_UINT16:
    case OTF2_TYPE_INT16: return value.uint16;
    case OTF2_TYPE_UINT64:
    case OTF2_TYPE_INT64:
    case OTF2_TYPE_DOUBLE:
    case OTF2_TYPE_LOCATION: return value.uint64;
    default: return value.uint32;  // float and references
  }
}

inline OTF2_AttributeValue value_of_bits(std::uint64_t bits) {
  OTF2_AttributeValue value;
  value.uint64 = bits;
  return value;
}

class Otf2FieldEncoder {
 public:
  explicit Otf2FieldEncoder(std::vector<std::uint8_t>& out) : out_(out) {}

  template <class T>
  void add(const T& field) {
    if constexpr (std::is_same_v<T, const char*>) {
      add_text(field);
    } else if constexpr (std::is_same_v<T, const OTF2_AttributeValue*>) {
      for (std::uint64_t i = 0; i < last_; ++i) varint(bits_of(types_[i], field[i]));
    } else if constexpr (std::is_pointer_v<T>) {
      if constexpr (std::is_same_v<T, const OTF2_Type*>) types_ = field;
      for (std::uint64_t i = 0; i < last_; ++i) add_element(field[i]);
    } else if constexpr (std::is_same_v<T, OTF2_AttributeValue>) {
      varint(bits_of(static_cast<OTF2_Type>(last_), field));
    } else {
      add_element(field);
      last_ = static_cast<std::uint64_t>(field);
    }
  }

  void varint(std::uint64_t value) {
    std::uint8_t buffer[kMaxVarintBytes];
    out_.insert(out_.end(), buffer, encode_varint(buffer, value));
  }

 private:
  template <class T>
  void add_element(const T& field) {
    if constexpr (std::is_same_v<T, OTF2_MetricValue>) varint(field.unsigned_int);
    else if constexpr (std::is_signed_v<T>) varint(zigzag(field));
    else varint(field);
  }
  void add_text(const char* text) {
    const std::size_t size = text ? std::strlen(text) : 0;
    varint(size);
    out_.insert(out_.end(), text, text + size);
  }

  std::vector<std::uint8_t>& out_;
  std::uint64_t last_ = 0;  // integer: the length of an array or the type of a value that follows
  const OTF2_Type* types_ = nullptr;
};

class Otf2FieldDecoder {
 public:
  explicit Otf2FieldDecoder(ByteReader& in) : in_(in) {}

  /// A field with the memory it needs.
  template <class T>
  struct Slot {
    T value;
    T get() const { return value; }
  };
  template <class T>
  requires std::is_pointer_v<T>
  struct Slot<T> {
    std::vector<std::remove_cv_t<std::remove_pointer_t<T>>> elements;
    T get() const { return elements.data(); }
  };

  template <class T>
  Slot<T> read() {
    if constexpr (std::is_same_v<T, const char*>) {
      const std::string_view text = in_.text();
      Slot<T> slot{{text.begin(), text.end()}};
      slot.elements.push_back('\0');
      return slot;
    } else if constexpr (std::is_pointer_v<T>) {
      Slot<T> slot;
      if (last_ > in_.left()) in_.fail();  // each element takes a byte at least
      for (std::uint64_t i = 0; i < last_ && !in_.failed(); ++i)
        slot.elements.push_back(read_element<std::remove_cv_t<std::remove_pointer_t<T>>>());
      return slot;
    } else {
      Slot<T> slot{read_element<T>()};
      if constexpr (std::is_integral_v<T>) last_ = static_cast<std::uint64_t>(slot.value);
      return slot;
    }
  }

 private:
  template <class T>
  T read_element() {
    const std::uint64_t bits = in_.varint();
    if constexpr (std::is_same_v<T, OTF2_AttributeValue>) {
      return value_of_bits(bits);
    } else if constexpr (std::is_same_v<T, OTF2_MetricValue>) {
      T value;
      value.unsigned_int = bits;
      return value;
    } else if constexpr (std::is_signed_v<T>) {
      return static_cast<T>(unzigzag(bits));
    } else {
      return static_cast<T>(bits);
    }
  }

  ByteReader& in_;
  std::uint64_t last_ = 0;
};

template <class... Args>
void encode_otf2_fields(std::vector<std::uint8_t>& out, const Args&... fields) {
  [[maybe_unused]] Otf2FieldEncoder encoder(out);
  (encoder.add(fields), ...);
}

/// Decodes fields of the types `Args` and calls `function` with them. False if the bytes are no such fields, or the
/// function fails.
template <class... Args, class Function>
bool decode_otf2_fields(ByteReader& in, Function&& function) {
  [[maybe_unused]] Otf2FieldDecoder decoder(in);
  const std::tuple<Otf2FieldDecoder::Slot<Args>...> slots{decoder.read<Args>()...};
  if (in.failed()) return false;
  return std::apply([&](const auto&... slot) { return function(slot.get()...) == OTF2_SUCCESS; }, slots);
}

}  // namespace tarry
