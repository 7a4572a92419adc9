// temporary_file.cpp -- files and folders on the way to what they become.
#include "base/files/temporary_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>

namespace tarry {
namespace {

constexpr char kOtherTemporaryFolder[] = "name another folder for temporary files in TMPDIR";
constexpr int kMostAttempts = 100;
constexpr std::size_t kLongestName = 255, kSuffixLength = 13;

// PATH.XXXXXXXX.tmp, with as much of the name as a file system takes.
std::string random_name_beside(const std::string& path) {
  const std::size_t base = path.rfind('/') + 1;
  unsigned number = 0;
  if (::getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number) number = static_cast<unsigned>(::getpid());
  char suffix[kSuffixLength + 1];
  std::snprintf(suffix, sizeof suffix, ".%08x.tmp", number);
  return path.substr(0, base) + path.substr(base, kLongestName - kSuffixLength) + suffix;
}

// The names of drafts, where a signal handler may read them. A tool writes a few files at a time.
std::atomic<char*> g_drafts[32];

// What is found in a folder goes before it. What others write into it meanwhile goes with another attempt.
constexpr int kDeepest = 8, kMostSweeps = 3;
void remove_at(int parent, const char* name, int depth);

void remove_all_in(int folder, int depth) {
  alignas(dirent64) char entries[1024];
  for (ssize_t bytes = 0; (bytes = ::getdents64(folder, entries, sizeof entries)) > 0;) {
    for (ssize_t at = 0; at < bytes;) {
      const auto* const entry = reinterpret_cast<const dirent64*>(entries + at);
      at += entry->d_reclen;
      if (std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0)
        remove_at(folder, entry->d_name, depth);
    }
  }
}

void remove_at(int parent, const char* name, int depth) {
  if (::unlinkat(parent, name, 0) == 0 || errno != EISDIR || depth == kDeepest) return;
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    const int folder = ::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) return;
    remove_all_in(folder, depth + 1);
    ::close(folder);
    if (::unlinkat(parent, name, AT_REMOVEDIR) == 0) return;
  }
}

}  // namespace

// By a name that goes at once: not every file system knows O_TMPFILE.
Result<File> open_temporary_file(const std::string& folder) {
  std::string name = folder + "/tarry-XXXXXX";
  File file(::mkostemp(name.data(), O_CLOEXEC));
  if (!file.is_open()) return Error{folder, system_error(), kOtherTemporaryFolder};
  ::unlink(name.c_str());
  return file;
}

Result<TemporaryFolder> TemporaryFolder::make(const std::string& what) {
  TemporaryFolder folder;
  for (const std::string& parent : {temporary_folder(), std::string("/tmp")}) {
    folder.path_ = pattern(what, parent);
    if (::mkdtemp(folder.path_.data())) return folder;
  }
  folder.path_.clear();
  return Error{temporary_folder(), system_error(), kOtherTemporaryFolder};
}

std::string TemporaryFolder::pattern(const std::string& what, const std::string& parent) {
  return parent + "/tarry-" + what + "-XXXXXX";
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;  // a temporary folder that stays is no harm
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

DraftNote::DraftNote(const std::string& name) {
  char* copy = ::strdup(name.c_str());
  for (int i = 0; copy && i < static_cast<int>(std::size(g_drafts)); ++i) {
    char* none = nullptr;
    if (!g_drafts[i].compare_exchange_strong(none, copy)) continue;
    place_ = i;
    return;
  }
  std::free(copy);
}

void DraftNote::forget() {
  if (place_ >= 0) std::free(g_drafts[std::exchange(place_, -1)].exchange(nullptr));
}

DraftFile::DraftFile(File file, std::string name) : file_(std::move(file)), name_(std::move(name)), note_(name_) {}

DraftFile::~DraftFile() {
  note_.forget();
  if (!name_.empty()) ::unlink(name_.c_str());
}

Status DraftFile::keep_as(const std::string& path) {
  if (::rename(name_.c_str(), path.c_str()) != 0) return Error{path, system_error(), ""};
  note_.forget();
  name_.clear();
  return {};
}

void remove_drafts() {
  for (std::atomic<char*>& name : g_drafts)
    if (const char* draft = name.load()) remove_at(AT_FDCWD, draft, 0);
}

Result<DraftFile> create_file_beside(const std::string& path) {
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    std::string name = random_name_beside(path);
    File file(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (file.is_open()) return DraftFile(std::move(file), std::move(name));
    if (errno != EEXIST) break;
  }
  return Error{path, system_error(), ""};
}

Result<std::string> create_folder_beside(const std::string& path) {
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    std::string name = random_name_beside(path);
    if (::mkdir(name.c_str(), 0777) == 0) return name;
    if (errno != EEXIST) break;
  }
  return Error{path, system_error(), ""};
}

}  // namespace tarry
