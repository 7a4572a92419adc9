// json_test.cpp -- documents with commas and quotes in their places, whatever the names.
#include "base/text/json.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace tarry {
namespace {

TEST(Json, StringsEscapeWhatMustNotStandInThem) {
  EXPECT_EQ(json_string("a \"b\" \\ c"), "\"a \\\"b\\\" \\\\ c\"");
  EXPECT_EQ(json_string("\n\t\x01\x1b"), "\"\\u000a\\u0009\\u0001\\u001b\"");
  EXPECT_EQ(json_string("\xc3\xa4"), "\"\xc3\xa4\"");
  EXPECT_EQ(json_string(std::string_view("a\0b", 3)), "\"a\\u0000b\"");
}

TEST(Json, WhatATerminalActsUponIsEscaped) {
  EXPECT_EQ(json_string("\x7f\xc2\x9b\xe2\x80\xae"), "\"\\u007f\\u009b\\u202e\"");
}

TEST(Json, BytesThatAreNoUtf8BecomeQuestionMarks) {
  EXPECT_EQ(json_string("a\xff\xfe"), "\"a??\"");
  EXPECT_EQ(json_string("\xc3"), "\"?\"");
}

TEST(Json, OneLineAndManyLines) {
  JsonWriter out;
  out.begin_object(JsonWriter::Layout::kLines).member("version", 1).member("name", "x");
  out.name("list").begin_array(JsonWriter::Layout::kLines);
  out.begin_object().member("a", true).member("b", 0.5).end();
  out.begin_array().add(1).add(2).add_null().end();
  out.end();
  out.name("none").begin_array(JsonWriter::Layout::kLines).end();
  out.end();
  EXPECT_EQ(out.take(),
            "{\n  \"version\": 1,\n  \"name\": \"x\",\n  \"list\": [\n    {\"a\": true, \"b\": 0.5},\n"
            "    [1, 2, null]\n  ],\n  \"none\": []\n}\n");
}

TEST(Json, NumbersAreExactAndFinite) {
  JsonWriter out;
  out.begin_array().add(0.1).add(std::numeric_limits<double>::infinity()).add(std::numeric_limits<double>::quiet_NaN());
  out.add(std::numeric_limits<std::uint64_t>::max()).add(std::int64_t{-1}).end();
  EXPECT_EQ(out.take(), "[0.10000000000000001, null, null, 18446744073709551615, -1]\n");
}

TEST(Json, NamesAreEscapedToo) {
  JsonWriter out;
  out.begin_object().member("a\"b\n", std::string("c\"d")).end();
  EXPECT_EQ(out.take(), "{\"a\\\"b\\u000a\": \"c\\\"d\"}\n");
}

}  // namespace
}  // namespace tarry
