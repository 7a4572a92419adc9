#!/usr/bin/env python3
"""Writes the MPI wrappers of lib/measure from prototypes.txt, checked against the mpi.h of one MPI library.

usage: generate.py PROTOTYPES PREPROCESSED_MPI_H OUTPUT_FOLDER
       generate.py --entries OUTPUT ABI=OUTPUT_FOLDER...

Output: mpi_functions.hpp (numbers, names and roles; TARRY_MPI_HAS_X for each MPI_X that is wrapped by hand and that
mpi.h declares, whatever version it says it is), mpi_table.hpp (the functions and objects of the MPI library that
mpi_binding.cpp looks up), mpi_wrappers.cpp. A function of the table that this mpi.h lacks is left out; one whose
parameters differ stops the build. A function that only mpi.h has gets the wrapper of its kin in the table, with larger
counts (MPI_Send_c) or as a request that MPI_Start begins (MPI_Bcast_init); else a plain one.

With --entries: what the dispatcher needs of all ABIs, the functions that any of them has.
"""
import pathlib
import re
import sys

ROLES = {
    "function": "kFunction", "point2point": "kPointToPoint", "barrier": "kBarrier", "one2all": "kOneToAll",
    "all2one": "kAllToOne", "all2all": "kAllToAll", "other_collective": "kOtherCollective", "rma": "kRma",
    "atomic": "kAtomic", "file_io": "kFileIo", "file_io_metadata": "kFileIoMetadata",
}

# hook -> lines before the call, lines after it; {0}, {1} are the hook's arguments. returned() takes the time stamp.
# What looks at the program's arguments does so after the call has succeeded (mpi_call.hpp says more).
STARTS = ("MPI_Init", "MPI_Init_thread", "MPI_Session_init")
INFO = "const CommInfo info = find_comm(comm);"
MAYBE_INFO = "[[maybe_unused]] " + INFO
SUCCESS = "if (outcome == MPI_SUCCESS) "
ACCESS = "if (outcome == MPI_SUCCESS && target_rank != MPI_PROC_NULL) "
COLLECTIVE = ("const RecordPlace begin = record_collective_begin(call);",
              "compare_clocks(comm, outcome);", "if (!has_ended(call, begin, outcome)) return outcome;", INFO)
