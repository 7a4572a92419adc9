#!/usr/bin/env python3
"""Damages stores, and asks all tools that open them: each ends by itself, in time, with little memory and one line.

usage: store_damaged.py STORE REPORT FIRST COUNT [--seconds N]

Each seed chooses a damage: bytes of the file that change, are cut, swapped or repeated; values of a random table that
are huge, negative, of another type, of another encoding, or references to what is not there (and so circles); views,
triggers and tables of somebody else. Prints the seed of the first case that goes wrong, and ends with status 1.
"""
import os
import pathlib
import random
import resource
import shutil
import sqlite3
import subprocess
import sys

MEMORY = 2 << 30
SECONDS = 60
VALUES = [0, -1, 1, 2, 7, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 62, -2 ** 63, 1e308, -1e308, float("inf"), float("nan"), 0.5, None, "",
          "x" * 100000, "\x1b[2J\n::error::%0A", "\udce4\udcff", b"", b"\x00", b"\xff" * 32, b"\x01" + b"\xff" * 9, "12x", "\0abc"]


def tables(connection):
    return [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")]


def sql_value(rng):
    value = rng.choice(VALUES)
    if isinstance(value, str) and "\udce4" in value:  # no valid UTF-8
        return "CAST(x'e4ff41' AS TEXT)", ()
    return "?", (value,)


def change_values(connection, rng):
    told = []
    for _ in range(rng.choice([1, 1, 1, 3, 20])):
        table = rng.choice(tables(connection))
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        keys = [row[1] for row in connection.execute(f"PRAGMA table_info({table})") if row[5]] or ["rowid"]
        rows = connection.execute(f"SELECT {', '.join(keys)} FROM {table} LIMIT 2000").fetchall()
        if not rows:
            continue
        key, column = rng.choice(rows), rng.choice(columns)
        where = " AND ".join(f"{name} IS ?" for name in keys)
        text, values = sql_value(rng)
        if rng.random() < 0.3:  # another value of the column, which would be possible
            text, values = f"(SELECT {column} FROM {table} ORDER BY random() LIMIT 1)", ()
        if rng.random() < 0.15:
            where, key = "1", ()
        told.append(f"{table}.{column} = {text} {str(values)[:40]}")
        try:
            connection.execute(f"UPDATE OR IGNORE {table} SET {column} = {text} WHERE {where}", (*values, *key))
        except (sqlite3.Error, OverflowError, UnicodeEncodeError):
            pass  # a value that the table refuses
    return "; ".join(told)


def change_bytes_of_blobs(connection, rng):
    """Bits of vectors and packed details: what decoders see."""
    places = [("vector_block", "bytes"), ("call_path_value", "size"), ("code_region", "details"), ("metric", "details"),
              ("virtual_machine", "topologies"), ("call_tree_node", "details"), ("experiment", "details"), ("extra_file", "bytes")]
    table, column = rng.choice(places)
    keys = [row[1] for row in connection.execute(f"PRAGMA table_info({table})") if row[5]]
    rows = connection.execute(f"SELECT {', '.join(keys)}, {column} FROM {table} WHERE {column} IS NOT NULL LIMIT 500").fetchall()
    if not rows:
        return "nothing"
    for *key, value in rng.sample(rows, min(len(rows), 3)):
        if isinstance(value, bytes):
            changed = bytearray(value or b"\0")
            for _ in range(rng.choice([1, 1, 4])):
                changed[rng.randrange(min(len(changed), 4096))] ^= 1 << rng.randrange(8)
            value = bytes(changed)
        else:
            value += rng.choice([1, -1, 1000, 10 ** 12])
        connection.execute(f"UPDATE {table} SET {column} = ? WHERE " + " AND ".join(f"{name} IS ?" for name in keys), (value, *key))
    return f"bytes of {table}.{column}"


def make_circles(connection, rng):
    table, parent, key = rng.choice([("call_tree_node", "parent", "position"), ("virtual_node", "parent", "position"),
                                     ("metric_tree_node", "parent", "position"), ("call_path", "parent", "id")])
    how = rng.choice([f"{key}", f"{key} + 1", f"(SELECT MAX({key}) FROM {table}) - {key}", "99999999", "-5"])
    connection.execute(f"UPDATE {table} SET {parent} = {how}")
    return f"{table}.{parent} = {how}"


def plant(connection, rng):
    """What somebody else's tables, views and triggers could do to a reader."""
    scripts = [
        "DROP VIEW runs; CREATE VIEW runs AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x AS run FROM c",
        "ALTER TABLE experiment RENAME TO was; CREATE VIEW experiment AS SELECT * FROM was, was b, was c, was d",
        "ALTER TABLE metric_total RENAME TO was; CREATE VIEW metric_total AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL "
        "SELECT x + 1 FROM c) SELECT x AS experiment, x AS metric, 1.0 AS total, 1 AS call_paths FROM c",
        "CREATE TRIGGER t AFTER INSERT ON experiment BEGIN DELETE FROM experiment; END",
        "CREATE TRIGGER t BEFORE INSERT ON tag BEGIN SELECT RAISE(ABORT, 'planted'); END",
        "DROP TABLE vector_block", "DROP TABLE store_version", "DELETE FROM store_version", "DROP TABLE call_tree_node",
        "INSERT INTO store_version VALUES (99, 'x')", "UPDATE store_version SET version = -3", "UPDATE store_version SET version = 'x'",
        "ALTER TABLE store_version RENAME TO was; CREATE VIEW store_version AS SELECT 1 AS version, zeroblob(900000000) AS made_by",
        "ALTER TABLE application RENAME TO was; CREATE VIEW application AS SELECT id, hex(zeroblob(300000000)) AS name FROM was",
        "DELETE FROM code_region", "DELETE FROM process", "DELETE FROM location", "UPDATE process SET node = node + 1000000",
        "PRAGMA user_version = 9", "PRAGMA application_id = 5", "DELETE FROM metric_tree_node", "UPDATE experiment SET locations = 1 << 40",
        "UPDATE call_tree SET call_paths = 1 << 40, regions = 1 << 40", "UPDATE virtual_machine SET locations = 1 << 60, processes = 1 << 60",
        "UPDATE metric_tree SET metrics = 1 << 60", "UPDATE metric SET kind = kind + 100", "UPDATE metric SET type = 'TAU_ATOMIC'",
        "UPDATE call_tree_node SET position = position * 1000000", "UPDATE location SET position = position + 4000000000",
    ]
    script = rng.choice(scripts)
    connection.executescript(script)
    return script


def damage(path, rng):
    how = rng.choice(["values", "values", "values", "blobs", "blobs", "circles", "plant", "plant", "bytes", "bytes", "cut"])
    if how in ("bytes", "cut"):
        data = bytearray(path.read_bytes())
        if how == "cut":
            del data[rng.randrange(len(data)):]
        for _ in range(rng.choice([1, 10, 200])):
            if data:
                data[min(len(data) - 1, int(rng.random() ** 3 * len(data)))] = rng.randrange(256)
        path.write_bytes(data)
        return how
    connection = sqlite3.connect(path)
    connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
    connection.create_function("vector_values", 1, lambda value: None)
    try:
        told = {"values": change_values, "blobs": change_bytes_of_blobs, "circles": make_circles, "plant": plant}[how](connection, rng)
        connection.commit()
    except sqlite3.IntegrityError as error:
        told = f"{how}: {error}"
    connection.close()
    return told


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))


