#!/usr/bin/env python3
"""Damages files of an archive in known ways.

usage: damage.py flip FILE OFFSET       changes a bit of the byte at OFFSET (negative: from the end; a fraction: of the length)
       damage.py cut FILE BYTES         shortens to BYTES (negative: by so many; a fraction: of the length)
       damage.py version FILE MAJOR     gives a container or a manifest another format version, with sums that fit
       damage.py flip-event FILE N      changes a bit of byte N of the first chunk of events in a container
       damage.py cut-after FILE BYTES       ends a container BYTES behind its last chunk of events
       damage.py undefine FILE RANK     takes the definitions of RANK out of a container ("all": everybody's), and its index
       damage.py drop FILE RANK         takes all chunks of RANK out of a container, and its index
"""
import re
import struct
import sys
import zlib


def place(text, length):
    if "." in text:
        return int(float(text) * length)
    return int(text) if int(text) >= 0 else length + int(text)


def flip(data, where):
    at = place(where, len(data))
    return data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1:]


def version(data, major):
    if data.startswith(b"TARRYCNT"):
        head = data[:8] + struct.pack("<H", int(major)) + data[10:28]
        return head + struct.pack("<I", zlib.crc32(head)) + data[32:]
    text = re.sub(rb'format="\d+\.0"', b'format="%s.0"' % major.encode(), data[:data.rindex(b"<!-- crc32")])
    return text + b"<!-- crc32 %08x -->\n" % zlib.crc32(text)


def chunks(data):
    """Offset, kind, process and payload length of the chunks of a container, up to its index."""
    at = 32
    while data[at:at + 4] == b"TCHK" and data[at + 4] != 4:
        stored = struct.unpack_from("<I", data, at + 28)[0]
        yield at, data[at + 4], struct.unpack_from("<I", data, at + 8)[0], stored
        at += 64 + stored


def flip_event(data, number):
    first = next(at for at, kind, _, _ in chunks(data) if kind == 1)
    return flip(data, str(first + 64 + int(number)))


def cut_after(data, number):
    return data[:max(at + 64 + stored for at, kind, _, stored in chunks(data) if kind == 1) + int(number)]


def keep(data, is_kept):
    """The container with the chunks alone of which is_kept(kind, process) is true, and without its index."""
    return data[:32] + b"".join(data[at:at + 64 + stored]
                                for at, kind, process, stored in chunks(data) if is_kept(kind, process))


def drop(data, rank):
    return keep(data, lambda _, process: process != int(rank))


def undefine(data, rank):
    return keep(data, lambda kind, process: kind != 2 or (rank != "all" and process != int(rank)))


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    how, path, argument = sys.argv[1:]
    with open(path, "rb") as file:
        data = file.read()
    changed = {"flip": flip, "cut": lambda d, n: d[:place(n, len(d))], "version": version, "drop": drop,
               "undefine": undefine, "flip-event": flip_event, "cut-after": cut_after}[how](data, argument)
    with open(path, "wb") as file:
        file.write(changed)


if __name__ == "__main__":
    main()
