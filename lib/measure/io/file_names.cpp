// file_names.cpp -- a hash table of names, which never grows.
#include "measure/io/file_names.hpp"

#include <cstdio>
#include <cstring>
#include <string_view>

#include "archive/profile/profile_codec.hpp"
#include "base/arrays/flat_map.hpp"
#include "measure/core/recorder_lock.hpp"
#include "measure/core/runtime.hpp"
#include "measure/io/descriptors.hpp"

namespace tarry::measure {
namespace {

// Names themselves are in the definitions only.
struct NamedFile {
  std::uint64_t hash = 0;  // 0: free
  FileNumber file = FileNumber::kNone;
};

constexpr std::size_t kSlots = 2 * kMostFiles;
static_assert((kSlots & (kSlots - 1)) == 0);

RecorderLock g_lock;
NamedFile g_named[kSlots];
std::uint32_t g_count = 0;
FileNumber g_others = FileNumber::kNone;

std::uint64_t hash_of(std::string_view text, std::uint64_t hash) {
  for (const char c : text) hash = mix_bits(hash ^ static_cast<unsigned char>(c));
  return hash | 1;
}

FileNumber define(std::string_view name) {
  const auto handle = definitions().try_add_io_handle(name);
  return handle ? number_of(*handle) : FileNumber::kNone;
}

// A name that tells nothing, the same in all processes of the run.
FileNumber define_redacted(std::string_view path) {
  char name[32];
  std::snprintf(name, sizeof name, "file-%016llx",
                static_cast<unsigned long long>(hash_of(path, hash_of(settings().archive, 0))));
  return define(name);
}

FileNumber define_others() {
  if (g_others == FileNumber::kNone) g_others = define("other files");
  return g_others;
}

}  // namespace

FileNumber file_named(const char* path) {
  const std::uint64_t hash = hash_of(path, 0);
  const TryLocked lock(g_lock);
  if (!lock) return FileNumber::kNone;
  std::size_t at = hash & (kSlots - 1);
  while (g_named[at].hash != 0 && g_named[at].hash != hash) at = (at + 1) & (kSlots - 1);
  if (g_named[at].hash == hash) return g_named[at].file;
  if (g_count == kMostFiles) return define_others();
  const FileNumber file = settings().is_redacted ? define_redacted(path) : define(path);
  if (file == FileNumber::kNone) return file;
  ++g_count;
  g_named[at] = {hash, file};
  return file;
}

}  // namespace tarry::measure
