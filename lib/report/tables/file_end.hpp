// file_end.hpp -- where the content of an extra file of a report ends.
#pragma once

#include "base/bytes/bytes.hpp"
#include "report/tree/report.hpp"

namespace tarry {

/// Whether all of a file has been read whose records have several bytes. In a report, a file of whole tar blocks has
/// one byte more (docs/CUBEX.md, "Container").
inline bool is_at_end(const ByteReader& in, const ReportFile& file) {
  constexpr std::size_t kTarBlockBytes = 512;
  return in.left() == 0 || (in.left() == 1 && file.bytes.size() % kTarBlockBytes == 1);
}

}  // namespace tarry
