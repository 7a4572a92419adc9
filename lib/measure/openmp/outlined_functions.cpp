// outlined_functions.cpp -- finds the functions that clang has made of constructs in tables of symbols.
#include "measure/openmp/outlined_functions.hpp"

#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "measure/callpath/function_regions.hpp"
#include "measure/core/loaded_object.hpp"
#include "measure/core/process_start.hpp"
#include "measure/core/runtime.hpp"

namespace tarry::measure {
namespace {

using Bytes8 = std::span<const std::uint8_t>;

struct UsingObject {
  std::string path;
  std::uintptr_t base = 0;
};

bool uses_runtime(const dl_phdr_info& info) {
  return !LoadedObject(info).each_slot(
      [](const char* name, void**) { return !std::string_view(name).starts_with("__kmpc_"); });
}

// The first one is the program: the runtime may be in it.
int list_object(dl_phdr_info* info, std::size_t, void* data) {
  auto& objects = *static_cast<std::vector<UsingObject>*>(data);
  const bool is_program = objects.empty();
  if (is_program) objects.push_back({executable_path(), info->dlpi_addr});
  else if (info->dlpi_name && *info->dlpi_name && uses_runtime(*info))
    objects.push_back({info->dlpi_name, info->dlpi_addr});
  return 0;
}

// `count` records at `offset`; none where the file ends before.
template <class T>
std::span<const T> records_at(Bytes8 file, std::uint64_t offset, std::uint64_t count) {
  if (offset > file.size() || count > (file.size() - offset) / sizeof(T) || offset % alignof(T) != 0) return {};
  return {reinterpret_cast<const T*>(file.data() + offset), count};
}

// What ends within the table.
std::string_view text_at(Bytes8 texts, std::uint64_t offset) {
  if (offset >= texts.size()) return {};
  const auto* const begin = reinterpret_cast<const char*>(texts.data() + offset);
  return {begin, ::strnlen(begin, texts.size() - offset)};
}

void mark_functions_of(Bytes8 file, std::uintptr_t base) {
  const auto headers = records_at<ElfW(Ehdr)>(file, 0, 1);
  if (headers.empty() || std::memcmp(headers[0].e_ident, ELFMAG, SELFMAG) != 0) return;
  const auto sections = records_at<ElfW(Shdr)>(file, headers[0].e_shoff, headers[0].e_shnum);
  for (const ElfW(Shdr) & section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
    const ElfW(Shdr)& names = sections[section.sh_link];
    const Bytes8 texts = records_at<std::uint8_t>(file, names.sh_offset, names.sh_size);
    // Local symbols come first, and these functions are local to their files.
    for (const ElfW(Sym) & symbol : records_at<ElfW(Sym)>(file, section.sh_offset, section.sh_info))
      if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_value != 0 &&
          is_outlined_name(text_at(texts, symbol.st_name)))
        mark_outlined(base + symbol.st_value);
  }
}

}  // namespace

bool is_outlined_name(std::string_view name) {
  return name.find(".omp_outlined") != name.npos || name.find("..omp_par") != name.npos ||
         name.starts_with(".omp_task_entry.") || name.starts_with("__captured_stmt");
}

void mark_outlined_functions() {
  if (!is_recording_wanted()) return;
  std::vector<UsingObject> objects;
  ::dl_iterate_phdr(list_object, &objects);
  for (const UsingObject& object : objects)
    if (auto file = MappedFile::open(object.path); file.ok()) mark_functions_of(file->bytes(), object.base);
}

}  // namespace tarry::measure