HOOKS = {
    "plain": ([], ["call.returned();"]),
    "send": (["const SendRecord sent = record_send(call, {0}, {1}, {2}, {3}, {4});"],
             ["finish_send(call, sent, {0}, {1}, {2}, {3}, {4}, outcome);", "call.returned();"]),
    "local_send": ([], ["finish_send(call, SendRecord(), {0}, {1}, {2}, {3}, {4}, outcome);", "call.returned();"]),
    "recv": (["OwnStatus result(status);"], ["call.returned();", "record_receive(call, {0}, result, outcome);"]),
    "sendrecv": (["OwnStatus result(status);", "const SendRecord sent = record_send(call, {0}, {1}, {2}, {3}, {4});"],
                 ["finish_send(call, sent, {0}, {1}, {2}, {3}, {4}, outcome);", "call.returned();",
                  "record_receive(call, {2}, result, outcome);"]),
    "isend": ([], [SUCCESS + "record_isend(call, {0}, {1}, {2}, {3}, {4}, request);", "call.returned();"]),
    "irecv": ([], [SUCCESS + "record_irecv(call, {0}, {1}, request);", "call.returned();"]),
    "send_init": ([], ["call.returned();", SUCCESS + "track_send_init({0}, {1}, {2}, {3}, {4}, request);"]),
    "recv_init": ([], ["call.returned();", SUCCESS + "track_receive_init({0}, {1}, request);"]),
    "isendrecv": ([], [SUCCESS + "record_isendrecv(call, dest, sendtag, bytes_of({0}, {1}), source, recvtag, "
                       "bytes_of({2}, {3}), comm, request);", "call.returned();"]),
    "partitioned_init": ([], ["call.returned();", SUCCESS + "track_partitioned_init(RequestKind::{0}, {1}, tag, comm, "
                              "partitions, bytes_of(count, datatype), request);"]),
    "pready": ([], [SUCCESS + "record_ready(call, {0}, request);", "call.returned();"]),
    "collective": ([COLLECTIVE[0]],
                   [*COLLECTIVE[1:], "record_collective_end(call, CollectiveOp::{0}, info, {1}, {2});"]),
    "icollective": ([], ["if (outcome == MPI_SUCCESS) {{", "  " + INFO,
                         "  record_icollective(call, CollectiveOp::{0}, info, {1}, {2}, request);", "}}",
                         "call.returned();"]),
    "collective_counts": ([COLLECTIVE[0]],
                          [*COLLECTIVE[1:], "record_partners(call, {2});",
                           "record_collective_end(call, CollectiveOp::{0}, info, MPI_PROC_NULL, {1});"]),
    "icollective_counts": ([], ["if (outcome == MPI_SUCCESS) {{", "  " + INFO, "  record_partners(call, {2});",
                                "  record_icollective(call, CollectiveOp::{0}, info, MPI_PROC_NULL, {1}, request);",
                                "}}", "call.returned();"]),
    "collective_init": ([], ["call.returned();", "if (outcome == MPI_SUCCESS) {{", "  " + MAYBE_INFO,
                             "  track_collective_init(CollectiveOp::{0}, comm, {1}, {2}, request);", "}}"]),
    "collective_counts_init": ([], ["call.returned();", "if (outcome == MPI_SUCCESS) {{", "  " + MAYBE_INFO,
                                    "  track_collective_init(CollectiveOp::{0}, comm, MPI_PROC_NULL, {1}, request, "
                                    "masks_of({2}));", "}}"]),
    "comm_create": ([COLLECTIVE[0]], ["record_comm_create(call, begin, {0}, {1}, outcome);"]),
    "comm_create_group": ([COLLECTIVE[0]], ["record_comm_create_group(call, begin, {0}, {1}, outcome);"]),
    "comm_meet": (["Handshake handshake = prepare_meeting(comm, root, Handshake::Side::{0}, port_name);"],
                  ["record_comm_meet(call, handshake, comm, root, newcomm, outcome);"]),
    "comm_join": (["Handshake handshake = prepare_meeting(fd);"],
                  ["record_comm_meet(call, handshake, MPI_COMM_SELF, 0, intercomm, outcome);"]),
    "comm_bridge": ([COLLECTIVE[0]], ["record_comm_bridge(call, begin, {0}, {1}, outcome);"]),
    "comm_bridge_groups": ([COLLECTIVE[0]],
                           ["record_comm_bridge_groups(call, begin, local_group, stringtag, newintercomm, outcome);"]),
    "comm_spawn": (["const Announcement announced = announce_spawn(comm);", COLLECTIVE[0]],
                   ["record_comm_spawn(call, begin, announced, comm, root, {0}, outcome);"]),
    "window_create": (["const RecordPlace begin = record_window_begin(call);"],
                      ["record_window_create(call, begin, comm, win, {0}, outcome);"]),
    "fence": (["const RecordPlace begin = record_window_begin(call);"],
              ["call.returned();", "record_fence(call, begin, win, outcome);"]),
    "named": ([], ["call.returned();", SUCCESS + "{0};"]),
    "window": ([], ["call.returned();", SUCCESS + "{0};"]),
    "lock": (["const RecordPlace asked = record_lock(call, {0}, {1}, win);"],
             ["if (outcome != MPI_SUCCESS) call.take_back(asked);", "call.returned();"]),
    "access": ([], [ACCESS + "record_{0}(call, target_rank, win, {1});", "call.returned();"]),
    "raccess": ([], [ACCESS + "record_{0}(call, target_rank, win, {1}, request);", "call.returned();"]),
    "atomic": ([], [ACCESS + "record_atomic(call, target_rank, win, {0}, {1}, {2});", "call.returned();"]),
    "ratomic": ([], [ACCESS + "record_ratomic(call, target_rank, win, {0}, {1}, {2}, request);", "call.returned();"]),
    "file_open": ([COLLECTIVE[0]], ["record_file_open(call, begin, comm, filename, amode, fh, outcome);"]),
    "file_io": (["OwnStatus result(status);",
                 "const FileOperation io = record_file_begin(call, fh, {0}, {1}, count, datatype);"],
                ["call.returned();", "record_file_end(call, io, result, outcome);"]),
    "file_iio": ([], ["record_file_start(call, fh, {0}, kNonBlockingFlag | {1}, count, datatype, request, outcome);"]),
    "split_begin": (["const FileOperation io = "
                     "record_file_begin(call, fh, {0}, kNonBlockingFlag | {1}, count, datatype);"],
                    ["call.returned();", "record_split_begin(call, fh, io, outcome);"]),
    "split_end": (["OwnStatus result(status);"], ["call.returned();", "record_split_end(call, fh, result, outcome);"]),
    "seek": ([], ["call.returned();", SUCCESS + "record_seek(call, fh, offset, whence);"]),
    "file_sync": (["const FileOperation io = record_file_flush(call, fh);"],
                  ["call.returned();", "record_file_synced(call, io);"]),
}
# What may be left out of a recording: the rest makes or ends what other records refer to.
MAY_BE_LEFT_OUT = re.compile(r"plain|send|local_send|recv|sendrecv|isend|irecv|isendrecv|i?collective(_counts)?|r?access|r?atomic|"
                             r"file_i?io|seek|file_sync")
