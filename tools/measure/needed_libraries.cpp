// needed_libraries.cpp -- reads the dynamic section of a program.
#include "needed_libraries.hpp"

#include <elf.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

namespace tarry {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20;  // of a table; the file may be damaged

// Up to `count` of them; fewer where the file ends.
template <class T>
std::vector<T> read_table(const File& file, std::uint64_t offset, std::size_t count) {
  std::vector<T> table(std::min(count, kMostBytes / sizeof(T)));
  const ssize_t size = ::pread(file.descriptor(), table.data(), table.size() * sizeof(T), static_cast<off_t>(offset));
  table.resize(size > 0 ? static_cast<std::size_t>(size) / sizeof(T) : 0);
  return table;
}

std::uint64_t offset_of(const std::vector<Elf64_Phdr>& segments, std::uint64_t address) {
  for (const Elf64_Phdr& segment : segments)
    if (segment.p_type == PT_LOAD && address - segment.p_vaddr < segment.p_filesz)
      return address - segment.p_vaddr + segment.p_offset;
  return 0;
}

std::uint64_t value_of(const std::vector<Elf64_Dyn>& entries, Elf64_Sxword tag) {
  const auto found = std::ranges::find(entries, tag, &Elf64_Dyn::d_tag);
  return found != entries.end() ? found->d_un.d_val : 0;
}

}  // namespace

std::vector<std::string> needed_libraries(const File& file) {
  const auto header = read_table<Elf64_Ehdr>(file, 0, 1);
  if (header.empty()) return {};
  const auto segments = read_table<Elf64_Phdr>(file, header[0].e_phoff, header[0].e_phnum);
  const auto dynamic = std::ranges::find(segments, Elf64_Word{PT_DYNAMIC}, &Elf64_Phdr::p_type);
  if (dynamic == segments.end()) return {};
  const auto entries = read_table<Elf64_Dyn>(file, dynamic->p_offset, dynamic->p_filesz / sizeof(Elf64_Dyn));
  const auto names =
      read_table<char>(file, offset_of(segments, value_of(entries, DT_STRTAB)), value_of(entries, DT_STRSZ));
  std::vector<std::string> libraries;
  for (const Elf64_Dyn& entry : entries) {
    if (entry.d_tag != DT_NEEDED || entry.d_un.d_val >= names.size()) continue;
    const auto begin = names.begin() + static_cast<std::ptrdiff_t>(entry.d_un.d_val);
    libraries.emplace_back(begin, std::find(begin, names.end(), '\0'));
  }
  return libraries;
}

}  // namespace tarry
