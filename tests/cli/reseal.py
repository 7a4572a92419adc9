#!/usr/bin/env python3
"""Changes what an archive says and computes its checksums anew, as somebody would who means harm.

usage: reseal.py manifest FILE NAME VALUE       the first fact NAME of a manifest becomes VALUE
       reseal.py chunk FILE SEED                one to three random bytes of the content of a random chunk of a container
                                                (definitions, events) become others; an index goes
"""
import random
import re
import struct
import sys
import zlib

HEAD = "<4sBBHIIIIIIqqII"
EVENTS, DEFINITIONS, INDEX, ID_MAPS = 1, 2, 4, 6


def manifest(data, name, value):
    text = data[:data.rindex(b"<!-- crc32")]
    changed = re.sub(rb'\b%s="[^"]*"' % name.encode(), rb'%s="%s"' % (name.encode(), value.encode()), text, count=1)
    assert changed != text, f"{name} is not there, or so already"
    return changed + b"<!-- crc32 %08x -->\n" % zlib.crc32(changed)


def chunks_of(data):
    at = 32
    while data[at:at + 4] == b"TCHK":
        stored = struct.unpack_from("<I", data, at + 28)[0]
        if data[at + 4] != INDEX:
            yield data[at:at + 64], data[at + 64:at + 64 + stored]
        at += 64 + stored


def changed_chunk(head, stored, chance):
    fields = list(struct.unpack(HEAD, head[:56]))
    raw = bytearray(zlib.decompress(stored) if fields[2] == 1 else stored)
    for _ in range(chance.randint(1, 3)):
        raw[chance.randrange(len(raw))] = chance.choice((0, 1, 0x7f, 0x80, 0xff, chance.randrange(256)))
    stored = zlib.compress(raw) if fields[2] == 1 else bytes(raw)
    fields[8:10] = [len(raw), len(stored)]
    fields[12] = zlib.crc32(stored)
    head = struct.pack(HEAD, *fields) + head[56:60]
    return head + struct.pack("<I", zlib.crc32(head)) + stored


def chunk(data, seed):
    chance = random.Random(int(seed))
    chunks = list(chunks_of(data))
    victim = chance.choice([i for i, (_, stored) in enumerate(chunks) if stored])
    return data[:32] + b"".join(changed_chunk(head, stored, chance) if i == victim else head + stored
                                for i, (head, stored) in enumerate(chunks))


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    how, path, *arguments = sys.argv[1:]
    with open(path, "rb") as file:
        data = file.read()
    changed = {"manifest": manifest, "chunk": chunk}[how](data, *arguments)
    with open(path, "wb") as file:
        file.write(changed)


if __name__ == "__main__":
    main()
