// page_writer.hpp -- writes the page piece by piece: the part before the data, one block after another, and the rest.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/files/file.hpp"
#include "base/result.hpp"
#include "page/page_template.hpp"

namespace tarry {

/// Data reach the page as base64 only, and names of blocks are ours. So nothing that a report holds is HTML.
class PageWriter {
 public:
  /// `file` and `page` must outlive the writer; `path` names the file in errors.
  PageWriter(const File& file, std::string path, const PageTemplate& page)
      : file_(file), path_(std::move(path)), page_(page) {}

  Status begin(std::string_view title);

  /// A block of bytes, which are packed here.
  Status add(std::string_view name, std::span<const std::uint8_t> bytes);
  Status add(std::string_view name, std::string_view text);

  /// A block that is packed already.
  Status add_packed(std::string_view name, std::span<const std::uint8_t> packed);

  Status end();

 private:
  Status write(std::string_view text) { return write_all(file_, text.data(), text.size(), path_); }

  const File& file_;
  std::string path_;
  const PageTemplate& page_;
};

}  // namespace tarry