# That many arguments behind a first one are in registers, on all processors.
REGISTERS = 5
PROTOTYPE = re.compile(r"(?:^|[;{}])\s*(?:extern\s+)?([A-Za-z_][\w\s*]*?)\b(MPI_\w+)\s*\(([^;{}()]*)\)\s*(?=;)", re.M)
ATTRIBUTE = re.compile(r'__attribute__\s*\(\((?:[^()"]|"[^"]*"|\((?:[^()"]|"[^"]*"|\([^()]*\))*\))*\)\)')


def parameters_of(text):
    text = " ".join(text.split())
    return [] if text in ("", "void") else [p.strip() for p in split_arguments(text)]


def split_arguments(text):
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [p.strip() for p in parts + [text[start:]] if p.strip()]


def name_of(parameter):
    return re.search(r"(\w+)\s*(?:\[[^\]]*\]\s*)*$", parameter).group(1)


def type_of(parameter):
    """The type without its spelling: const, blanks, the parameter's name, and arrays as pointers."""
    match = re.search(r"(\w+)\s*((?:\[[^\]]*\]\s*)*)$", parameter)
    if not match:
        return parameter  # ...
    base = re.sub(r"\bconst\b|\s", "", parameter[: match.start()]).replace("MPI_Fint", "int")
    return base + "*" * match.group(2).count("[")


def read_header(path):
    text = re.sub(r"^#.*$", "", pathlib.Path(path).read_text(), flags=re.M)
    text = ATTRIBUTE.sub("", text)
    found = {}
    for result, name, parameters in PROTOTYPE.findall(text):
        found[name] = (" ".join(result.split()), parameters_of(parameters))
    return found


