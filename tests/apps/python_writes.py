"""Writes COUNT times from 20 nested functions, each time in another line; prints the number of bytes."""
import os
import sys


def write_below(depth, file, count):
    if depth > 0:
        return write_below(depth - 1, file, count)
    written = 0
    for i in range(count):
        if i % 2:
            written += os.write(file, b"odd")
        else:
            written += os.write(file, b"even")
    return written


out = os.open("written", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
print(write_below(20, out, int(sys.argv[1])))
os.close(out)
