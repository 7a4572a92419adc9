// owned_file.hpp -- a descriptor of ours inside a process that is not ours.
//
// The program may close any descriptor and open a file of its own under the same number. So ours has a high number, the
// file behind it is checked before each use, and it is closed only while it is ours.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/result.hpp"

namespace tarry {

/// Which file it is, however it is named.
struct FileIdentity {
  dev_t device = 0;
  ino_t inode = 0;
  bool operator==(const FileIdentity&) const = default;
};

class OwnedFile {
 public:
  OwnedFile() = default;

  /// open(2); `flags` as there. Links are not followed, and what is no regular file is refused.
  static Result<OwnedFile> open(const std::string& path, int flags, unsigned mode = 0666);

  OwnedFile(OwnedFile&& other) noexcept;
  OwnedFile& operator=(OwnedFile&& other) noexcept;
  ~OwnedFile();

  /// The descriptor; -1 if there is none, or if the program has taken its number.
  int descriptor() const;

  bool is_open() const { return descriptor() >= 0; }
  const FileIdentity& identity() const { return identity_; }

 private:
  int number_ = -1;
  FileIdentity identity_;
};

}  // namespace tarry