def read_table(path):
    table = {}
    for number, line in enumerate(pathlib.Path(path).read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = [f.strip() for f in line.split("|")]
        match = len(fields) == 3 and re.fullmatch(r"(.*?)\b(MPI_\w+)\((.*)\)", fields[2])
        if not match or fields[0] not in ROLES:
            sys.exit(f"{path}:{number}: expected 'role | hook | prototype' with a known role")
        table[match.group(2)] = (fields[0], fields[1], match.group(1).strip(), parameters_of(match.group(3)))
    return table


def is_as_wide(ours, theirs):
    """True if a function with large counts may have the type `theirs` where its kin has `ours`."""
    wider = {"int": ("MPI_Count", "MPI_Aint"), "MPI_Aint": ("MPI_Count",)}
    stars = "*" * ours.count("*")
    return theirs == ours or theirs in [t + stars for t in (*wider.get(ours.rstrip("*"), ()), ours.rstrip("*") + "_c")]


def renamed(parameter, name):
    return re.sub(r"\w+(?=\s*(?:\[[^\]]*\]\s*)*$)", name, parameter)


def as_declared(parameters, declared):
    """Our names with the types of mpi.h, which are not const everywhere in all versions."""
    return [d if d == "..." else renamed(d, name_of(p)) for d, p in zip(declared, parameters)]


def is_variadic(parameters):
    return parameters[-1:] == ["..."]


def type_name(name, functions, prefix=""):
    """What has the type of the function in our tables. One that takes any arguments takes a few addresses there."""
    return f"tarry_{name}" if is_variadic(functions[name][3]) else prefix + name


def entry_of_kin(name, table):
    """(role, hook, result, parameters) of MPI_X_c and of MPI_X_init, as far as those of MPI_X tell; None if there is no
    such kin. What is written by hand for MPI_X is not written for its kin: of that only enter and leave remain."""
    if name in table:
        return table[name]
    if name.endswith("_c"):
        kin = entry_of_kin(name[: -len("_c")], table)
        return kin and (kin[0], "plain" if kin[1] == "custom" else kin[1], *kin[2:])
    if name.endswith("_init"):
        role, hook, result, parameters = table.get(name[: -len("_init")], ("", "", "", []))
        if not hook.startswith("collective"):
            return None
        return role, hook.replace("(", "_init(", 1), result, [*parameters, "MPI_Info info", "MPI_Request *request"]
    return None


def find_by_kin(name, table, declared):
    """The entry of a function that the table does not have; None if mpi.h has declared another one than its kin."""
    kin = entry_of_kin(name, table)
    if not kin:
        return None
    role, hook, result, parameters = kin
    if len(parameters) != len(declared) or hook == "skip":
        return None
    is_large = name.endswith("_c")
    for ours, theirs in zip(map(type_of, parameters), map(type_of, declared)):
        if ours != theirs and not (is_large and is_as_wide(ours, theirs)):
            return None
    return role, hook, result, as_declared(parameters, declared)


def merge(table, header, path):
    """name -> (role, hook, result, parameters) of what there is to wrap."""
    merged = {}
    for name, (role, hook, result, parameters) in table.items():
        if name not in header:
            continue
        ours = [result] + [type_of(p) for p in parameters]
        theirs = [header[name][0].replace("MPI_Fint", "int")] + [type_of(p) for p in header[name][1]]
        if ours != theirs:
            sys.exit(f"{path}: {name} differs from mpi.h: ({', '.join(header[name][1])}) (adapt the table)")
        if hook != "skip":
            merged[name] = (role, hook, result, as_declared(parameters, header[name][1]))
    plain = 0
    for name, (result, parameters) in header.items():
        is_callback = name.isupper() or name.endswith(("_FN", "_fn"))
        is_outside = name.startswith("MPI_T_") or name.endswith(("_c2f08", "_f082c", "_f082f", "_f2f08"))
        if name not in table and result == "int" and not is_callback and not is_outside:
            by_kin = find_by_kin(name, table, parameters)
            plain += by_kin is None
            merged[name] = by_kin or ("function", "plain", result, parameters)
    if plain:
        print(f"generate.py: {plain} functions of mpi.h are not in {path}: of these only enter and leave "
              "are recorded", file=sys.stderr)
    return merged


def wrapper(name, hook, result, parameters):
    match = re.fullmatch(r"(\w+)(?:\((.*)\))?", hook)
    if not match or match.group(1) not in HOOKS:
        sys.exit(f"generate.py: {name} has the unknown hook '{hook}'")
    kind, arguments = match.group(1), split_arguments(match.group(2) or "")
    before, after = HOOKS[kind]
    names = [name_of(p) for p in parameters]
    takes_status = any("OwnStatus" in line for line in before)
    passed = ["result.get()" if n == "status" and takes_status else n for n in names]
    lines = [f"TARRY_MPI_ENTRY {result} {name}({', '.join(parameters) or 'void'}) {{",
             f"  MpiCall call(MpiFunction::{name[4:]});",
             f"  if (!call.is_recorded()) return N{name}({', '.join(names)});"]
    lines += ["  " + line.format(*arguments) for line in before]
    lines += [f"  const {result} outcome = N{name}({', '.join(passed)});"]
    lines += ["  " + line.format(*arguments) for line in after]
    return lines + ["  return outcome;", "}", ""]


def may_be_left_out(name, hook):
    return str(name not in STARTS and bool(MAY_BE_LEFT_OUT.fullmatch(hook.partition("(")[0]))).lower()


def entry_table(functions):
    """Our functions by name, for the dispatcher (measure/dispatch/mpi_abi.hpp)."""
    return (["namespace {", "", "const MpiEntryPoint kEntryPoints[] = {"]
            + [f'    {{"{name}", reinterpret_cast<void*>(&{name})}},' for name in sorted(functions)]
            + ["};", "", "}  // namespace", "",
               "constinit const MpiWrappers tarry::measure::TARRY_OWN_WRAPPERS = {",
               "    kEntryPoints, std::size(kEntryPoints), redirect_calls, kMpiStarter};", ""])


def write_entries(output, abis):
    """`abis`: strings ABI=FOLDER, of those that are linked."""
    linked = dict(abi.split("=", 1) for abi in abis)
    names = set() if linked else set(STARTS)  # a recorder without MPI says so where a program starts it
    for folder in linked.values():
        names |= set(re.findall(r'\{"(MPI_\w+)"', (pathlib.Path(folder) / "mpi_functions.hpp").read_text()))
    lines = ["// Generated by generate.py.", "#pragma once", ""]
    lines += [f"#define TARRY_HAS_{abi.upper()} {int(abi in linked)}" for abi in ("openmpi", "mpich", "standard")]
    entries = [f"  ENTRY({number}, {name})" for number, name in enumerate(sorted(names))]
    lines += ["", " \\\n".join(["#define TARRY_MPI_ENTRIES(ENTRY)"] + entries)]
    path = pathlib.Path(output)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n")


def binding_table(functions, objects):
    """What the recorder calls of the MPI library and what handles point to there, as tables of addresses."""
    lines = ["// Generated by generate.py. Included by mpi_api.hpp alone.", "#pragma once", "", "#include <array>", "",
             '#include "measure/core/loaded_object.hpp"', ""]
    for name, (_, _, result, parameters) in functions.items():
        if is_variadic(parameters):
            fixed = ", ".join(parameters[:-1] + ["void*"] * REGISTERS)
            lines += [f'extern "C" {result} tarry_{name}({fixed}) __asm__("{name}");', ""]
    lines += [
             "namespace tarry::measure {", "", "/// Each member is called like the function PMPI_X of the MPI library.",
             "struct MpiFunctions {"]
    lines += [f"  decltype(&::{type_name(name, functions, 'P')}) {name[4:]};" for name in functions] + ["};", ""]
    lines += ["struct MpiObjects {"] + [f"  void* {name};" for name in objects] + ["};", ""]
    for table, names in (("Function", [f"P{name}" for name in functions]), ("Object", objects)):
        lines += [f"inline constexpr std::array<SymbolName, {len(names)}> kMpi{table}Names = {{"]
        lines += [f'    SymbolName("{name}"),' for name in names] + ["};", ""]
    lines += ["/// An entry for each function: Entry<&MpiFunctions::X>::call.",
              "template <template <auto> class Entry>", "inline constexpr MpiFunctions kMpiEntries = {"]
    lines += [f"    Entry<&MpiFunctions::{name[4:]}>::call," for name in functions] + ["};", ""]
    lines += ["/// The same with our wrapper: Entry<&MpiFunctions::X, &MPI_X>::call.",
              "template <template <auto, auto> class Entry>", "inline constexpr MpiFunctions kMpiWrapperEntries = {"]
    lines += [f"    Entry<&MpiFunctions::{name[4:]}, &::{type_name(name, functions)}>::call," for name in functions]
    lines += ["};", ""]
    lines += ["}  // namespace tarry::measure", ""]
    for prefix, table in (("P", "g_mpi"), ("N", "g_next")):
        lines += [f"#define {prefix}{name} (::tarry::measure::{table}.{name[4:]})" for name in functions]
    return lines


def main():
    if len(sys.argv) > 2 and sys.argv[1] == "--entries":
        return write_entries(sys.argv[2], sys.argv[3:])
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    table_path, header_path, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    header = read_header(header_path)
    functions = merge(read_table(table_path), header, table_path)
    folder.mkdir(parents=True, exist_ok=True)

    lines = ["// Generated by generate.py.", "#pragma once", "", '#include "measure/mpi/mpi_function_info.hpp"', ""]
    lines += [f"#define TARRY_MPI_HAS_{name[4:]} 1" for name, (_, hook, *_) in functions.items() if hook == "custom"]
    lines += ["", "namespace tarry::measure {", "", "enum class MpiFunction : std::uint16_t {"]
    lines += [f"  {name[4:]}," for name in functions] + ["};", ""]
    lines += ["inline constexpr MpiFunctionInfo kMpiFunctions[] = {"]
    lines += [f'    {{"{name}", RegionRole::{ROLES[role]}, {may_be_left_out(name, hook)}}},'
              for name, (role, hook, *_) in functions.items()]
    lines += ["};", "", "}  // namespace tarry::measure"]
    (folder / "mpi_functions.hpp").write_text("\n".join(lines) + "\n")

    objects = re.findall(r"extern[^;()]*?\b(ompi_\w+)\s*;", ATTRIBUTE.sub("", pathlib.Path(header_path).read_text()))
    (folder / "mpi_table.hpp").write_text("\n".join(binding_table(functions, sorted(set(objects)))) + "\n")

    lines = ["// Generated by generate.py.", "#include <iterator>", "",
             '#include "measure/mpi/other_tools.hpp"', '#include "measure/mpi/mpi_starter.hpp"',
             '#include "measure/mpi/wrapper_parts.hpp"', "",
             "using namespace tarry;", "using namespace tarry::measure;", ""]
    for name, (_, hook, result, parameters) in functions.items():
        if hook != "custom":
            lines += wrapper(name, hook, result, parameters)
    lines += entry_table(functions)
    (folder / "mpi_wrappers.cpp").write_text("\n".join(lines))


main()
