#!/usr/bin/env python3
"""Draws the pictures of docs/CONVERSION.md from converted traces: what a reader of the files finds in them.

usage: make_timelines.py TRACE.prv TRACE.pftrace FOLDER        writes FOLDER/paraver.svg and FOLDER/perfetto.svg

The .pcf beside the .prv names and colours the states. Perfetto's protocol buffers are decoded here, by their public field
numbers.
"""
import html
import pathlib
import struct
import sys

WIDTH, LEFT, ROW, BAR = 760, 130, 46, 20
WAIT, PATH = "#d62728", "#222222"


class Picture:
    def __init__(self, title, end):
        self.parts, self.title, self.end, self.height = [], title, end, 40

    def x(self, time):
        return LEFT + (WIDTH - LEFT - 20) * time / self.end

    def rect(self, begin, end, y, height, fill, label="", opacity=1):
        x, width = self.x(begin), max(self.x(end) - self.x(begin), 1)
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height}" fill="{fill}" '
                          f'fill-opacity="{opacity}" stroke="white" stroke-width="0.5"/>')
        if label and width > 7 * len(label):
            self.text(x + width / 2, y + height - 6, label, "middle", "white")

    def text(self, x, y, text, anchor="start", fill="#222222", size=11):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" '
                          f'fill="{fill}">{html.escape(text)}</text>')

    def line(self, x1, y1, x2, y2, colour, width):
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
                          f'stroke-width="{width}"/>')

    def row(self, label):
        y = self.height
        self.text(8, y + 15, label)
        self.height += ROW
        return y

    def svg(self):
        height = self.height + 26
        self.text(8, 20, self.title, size=13)
        for step in range(6):
            time = self.end * step / 5
            self.line(self.x(time), 32, self.x(time), height - 24, "#dddddd", 0.5)
            self.text(self.x(time), height - 8, f"{time / 1e9:.3g} s", "middle", "#555555")
        body = "\n".join(self.parts)
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" font-family="sans-serif">\n'
                f'<rect width="100%" height="100%" fill="white"/>\n{body}\n</svg>\n')


def read_states(pcf):
    names, colours, part = {}, {}, ""
    for line in pcf.read_text().split("\n"):
        words = line.split(None, 1)
        if len(words) == 1:
            part = words[0]
        elif words and part == "STATES":
            names[int(words[0])] = words[1]
        elif words and part == "STATES_COLOR":
            colours[int(words[0])] = "#%02x%02x%02x" % tuple(int(n) for n in words[1].strip("{}").split(","))
    return names, colours


def draw_paraver(prv):
    names, colours = read_states(prv.with_suffix(".pcf"))
    records = [[int(n) for n in line.split(":")] for line in prv.read_text().split("\n") if line[:2] in ("1:", "2:", "3:")]
    end = int(prv.read_text().split("):", 1)[1].split("_ns")[0])
    picture = Picture("Paraver: states, communications; below each thread the waits (red) and the critical path (black)", end)
    rows = {place: picture.row(f"Rank {place[0] - 1}" + (f" thread {place[1] - 1}" if place[1] > 1 else ""))
            for place in sorted({tuple(r[3:5]) for r in records})}
    marks, used = {}, set()
    for record in records:
        y = rows[tuple(record[3:5])]
        if record[0] == 1:
            picture.rect(record[5], record[6], y, BAR, colours[record[7]])
            used.add(record[7])
        elif record[0] == 2:
            for kind, value in zip(record[6::2], record[7::2]):
                if kind not in (71000001, 71000004):
                    continue
                key = (tuple(record[3:5]), kind)
                begin = marks.pop(key, None)
                if begin is not None:
                    picture.rect(begin, record[5], y + BAR + (2 if kind == 71000001 else 8), 5, WAIT if kind == 71000001 else PATH)
                if value:
                    marks[key] = record[5]
    for record in records:
        if record[0] == 3:
            picture.line(picture.x(record[6]), rows[tuple(record[3:5])] + BAR / 2, picture.x(record[12]),
                         rows[tuple(record[9:11])] + BAR / 2, "#c8a000", 1.5)
    for i, state in enumerate(sorted(used)):
        x = LEFT + 150 * (i % 4)
        if i % 4 == 0:
            picture.height += 18
        picture.parts.append(f'<rect x="{x}" y="{picture.height - 12}" width="12" height="12" fill="{colours[state]}"/>')
        picture.text(x + 16, picture.height - 2, names[state])
    return picture.svg()


