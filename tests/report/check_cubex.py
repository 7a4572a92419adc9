#!/usr/bin/env python3
"""Checks a .cubex report against docs/CUBEX.md, strictly, with no code of the tools.

usage: check_cubex.py REPORT [--dump]

Prints one line per broken rule and ends with 1 if there is one, else says what it saw and ends with 0. It holds our own
writer to every rule, so it refuses much that readers should put up with. --dump prints the values as
`tarry cube dump --csv` does: the two must agree line by line.
"""
import argparse
import collections
import csv
import math
import re
import struct
import sys

BLOCK = 512
TEXT = r'(?:[^<>&"\r]|&(?:amp|lt|gt|quot|apos);)*'
OPEN = re.compile(rf'<(\w+)((?: \w+=(?:"{TEXT}"|\w+))*)(/?)>')
ATTRIBUTE = re.compile(rf' (\w+)=(?:"({TEXT})"|(\w+))')
ENTITIES = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'"}
SELF_CLOSING = {"attr", "dim", "parameter"}
UNQUOTED = {("cubepl", "rowwise"), ("cubeplaggr", "cubeplaggrtype")}

# element -> attributes in order, children in order (both as regular expressions over "name ")
GRAMMAR = {
    "cube": ("version ", "(attr )*(doc )?metrics program system "),
    "attr": ("key value ", ""),
    "doc": ("", "mirrors "),
    "mirrors": ("", "(murl )*"),
    "metrics": ("(title )?", "(metric )+"),
    "metric": ("id type (viztype )?(convertible )?(cacheable )?",
               "disp_name uniq_name dtype uom (val )?url descr (cubepl )?(cubeplinit )?(cubeplaggr )*(attr )*(metric )*"),
    "program": ("(title )?", "(region )+(cnode )+"),
    "region": ("id mod begin end ", "name mangled_name paradigm role url descr (attr )*"),
    "cnode": ("id (line )?(mod )?calleeId ", "(parameter )*(attr )*(cnode )*"),
    "parameter": ("partype parkey parvalue ", ""),
    "system": ("(title )?", "(systemtreenode )+(topologies )?"),
    "systemtreenode": ("Id ", "name class (descr )?(attr )*(locationgroup )*(systemtreenode )*"),
    "locationgroup": ("Id ", "name rank type (attr )*(location )+"),
    "location": ("Id ", "name rank type (attr )*"),
    "topologies": ("", "(cart )*"),
    "cart": ("(name )?ndims ", "(dim )+(coord )*"),
    "dim": ("(name )?size periodic ", ""),
    "coord": ("locId ", ""),
    "cubepl": ("(rowwise )?", ""),
    "cubeplaggr": ("cubeplaggrtype ", ""),
}
LEAVES = {"murl", "disp_name", "uniq_name", "dtype", "uom", "val", "url", "descr", "cubeplinit", "name", "mangled_name",
          "paradigm", "role", "class", "rank", "type"}
KINDS = {"EXCLUSIVE", "INCLUSIVE", "POSTDERIVED", "PREDERIVED_EXCLUSIVE", "PREDERIVED_INCLUSIVE"}
# type -> struct codes of one value
TYPES = {"DOUBLE": "d", "UINT64": "Q", "INT64": "q", "UINT32": "I", "INT32": "i", "UINT16": "H", "INT16": "h",
         "UINT8": "B", "INT8": "b", "MINDOUBLE": "d", "MAXDOUBLE": "d", "TAU_ATOMIC": "Idddd", "COMPLEX": "dd",
         "RATE": "dd"}
NEUTRAL = {"MINDOUBLE": sys.float_info.max, "MAXDOUBLE": -sys.float_info.max}


class Broken(Exception):
    pass


complaints = []


def check(condition, text):
    if not condition:
        complaints.append(text)
    return condition


def need(condition, text):
    if not condition:
        raise Broken(text)


# ---- container ------------------------------------------------------------------------------------------------------

def field(header, at, size):
    return header[at:at + size]


def octal_field(header, at, digits, what):
    text = field(header, at, digits)
    need(re.fullmatch(rb"[0-7]+", text) and header[at + digits] == 0, f"{what}: not {digits} octal digits and NUL")
    return int(text, 8)


def check_header(header, what):
    checksum = sum(header[:148]) + 8 * 32 + sum(header[156:])
    check(field(header, 148, 8) == b"%06o\0 " % checksum, f"{what}: checksum")
    check(field(header, 257, 8) == b"ustar\x0000", f"{what}: magic and version")
    for at, digits, name in ((100, 7, "mode"), (108, 7, "uid"), (116, 7, "gid"), (136, 11, "mtime")):
        octal_field(header, at, digits, f"{what}: {name}")
    check(not any(header[157:257]) and not any(header[329:]), f"{what}: link name and rest are not zero")
    check(header[265:297].rstrip(b"\0") and header[297:329].rstrip(b"\0"), f"{what}: no user and group name")


