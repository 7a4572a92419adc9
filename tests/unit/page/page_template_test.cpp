// page_template_test.cpp -- the parts of the page, and text as HTML.
#include "page/page_template.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

TEST(PageTemplate, HasThreeParts) {
  const PageTemplate page = split_page("a<!-- tarry:title -->\nb\n<!-- tarry:data -->\nc");
  EXPECT_EQ(page.before_title, "a");
  EXPECT_EQ(page.before_data, "\nb\n");
  EXPECT_EQ(page.behind_data, "c");
}

TEST(PageTemplate, TextIsNoHtml) {
  EXPECT_EQ(html_text("</title><script>'\"&amp;"), "&lt;/title&gt;&lt;script&gt;&#39;&quot;&amp;amp;");
  EXPECT_EQ(html_text("a\x1b[31m\xe2\x80\xae"), "a\\x1b[31m\\u202e");
}

}  // namespace
}  // namespace tarry
