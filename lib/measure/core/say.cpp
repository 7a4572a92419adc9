// say.cpp -- the recorder's voice on stderr.
#include "measure/core/say.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "base/files/owned_file.hpp"
#include "base/text/printable.hpp"
#include "measure/core/signal_block.hpp"

namespace tarry::measure {
namespace {

// What descriptor 2 is; nothing if it is closed.
FileIdentity stderr_now() {
  struct stat facts;
  if (::fstat(STDERR_FILENO, &facts) != 0) return {};
  return {facts.st_dev, facts.st_ino};
}

FileIdentity g_stderr;

// Before other constructors, which may have something to say.
__attribute__((constructor(101))) void remember_stderr() { g_stderr = stderr_now(); }

}  // namespace

// A program may close its stderr and open a file of its own, which then has that number: it is not ours to write to.
// What cannot be said cannot be helped: the application goes on either way.
void say(std::string_view text) {
  if (stderr_now() != g_stderr) return;
  std::string line = "tarry: ";
  line.append(printable(text)).push_back('\n');
  const WriteSignals ours;
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace tarry::measure
