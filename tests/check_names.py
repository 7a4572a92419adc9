#!/usr/bin/env python3
"""Fails if a name that is local to a C++ file can take the place of another file's.

usage: check_names.py     (from the root of the tree)

The Makefile compiles some sources of a library or tool in one go. Then a function in an
unnamed namespace is seen by the files behind it, too. A variable or type of the same name is an error of the compiler. A
function is not: it becomes one more overload, and may fit better than the one that the other file means. So within a
library or tool a local function must not have a name, and parameters that arguments of the other's fit, of

* a local function of another file, or
* a function that a header of the libraries declares outside of classes, if another file calls that name.

Numbers fit each other, and so do texts, and lists. Any argument fits a parameter of a template. Sources are read as
text: comments, literals and bodies are taken away, and what is left of a namespace are its declarations.
"""
import collections
import pathlib
import re
import sys

NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*',
                   re.S | re.M)
NAMESPACE = re.compile(r"\bnamespace(\s+[\w:]+)?\s*\{")
NO_FUNCTION = re.compile(r"\s*(?:using|typedef|struct|class|enum|union|friend|static_assert|asm|extern)\b")
NUMBER = re.compile(r"(unsigned|signed|int|long|short|char|double|float|bool|size_t|ssize_t|u?int(8|16|32|64|ptr)_t|Ticks|Seconds|Bytes)+")
LIST = re.compile(r"(span|vector|initializer_list)<")
WORDS = {"if", "for", "while", "switch", "return", "sizeof", "alignas", "decltype", "requires", "noexcept", "operator",
         "__attribute__"}


def end_of_block(text, begin):
    """Behind the brace that closes the one at `begin`."""
    depth = 0
    for match in re.compile(r"[{}]").finditer(text, begin):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.end()
    return len(text)


def without_template_head(text):
    text = text.lstrip()
    while text.startswith("template"):
        depth = 0
        for i, character in enumerate(text):
            depth += {"<": 1, ">": -1}.get(character, 0)
            if character == ">" and depth == 0:
                text = text[i + 1:].lstrip()
                break
        else:
            return ""
    return text


def split_parameters(text):
    """At the commas outside of brackets."""
    parts, depth = [""], 0
    for character in text:
        depth += character in "<([{"
        depth -= character in ">)]}"
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip() not in ("", "void")]


def family(parameter, template_names):
    """What converts to each other by itself; "" fits all."""
    text = re.sub(r"\b(const|typename|constexpr|volatile)\b|=.*", " ", parameter)
    words = re.findall(r"[\w:]+|[<>*&]", text)
    if words and re.fullmatch(r"\w+", words[-1]) and len(words) > 1:
        words.pop()  # the parameter's name
    kind = "".join(words).replace("&", "").replace("std::", "")
    if kind == "auto" or kind in template_names or kind.endswith("..."):
        return ""
    if NUMBER.fullmatch(kind):
        return "a number"
    if kind in ("string", "string_view", "char*"):
        return "a text"
    return "a list" if LIST.match(kind) else kind


def function_of(declaration):
    """(name, families of its parameters) of a declaration without its body; None if it is not one of a function."""
    plain = re.sub(r"\[\[.*?\]\]", " ", declaration)
    text = without_template_head(plain)
    names = set(re.findall(r"\b(?:class|typename|auto)(?:\.\.\.)?\s+(\w+)", plain[: len(plain) - len(text)]))
    head = text.partition("(")[0]
    if head == text or "=" in head or NO_FUNCTION.match(text):
        return None
    name = re.search(r"([\w:]+)\s*$", head)
    if not name or name.start() == 0 or "::" in name[1] or name[1] in WORDS or name[1].isupper():
        return None
    depth = 0
    for end in range(len(head), len(text)):
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        if depth == 0:
            break
    return name[1], tuple(family(part, names) for part in split_parameters(text[len(head) + 1:end]))


def may_be_mistaken(ours, theirs):
    return len(ours) == len(theirs) and all("" in (one, other) or one == other for one, other in zip(ours, theirs))


def functions_in(text, begin, end, is_local):
    """Names of functions declared in unnamed namespaces (or else in all others) of text[begin:end]."""
    at = begin
    for match in re.compile(r"[;{]").finditer(text, begin, end):
        if match.start() < at:
            continue
        declaration = text[at:match.start()]
        if match[0] == "{":
            closed = end_of_block(text, match.start())
            space = NAMESPACE.search(text[at:match.end()])
            if space and space.end() == match.end() - at:
                if is_local or space[1]:
                    yield from functions_in(text, match.end(), closed - 1, is_local and bool(space[1]))
                at = closed
                continue
            at = closed
        else:
            at = match.end()
        if is_local is not True and (function := function_of(declaration)):
            yield function


def local_functions(text):
    """Those of unnamed namespaces, at any depth of named ones."""
    return set(functions_in(text, 0, len(text), True))


def header_functions(text):
    return set(functions_in(text, 0, len(text), None))


def unit_of(path):
    """What is compiled together: a library, a folder of the recorder, a tool."""
    parts = path.parts
    return "/".join(parts[:3] if parts[:2] == ("lib", "measure") else parts[:2])


def read(path):
    return NOISE.sub(" ", path.read_text(encoding="utf-8"))


def functions_of_headers(root):
    """{name: [(parameters, header)]}, of the libraries."""
    known = collections.defaultdict(list)
    for path in sorted((root / "lib").glob("**/*.hpp")):
        for name, parameters in header_functions(read(path)):
            known[name].append((parameters, path.relative_to(root)))
    return known


def faults_of_unit(texts, known):
    local = {path: local_functions(text) for path, text in texts.items()}
    for path, functions in local.items():
        for name, parameters in sorted(functions):
            for other in (other for other in texts if other > path):
                if any(name == theirs and may_be_mistaken(parameters, of_theirs) for theirs, of_theirs in local[other]):
                    yield f"{path}: {name}() may be mistaken for that of {other}"
            headers = {str(header) for of_theirs, header in known[name] if may_be_mistaken(parameters, of_theirs)}
            call = re.compile(rf"(?<![\w.:>]){name}\s*\(")
            if headers and (callers := [str(other) for other in texts if other != path and call.search(texts[other])]):
                yield f"{path}: {name}() may be taken for that of {', '.join(sorted(headers))} in {callers[0]}"


def faults(root):
    units = collections.defaultdict(dict)
    for folder in ("lib", "tools"):
        for path in sorted((root / folder).glob("**/*.cpp")):
            units[unit_of(path.relative_to(root))][path.relative_to(root)] = read(path)
    known = functions_of_headers(root)
    for texts in units.values():
        yield from faults_of_unit(texts, known)


def main():
    found = list(faults(pathlib.Path(".")))
    print("\n".join(found) if found else "names: ok")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
