// page_template.hpp -- the page without data, in the parts between which a title and data go.
#pragma once

#include <string>
#include <string_view>

namespace tarry {

/// The page of the build, split at its lines for the title and for data.
struct PageTemplate {
  std::string_view before_title, before_data, behind_data;
};

/// Splits a page that tools/explore/assemble_page.py has made.
PageTemplate split_page(std::string_view page);

/// Text as HTML shows it. Control characters and marks that turn the direction of writing are escaped as on a terminal.
std::string html_text(std::string_view text);

}  // namespace tarry
