// protobuf_writer.hpp -- messages in the wire format of protocol buffers, appended to a string.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes/bytes.hpp"
#include "base/bytes/varint.hpp"

namespace tarry {

/// Appends fields of one message. A message within a message is built in a writer of its own.
class ProtobufWriter {
 public:
  void varint(std::uint32_t field, std::uint64_t value) {
    number(std::uint64_t{field} << 3 | kVarint);
    number(value);
  }
  void fixed64(std::uint32_t field, std::uint64_t value) {
    number(std::uint64_t{field} << 3 | kFixed64);
    char bytes[8];
    store_le<std::uint64_t>(bytes, value);
    text_.append(bytes, sizeof bytes);
  }
  void floating(std::uint32_t field, double value) { fixed64(field, std::bit_cast<std::uint64_t>(value)); }
  void text(std::uint32_t field, std::string_view value) {
    number(std::uint64_t{field} << 3 | kLengthDelimited);
    number(value.size());
    text_.append(value);
  }
  void message(std::uint32_t field, const ProtobufWriter& value) { text(field, value.text_); }

  const std::string& bytes() const { return text_; }
  void clear() { text_.clear(); }

 private:
  enum WireType : std::uint32_t { kVarint = 0, kFixed64 = 1, kLengthDelimited = 2 };

  void number(std::uint64_t value) {
    std::uint8_t buffer[kMaxVarintBytes];
    encode_varint(buffer, value);
    text_.append(reinterpret_cast<const char*>(buffer), varint_bytes(value));
  }

  std::string text_;
};

}  // namespace tarry
