// bench_crc32.cpp -- throughput of the checksum: `bench_crc32 tarry|zlib` prints gigabytes per second.
#include <zlib.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "base/crc32.hpp"

namespace {

constexpr std::size_t kBytes = 1 << 20;  // stays in a second-level cache
constexpr int kRounds = 500;

template <class Checksum>
void measure(Checksum checksum) {
  std::vector<unsigned char> bytes(kBytes);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i * 2654435761u >> 11);
  std::uint32_t sum = 0;
  const auto begin = std::chrono::steady_clock::now();
  for (int round = 0; round < kRounds; ++round) sum = checksum(bytes.data(), bytes.size(), sum);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::fprintf(stderr, "checksum %08x\n", sum);
  std::printf("%.6g\n", 1e-9 * kBytes * kRounds / seconds.count());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string which = argc == 2 ? argv[1] : "";
  if (which == "tarry") {
    measure([](const unsigned char* data, std::size_t size, std::uint32_t sum) { return tarry::crc32(data, size, sum); });
  } else if (which == "zlib") {
    measure([](const unsigned char* data, std::size_t size, std::uint32_t sum) {
      return static_cast<std::uint32_t>(::crc32(sum, data, static_cast<uInt>(size)));
    });
  } else {
    std::fprintf(stderr, "usage: bench_crc32 tarry|zlib\n");
    return 2;
  }
  return 0;
}
