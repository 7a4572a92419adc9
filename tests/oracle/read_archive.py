#!/usr/bin/env python3
"""A second, slow reader of archives, written from docs/FORMAT.md alone.

usage: read_archive.py ARCHIVE [--rank R] [--thread T]      prints what `tarry archive dump` prints

Strict: whatever is damaged, missing or contradictory ends it with status 1 and one line that says where.
"""
import argparse
import os
import pathlib
import re
import struct
import sys
import zlib
from xml.etree import ElementTree

EVENTS, DEFINITIONS, PROFILE, INDEX, ID_MAPS, CORRECTIONS = 1, 2, 3, 4, 5, 6
LAST, OPEN = 1, 2
NONE = 0xFFFFFFFF
MAX_CHUNK = 64 << 20

FORMAT = pathlib.Path(__file__).resolve().parents[2] / "docs" / "FORMAT.md"
# code: (name, fields), from the table of kinds in "Records"
KINDS = {int(code): (name, fields.replace(",", "")) for code, name, fields in
         re.findall(r"^\| (\d+) \| ([A-Z_]+) \| ([a-z_?, ]*?) *\|$", FORMAT.read_text(), re.M)}
OPERATIONS = """barrier bcast gather gatherv scatter scatterv allgather allgatherv alltoall alltoallv alltoallw
allreduce reduce reduce_scatter scan exscan reduce_scatter_block create_handle destroy_handle allocate deallocate
create_handle_and_allocate destroy_handle_and_deallocate""".split()


class Damaged(Exception):
    pass


def require(condition, what):
    if not condition:
        raise Damaged(what)


