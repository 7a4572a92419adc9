// page_writer.cpp -- writes the page piece by piece.
#include "page/page_writer.hpp"

#include "base/text/format.hpp"
#include "page/pack.hpp"

namespace tarry {

Status PageWriter::begin(std::string_view title) {
  constexpr std::size_t kLongestTitle = 200;
  TARRY_TRY(write(page_.before_title));
  TARRY_TRY(write("<title>" + html_text(shorten_end(title, kLongestTitle)) + "</title>"));
  return write(page_.before_data);
}

Status PageWriter::add(std::string_view name, std::span<const std::uint8_t> bytes) {
  return add_packed(name, pack(bytes));
}

Status PageWriter::add(std::string_view name, std::string_view text) {
  return add(name, std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

Status PageWriter::add_packed(std::string_view name, std::span<const std::uint8_t> packed) {
  TARRY_TRY(write("<script type=\"text/plain\" id=\"" + std::string(name) + "\">"));
  TARRY_TRY(write(base64(packed)));
  return write("</script>\n");
}

Status PageWriter::end() { return write(page_.behind_data); }

}  // namespace tarry
