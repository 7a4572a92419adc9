// xml_scanner_test.cpp -- scanning, decoding and encoding XML.
#include "report/cubex/xml_scanner.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

// "<a k=v>", "text", "</a>", "." for the end, "!" for an error
std::string tokens_of(std::string_view text) {
  XmlScanner scanner(text);
  std::string all;
  for (;;) switch (scanner.next()) {
      case XmlScanner::Token::kOpen:
        all += "<" + std::string(scanner.name());
        for (const auto& attribute : scanner.attributes())
          all += " " + std::string(attribute.name) + "=" + attribute.value;
        all += ">";
        break;
      case XmlScanner::Token::kClose: all += "</" + std::string(scanner.name()) + ">"; break;
      case XmlScanner::Token::kText: all += scanner.text(); break;
      case XmlScanner::Token::kEnd: return all + ".";
      case XmlScanner::Token::kError: return all + "!";
    }
}

TEST(XmlScanner, ElementsAttributesText) {
  EXPECT_EQ(tokens_of("<?xml version=\"1.0\"?><!-- <x> --><a k=\"v &amp; w\" l='2'>t&lt;<b/>u</a>"),
            "<a k=v & w l=2>t<<b></b>u</a>.");
  EXPECT_EQ(tokens_of("<a><![CDATA[<&amp;>]]></a>"), "<a><&amp;></a>.");
  EXPECT_EQ(tokens_of("<cubepl rowwise=false>x</cubepl>"), "<cubepl rowwise=false>x</cubepl>.");
}

TEST(XmlScanner, DamageIsAnError) {
  for (const char* text : {"<a>", "<a></b>", "</a>", "<", "<a", "<a k", "<a k=", "<a k=\"", "<a k=\"v\"",
                           "<a><![CDATA[", "<!-- ", "<a></a", "< a></a>", "<a/", "<a ="})
    EXPECT_EQ(tokens_of(text).back(), '!') << text;
}

TEST(XmlScanner, SaysTheLine) {
  XmlScanner scanner("<a>\n\n</b>");
  while (scanner.next() != XmlScanner::Token::kError) continue;
  EXPECT_EQ(scanner.error_text().substr(0, 7), "line 3:");
}

TEST(XmlScanner, DepthCostsNoStack) {
  std::string text;
  for (int i = 0; i < 200000; ++i) text += "<a>";
  for (int i = 0; i < 200000; ++i) text += "</a>";
  EXPECT_EQ(tokens_of(text).back(), '.');
}

TEST(XmlScanner, Entities) {
  EXPECT_EQ(decode_entities("&lt;&gt;&quot;&apos;&amp;amp;"), "<>\"'&amp;");
  EXPECT_EQ(decode_entities("&#65;&#x20ac;"), "A\xe2\x82\xac");
  EXPECT_EQ(decode_entities("a & b &; &nope; &#; &#0; &#x110000; &"), "a & b &; &nope; &#; &#0; &#x110000; &");
}

TEST(XmlScanner, WhatWeWriteIsTextWithoutMarkup) {
  EXPECT_EQ(encode_xml("<a & \"b\" 'c'>"), "&lt;a &amp; &quot;b&quot; &apos;c&apos;&gt;");
  EXPECT_EQ(encode_xml("a\r\n\tb\x01"), "a \n b ");
  EXPECT_EQ(encode_xml("\xe2\x82\xac \xff \xc0\x80 \xe2\x82"), "\xe2\x82\xac ? ?? ??");
  const std::string wild = "x<y>&z;\"'";
  EXPECT_EQ(decode_entities(encode_xml(wild)), wild);
}

}  // namespace
}  // namespace tarry
