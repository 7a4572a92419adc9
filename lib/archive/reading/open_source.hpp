// open_source.hpp -- opens what the user names, whatever kind of trace it is.
#pragma once

#include <memory>
#include <string>

#include "archive/reading/archive_source.hpp"
#include "base/result.hpp"
#include "trace/source.hpp"

namespace tarry {

/// Opens an archive (a folder with manifest.xml or events/) or an OTF2 trace (its anchor file), told by their content,
/// not their name. One error names all that were tried. `options` are for archives.
Result<std::unique_ptr<Source>> open_source(const std::string& path, const OpenOptions& options = {});

/// True if `path` is a file that starts as an OTF2 anchor file does.
bool is_otf2_anchor(const std::string& path);

}  // namespace tarry
