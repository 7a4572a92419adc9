// page_file.cpp -- an unnamed temporary file of slots, each as large as a unit of pages.
#include "base/files/page_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/files/temporary_file.hpp"

namespace tarry {
namespace {

constexpr std::size_t kSlotsAtOnce = 64;  // by which the file grows

// The same without the system's help, which kernels before 5.14 do not give.
void read_each_page(std::uintptr_t address, std::size_t bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  for (std::size_t at = 0; at < bytes; at += page) *reinterpret_cast<const volatile char*>(address + at);
}

}  // namespace

Result<PageFile> PageFile::open(const std::string& folder, std::size_t slot_bytes) {
  TARRY_TRY_ASSIGN(file, open_temporary_file(folder));
  return PageFile(std::move(file), folder, slot_bytes);
}

void PageFile::take(std::size_t count, std::vector<std::uint32_t>& slots) {
  if (free_.size() < count) add_room(std::max(count - free_.size(), kSlotsAtOnce));
  slots.insert(slots.end(), free_.end() - static_cast<std::ptrdiff_t>(count), free_.end());
  free_.resize(free_.size() - count);
}

// Where the file system cannot keep room, the C library writes into each block.
void PageFile::add_room(std::size_t slots) {
  const auto begin = static_cast<off_t>(slots_ * slot_bytes_), bytes = static_cast<off_t>(slots * slot_bytes_);
  const std::error_code outcome(::posix_fallocate(file_.descriptor(), begin, bytes), std::generic_category());
  if (outcome) throw std::filesystem::filesystem_error("temporary file", folder_, outcome);
  for (std::size_t slot = slots_ + slots; slot > slots_; --slot) free_.push_back(static_cast<std::uint32_t>(slot - 1));
  slots_ += slots;
}

bool PageFile::map(std::uintptr_t address, std::uint32_t slot, bool is_new) const {
  void* const at = reinterpret_cast<void*>(address);
  const auto offset = static_cast<off_t>(slot) * static_cast<off_t>(slot_bytes_);
  if (::mmap(at, slot_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_.descriptor(), offset) == MAP_FAILED)
    return false;
  // Page by page, the pages of a new array would take as many faults.
  if (::madvise(at, slot_bytes_, is_new ? MADV_POPULATE_WRITE : MADV_POPULATE_READ) != 0)
    read_each_page(address, slot_bytes_);
  return true;
}

}  // namespace tarry
