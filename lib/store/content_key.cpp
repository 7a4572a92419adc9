// content_key.cpp -- SHA-256 of what something holds.
#include "store/content_key.hpp"

#include <openssl/sha.h>

namespace tarry {

ContentKey content_key(std::span<const std::uint8_t> bytes) {
  ContentKey key;
  ::SHA256(bytes.data(), bytes.size(), key.data());
  return key;
}

std::string key_text(std::span<const std::uint8_t> key) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : key) {
    text.push_back(kDigits[byte >> 4]);
    text.push_back(kDigits[byte & 15]);
  }
  return text;
}

}  // namespace tarry
