#!/usr/bin/env python3
"""Reads a page of `tarry explore` without a browser.

usage: check_blocks.py PAGE [--without TEXT]... [--digest | --names | --print NAME]

Fails if the page is more than its own document and blocks of base64 that unpack, or if one of them holds a TEXT. With
--digest it prints one number for all that the blocks of runs hold, with --names what they are called, with --print what
one of them holds.
"""
import argparse
import base64
import re
import sys
import zlib

BLOCK = re.compile(r'<script type="text/plain" id="([a-z0-9._-]+)">([A-Za-z0-9+/]*={0,2})</script>\n')


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("page")
    options.add_argument("--without", action="append", default=[])
    options.add_argument("--digest", action="store_true")
    options.add_argument("--names", action="store_true")
    options.add_argument("--print")
    chosen = options.parse_args()
    page = open(chosen.page, encoding="utf-8").read()
    blocks = {name: zlib.decompress(base64.b64decode(text)) for name, text in BLOCK.findall(page)}
    document = BLOCK.sub("", page)
    if len(re.findall("<script", document)) != 1 or "index" not in blocks or not {"r0.structure", "runs"} & set(blocks):
        sys.exit(f"{chosen.page}: {len(blocks)} blocks, and scripts that are none")
    for text in chosen.without:
        found = [name for name, content in [*blocks.items(), ("document", document.encode())]
                 if text.encode() in content and name != "metric-texts"]
        if found:
            sys.exit(f"{chosen.page}: '{text}' is in {', '.join(found)}")
    if chosen.names or chosen.print:
        print(blocks[chosen.print].decode() if chosen.print else "\n".join(blocks))
        return
    if chosen.digest:
        print(zlib.crc32(b"".join(content for name, content in blocks.items() if name[0] == "r")))
        return
    print(f"{chosen.page}: {len(blocks)} blocks, {len(page)} bytes")


if __name__ == "__main__":
    main()
