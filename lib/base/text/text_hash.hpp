// text_hash.hpp -- a hash of a text that is the same in every process and on every machine.
#pragma once

#include <cstdint>
#include <string_view>

namespace tarry {

inline constexpr std::uint64_t kTextHashStart = 0xcbf29ce484222325;

/// FNV-1a with 64 bits; of several texts in turn if the hash of those before is the `start`. It is no defence against
/// texts that were chosen to collide.
constexpr std::uint64_t hash_text(std::string_view text, std::uint64_t start = kTextHashStart) {
  std::uint64_t hash = start;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace tarry
