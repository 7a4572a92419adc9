// environment_value.hpp -- reads a variable of the environment without getenv().
//
// The measured program may have a getenv() of its own; the recorder must not call it.
#pragma once

#include <unistd.h>

#include <cstring>

namespace tarry {

/// As getenv(), which a program may define itself (bash does): the recorder must not call that.
inline const char* environment_value(const char* name) {
  const std::size_t length = std::strlen(name);
  for (char** at = environ; at && *at; ++at)
    if (std::strncmp(*at, name, length) == 0 && (*at)[length] == '=') return *at + length + 1;
  return nullptr;
}

}  // namespace tarry