def decode(data):
    """Field number -> values of one message; messages within stay bytes."""
    fields, at = {}, 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        tag = varint()
        if tag & 7 == 0:
            value = varint()
        elif tag & 7 == 1:
            value, = struct.unpack_from("<Q", data, at)
            at += 8
        else:
            size = varint()
            value = data[at:at + size]
            at += size
        fields.setdefault(tag >> 3, []).append(value)
    return fields


def draw_perfetto(trace):
    names, tracks, stacks, slices, flows = {}, {}, {}, [], {}
    for packet in decode(trace.read_bytes())[1]:
        packet = decode(packet)
        if 12 in packet:
            for name in decode(packet[12][0])[2]:
                name = decode(name)
                names[name[1][0]] = name[2][0].decode()
        if 60 in packet:
            track = decode(packet[60][0])
            tracks[track[1][0]] = track
        if 11 not in packet:
            continue
        time, event = packet[8][0], decode(packet[11][0])
        uuid = event[11][0]
        if event[9][0] == 1:
            stacks.setdefault(uuid, []).append((time, names[event[10][0]] if 10 in event else event[23][0].decode()))
        elif event[9][0] == 2:
            begin, name = stacks[uuid].pop()
            slices.append((uuid, len(stacks[uuid]), begin, time, name))
        for field in (47, 48):
            for flow in event.get(field, []):
                flows.setdefault(flow, {})[field] = (uuid, time)
    end = max(stop for _, _, _, stop, _ in slices)
    picture = Picture("Perfetto: slices and flows; tracks for the waits and the critical path of each rank", end)
    processes = {u: decode(t[3][0])[6][0].decode() for u, t in tracks.items() if 3 in t}
    pids = {decode(t[3][0])[1][0]: u for u, t in tracks.items() if 3 in t}
    rows = {}
    for process, label in processes.items():
        for uuid, track in tracks.items():
            is_thread = 4 in track and pids[decode(track[4][0])[1][0]] == process
            if not is_thread and track.get(5) != [process]:
                continue
            name = decode(track[4][0])[5][0].decode() if is_thread else track[2][0].decode()
            depth = 1 + max((d for u, d, *_ in slices if u == uuid), default=0)
            rows[uuid] = picture.row(f"{label}, {name}" if is_thread else f"  {name}")
            picture.height += max(depth * 16 - ROW + 12, -18)
    palette = ["#4c72b0", "#55a868", "#8172b2", "#64b5cd", "#ccb974", "#937860"]
    colours = {}
    for uuid, depth, begin, stop, name in slices:
        is_overlay = 4 not in tracks[uuid]
        fill = (WAIT if b"path" not in tracks[uuid][2][0] else PATH) if is_overlay else colours.setdefault(
            name, palette[len(colours) % len(palette)])
        picture.rect(begin, stop, rows[uuid] + 16 * depth, 16, fill, name if not is_overlay else name.split(":")[0])
    for ends in flows.values():
        if len(ends) == 2:
            (sender, sent), (receiver, received) = ends[47], ends[48]
            picture.line(picture.x(sent), rows[sender] + 30, picture.x(received), rows[receiver] + 4, "#c8a000", 1.5)
    return picture.svg()


def main():
    prv, pftrace, folder = (pathlib.Path(name) for name in sys.argv[1:])
    (folder / "paraver.svg").write_text(draw_paraver(prv))
    (folder / "perfetto.svg").write_text(draw_perfetto(pftrace))


main()
