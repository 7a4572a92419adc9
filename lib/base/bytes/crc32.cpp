// crc32.cpp -- the checksum of everything we write.
#include "base/bytes/crc32.hpp"

#include <libdeflate.h>

namespace tarry {

std::uint32_t crc32(const void* data, std::size_t size, std::uint32_t previous) {
  return libdeflate_crc32(previous, data, size);
}

}  // namespace tarry
