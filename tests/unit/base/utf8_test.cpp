// utf8_test.cpp -- characters as UTF-8 and back.
#include "base/text/utf8.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

TEST(Utf8, EachCharacterComesBack) {
  for (const std::uint32_t code :
       {0x1u, 0x41u, 0x7fu, 0x80u, 0xf6u, 0x7ffu, 0x800u, 0xd7ffu, 0xe000u, 0xffffu, 0x10000u, 0x1f680u, 0x10ffffu}) {
    std::string text;
    append_utf8(text, code);
    const Utf8Character back = utf8_character(text);
    EXPECT_EQ(back.length, text.size());
    EXPECT_EQ(back.code, code);
  }
}

TEST(Utf8, WhatIsNoCharacterIsAQuestionMark) {
  std::string text = "a";
  for (const std::uint32_t code : {0xd800u, 0xdfffu, 0x110000u, 0xffffffffu}) append_utf8(text, code);
  EXPECT_EQ(text, "a????");
}

}  // namespace
}  // namespace tarry
