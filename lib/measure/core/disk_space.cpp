// disk_space.cpp -- tells in time that the archive's file system will not hold the recording.
#include "measure/core/disk_space.hpp"

#include <sys/statvfs.h>

#include <cerrno>
#include <cstdio>

#include "measure/core/say.hpp"

namespace tarry::measure {
namespace {

std::string size_text(Bytes bytes) {
  const char* unit = "KB";
  auto size = static_cast<double>(bytes) / 1024;
  for (const char* larger : {"MB", "GB", "TB"}) {
    if (size < 1024) break;
    size /= 1024;
    unit = larger;
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.4g %s", size, unit);
  return text;
}

}  // namespace

Bytes free_disk_space(const std::string& folder) {
  struct statvfs facts;
  int outcome;
  do {
    outcome = ::statvfs(folder.c_str(), &facts);
  } while (outcome != 0 && errno == EINTR);
  if (outcome != 0 || facts.f_blocks == 0) return ~Bytes{0};
  return static_cast<Bytes>(facts.f_bavail) * facts.f_frsize;
}

void warn_of_disk(const std::string& archive, Bytes free, Bytes wanted, const std::string& what) {
  say(archive + ": " + size_text(free) + " are free on this disk, and " + what + " may take " + size_text(wanted) +
      " (less --memory, or another folder)");
}

void forecast_buffers(const Settings& settings, std::uint32_t processes) {
  if (!settings.traces) return;
  const double part = settings.spools_in_memory ? kUsualCompression : 1;
  const auto wanted = static_cast<Bytes>(static_cast<double>(settings.memory) * processes * part);
  const Bytes free = free_disk_space(settings.archive);
  if (free >= wanted) return;
  const std::string who = processes == 1 ? "" : " of " + std::to_string(processes) + " processes";
  warn_of_disk(settings.archive, free, wanted, "the event buffers" + who);
}

}  // namespace tarry::measure
