// descriptors.cpp -- the table of descriptors, and names of files that are opened before the recording begins.
#include "measure/io/descriptors.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "measure/core/process_start.hpp"
#include "measure/core/runtime.hpp"
#include "measure/io/file_names.hpp"

namespace tarry::measure {

std::atomic<FileNumber> g_files[kMostDescriptors];

namespace {

// Numbers that are not met yet begin with one of these. The rest is an index.
constexpr std::uint32_t kEarly = 1u << 31, kStandard = kEarly | 1u << 30;
constexpr std::uint32_t kStandardCount = 3;

constexpr std::size_t kMostEarly = 64, kMostPathBytes = 4096;
char g_early_paths[kMostEarly][kMostPathBytes];
std::atomic<std::uint32_t> g_early_count = 0;

bool is_in_table(int descriptor) { return descriptor >= 0 && descriptor < kMostDescriptors; }

bool may_begin() { return phase() == Phase::kUntouched || phase() == Phase::kWaitsForMpi; }

const char* name_of(FileNumber unmet) {
  constexpr const char* kNames[kStandardCount] = {"<stdin>", "<stdout>", "<stderr>"};
  const auto number = static_cast<std::uint32_t>(unmet);
  return number >= kStandard ? kNames[number - kStandard] : g_early_paths[number - kEarly];
}

}  // namespace

void note_standard_descriptors() {
  for (std::uint32_t i = 0; i < kStandardCount; ++i) set_file(static_cast<int>(i), FileNumber{kStandard + i});
}

bool keeps_descriptors() {
  if (!is_recording() && !may_begin()) return false;
  static const pid_t self = ::getpid();
  return ::getpid() == self;
}

FileNumber file_at(int descriptor) {
  if (!is_in_table(descriptor)) return FileNumber::kNone;
  const FileNumber file = g_files[descriptor].load(std::memory_order_acquire);
  if (file == FileNumber::kNone || is_met(file)) return file;
  const FileNumber named = file_named(name_of(file));
  if (named != FileNumber::kNone) set_file(descriptor, named);
  return named;
}

void set_file(int descriptor, FileNumber file) {
  if (is_in_table(descriptor)) g_files[descriptor].store(file, std::memory_order_release);
}

FileNumber note_early(const char* path) {
  if (!may_begin()) return FileNumber::kNone;
  const std::size_t length = std::strlen(path);
  if (length >= kMostPathBytes || g_early_count.load(std::memory_order_relaxed) >= kMostEarly) return FileNumber::kNone;
  const std::uint32_t number = g_early_count.fetch_add(1);
  if (number >= kMostEarly) return FileNumber::kNone;
  std::memcpy(g_early_paths[number], path, length + 1);
  return FileNumber{kEarly | number};
}

void forget_descriptors(unsigned first, unsigned last) {
  last = std::min(last, static_cast<unsigned>(kMostDescriptors) - 1);
  for (unsigned descriptor = first; descriptor <= last; ++descriptor)
    if (g_files[descriptor].load(std::memory_order_relaxed) != FileNumber::kNone)
      set_file(static_cast<int>(descriptor), FileNumber::kNone);
}

void copy_descriptor(int from, int to) {
  if (from != to) set_file(to, is_in_table(from) ? g_files[from].load(std::memory_order_acquire) : FileNumber::kNone);
}

}  // namespace tarry::measure
