// cubex_reader.hpp -- reads a .cubex file (docs/CUBEX.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.hpp"
#include "report/tree/report.hpp"

namespace tarry {

/// Reads a report, its values and extra files; "-" is stdin. Understands what we write and what the other tools of the
/// field write: gzip anchors, compressed, sparse and dense rows, both byte orders. Fails if the file is no report or
/// its trees are unusable; what is wrong with single metrics ends up in Report::damage. Derived metrics are read as
/// definitions, they have no rows. Rows of nothing but zeros are not kept where a missing row means the same.
Result<Report> read_cubex(const std::string& path);

/// The same from memory; `path` names it in errors.
Result<Report> read_cubex(std::span<const std::uint8_t> bytes, const std::string& path);

}  // namespace tarry
