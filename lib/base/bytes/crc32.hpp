// crc32.hpp -- the checksum of everything we write.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tarry {

/// CRC-32 as in zlib, gzip and PNG (polynomial 0xEDB88320, reflected); `previous` continues an earlier sum.
std::uint32_t crc32(const void* data, std::size_t size, std::uint32_t previous = 0);

}  // namespace tarry
