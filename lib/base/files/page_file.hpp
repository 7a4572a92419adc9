// page_file.hpp -- an unnamed temporary file of slots, each as large as a unit of pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "base/result.hpp"

namespace tarry {

/// Slots are numbered from 0. One that is given back is used again. The file keeps room on the disk for all of them:
/// a touch of a mapped page whose disk is full would end the program. Not thread-safe.
class PageFile {
 public:
  static Result<PageFile> open(const std::string& folder, std::size_t slot_bytes);

  /// Adds `count` slots to `slots`. Throws a filesystem_error that names the folder if the disk has no room.
  void take(std::size_t count, std::vector<std::uint32_t>& slots);

  /// Takes slots back.
  void give_back(const std::vector<std::uint32_t>& slots) { free_.insert(free_.end(), slots.begin(), slots.end()); }

  /// Maps a slot at `address`, and its pages with it. False if the system refuses.
  bool map(std::uintptr_t address, std::uint32_t slot, bool is_new) const;

 private:
  PageFile(File file, std::string folder, std::size_t slot_bytes)
      : file_(std::move(file)), folder_(std::move(folder)), slot_bytes_(slot_bytes) {}

  void add_room(std::size_t slots);

  File file_;
  std::string folder_;
  std::size_t slot_bytes_;
  std::size_t slots_ = 0;  // that the file has
  std::vector<std::uint32_t> free_;
};

}  // namespace tarry
