#!/usr/bin/env python3
"""What a store costs: adding reports, its size, and asking for one metric over all its runs.

usage: bench_store.py make MAKE_REPORTS FOLDER RUNS RANKS CALL_PATHS METRICS    writes reports into FOLDER
       bench_store.py [--postgres] fill TARRY_STORE FOLDER   puts them into FOLDER.db
       bench_store.py [--postgres] add TARRY_STORE FOLDER    the same anew, prints megabytes of reports a second
       bench_store.py [--postgres] size TARRY_STORE FOLDER   the same, prints the size of the store by that of the reports
       bench_store.py [--postgres] show TARRY_STORE FOLDER   prints the seconds that one metric over all runs takes

       bench_store.py study MAKE_REPORTS TARRY_STORE NAME RUNS    makes the store NAME.db of runs with 64 ranks and 200
                      call paths, and eight values of a parameter; one that is younger than the tool stays
       bench_store.py added NAME first|last       prints the seconds that the first or last eighth of its runs took

With --postgres the store is on a PostgreSQL server of its own, with the settings that it has by itself; it starts before
and ends after what is measured. There 'show' fills the store first.
"""
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

SERVER = pathlib.Path(__file__).resolve().parent.parent / "tests/pipeline/postgres.bash"
SIZE = ("SELECT SUM(pg_total_relation_size(c.oid)) AS bytes FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
        "WHERE n.nspname = 'tarry' AND c.relkind = 'r'")


@contextlib.contextmanager
def server():
    """The address of an empty database."""
    script = f". {SERVER}; start_postgres; echo \"$postgres_store\"; read -r _ || true"
    with subprocess.Popen(["bash", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as shell:
        address = shell.stdout.readline().strip()
        if not address.startswith("postgresql://"):
            sys.exit(f"{address or 'no PostgreSQL server starts'}")
        try:
            yield address
        finally:
            shell.stdin.close()
            shell.wait()


@contextlib.contextmanager
def new_file(folder):
    store = pathlib.Path(f"{folder}.db")
    remove_store(store)
    yield str(store)


def fill(tool, store, folder):
    """Seconds and bytes of adding all reports."""
    reports = sorted(str(path) for path in pathlib.Path(folder).glob("*.cubex"))
    begin = time.perf_counter()
    subprocess.run([tool, "add", "--store", store, *reports], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin, sum(os.path.getsize(report) for report in reports)


def size_of(tool, store):
    if os.path.exists(store):
        return os.path.getsize(store)
    answer = subprocess.run([tool, "query", "--store", store, SIZE], check=True, stdout=subprocess.PIPE, text=True)
    return float(answer.stdout.split()[1])


def show(tool, store):
    begin = time.perf_counter()
    subprocess.run([tool, "show", "-m", "time", "--region", "region_7", "--store", store], check=True,
                   stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


def remove_store(store):
    for name in (store, f"{store}-wal", f"{store}-shm"):
        pathlib.Path(name).unlink(missing_ok=True)


def make_study(make_reports, tool, name, runs):
    """Reports are deleted once they are in the store: 10,000 of them take 3.3 GB, the store 1.9 GB."""
    store, seconds = pathlib.Path(f"{name}.db"), pathlib.Path(f"{name}.json")
    if seconds.exists() and store.exists() and store.stat().st_mtime > pathlib.Path(tool).stat().st_mtime:
        return
    seconds.unlink(missing_ok=True)
    remove_store(store)
    taken = []
    for part in range(8):
        with tempfile.TemporaryDirectory(prefix="tarry-bench-") as folder:
            subprocess.run([make_reports, folder, str(runs // 8), "64", "200", "4", str(part + 1), "0.01"], check=True)
            reports = sorted(str(path) for path in pathlib.Path(folder).glob("*.cubex"))
            begin = time.perf_counter()
            subprocess.run([tool, "add", "--store", store, "--param", f"n={16 << part}", *reports], check=True,
                           stdout=subprocess.DEVNULL)
            taken.append(time.perf_counter() - begin)
    seconds.write_text(json.dumps(taken))


def main():
    words = sys.argv[1:]
    on_server = "--postgres" in words
    what, tool, folder, *numbers = [word for word in words if word != "--postgres"]
    if what == "study":
        make_study(tool, folder, numbers[0], int(numbers[1]))
    elif what == "added":
        print(json.loads(pathlib.Path(f"{tool}.json").read_text())[0 if folder == "first" else -1])
    elif what == "make":
        os.makedirs(folder, exist_ok=True)
        subprocess.run([tool, folder, *numbers, "1", "0.01"], check=True)
    elif what == "show" and not on_server:
        print(show(tool, f"{folder}.db"))
    else:
        with server() if on_server else new_file(folder) as store:
            seconds, reports = fill(tool, store, folder)
            if what == "add":
                print(reports / 1e6 / seconds)
            elif what == "size":
                print(size_of(tool, store) / reports)
            elif what == "show":
                show(tool, store)
                print(show(tool, store))


main()
