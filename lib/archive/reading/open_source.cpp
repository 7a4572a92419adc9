// open_source.cpp -- opens what the user names, whatever kind of trace it is.
#include "archive/reading/open_source.hpp"

#include <unistd.h>

#include "archive/archive.hpp"
#include "archive/reading/archive_source.hpp"
#include "base/files/input_file.hpp"
#include "trace/otf2/otf2_source.hpp"

namespace tarry {

bool is_otf2_anchor(const std::string& path) {
  const auto file = open_input(path);
  char start[6];
  return file.ok() && ::pread(file.value().descriptor(), start, sizeof start, 0) == sizeof start &&
         std::string_view(start + 2, 4) == "OTF2";  // after a buffer guard and the byte order
}

Result<std::unique_ptr<Source>> open_source(const std::string& path, const OpenOptions& options) {
  if (is_archive(path)) return open_archive(path, options);
  if (is_otf2_anchor(path)) return open_otf2(path);
  const std::string hint = "name the folder that 'tarry measure' made, or the traces.otf2 file of an OTF2 trace";
  if (!path_exists(path)) return Error{path, "no such file or directory", hint};
  if (is_directory(path)) return Error{path, "is no archive: it holds neither manifest.xml nor events/", hint};
  if (const auto file = open_input(path); !file.ok()) return Error{path, file.error().why, hint};
  return Error{path, "is neither an archive (a folder) nor an OTF2 anchor file (it does not carry the mark 'OTF2')",
               hint};
}

}  // namespace tarry
