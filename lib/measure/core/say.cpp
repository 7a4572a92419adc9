// say.cpp -- the recorder's voice on stderr.
#include "measure/core/say.hpp"

#include <unistd.h>

#include <string>

namespace tarry::measure {

void say(std::string_view text) {
  std::string line = "tarry: ";
  line.append(text).push_back('\n');
  // What cannot be said cannot be helped: the application goes on either way.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace tarry::measure
