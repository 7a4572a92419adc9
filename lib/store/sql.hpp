// sql.hpp -- parameters and rows of SQL statements.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.hpp"

namespace tarry {

/// A value that goes with a statement, never into its text. Refers to texts and bytes, which must outlive the call.
class SqlParam {
 public:
  using Value = std::variant<std::monostate, std::int64_t, double, std::string_view, std::span<const std::uint8_t>>;

  SqlParam() = default;  // NULL
  template <std::integral T>
  SqlParam(T number) : value_(static_cast<std::int64_t>(number)) {}
  SqlParam(double number) : value_(number) {}
  SqlParam(std::string_view text) : value_(text) {}
  SqlParam(const std::string& text) : value_(std::string_view(text)) {}
  SqlParam(const char* text) : value_(std::string_view(text)) {}
  SqlParam(std::span<const std::uint8_t> bytes) : value_(bytes) {}
  SqlParam(const std::vector<std::uint8_t>& bytes) : value_(std::span<const std::uint8_t>(bytes)) {}
  template <class T>
  SqlParam(const std::optional<T>& value) {
    if (value) *this = SqlParam(*value);
  }

  const Value& value() const { return value_; }

 private:
  Value value_;
};

using SqlParams = std::vector<SqlParam>;

/// One row of an answer, valid while it is being looked at. NULL is 0, or empty.
class SqlRow {
 public:
  virtual ~SqlRow() = default;
  virtual std::size_t size() const = 0;
  virtual std::string_view name(std::size_t column) const = 0;
  virtual bool is_null(std::size_t column) const = 0;
  /// True if the value is a number, false for text and bytes.
  virtual bool is_number(std::size_t column) const = 0;
  virtual std::int64_t integer(std::size_t column) const = 0;
  virtual double real(std::size_t column) const = 0;
  /// Valid until the next call of text() or bytes() for the same column.
  virtual std::string_view text(std::size_t column) const = 0;
  virtual std::span<const std::uint8_t> bytes(std::size_t column) const = 0;
};

using SqlRowReader = std::function<Status(const SqlRow&)>;

/// Text as both databases keep it: valid UTF-8 without a zero byte; each other byte becomes '?'.
std::string sql_text(std::string_view text);

}  // namespace tarry
