// commands.hpp -- the subcommands of tarry-archive; each returns the exit status or an error.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.hpp"

namespace tarry {

struct DumpOptions {
  std::optional<std::uint32_t> rank;
  std::optional<std::uint32_t> thread;
};

/// The files of the archive: length, name, what is in it.
Result<int> list_archive(const std::string& path);

/// State, facts of the manifest, sizes, topologies (with the place of each rank if wanted), what the stages did.
Result<int> show_info(const std::string& path, bool wants_places);

/// One event per line: rank, thread, seconds since the origin, kind, fields.
Result<int> dump_events(const std::string& path, const DumpOptions& options);

/// Checks whether the archive is intact and complete; status 1 if not.
Result<int> verify_and_tell(const std::string& path, bool is_quick);

}  // namespace tarry
