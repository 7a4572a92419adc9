// blocked_write.c -- writes to a pipe that is not read until it is full, and stays in the last call: to be killed there.
//
// usage: blocked_write PIPE
#include <fcntl.h>
#include <unistd.h>

int main(int argc, char** argv) {
  const int pipe = argc > 1 ? open(argv[1], O_RDWR) : -1;
  if (pipe < 0) return 1;
  static const char data[4096];
  while (write(pipe, data, sizeof data) == sizeof data) {
  }
  return 0;
}
