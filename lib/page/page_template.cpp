// page_template.cpp -- the page without data, in the parts between which a title and data go.
#include "page/page_template.hpp"

#include "base/text/printable.hpp"

namespace tarry {
namespace {

constexpr std::string_view kTitleLine = "<!-- tarry:title -->", kDataLine = "<!-- tarry:data -->";

}  // namespace

PageTemplate split_page(std::string_view page) {
  const std::size_t title = page.find(kTitleLine), data = page.find(kDataLine);
  const std::size_t behind_title = title + kTitleLine.size();
  return {page.substr(0, title), page.substr(behind_title, data - behind_title),
          page.substr(data + kDataLine.size() + 1)};  // with its line end
}

std::string html_text(std::string_view text) {
  std::string html;
  for (const char c : printable(text)) {
    switch (c) {
      case '&': html += "&amp;"; break;
      case '<': html += "&lt;"; break;
      case '>': html += "&gt;"; break;
      case '"': html += "&quot;"; break;
      case '\'': html += "&#39;"; break;
      default: html.push_back(c);
    }
  }
  return html;
}

}  // namespace tarry
