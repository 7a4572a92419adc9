// result.hpp -- a value or the reason why there is none.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace tarry {

/// Why something failed, in the three parts that every message of ours has. These are the subject
/// ("run/events/n0.tev"), the cause ("chunk 3 fails its checksum") and the way out ("copy the archive again"; may be
/// empty).
struct Error {
  std::string what;
  std::string why;
  std::string hint;

  /// "what: why (hint)", without a trailing newline.
  std::string text() const {
    std::string line = what + ": " + why;
    if (!hint.empty()) line += " (" + hint + ")";
    return line;
  }
};

/// A T, or an Error. Untrusted input and system calls return this; programming mistakes do not.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Error error) : state_(std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  const Error& error() const { return std::get<1>(state_); }
  T* operator->() { return &std::get<0>(state_); }
  T& operator*() { return std::get<0>(state_); }

 private:
  std::variant<T, Error> state_;
};

/// Success, or an Error.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}

  bool ok() const { return !error_; }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace tarry

/// Returns the error of a Status or Result expression to the caller, if there is one.
#define TARRY_TRY(expression)                                                            \
  do {                                                                                   \
    if (const auto& tarry_try = (expression); !tarry_try.ok()) return tarry_try.error(); \
  } while (false)

/// `auto name = value of the Result expression`, or returns its error to the caller.
#define TARRY_TRY_ASSIGN(name, expression)               \
  auto name##_result = (expression);                     \
  if (!name##_result.ok()) return name##_result.error(); \
  auto name = std::move(name##_result).value()
