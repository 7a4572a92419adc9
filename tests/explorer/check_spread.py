#!/usr/bin/env python3
"""Compares how the values of rows spread, in a page of a large report, with all values of these rows.

usage: check_spread.py PAGE REPORT      reads the report's rows of `visits` itself: exclusive, dense, UINT64
"""
import base64
import json
import re
import statistics
import struct
import sys
import tarfile
import zlib

BLOCK = re.compile(r'<script type="text/plain" id="([a-z0-9.-]+)">([^<]*)</script>')


def planes(content, at, count):
    at += -at % 8
    values = [struct.unpack("<d", bytes(content[at + plane * count + i] for plane in range(8)))[0] for i in range(count)]
    return values, at + 8 * count


def main(page, report):
    blocks = {name: text for name, text in BLOCK.findall(open(page, encoding="utf-8").read())}

    def read(name):
        return zlib.decompress(base64.b64decode(blocks[name]))

    index = json.loads(read("index"))
    spread = read(index["runs"][0]["kept"]["spread"][0])
    locations, groups, bins, _ = struct.unpack_from("<4I", spread)
    rows, _ = struct.unpack_from("<2I", spread, 16)
    paths = struct.unpack_from(f"<{rows}I", spread, 24)
    histograms = struct.unpack_from(f"<{rows * bins}I", spread, 24 + 8 * rows)
    at, columns = 24 + 8 * rows + 4 * rows * bins, []
    for _ in range(6):
        values, at = planes(spread, at, rows)
        columns.append(values)
    with tarfile.open(report) as members:
        numbers = struct.unpack_from(f"<{rows}I", members.extractfile("0.index").read(), 11 + 4 + 2 + 1 + 4)
        data = members.extractfile("0.data")
        for row in range(0, rows, max(1, rows // 20)):
            data.seek(10 + numbers.index(paths[row]) * locations * 8)
            cells = sorted(struct.unpack(f"<{locations}Q", data.read(locations * 8)))
            quarters = statistics.quantiles(cells, n=4, method="inclusive")
            wanted = [sum(cells), cells[0], *quarters, cells[-1]]
            found = [column[row] for column in columns]
            if found != wanted or sum(histograms[row * bins:(row + 1) * bins]) != locations:
                sys.exit(f"call path {paths[row]}: {found}, not {wanted}")
    print(f"{rows} rows of {locations} locations, {groups} groups")


if __name__ == "__main__":
    main(*sys.argv[1:])
