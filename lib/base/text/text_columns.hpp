// text_columns.hpp -- how wide lines for people may be.
#pragma once

#include <cstddef>

namespace tarry {

/// Lines that go to no terminal are whole: longer ones than this are too long for anybody.
inline constexpr std::size_t kWholeLine = 10'000;
/// Tables do not become narrower than this.
inline constexpr std::size_t kLeastColumns = 40;

/// Columns of a line on `descriptor`: the environment variable COLUMNS if it is a positive number, else the width of
/// the terminal. kWholeLine where there is neither. At least kLeastColumns.
std::size_t text_columns(int descriptor);

}  // namespace tarry