class Reader:
    """Takes values off the front of bytes."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def left(self):
        return len(self.data) - self.at

    def take(self, count):
        require(count <= self.left(), "bytes end early")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, form):
        return struct.unpack("<" + form, self.take(struct.calcsize(form)))[0]

    def varint(self):
        value = 0
        for place in range(10):
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << (7 * place)
            if byte < 0x80:
                require(place == 0 or byte != 0, "a varint is longer than need be")
                require(value < 1 << 64, "a varint is too large")
                return value
        raise Damaged("a varint does not end")

    def zigzag(self):
        value = self.varint()
        return value // 2 if value % 2 == 0 else -(value // 2) - 1

    def text(self):
        return self.take(self.varint())

    def id(self):
        return (self.varint() - 1) % (1 << 32)


def signed(value):
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


# ---- containers ------------------------------------------------------------------------------------------------------


class Chunk:
    def __init__(self, head, data=b""):
        require(len(head) == 64 and head[:4] == b"TCHK", "no chunk where one should be")
        (_, self.kind, self.codec, length, self.process, self.thread, self.sequence, self.events, self.raw_bytes,
         self.stored_bytes, self.first, self.last, self.crc, self.flags) = struct.unpack("<4sBBHIIIIIIqqII", head[:56])
        require(struct.unpack("<I", head[60:])[0] == zlib.crc32(head[:60]), "a chunk header fails its checksum")
        require(length == 64, "a chunk header of another length")
        require(1 <= self.kind <= 6 or self.kind & 0x80, f"chunk of unknown kind {self.kind}")
        require(self.raw_bytes <= MAX_CHUNK, "a chunk is too long")
        self.data = data

    def payload(self):
        if self.flags & OPEN:
            return self.data
        require(len(self.data) == self.stored_bytes, "a chunk is cut off")
        require(zlib.crc32(self.data) == self.crc, "a chunk fails its checksum")
        if self.codec == 0:
            raw = self.data
        else:
            require(self.codec == 1, "unknown codec")
            try:
                raw = zlib.decompress(self.data)
            except zlib.error as error:
                raise Damaged(f"a chunk cannot be inflated: {error}") from error
        require(len(raw) == self.raw_bytes, "a chunk has another length than its header says")
        return raw


def container_header(data):
    require(len(data) >= 32 and data[:8] == b"TARRYCNT", "not a container")
    require(struct.unpack("<I", data[28:32])[0] == zlib.crc32(data[:28]), "the container header fails its checksum")
    major, minor, block = struct.unpack("<HHI", data[8:16])
    require(major <= 2, f"format version {major}.{minor} is newer than 2.0")
    return block


def chunk_at(data, at):
    chunk = Chunk(data[at : at + 64])
    chunk.data = data[at + 64 : at + 64 + chunk.stored_bytes]
    return chunk


def index_start(data):
    footer = data[-24:]
    if len(data) < 56 or footer[:8] != b"TARRYIDX" or struct.unpack("<I", footer[20:])[0] != zlib.crc32(footer[:20]):
        return None
    return struct.unpack("<Q", footer[8:16])[0]


def read_container(data):
    block = container_header(data)
    if block:
        return [chunk for at in range(4096, len(data) - 63, block) for chunk in chunks_of_block(data, at, at + block)]
    end = index_start(data)
    chunks, heads, at = [], [], 32
    while at < (len(data) if end is None else end):
        chunks.append(chunk_at(data, at))
        heads.append((at, data[at + 4 : at + 64]))
        at += 64 + chunks[-1].stored_bytes
    require(end is None or at == end, "chunks and index overlap")
    if end is not None:
        check_index(data, at, heads)
    return chunks


def chunks_of_block(data, at, end):
    """An open chunk, or several that are not; behind the first, a word of zeros ends them."""
    chunks = []
    while at + 64 <= min(end, len(data)) and any(data[at : at + (4 if chunks else 64)]):
        chunks.append(chunk_at(data, at))
        if chunks[-1].flags & OPEN:
            break
        at += 64 + chunks[-1].stored_bytes
    return chunks


def check_index(data, at, heads):
    entries = []
    while at < len(data) - 24:
        index = chunk_at(data, at)
        require(index.kind == INDEX, "another chunk among the index chunks")
        payload = Reader(index.payload())
        while payload.left():
            entries.append((payload.number("Q"), payload.take(60)))
        at += 64 + index.stored_bytes
    require(at == len(data) - 24 and entries == heads, "the index does not agree with the chunks")


# ---- records ---------------------------------------------------------------------------------------------------------


def read_record(reader):
    """One record: (code, time difference, fields)."""
    start = reader.at
    first = reader.take(1)[0]
    form, n = first & 3, (first >> 2) & 3
    if form == 0:
        code = first >> 2
        require(code in KINDS, f"unknown record {code}" if code else "a zero byte among records")
        delta = reader.varint()
        require(delta < 1 << 60, "a time difference is too large")
        fields = []
        for field in KINDS[code][1].split():
            value = reader.varint()
            fields.append((value - 1 if value else None) if field.endswith("?") else value)
        return code, delta, fields
    size = (1, 2, 3, 7)[n]
    delta = first >> 4 | int.from_bytes(reader.take(size), "little") << 4
    if form == 1:
        return 2, delta, [None]
    require(n != 3, f"a malformed record at byte {start}")
    return 1, delta, [reader.number("B" if form == 2 else "H")]


def read_call(reader, pattern):
    """A form of calls on files: the pattern from here on, and its records as read_record() gives them."""
    form = reader.take(1)[0] >> 4
    require(form < 3, f"an unknown form of calls, {form}")
    if form == 0:
        return [reader.varint() for _ in range(7)], []
    require(pattern is not None, "a call without a pattern")
    region, handle, mode, flags, matching, wanted, moved = pattern
    delta, duration = reader.number("H"), reader.number("H") if form == 2 else 0
    begin = [(1, delta, [region]), (56, 0, [handle, mode, flags, wanted - 1 if wanted else None, matching])]
    return pattern, begin if form == 1 else [*begin, (59, duration, [handle, moved, matching]), (2, 0, [None])]


def is_call(first):
    return first & 15 == 14


def read_records(chunk):
    """Events of a chunk: (time, code, fields)."""
    reader = Reader(chunk.payload())
    time, events, pattern = chunk.first, [], None
    while reader.left():
        if chunk.flags & OPEN and reader.data[reader.at] == 0:
            return events
        try:
            if is_call(reader.data[reader.at]):
                pattern, records = read_call(reader, pattern)
            else:
                records = [read_record(reader)]
        except Damaged:
            if chunk.flags & OPEN:
                return events
            raise
        for code, delta, fields in records:
            time = signed(time + delta)
            events.append((time, code, fields))
    if not chunk.flags & OPEN:
        require(len(events) == chunk.events, "a chunk has another number of events than its header says")
        require(not events or time == chunk.last, "a chunk ends at another time than its header says")
    return events


# ---- definitions -----------------------------------------------------------------------------------------------------


def read_call_site(f, regions):
    region, base = regions[-1], f.id()
    require(base is not None and base < len(regions) - 1, "a region is called at a place before it is defined")
    region.update(regions[base], base=base, site=f.text(), line=f.varint())
    if f.left() > 0:
        region.update(inlined=f.id(), code=f.text(), address=f.varint())


def read_definition(tag, f, into):
    if tag == 1:
        name, mangled, file = f.text(), f.text(), f.text()
        into["regions"].append({"name": name, "mangled": mangled or name, "file": file, "begin": f.varint(),
                                "end": f.varint(), "paradigm": f.number("B"), "role": f.number("B")})
        if f.left() > 0:
            read_call_site(f, into["regions"])
    elif tag == 2:
        into["nodes"].append({"name": f.text(), "class": f.text(), "parent": f.id()})
    elif tag == 3:
        into["processes"].append({"name": f.text(), "rank": f.varint(), "node": f.id(), "complete": f.number("B")})
    elif tag == 4:
        into["locations"].append({"name": f.text(), "process": f.id(), "thread": f.varint(), "events": f.varint()})
    elif tag == 5:
        into["groups"].append({"name": f.text(), "members": read_part(f)})
    elif tag == 6:
        into["comms"].append({"name": f.text(), "uid": f.varint(), "group": f.id(), "remote": f.id(),
                              "parent": f.id(), "rank": f.varint(), "size": f.varint(), "inter": f.number("B")})
    elif tag == 7:
        into["windows"].append({"name": f.text(), "comm": f.id()})
    elif tag == 8:
        into["clock"] = {"rate": f.number("d"), "origin": f.number("q"), "epoch": f.number("Q")}
    elif tag == 9:
        into["offsets"].append({"process": f.id(), "at": f.number("q"), "offset": f.number("q")})
    elif tag == 10:
        into["properties"].append((f.text(), f.text()))
    elif tag == 11:
        into["handles"].append({"name": f.text(), "comm": f.id()})
    elif tag == 12:
        into["metrics"].append({"name": f.text(), "unit": f.text(), "description": f.text(), "mode": f.number("B"),
                                "type": f.number("B"), "source": f.number("B")})
    elif tag == 13:
        name, comm = f.text(), f.id()
        dims = [(f.text(), f.varint(), f.number("B")) for _ in range(f.varint())]
        places = [(f.varint(), [f.varint() for _ in dims]) for _ in range(f.varint())]
        into["carts"].append({"name": name, "comm": comm, "dims": dims, "places": places})
    elif tag == 14:
        into["neighborhoods"].append({"comm": f.id(), "rank": f.varint(), "sources": read_part(f),
                                      "destinations": read_part(f)})


    elif tag == 15:
        read_system(f, into)
    elif tag == 16:
        by_thread = sorted(into["locations"], key=lambda location: location["thread"])
        for table in (into["nodes"], into["processes"], by_thread):
            for entry, name in zip(table, read_names(f), strict=True):
                entry["name"] = name
    elif tag == 17:
        names = read_names(f)
        runs, first, step, count = (read_column(f) for _ in range(4))
        require(len(runs) == len(names) and sum(runs) == len(first) == len(step) == len(count), "bad groups")
        members = iter([[a + i * b for i in range(n)] for a, b, n in zip(first, step, count)])
        for name, number in zip(names, runs):
            into["groups"].append({"name": name, "members": [m for _ in range(number) for m in next(members)]})
    elif tag == 18:
        names = read_names(f)
        columns = [read_column(f) for _ in range(7)]
        for name, uid, group, remote, parent, rank, size, inter in zip(names, *columns, strict=True):
            group, remote, parent = ((number - 1) % (1 << 32) for number in (group, remote, parent))
            into["comms"].append({"name": name, "uid": uid, "group": group, "remote": remote, "parent": parent,
                                  "rank": rank, "size": size, "inter": inter})


def read_column(f):
    size, form, numbers = f.varint(), f.number("B"), []
    while len(numbers) < size:
        number = (numbers[-1] if numbers else 0) + f.zigzag()
        count = f.varint() if form == 1 else 1
        step = f.zigzag() if count > 1 else 0
        numbers += [(number + i * step) % (1 << 64) for i in range(count)]
    require(len(numbers) == size and form < 2, "a malformed column")
    return numbers


def read_names(f):
    patterns = [(f.text(), f.number("B"), f.text()) for _ in range(f.varint())]
    names = []
    for pattern, number, width in zip(read_column(f), read_column(f), read_column(f), strict=True):
        before, has_number, after = patterns[pattern]
        names.append(before + (b"%0*d" % (width, number) if has_number else b"") + after)
    return names


def read_kinds(f):
    return [(f.text(), f.varint(), read_kinds(f)) for _ in range(f.varint())]


def read_system(f, into):
    nodes, processes = [], []

    def walk(kinds, parent):
        for name, copies, children in kinds:
            if parent and parent["class"] == b"process" and name == b"thread":
                parent["threads"] += copies
                continue
            for _ in range(copies):
                unit = {"class": name, "parent": parent, "threads": 0, "id": NONE}
                (processes if name == b"process" else nodes).append(unit)
                walk(children, unit)

    walk(read_kinds(f), None)
    for place in read_column(f):
        unit = nodes[place]
        unit["id"] = len(into["nodes"])
        parent = unit["parent"]["id"] if unit["parent"] else NONE
        name = unit["class"] + b" %d" % unit["id"]
        into["nodes"].append({"name": name, "class": unit["class"], "parent": parent})
    places, ranks, complete, events = (read_column(f) for _ in range(4))
    events = iter(events)
    for place, rank, is_complete in zip(places, ranks, complete, strict=True):
        unit, process = processes[place], len(into["processes"])
        node = unit["parent"]["id"] if unit["parent"] else NONE
        into["processes"].append({"name": b"rank %d" % rank, "rank": rank, "node": node, "complete": is_complete})
        for thread in range(unit["threads"]):
            into["locations"].append({"name": b"thread %d" % thread, "process": process, "thread": thread,
                                      "events": next(events)})
    require(next(events, None) is None, "more events than locations")


def new_definitions():
    tables = "regions nodes processes locations groups comms windows handles metrics carts neighborhoods offsets properties".split()
    return {"clock": {"rate": 1e9, "origin": 0, "epoch": 0}, **{table: [] for table in tables}}


def read_definitions(data, into):
    reader = Reader(data)
    while reader.left():
        tag = reader.number("B")
        if tag == 0:
            return
        read_definition(tag, Reader(reader.text()), into)


def read_part(reader):
    part, before = [], -1
    for _ in range(reader.varint()):
        before += reader.zigzag() + 1
        part.append(before)
    return part


def read_id_maps(data):
    reader, maps = Reader(data), []
    for _ in range(reader.varint()):
        maps.append([read_part(reader) for _ in range(3)])
    for more in (2, 1):
        for _ in range(more if reader.left() else 0):
            for parts in maps:
                parts.append(read_part(reader))
    require(not reader.left(), "bytes behind the translation tables")
    return maps


def read_corrections(data):
    """Curves (lists of time and shift) and the curve of each location, None where there is none."""
    reader, curves = Reader(data), []
    for _ in range(reader.varint()):
        curve, at, shift = [], 0, 0
        for _ in range(reader.varint()):
            at, shift = at + reader.zigzag(), shift + reader.zigzag()
            curve.append((at, shift))
        curves.append(curve)
    clocks = [reader.varint() for _ in range(reader.varint())]
    require(not reader.left() and all(clock <= len(curves) for clock in clocks), "bad corrections")
    return curves, [clock - 1 if clock else None for clock in clocks]


def shift_of(curve, time):
    if not curve:
        return 0
    behind = next((i for i, knot in enumerate(curve) if time < knot[0]), len(curve))
    if behind in (0, len(curve)):
        return curve[max(0, behind - 1)][1]
    (at, shift), (next_at, next_shift) = curve[behind - 1 : behind + 1]
    change = float(next_shift - shift) / float(next_at - at) * float(time - at)
    return shift + (int(change + 0.5) if change >= 0 else -int(0.5 - change))


def read_profile(data):
    reader = Reader(data)
    nodes = [[reader.varint() for _ in range(8)] for _ in range(reader.varint())]
    return [node + [reader.varint(), reader.varint()] for node in nodes] if reader.left() else nodes


def read_profile_part(data, wanted):
    """The part of that number behind the nodes; without bytes if there is none."""
    reader = Reader(data)
    for _ in range(reader.varint() * 10):
        reader.varint()
    while reader.left():
        number, length = reader.varint(), reader.varint()
        part = Reader(reader.take(length))
        if number == wanted:
            return part
    return Reader(b"")


def read_clusters(data):
    """Clusters of iterations behind the nodes: (node, [(first iteration, count)])."""
    part = read_profile_part(data, 1)
    if not part.left():
        return []
    return [(part.varint(), [(part.zigzag(), part.varint()) for _ in range(part.varint())]) for _ in range(part.varint())]


def read_counters(data, nodes):
    """Ids of metrics, and their values of each node."""
    part = read_profile_part(data, 2)
    if not part.left():
        return [], []
    ids = [part.varint() for _ in range(part.varint())]
    return ids, [[part.varint() for _ in ids] for _ in range(nodes)]


def read_transfers(data):
    """By number of the node: how much of each kind it has sent and received."""
    part = read_profile_part(data, 4)
    kinds = part.varint() if part.left() else 0
    transfers = {}
    while part.left():
        node = part.varint()
        transfers[node] = [part.varint() for _ in range(kinds)]
    return transfers


def read_receivers(data):
    """Receivers of messages: (communicator, rank in it, messages, bytes)."""
    part = read_profile_part(data, 5)
    receivers = []
    while part.left():
        receivers.append(tuple(part.varint() for _ in range(4)))
    return receivers


def read_file_counts(data):
    """Files: (number of the definition, opens, reads, writes, bytes read, bytes written, ticks)."""
    part = read_profile_part(data, 8)
    files = []
    while part.left():
        files.append(tuple(part.varint() for _ in range(7)))
    return files


def read_fork_places(data, part):
    """Forks (part 6) or teams (part 7): (index of a node, number of the fork)."""
    part = read_profile_part(data, part)
    places = []
    while part.left():
        places.append((part.varint(), part.varint()))
    return places


# ---- the archive -----------------------------------------------------------------------------------------------------


def read_bytes(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def check_manifest(archive):
    text = read_bytes(archive, "manifest.xml")
    line = re.search(rb"<!-- crc32 ([0-9a-f]{8}) -->\n\Z", text)
    require(line and int(line[1], 16) == zlib.crc32(text[: line.start()]), "the manifest fails its checksum")
    said = {}
    for output in ElementTree.fromstring(text.decode()).iterfind("stage/output"):
        said[output.get("name")] = (int(output.get("bytes")), int(output.get("crc32"), 16))
    for name, (size, crc) in said.items():
        data = read_bytes(archive, name)
        require(size == len(data), f"{name} has another length than the manifest says")
        start = index_start(data) if data[:8] == b"TARRYCNT" else None
        require(crc == zlib.crc32(data[start or 0 :]), f"{name} is not what the manifest says")


class Archive:
    def __init__(self, path):
        check_manifest(path)
        self.definitions, self.maps, self.chunks = new_definitions(), [], {}
        for chunk in read_container(read_bytes(path, "definitions.tdef")):
            if chunk.kind == DEFINITIONS:
                read_definitions(chunk.payload(), self.definitions)
            elif chunk.kind == ID_MAPS:
                self.maps += read_id_maps(chunk.payload())
        self.curves, self.clocks = [], []
        if os.path.exists(os.path.join(path, "corrections.tcor")):
            data = b"".join(chunk.payload() for chunk in read_container(read_bytes(path, "corrections.tcor"))
                            if chunk.kind == CORRECTIONS)
            self.curves, self.clocks = read_corrections(data)
        names = sorted(name for name in os.listdir(os.path.join(path, "events")) if name.endswith((".tev", ".spool")))
        for name in sorted(names, key=lambda name: name.endswith(".spool")):
            try:
                for chunk in read_container(read_bytes(path, "events", name)):
                    of_stream = self.chunks.setdefault((chunk.kind, chunk.process, chunk.thread), {})
                    of_stream.setdefault(chunk.sequence, chunk)
            except Damaged as error:
                raise Damaged(f"events/{name}: {error}") from error

    def events(self, location):
        """Events of a location in global terms: (time, code, fields)."""
        process = location["process"]
        parts = self.maps[process] if self.maps else []
        names = {"region": "regions", "comm": "comms", "window": "windows", "group": "groups", "handle": "handles",
                 "metric": "metrics"}
        parts = parts + [[]] * (len(names) - len(parts))
        tables = {field: (part, name) for part, (field, name) in zip(parts, names.items())}
        chunks = self.chunks.get((EVENTS, self.definitions["processes"][process]["rank"], location["thread"]), {})
        require(sorted(chunks) == list(range(len(chunks))), "a chunk is missing")
        require(chunks and chunks[len(chunks) - 1].flags & LAST, "a location does not end")
        correct = self.correction(process)
        clock = self.clocks[self.definitions["locations"].index(location)] if self.clocks else None
        curve = [] if clock is None else self.curves[clock]
        latest = None
        for sequence in range(len(chunks)):
            for time, code, fields in read_records(chunks[sequence]):
                time = correct(time)
                time += shift_of(curve, time)
                latest = time if latest is None else max(latest, time)
                yield latest, code, [self.translate(tables.get(name.rstrip("?")), value)
                                     for name, value in zip(KINDS[code][1].split(), fields)]

    def translate(self, table, value):
        if table is None or value is None:
            return value
        part, name = table
        if part:
            require(value < len(part), "an id has no translation")
            value = part[value]
        require(value < len(self.definitions[name]), "an id is not defined")
        return value

    def correction(self, process):
        offsets = sorted((o["at"], o["offset"]) for o in self.definitions["offsets"] if o["process"] == process)
        if len(offsets) < 2:
            return lambda time: time

        def correct(time):
            piece = 0
            while piece + 2 < len(offsets) and time >= offsets[piece + 1][0]:
                piece += 1
            (at, offset), (next_at, next_offset) = offsets[piece : piece + 2]
            drift = (float(next_offset) - float(offset)) / (float(next_at) - float(at)) * float(time - at)
            return time + offset + (int(drift + 0.5) if drift >= 0 else -int(0.5 - drift))

        return correct

    def dump_line(self, location, event):
        time, code, fields = event
        kind, names = KINDS[code]
        clock = self.definitions["clock"]
        rank = self.definitions["processes"][location["process"]]["rank"]
        line = f"{rank} {location['thread']} {(time - clock['origin']) / clock['rate']:.9f} {kind}"
        if kind == "METRIC":
            form = {1: "q", 2: "d"}.get(self.definitions["metrics"][fields[0]]["type"], "Q")
            value = struct.unpack("<" + form, struct.pack("<Q", fields[1]))[0]
            return line + f" metric={self.show('metric', fields[0])} value=" + (f"{value:.17g}" if form == "d" else str(value))
        for field, value in zip(names.split(), fields):
            line += f" {field.rstrip('?')}={self.show(field.rstrip('?'), value)}"
        return line

    def show(self, field, value):
        if value is None:
            return "-"
        table = {"region": "regions", "comm": "comms", "window": "windows", "handle": "handles",
                 "metric": "metrics"}.get(field)
        if table:
            return f"{value}:{quoted(self.definitions[table][value]['name'])}"
        if field == "operation" and value < len(OPERATIONS):
            return f"{value}:{quoted(OPERATIONS[value].encode())}"
        return str(value)


# What a terminal acts upon: C1 controls, marks of direction, line separators, the byte order mark.
UNPRINTABLE = {*range(0x80, 0xa0), 0x61c, 0x200e, 0x200f, *range(0x2028, 0x202f), *range(0x2066, 0x206a), 0xfeff}


def quoted(name):
    def escape(character):
        code = ord(character)
        if character in '"\\':
            return "\\" + character
        if 0xdc80 <= code <= 0xdcff:  # a byte that is no UTF-8
            return f"\\x{code - 0xdc00:02x}"
        if code < 32 or code == 127:
            return f"\\x{code:02x}"
        return f"\\u{code:04x}" if code in UNPRINTABLE else character

    return '"' + "".join(map(escape, name.decode(errors="surrogateescape"))) + '"'


def main():
    parser = argparse.ArgumentParser(description="prints the events of an archive")
    parser.add_argument("archive")
    parser.add_argument("--rank", type=int)
    parser.add_argument("--thread", type=int)
    options = parser.parse_args()
    sys.stdout.reconfigure(errors="surrogateescape")
    try:
        archive = Archive(options.archive)
        for location in archive.definitions["locations"]:
            rank = archive.definitions["processes"][location["process"]]["rank"]
            if options.rank in (None, rank) and options.thread in (None, location["thread"]):
                for event in archive.events(location):
                    print(archive.dump_line(location, event))
    except (Damaged, OSError, ElementTree.ParseError) as error:
        sys.exit(f"read_archive.py: {options.archive}: {error}")


if __name__ == "__main__":
    main()