def read_members(data):
    members, at, huge = collections.OrderedDict(), 0, None
    while data[at:at + BLOCK].strip(b"\0"):
        header = data[at:at + BLOCK]
        need(len(header) == BLOCK, "the file ends inside a header")
        raw_name = field(header, 0, 100)
        name = raw_name.rstrip(b"\0").decode("ascii")
        check_header(header, name)
        check(len(name) <= 99 and raw_name[len(name):].strip(b"\0") == b"", f"{name}: name field")
        size = octal_field(header, 124, 11, f"{name}: size") if huge is None else huge
        at += BLOCK
        body = data[at:at + size]
        need(len(body) == size, f"{name}: the file ends inside it")
        huge = None
        if header[156:157] == b"x":
            record = re.fullmatch(rb"(\d\d) size=(\d+)\n", body)
            need(record and int(record[1]) == size and name.startswith("PaxHeader/"), f"{name}: extended header")
            huge = int(record[2])
        else:
            check(header[156:157] == b"0", f"{name}: type")
            check(size == 0 or size % BLOCK, f"{name}: size {size} is a multiple of 512")
            check(name not in members, f"{name}: twice")
            members[name] = body
        padded = -(-size // BLOCK) * BLOCK
        check(not any(data[at + size:at + padded]), f"{name}: padding is not zero")
        at += padded
    check(data[at:] == bytes(2 * BLOCK), "the archive does not end with exactly two zero blocks")
    check(list(members)[-1:] == ["anchor.xml"], "anchor.xml is not the last member")
    return members


# ---- anchor: text to tree, then grammar -----------------------------------------------------------------------------

class Element:
    def __init__(self, name, attributes):
        self.name, self.attributes, self.children, self.text = name, attributes, [], ""

    def all(self, name):
        return [child for child in self.children if child.name == name]

    def get(self, name):
        return next((child.text for child in self.children if child.name == name), None)


def decode(text):
    return re.sub(r"&\w+;", lambda entity: ENTITIES[entity[0]], text)


def read_attributes(name, text):
    attributes = {}
    for key, quoted, bare in ATTRIBUTE.findall(text):
        check(key not in attributes, f"<{name}>: attribute {key} twice")
        check(bool(bare) == ((name, key) in UNQUOTED), f"<{name}>: quotes of attribute {key}")
        attributes[key] = bare or decode(quoted)
    return attributes


def parse(text):
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    need(text.startswith(head), "anchor: first line")
    need("\r" not in text and "<!" not in text, "anchor: carriage return, comment or CDATA")
    root, stack, at = None, [], len(head)
    while at < len(text):
        if text[at] != "<":
            end = text.find("<", at)
            end = len(text) if end < 0 else end
            need(re.fullmatch(TEXT.replace('"', ""), text[at:end]), f"anchor: text {text[at:end][:60]!r}")
            if stack:
                stack[-1].text += decode(text[at:end])
            at = end
        elif text.startswith("</", at):
            end = text.index(">", at)
            need(stack and stack.pop().name == text[at + 2:end], f"anchor: {text[at:end + 1]} closes nothing")
            at = end + 1
        else:
            match = OPEN.match(text, at)
            need(match, f"anchor: malformed tag {text[at:at + 60]!r}")
            element = Element(match[1], read_attributes(match[1], match[2]))
            need(stack or root is None, "anchor: two root elements")
            if stack:
                stack[-1].children.append(element)
            root = root or element
            if match[3]:
                check(element.name in SELF_CLOSING, f"<{element.name}/>: must not close itself")
            else:
                stack.append(element)
            at = match.end()
    need(root is not None and not stack, "anchor: not closed")
    return root


def walk(root):
    """Preorder without recursion; yields (element, parent)."""
    pending = [(root, None)]
    while pending:
        element, parent = pending.pop()
        yield element, parent
        pending.extend((child, element) for child in reversed(element.children))


def check_grammar(root):
    for element, _ in walk(root):
        if element.name in LEAVES:
            check(not element.attributes and not element.children, f"<{element.name}>: must hold text only")
            continue
        if not check(element.name in GRAMMAR, f"<{element.name}>: unknown element"):
            continue
        attributes, children = GRAMMAR[element.name]
        check(re.fullmatch(attributes, "".join(a + " " for a in element.attributes)),
              f"<{element.name}>: attributes {list(element.attributes)}")
        check(re.fullmatch(children, "".join(c.name + " " for c in element.children)),
              f"<{element.name}>: children {[c.name for c in element.children][:12]}")
        if element.children:
            check(not element.text.strip(), f"<{element.name}>: text beside elements")


# ---- what the tree says ---------------------------------------------------------------------------------------------

def ids_of(elements, key):
    return [int(element.attributes[key]) for element in elements]


def check_metrics(metrics):
    ids = ids_of(metrics, "id")
    check(len(set(ids)) == len(ids), "metric ids are not unique")
    names = [m.get("uniq_name") for m in metrics]
    check(len(set(names)) == len(names), "metric names are not unique")
    ghosts = [m.attributes.get("viztype") == "GHOST" for m in metrics]
    check(ghosts == sorted(ghosts), "ghost metrics are not last")
    check(not all(ghosts), "there is no metric but ghosts")
    for metric in metrics:
        kind, dtype, name = metric.attributes["type"], metric.get("dtype"), metric.get("uniq_name")
        check(kind in KINDS, f"metric {name}: type {kind}")
        check(re.fullmatch(r"[A-Za-z0-9_:=]+", name or ""), f"metric {name}: characters in its name")
        check(dtype in TYPES or re.fullmatch(r"(HISTOGRAM|NDOUBLES)\(\d+\)", dtype), f"metric {name}: dtype {dtype}")
        check(not (kind == "INCLUSIVE" and re.match("MIN|MAX|TAU|HIST", dtype)), f"metric {name}: inclusive {dtype}")
        check((metric.get("cubepl") is not None) == ("DERIVED" in kind), f"metric {name}: cubepl and kind")


def check_program(regions, cnodes):
    known = set(ids_of(regions, "id"))
    check(len(known) == len(regions), "region ids are not unique")
    check(sorted(ids_of(cnodes, "id")) == list(range(len(cnodes))), "cnode ids do not cover 0..n-1")
    for cnode in cnodes:
        check(int(cnode.attributes["calleeId"]) in known, f"cnode {cnode.attributes['id']}: no such region")
        check(not (cnode.all("attr") and cnode.all("cnode")), f"cnode {cnode.attributes['id']}: attr on an inner node")
        check(all(p.attributes["partype"] in ("numeric", "string") for p in cnode.all("parameter")), "parameter type")
    for region in regions:
        check(not re.search("[&<>]", region.get("url")), f"region {region.get('name')}: url with markup")


def check_system(system):
    of = lambda name: [e for e, _ in walk(system) if e.name == name]
    nodes, groups, locations = of("systemtreenode"), of("locationgroup"), of("location")
    for name, elements in (("node", nodes), ("group", groups), ("location", locations)):
        check(ids_of(elements, "Id") == list(range(len(elements))), f"{name} ids are not 0..n-1 in document order")
    for element in groups + locations:
        check(int(element.get("rank")) >= 0, "a rank is negative")
    check(all(g.get("type") in ("process", "metrics", "accelerator") for g in groups), "type of a location group")
    check(all(p.get("type") in ("thread", "accelerator stream", "metric") for p in locations), "type of a location")
    roots = system.all("systemtreenode")
    check(all(r.get("class") == "machine" for r in roots), "class of a root of the system tree")
    check(all(n.get("class") == "node" for r in roots for n in r.all("systemtreenode")[:1]), "class below a machine")
    check(all(not re.search("[&<>]", n.get("class")) for n in nodes), "class with markup")
    for cart in of("cart"):
        sizes = ids_of(cart.all("dim"), "size")
        check(len(sizes) == int(cart.attributes["ndims"]), "ndims of a topology")
        for coord in cart.all("coord"):
            place = [int(x) for x in coord.text.split(" ")]
            check(len(place) == len(sizes) and all(0 <= x < n for x, n in zip(place, sizes)), f"coordinate {place}")
            check(0 <= int(coord.attributes["locId"]) < len(locations), "coordinate of no location")
    return groups, locations


# ---- values ---------------------------------------------------------------------------------------------------------

def sibling_blocks(program):
    order = []
    for root in program.all("cnode"):
        order.append(root)
        pending = [root]
        while pending:
            children = pending.pop().all("cnode")
            order += children
            pending.extend(reversed(children))
    return order


def value_codes(dtype):
    size = re.search(r"\d+\)", dtype)
    if dtype.startswith("HISTOGRAM"):
        return "d" * (int(size[0][:-1]) + 2)
    return "d" * int(size[0][:-1]) if dtype.startswith("NDOUBLES") else TYPES[dtype]


def read_rows(metric, stem, members, rows, columns):
    """cnode id -> list of values (tuples as tuples)"""
    index, data = members.get(stem + ".index"), members.get(stem + ".data")
    need((index is None) == (data is None), f"{stem}: one member without the other")
    if index is None:
        return {}
    need(index[:18] == b"CUBEX.INDEX" + struct.pack("<IHB", 1, 0, 1), f"{stem}: index is not little-endian sparse")
    count, = struct.unpack_from("<I", index, 18)
    check(len(index) == 22 + 4 * count, f"{stem}: index size")
    numbers = struct.unpack_from(f"<{count}I", index, 22)
    check(list(numbers) == sorted(set(numbers)) and all(n < len(rows) for n in numbers), f"{stem}: rows in the index")
    codes = value_codes(metric.get("dtype"))
    size = struct.calcsize("<" + codes)
    expected = 10 + count * columns * size
    expected += expected % BLOCK == 0
    need(data[:10] == b"CUBEX.DATA" and len(data) == expected, f"{stem}: data is {len(data)} bytes, not {expected}")
    table = {}
    for k, number in enumerate(numbers):
        at = 10 + k * columns * size
        values = list(struct.iter_unpack("<" + codes, data[at:at + columns * size]))
        table[int(rows[number].attributes["id"])] = [v[0] if len(v) == 1 else v for v in values]
    return table


def check_values(root, members, columns):
    program = root.all("program")[0]
    preorder = [e for e, _ in walk(program) if e.name == "cnode"]
    blocks = sibling_blocks(program)
    values, expected = {}, set()
    for metric in (e for e, _ in walk(root.all("metrics")[0]) if e.name == "metric"):
        stem = ("ghost_" if "viztype" in metric.attributes else "") + metric.attributes["id"]
        if "DERIVED" not in metric.attributes["type"]:
            expected |= {stem + ".index", stem + ".data"}
            rows = blocks if metric.attributes["type"] == "INCLUSIVE" else preorder
            values[metric] = read_rows(metric, stem, members, rows, columns)
    for name in members:
        check(not re.fullmatch(r"(ghost_)?\d+\.(index|data)", name) or name in expected, f"{name}: of no metric")
    return values


def dump(root, values, groups, locations):
    region = {int(r.attributes["id"]): r.get("name") for r in root.all("program")[0].all("region")}
    places = [(g.get("rank"), p.get("rank")) for g in groups for p in g.all("location")]
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["metric", "callpath", "rank", "thread", "value"])
    paths = {}
    cnodes = [(e, p) for e, p in walk(root.all("program")[0]) if e.name == "cnode"]
    for cnode, parent in cnodes:
        name = region[int(cnode.attributes["calleeId"])].replace("\\", "\\\\").replace("/", "\\/")
        paths[cnode] = paths[parent] + "/" + name if parent.name == "cnode" else name
    for metric, table in values.items():
        dtype = metric.get("dtype")
        if "viztype" in metric.attributes or len(value_codes(dtype)) > 1:
            continue
        for cnode, _ in cnodes:
            row = list(table.get(int(cnode.attributes["id"]), [NEUTRAL.get(dtype, 0)] * len(places)))
            if metric.attributes["type"] == "INCLUSIVE":
                below = [table.get(int(c.attributes["id"])) for c in cnode.all("cnode")]
                for column, whole in enumerate(row):
                    children = 0.0
                    for values_of_child in filter(None, below):
                        children += values_of_child[column]
                    largest = max(abs(whole), abs(children))
                    row[column] = 0 if abs(whole - children) <= 2 * math.ulp(largest) else whole - children
            for (rank, thread), value in zip(places, row):
                if value not in (0, NEUTRAL.get(dtype, 0)):
                    text = str(int(value)) if value == int(value) and abs(value) < 1e18 else "%.17g" % value
                    out.writerow([metric.get("uniq_name"), paths[cnode], rank, thread, text])


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("report")
    options.add_argument("--dump", action="store_true")
    options = options.parse_args()
    try:
        with open(options.report, "rb") as file:
            members = read_members(file.read())
        root = parse(members["anchor.xml"].decode("utf-8"))
        check_grammar(root)
        need(not complaints, "grammar")
        check(root.attributes["version"] in ("4.4", "4.7"), "version")
        check(all(a.attributes["value"] in ("0.0", "1.0", "1.1") for a in root.all("attr")
                  if a.attributes["key"] == "CubePL Version"), "CubePL Version")
        metrics = [e for e, _ in walk(root.all("metrics")[0]) if e.name == "metric"]
        program = root.all("program")[0]
        cnodes = [e for e, _ in walk(program) if e.name == "cnode"]
        check_metrics(metrics)
        check_program(program.all("region"), cnodes)
        groups, locations = check_system(root.all("system")[0])
        values = check_values(root, members, len(locations))
        if options.dump:
            dump(root, values, groups, locations)
    except (Broken, KeyError, UnicodeDecodeError, OSError) as error:
        complaints.append(f"{type(error).__name__}: {error}")
    for line in complaints:
        print(f"{options.report}: {line}", file=sys.stderr)
    if not complaints and not options.dump:
        print(f"ok: {len(members)} members, {len(metrics)} metrics, {len(cnodes)} call paths, {len(locations)} locations")
    return 1 if complaints else 0


sys.exit(main())
