// crc32.cpp -- table-driven CRC-32, eight bytes a step (slicing-by-8).
#include "base/crc32.hpp"

#include <array>

#include "base/bytes.hpp"

namespace tarry {
namespace {

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t sum = byte;
    for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1) ^ ((sum & 1) ? 0xedb88320u : 0u);
    tables[0][byte] = sum;
  }
  for (std::size_t step = 1; step < 8; ++step)
    for (std::size_t byte = 0; byte < 256; ++byte)
      tables[step][byte] = (tables[step - 1][byte] >> 8) ^ tables[0][tables[step - 1][byte] & 0xff];
  return tables;
}

constexpr Tables kTables = make_tables();

}  // namespace

std::uint32_t crc32(const void* data, std::size_t size, std::uint32_t previous) {
  const auto* at = static_cast<const std::uint8_t*>(data);
  std::uint32_t sum = ~previous;
  for (; size >= 8; size -= 8, at += 8) {
    const std::uint32_t low = load_le<std::uint32_t>(at) ^ sum;
    const std::uint32_t high = load_le<std::uint32_t>(at + 4);
    sum = kTables[7][low & 0xff] ^ kTables[6][(low >> 8) & 0xff] ^ kTables[5][(low >> 16) & 0xff] ^
          kTables[4][low >> 24] ^ kTables[3][high & 0xff] ^ kTables[2][(high >> 8) & 0xff] ^
          kTables[1][(high >> 16) & 0xff] ^ kTables[0][high >> 24];
  }
  for (; size; --size) sum = (sum >> 8) ^ kTables[0][(sum ^ *at++) & 0xff];
  return ~sum;
}

}  // namespace tarry
