// cubex_tar.hpp -- the container of a report: a tar archive with the padding that readers of reports expect.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>

#include "base/result.hpp"

namespace tarry {

inline constexpr std::size_t kTarBlock = 512;

/// Longest member name.
inline constexpr std::size_t kMaxTarName = 99;

struct TarMember {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;  // bytes there are
  bool is_truncated = false;
};

/// Members by name. Where a name occurs twice, the later one counts, as tar has it.
using TarDirectory = std::map<std::string, TarMember, std::less<>>;

/// Fails, naming `path`, unless `bytes` begin like a tar archive.
Status check_is_tar(std::span<const std::uint8_t> bytes, const std::string& path);

/// Finds all members, stepping over what is not one. Fails if the bytes do not begin like a tar archive.
Result<TarDirectory> read_tar_directory(std::span<const std::uint8_t> bytes, const std::string& path);

/// Header of a regular member, preceded by an extended header if its size needs one. All facts but name and size are
/// constant, so that equal reports are equal files.
std::string tar_header(const std::string& name, std::uint64_t size);

/// Zero bytes to follow a member. `size` must not be a multiple of 512 (see tar_filler).
std::size_t tar_padding(std::uint64_t size);

/// Bytes to add to a member of `size` bytes so that its size is no multiple of 512: 0 or 1.
std::size_t tar_filler(std::uint64_t size);

}  // namespace tarry
