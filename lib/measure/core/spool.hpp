// spool.hpp -- the file of this process that is mapped block by block: the contents of a block outlive the process.
//
// No descriptor is kept open: the program may close it, and put a file of its own in its place. To grow, the file is
// opened anew by its name, and checked to be the same.
//
// Calls: may block.
#pragma once

#include <cstdint>
#include <string>

#include "base/files/owned_file.hpp"
#include "base/result.hpp"

namespace tarry::measure {

inline constexpr std::size_t kBlockBytes = 256 << 10;

class Spool {
 public:
  /// Creates the file, which must not exist. A first block of it is kept for a disk that fills up.
  Status open(const std::string& path);

  /// The next block of kBlockBytes zeros, mapped, with room on the disk.
  /// Calls: handler-safe.
  Result<std::uint8_t*> take();

  /// Gives the room of a block back to the disk; readers find zeros there.
  /// Calls: handler-safe.
  static void release(std::uint8_t* block);

  /// The same for the first block; false if it was given back before.
  /// Calls: handler-safe.
  bool release_reserve();

  /// Removes the file if it still is the one that was created.
  void remove();

 private:
  Status grow();
  Status map_blocks(std::uint64_t count);

  std::string path_;
  FileIdentity identity_;
  std::uint64_t end_ = 0;  // of the file
  std::uint8_t* reserve_ = nullptr;
  std::uint8_t* next_ = nullptr;  // of the blocks that are mapped and were not taken
  std::uint64_t spare_ = 0;       // how many there are
  std::uint64_t taken_ = 0;
};

}  // namespace tarry::measure
