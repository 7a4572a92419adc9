#!/usr/bin/env python3
"""Prints the reports of ThreadSanitizer in which the recorder makes both accesses; status 1 if there is one.

usage: race_reports.py [--but-end] REPORT...

With --but-end those are left out of which one access is made when the recording ends. Then a runtime's threads are
idle in a barrier that the sanitizer does not see.

That it stands elsewhere in a report means nothing: it makes the program's threads, and the program calls its hooks.
Memory of the program is shared by rules that the sanitizer does not see, those of libgomp and of Python's lock. It does
not see locks either while it looks up names for a report itself: calls on files that it makes then are left out.
"""
import re
import sys

ACCESS = re.compile(r"^  (Previous )?(atomic )?(read|write) of size", re.IGNORECASE)
FRAME = re.compile(r"^    #\d+ ")
RECORDER = re.compile(r"libtarry-|/lib/measure/|/lib/(base|defs|trace|archive|report)/")
SANITIZER = re.compile(r"libtsan|sanitizer")
LOOKUP = "__asan_backtrace"
END = "finish_recording"


def reports(text):
    return [part for part in text.split("==================\n") if "WARNING: ThreadSanitizer" in part]


def accesses(report):
    """The innermost frame of each access that is not the sanitizer's own."""
    is_open = False
    for line in report.splitlines():
        if ACCESS.match(line):
            is_open = True
        elif is_open and FRAME.match(line) and not SANITIZER.search(line):
            yield line
            is_open = False
        elif not FRAME.match(line):
            is_open = False


def is_ours(report):
    frames = list(accesses(report))
    return len(frames) > 1 and all(RECORDER.search(frame) for frame in frames) and LOOKUP not in report


def main():
    paths = sys.argv[1:]
    without_end = paths[:1] == ["--but-end"]
    found = []
    for path in paths[without_end:]:
        with open(path, errors="replace") as file:
            found += [report for report in reports(file.read())
                      if is_ours(report) and not (without_end and END in report)]
    print("\n".join(found), end="")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
