#!/usr/bin/env python3
"""What a store costs: adding reports, its size, and asking for one metric over all its runs.

usage: bench_store.py make MAKE_REPORTS FOLDER RUNS RANKS CALL_PATHS METRICS    writes reports into FOLDER
       bench_store.py fill TARRY_STORE FOLDER     puts them into FOLDER.db
       bench_store.py add TARRY_STORE FOLDER      the same anew, prints megabytes of reports a second
       bench_store.py size TARRY_STORE FOLDER     the same, prints the size of the store by that of the reports
       bench_store.py show TARRY_STORE FOLDER     prints the seconds that one metric over all runs takes
"""
import os
import pathlib
import subprocess
import sys
import time


def fill(tool, folder):
    """Seconds and bytes of adding all reports to a new store."""
    store = pathlib.Path(f"{folder}.db")
    for name in (store, pathlib.Path(f"{store}-wal"), pathlib.Path(f"{store}-shm")):
        name.unlink(missing_ok=True)
    reports = sorted(str(path) for path in pathlib.Path(folder).glob("*.cubex"))
    begin = time.perf_counter()
    subprocess.run([tool, "add", "--store", store, *reports], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin, sum(os.path.getsize(report) for report in reports), store.stat().st_size


def main():
    what, tool, folder, *numbers = sys.argv[1:]
    if what == "make":
        os.makedirs(folder, exist_ok=True)
        subprocess.run([tool, folder, *numbers, "1", "0.01"], check=True)
    elif what == "show":
        begin = time.perf_counter()
        subprocess.run([tool, "show", "-m", "time", "--region", "region_7", "--store", f"{folder}.db"], check=True,
                       stdout=subprocess.DEVNULL)
        print(time.perf_counter() - begin)
    else:
        seconds, reports, store = fill(tool, folder)
        if what != "fill":
            print(reports / 1e6 / seconds if what == "add" else store / reports)


main()
