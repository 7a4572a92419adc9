// temporary_file.hpp -- temporary files and folders, and drafts that are renamed to their target once they are whole.
//
// Names are random, and links are not followed: nobody else can prepare or guess them.
#pragma once

#include <string>
#include <utility>

#include "base/files/file.hpp"
#include "base/result.hpp"

namespace tarry {

/// Opens a new file in `folder` for reading and writing, without a name.
Result<File> open_temporary_file(const std::string& folder);

/// A new folder tarry-WHAT-XXXXXX in temporary_folder(), or in /tmp where that is none. It goes with this object, and
/// all that is in it.
class TemporaryFolder {
 public:
  static Result<TemporaryFolder> make(const std::string& what);

  /// What make() replaces XXXXXX in.
  static std::string pattern(const std::string& what, const std::string& parent = temporary_folder());

  TemporaryFolder() = default;
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, std::string())) {}
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  ~TemporaryFolder();

  const std::string& path() const { return path_; }

 private:
  std::string path_;  // empty: there is none
};

/// While it lives, remove_drafts() removes a file of that name, or a folder with all that is in it.
class DraftNote {
 public:
  DraftNote() = default;
  explicit DraftNote(const std::string& name);
  DraftNote(DraftNote&& other) noexcept : place_(std::exchange(other.place_, -1)) {}
  DraftNote& operator=(DraftNote&& other) noexcept {
    std::swap(place_, other.place_);
    return *this;
  }
  ~DraftNote() { forget(); }

  void forget();

 private:
  int place_ = -1;  // in the list; -1: none
};

/// A file with a name for a while: unless it is kept, it goes with this object, also where an exception passes.
class DraftFile {
 public:
  DraftFile(File file, std::string name);
  DraftFile(DraftFile&& other) noexcept
      : file_(std::move(other.file_)),
        name_(std::exchange(other.name_, std::string())),
        note_(std::move(other.note_)) {}
  DraftFile& operator=(DraftFile&&) = delete;
  ~DraftFile();

  const File& file() const { return file_; }  // open for writing
  const std::string& name() const { return name_; }

  /// Gives the file the name `path`; what stood there is replaced.
  Status keep_as(const std::string& path);

 private:
  File file_;
  std::string name_;  // empty: it is kept
  DraftNote note_;
};

/// Removes what is noted, for who ends the process at once. May be called by a signal handler, and takes no memory.
void remove_drafts();

/// Creates a new file beside `path`, to be kept as it: PATH.XXXXXXXX.tmp. What is at a name is never opened, nor is
/// a link followed.
Result<DraftFile> create_file_beside(const std::string& path);

/// The same for a folder; returns its name.
Result<std::string> create_folder_beside(const std::string& path);

}  // namespace tarry