def ask(words, seconds):
    """What is wrong with how a command ends."""
    with open("damaged.err", "wb") as err:
        try:
            status = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=err, timeout=seconds,
                                    preexec_fn=limited).returncode
        except subprocess.TimeoutExpired:
            return f"takes more than {seconds} s"
    lines = pathlib.Path("damaged.err").read_bytes().decode("utf-8", "backslashreplace").splitlines()
    if status not in (0, 1, 2):
        return f"status {status}: {lines[-3:]}"
    errors = [line for line in lines if "warning:" not in line]
    if status == 2 or (status == 1 and len(errors) > 1) or (status == 0 and errors):
        return f"status {status} with {len(errors)} lines: {errors[:3]}"
    if any(not line.startswith("tarry-") for line in lines) or any("\x1b" in line or "memory" in line for line in lines):
        return f"says {lines[:3]}"
    return None


def commands(store, report):
    s = ["--store", store]
    yield ["tarry-store", "list", *s]
    yield ["tarry-store", "show", *s]
    yield ["tarry-store", "show", *s, "-m", "time", "--region", "region_1"]
    yield ["tarry-store", "query", *s, "SELECT * FROM run_values LIMIT 2000"]
    yield ["tarry-store", "query", *s, "SELECT vector_values(vector) FROM run_values LIMIT 500"]
    for form in ("jsonl", "csv", "xml"):
        yield ["tarry-store", "export", *s, "--format", form, "-o", "damaged.out"]
    yield ["tarry-store", "export", *s, "--format", "cubex", "-o", "damaged.cubex", "1"]
    yield ["tarry-store", "verify", *s]
    yield ["tarry-history", "time", *s, "--format", "junit", "--fail-on", "100000%"]
    yield ["tarry-scale", *s, "--csv"]
    yield ["tarry-cube", "cmp", *s, report]
    yield ["tarry-store", "import", "--store", "damaged-other.db", store]
    yield ["tarry-store", "add", *s, report, "--tag", "new"]
    yield ["tarry-store", "tag", *s, "last", "word", "--param", "n=1"]
    yield ["tarry-store", "rm", *s, "1"]
    yield ["tarry-store", "gc", *s]


def main():
    seconds = SECONDS
    if "--seconds" in sys.argv:
        at = sys.argv.index("--seconds")
        seconds = int(sys.argv[at + 1])
        del sys.argv[at:at + 2]
    store, report, first, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    wrong = 0
    for seed in range(first, first + count):
        rng = random.Random(seed)
        for old in pathlib.Path(".").glob("damaged*"):
            old.unlink()
        path = pathlib.Path("damaged.db")
        shutil.copy(store, path)
        told = damage(path, rng)
        for words in commands(str(path), report):
            # A comparison that fails says so with status 1, and a damaged store may differ.
            fault = ask(words, seconds)
            if fault:
                print(f"seed {seed} ({told[:200]}): {' '.join(words)}: {fault}", flush=True)
                wrong += 1
                if not os.environ.get("GO_ON"):
                    sys.exit(1)
    sys.exit(1 if wrong else 0)


main()
