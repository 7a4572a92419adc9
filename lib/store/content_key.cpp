// content_key.cpp -- SHA-256 of what something holds.
#include "store/content_key.hpp"

// The functions of this one algorithm: those of all algorithms would be linked into each tool as well.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

namespace tarry {

ContentKey content_key(std::span<const std::uint8_t> bytes) {
  ContentKey key;
  SHA256_CTX state;
  ::SHA256_Init(&state);
  ::SHA256_Update(&state, bytes.data(), bytes.size());
  ::SHA256_Final(key.data(), &state);
  return key;
}

std::string key_text(std::span<const std::uint8_t> bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text.push_back(kDigits[byte >> 4]);
    text.push_back(kDigits[byte & 15]);
  }
  return text;
}

bool bytes_of_digits(std::string_view digits, std::vector<std::uint8_t>& bytes) {
  const auto digit = [](char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; };
  bytes.clear();
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    const int high = digit(digits[i]), low = digit(digits[i + 1]);
    if (high < 0 || low < 0) return false;
    bytes.push_back(static_cast<std::uint8_t>(high * 16 + low));
  }
  return digits.size() % 2 == 0;
}

}  // namespace tarry
