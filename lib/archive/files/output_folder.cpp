// output_folder.cpp -- a new folder that appears under its name only when all is written.
#include "archive/files/output_folder.hpp"

#include <fcntl.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/files/file.hpp"

namespace tarry {
namespace {

Error is_there(const std::string& name) {
  return Error{name, "exists already and is never overwritten", "name another folder or remove it"};
}

std::string without_slashes(std::string name) {
  while (name.size() > 1 && name.back() == '/') name.pop_back();
  return name;
}

}  // namespace

OutputFolder::OutputFolder(std::string name) : name_(without_slashes(std::move(name))) {}

OutputFolder::OutputFolder(OutputFolder&& other) noexcept
    : name_(std::move(other.name_)),
      around_(std::exchange(other.around_, {})),
      note_(std::move(other.note_)),
      path_(std::move(other.path_)) {}

OutputFolder::~OutputFolder() {
  std::error_code ignored;
  if (!around_.empty()) std::filesystem::remove_all(around_, ignored);
}

Result<OutputFolder> OutputFolder::create(const std::string& name) {
  OutputFolder folder(name);
  if (path_exists(folder.name_)) return is_there(folder.name_);
  const std::size_t slash = folder.name_.rfind('/');
  const std::string parent = slash == std::string::npos ? "." : folder.name_.substr(0, slash + 1);
  if (!is_directory(parent)) return Error{parent, "is no folder", "make it first"};
  TARRY_TRY_ASSIGN(around, create_folder_beside(folder.name_));
  folder.around_ = std::move(around);
  folder.note_ = DraftNote(folder.around_);
  folder.path_ = folder.around_ + "/new";
  return folder;
}

Status OutputFolder::keep() {
  // Not every file system can refuse to replace an empty folder.
  if (::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, name_.c_str(), RENAME_NOREPLACE) != 0) {
    if (errno == EEXIST) return is_there(name_);
    if (path_exists(name_)) return is_there(name_);
    if (::rename(path_.c_str(), name_.c_str()) != 0) return Error{name_, system_error(), ""};
  }
  return {};
}

}  // namespace tarry
