// ancestors.cpp -- searches the command lines of the processes above this one for what a launcher tells.
//
// Reads /proc only, from the parent upwards. May run in the measured program.
#include "base/processes/ancestors.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <charconv>

#include "base/files/owned_file.hpp"

namespace tarry {
namespace {

constexpr int kMostAncestors = 32;  // between a process and its launcher: wrappers

// The beginning of a file that the kernel makes; its length is not known before.
std::string read_about(int process, const char* what) {
  auto file = OwnedFile::open("/proc/" + std::to_string(process) + "/" + what, O_RDONLY);
  char text[4096];
  const ssize_t size = file.ok() ? ::read(file->descriptor(), text, sizeof text) : -1;
  return size > 0 ? std::string(text, static_cast<std::size_t>(size)) : std::string();
}

// 0 if it has none, or cannot be looked at.
int parent_of(int process) {
  const std::string facts = read_about(process, "stat");
  const std::size_t name_end = facts.rfind(") ");  // the name may hold anything
  int parent = 0;
  if (name_end == std::string::npos || facts.size() < name_end + 5) return 0;
  std::from_chars(facts.data() + name_end + 4, facts.data() + facts.size(), parent);  // behind its state
  return parent;
}

}  // namespace

std::string find_in_ancestors(const std::function<std::string(std::string_view command)>& look) {
  int process = ::getppid();
  for (int i = 0; i < kMostAncestors && process > 1; ++i, process = parent_of(process))
    if (std::string found = look(read_about(process, "cmdline")); !found.empty()) return found;
  return {};
}

}  // namespace tarry
