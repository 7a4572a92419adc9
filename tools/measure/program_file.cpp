// program_file.cpp -- reads the first bytes of a program: "#!", or the headers of an ELF file.
#include "program_file.hpp"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <sstream>
#include <string_view>

#include "base/files/input_file.hpp"
#include "needed_libraries.hpp"

namespace tarry {
namespace {

constexpr std::size_t kScriptBytes = 4096;  // more than a kernel reads of the first line
constexpr std::size_t kMostSegments = 4096;

// The processor that this tool, and the recorder beside it, was built for.
Elf64_Half own_machine() {
  auto self = open_input("/proc/self/exe");
  Elf64_Ehdr header{};
  if (self.ok() && ::pread(self->descriptor(), &header, sizeof header, 0) != sizeof header) header.e_machine = EM_NONE;
  return header.e_machine;
}

ProgramKind kind_of_linker(const File& file, const Elf64_Phdr& segment) {
  std::string linker(std::min<std::size_t>(segment.p_filesz, PATH_MAX), '\0');
  const ssize_t size = ::pread(file.descriptor(), linker.data(), linker.size(), static_cast<off_t>(segment.p_offset));
  linker.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return linker.find("/ld-musl-") == std::string::npos ? ProgramKind::kLoadable : ProgramKind::kMusl;
}

ProgramKind kind_of_executable(const File& file, const Elf64_Ehdr& header) {
  for (std::size_t i = 0; i < header.e_phnum && i < kMostSegments; ++i) {
    Elf64_Phdr segment{};
    const auto place = static_cast<off_t>(header.e_phoff + i * header.e_phentsize);
    if (::pread(file.descriptor(), &segment, sizeof segment, place) != sizeof segment) return ProgramKind::kLoadable;
    if (segment.p_type == PT_INTERP) return kind_of_linker(file, segment);
  }
  return ProgramKind::kStatic;
}

ProgramKind kind_of(const File& file) {
  Elf64_Ehdr header{};
  const ssize_t size = ::pread(file.descriptor(), &header, sizeof header, 0);
  if (size < EI_NIDENT || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return ProgramKind::kLoadable;
  if (header.e_ident[EI_CLASS] == ELFCLASS32) return ProgramKind::k32Bit;
  if (size != sizeof header || header.e_ident[EI_DATA] != ELFDATA2LSB) return ProgramKind::kLoadable;
  if (header.e_machine != own_machine()) return ProgramKind::kOtherProcessor;
  return kind_of_executable(file, header);
}

std::vector<std::string> interpreter_of(const File& file) {
  std::string text(kScriptBytes, '\0');
  const ssize_t size = ::pread(file.descriptor(), text.data(), text.size(), 0);
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  if (!text.starts_with("#!")) return {};
  std::istringstream line(text.substr(2, text.find('\n') - 2));
  std::vector<std::string> words;
  for (std::string word; line >> word;) words.push_back(word);
  return words;
}

// Root that becomes root gains nothing, and its dynamic linker is not wary then.
bool has_other_rights(const std::string& path) {
  struct stat facts;
  struct statvfs mount;
  if (::stat(path.c_str(), &facts) != 0) return false;
  if (::statvfs(path.c_str(), &mount) == 0 && (mount.f_flag & ST_NOSUID)) return false;
  if ((facts.st_mode & S_ISUID) && facts.st_uid != ::getuid()) return true;
  if ((facts.st_mode & S_ISGID) && facts.st_gid != ::getgid()) return true;
  return ::getuid() != 0 && ::getxattr(path.c_str(), "security.capability", nullptr, 0) > 0;
}

}  // namespace

ProgramFile read_program_file(const std::string& path) {
  ProgramFile program;
  auto file = open_input(path);
  if (file.ok()) program.interpreter = interpreter_of(*file);
  if (!program.interpreter.empty()) return program;
  program.has_other_rights = has_other_rights(path);
  if (file.ok()) program.kind = kind_of(*file);
  if (file.ok() && program.kind == ProgramKind::kLoadable) program.libraries = needed_libraries(*file);
  return program;
}

}  // namespace tarry
