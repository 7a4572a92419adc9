#!/usr/bin/env python3
"""Fails if a file uses a name of the standard library and reaches no header of the standard that has it.

usage: check_includes.py     (from the root of the tree)

A compiler takes such a file for as long as some other header of the standard brings the name along, which differs from
one release of it to the next. What a header of this tree includes counts for all that include the header; what the
force-included and the precompiled ones include does not count.
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.M)
NOT_CODE = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])\'|//[^\n]*|/\*.*?\*/', re.S)
USE = re.compile(r"\bstd::((?:ranges::|this_thread::)?\w+)")
INTEGER = re.compile(r"(?<![\w.])(?:std::)?u?int(?:8|16|32|64|ptr|max)_t\b")

# names of std -> the headers of which one is needed
NAMED = {
    "algorithm": """sort stable_sort partial_sort nth_element min max minmax clamp min_element max_element
        minmax_element find_if find_if_not find_first_of find_end adjacent_find count count_if all_of any_of none_of
        lower_bound upper_bound equal_range binary_search reverse rotate unique remove_if remove_copy_if replace
        replace_if fill fill_n transform copy copy_if copy_n copy_backward for_each generate is_sorted mismatch equal
        lexicographical_compare set_union set_intersection set_difference includes inplace_merge partition
        stable_partition partition_point push_heap pop_heap make_heap sort_heap next_permutation shuffle search
        ranges::sort ranges::stable_sort ranges::min ranges::max ranges::minmax ranges::find ranges::find_if
        ranges::find_if_not ranges::count ranges::count_if ranges::all_of ranges::any_of ranges::none_of
        ranges::lower_bound ranges::upper_bound ranges::equal_range ranges::binary_search ranges::reverse
        ranges::unique ranges::fill ranges::transform ranges::copy ranges::copy_if ranges::for_each
        ranges::is_sorted ranges::equal ranges::max_element ranges::min_element ranges::partition
        ranges::set_difference ranges::includes ranges::contains ranges::replace ranges::adjacent_find
        ranges::mismatch ranges::search ranges::starts_with ranges::rotate ranges::nth_element ranges::remove_if
        ranges::lexicographical_compare""",
    "numeric": "accumulate iota partial_sum inclusive_scan exclusive_scan reduce gcd lcm midpoint adjacent_difference",
    "array": "array to_array",
    "atomic": "atomic atomic_ref memory_order_relaxed memory_order_acquire memory_order_release memory_order_seq_cst",
    "bit": "bit_cast popcount countr_zero countl_zero bit_width bit_ceil bit_floor endian has_single_bit",
    "charconv": "from_chars to_chars",
    "cmath": "sqrt pow log log2 log10 exp floor ceil round llround lround isfinite isnan isinf fabs hypot fmod nextafter",
    "condition_variable": "condition_variable",
    "deque": "deque",
    "exception": "exception_ptr current_exception rethrow_exception",
    "chrono": "chrono",
    "filesystem": "filesystem",
    "fstream": "ifstream ofstream fstream",
    "functional": "function reference_wrapper hash greater less plus invoke ref cref bind_front",
    "iomanip": "setprecision setw setfill quoted",
    "iostream": "cout cerr cin clog",
    "limits": "numeric_limits",
    "list": "list",
    "map": "map multimap",
    "memory": "unique_ptr shared_ptr weak_ptr make_unique make_shared enable_shared_from_this addressof",
    "mutex": "mutex lock_guard unique_lock scoped_lock call_once once_flag",
    "optional": "optional nullopt make_optional",
    "queue": "queue priority_queue",
    "random": "mt19937 mt19937_64 uniform_int_distribution uniform_real_distribution normal_distribution random_device",
    "regex": "regex smatch cmatch regex_match regex_search regex_replace",
    "set": "set multiset",
    "span": "span as_bytes as_writable_bytes",
    "sstream": "ostringstream istringstream stringstream",
    "stack": "stack",
    "stdexcept": "runtime_error logic_error invalid_argument out_of_range length_error domain_error overflow_error",
    "string": "string to_string stoi stol stoul stoull stod getline",
    "thread": "thread jthread this_thread::sleep_for this_thread::yield this_thread::get_id",
    "tuple": "tuple tie make_tuple forward_as_tuple",
    "typeinfo": "type_info bad_cast",
    "unordered_map": "unordered_map unordered_multimap",
    "unordered_set": "unordered_set",
    "variant": "variant visit get_if holds_alternative monostate",
    "vector": "vector",
}
OTHERS = {  # names that several headers have
    "string_view": ["string_view", "string"],
    "pair": ["utility", "map", "unordered_map", "tuple"], "make_pair": ["utility", "map", "unordered_map"],
    "exchange": ["utility"], "swap": ["utility", "algorithm", "string_view", "memory", "vector", "string"],
    "as_const": ["utility"], "cmp_less": ["utility"], "in_range": ["utility"], "index_sequence": ["utility"],
    "initializer_list": ["initializer_list", "vector", "string", "map", "set", "array", "algorithm", "utility"],
    "back_inserter": ["iterator"], "inserter": ["iterator"], "istreambuf_iterator": ["iterator"],
    "ostream": ["ostream", "iosfwd", "iostream", "sstream", "fstream", "istream"],
    "istream": ["istream", "iosfwd", "iostream", "sstream", "fstream"],
    "is_same_v": ["type_traits"], "decay_t": ["type_traits"], "conditional_t": ["type_traits"],
    "is_trivially_copyable_v": ["type_traits"], "remove_cvref_t": ["type_traits"], "underlying_type_t": ["type_traits"],
    "views": ["ranges"], "ranges::views": ["ranges"], "errc": ["system_error", "charconv"],
}
HEADERS = {name: [header] for header, names in NAMED.items() for name in names.split()} | OTHERS
INTEGER_HEADERS = {"cstdint", "stdint.h", "inttypes.h", "cinttypes"}


class Tree:
    """The files of this tree and what they include."""

    def __init__(self):
        self.known = {}

    def file(self, name, path):
        """The file of this tree that an include of `path` names, or None."""
        tool = pathlib.Path("tools", *path.parts[(1 if path.parts[0] == "tools" else 2):][:1])
        for folder in ("lib", ".", path.parent, tool, "lib/measure/user"):
            if pathlib.Path(folder, name).is_file():
                return pathlib.Path(folder, name)
        return None

    def outside(self, path):
        """The headers from outside that a file reaches."""
        if path not in self.known:
            self.known[path] = reached = set()
            for name in INCLUDE.findall(path.read_text()):
                own = self.file(name, path)
                reached |= self.outside(own) if own else {name}
        return self.known[path]


def complaints(path, tree):
    code = NOT_CODE.sub(" ", path.read_text())
    reached = tree.outside(path)
    missing = {}
    for name in USE.findall(code):
        needed = HEADERS.get(name)
        if needed and reached.isdisjoint(needed):
            missing.setdefault(needed[0], "std::" + name)
    found = INTEGER.search(code)
    if found and reached.isdisjoint(INTEGER_HEADERS):
        missing["cstdint"] = found[0]
    return [f"{path}: {name} needs <{header}>" for header, name in sorted(missing.items())]


def main():
    tree = Tree()
    found = []
    for folder in ("lib", "tools", "tests", "bench"):
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if path.suffix in (".cpp", ".hpp"):
                found += complaints(path, tree)
    print("\n".join(found) if found else "includes: ok")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
