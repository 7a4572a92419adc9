// output_folder.hpp -- a new folder that appears under its name only when all is written.
#pragma once

#include <string>

#include "base/result.hpp"
#include "base/files/temporary_file.hpp"

namespace tarry {

class OutputFolder {
 public:
  /// Fails if something of that name exists. The folder is not made: path() is free.
  static Result<OutputFolder> create(const std::string& name);

  OutputFolder(OutputFolder&& other) noexcept;
  /// Removes what was written unless it was kept.
  ~OutputFolder();

  const std::string& path() const { return path_; }

  /// Gives the folder its name; fails if somebody else took it meanwhile.
  Status keep();

 private:
  explicit OutputFolder(std::string name);

  std::string name_;
  std::string around_;  // a folder of ours alone, that path_ is in
  DraftNote note_;      // of it
  std::string path_;
};

}  // namespace tarry
