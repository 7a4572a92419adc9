"""stream_sums.py -- what queues execute, added up from otf2-print's lines, against the device times of a report.

usage: stream_sums.py PRINTED REPORT.csv
"""
import collections
import csv
import math
import re
import sys

EVENT = re.compile(r"(ENTER|LEAVE|RMA_GET|RMA_PUT|RMA_OP_COMPLETE_BLOCKING) +(\d+) +(\d+) .*?(?:Bytes: (\d+))?(?:, Matching.*)?$")


def printed_sums(path):
    sums, streams, open_, ticks = collections.Counter(), set(), collections.defaultdict(list), 1.0
    for line in open(path, errors="replace"):
        if line.startswith("CLOCK_PROPERTIES"):
            ticks = float(re.search(r"Ticks per Seconds: (\d+)", line)[1])
        if line.startswith("LOCATION ") and "ACCELERATOR_STREAM" in line:
            streams.add(line.split()[1])
        found = EVENT.match(line)
        if not found or found[2] not in streams:
            continue
        kind, stream, time = found[1], found[2], int(found[3])
        if kind == "LEAVE":
            sums["device_kernels"] += (time - open_[stream, "ENTER"].pop()) / ticks
        elif kind == "RMA_OP_COMPLETE_BLOCKING":
            sums["device_copies"] += (time - open_[stream, "COPY"].pop(0)) / ticks
        else:
            open_[stream, "ENTER" if kind == "ENTER" else "COPY"].append(time)
            sums["device_bytes"] += int(found[4] or 0)
    return sums


def main():
    expected, reported = printed_sums(sys.argv[1]), collections.Counter()
    for row in csv.DictReader(open(sys.argv[2])):
        reported[row["metric"]] += float(row["value"])
    assert expected["device_kernels"] > 0
    for metric, value in expected.items():
        if not math.isclose(value, reported[metric], rel_tol=1e-9):
            sys.exit(f"{metric}: the streams have {value}, the report {reported[metric]}")


main()
