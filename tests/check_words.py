#!/usr/bin/env python3
"""Fails if a document uses private words, long sentences or long lines.

usage: check_words.py [--statistics] [--all] [FILE.md...]     (no file: all documents of the tree)
       check_words.py --help-texts FOLDER                     the same for what the tools in FOLDER print with --help
       check_words.py --code [--all]                          names, comments and lines of C++ sources

A document is held to four rules. Tables, code blocks and link targets are no prose; `code spans` count as one word.

  words      none of the words that only this project used for what the field has a term for (docs/GLOSSARY.md)
  habits     words that make plain sentences hard to read, at most once in 1,000 words
  sentences  at most 25 words
  lines      at most 120 columns; tables, code blocks and what a link's target adds may be longer

Sources are held to all of them but the habits. In their comments, indented lines are drawings or tables and no prose.
Names count word by word: kFoldedCalls holds "folded". Only CODE_FOLDERS must be clean; --all reports on all sources.
"""
import argparse
import pathlib
import re
import statistics
import subprocess
import sys

# Documents that are not held to the rules yet: this list only shrinks.
NOT_YET = set()

# The same for help texts of tools.
HELP_NOT_YET = set()

# Sources that are held to the rules: this list only grows.
CODE_FOLDERS = [
    "lib/analysis", "lib/archive", "lib/base", "lib/convert", "lib/defs", "lib/exchange", "lib/findings", "lib/measure", "lib/replay",
    "lib/report", "lib/score", "lib/summary", "lib/sync", "lib/trace",
    "tests/unit/analysis", "tests/unit/archive", "tests/unit/base", "tests/unit/defs", "tests/unit/exchange",
    "tests/unit/findings", "tests/unit/instrument", "tests/unit/measure", "tests/unit/replay", "tests/unit/report",
    "tests/unit/score", "tests/unit/summary", "tests/unit/sync", "tests/unit/trace", "tests/unit/convert",
    "tests/unit/unify",
    "tools/archive", "tools/instrument", "tools/measure", "tools/replay", "tools/report", "tools/score",
    "tools/trace-merge", "tools/trace-sync", "tools/unify",
]
# Files in these folders that are not done yet: this list only shrinks.
CODE_NOT_YET = {"lib/base/arrays/memory_budget.hpp", "lib/base/arrays/rows.cpp", "lib/base/arrays/rows.hpp", "tools/measure/main.cpp"}
ALL_CODE = ["lib", "tools", "tests", "bench"]

MAX_WORDS, MAX_COLUMNS, WORDS_PER_HABIT = 25, 120, 1000

# Private word -> the field's.
BANNED = {
    r"in vain": "unsuccessful",
    r"(?<!--)(?:un)?fold(?:s|ed|ing)?": "coalesce, or add to the parent",
    r"unit(?:e|es|ed|ing)": "unify",
    r"lanes?": "per-thread state",
    r"parcels?": "message buffer",
    r"quirks?": "compatibility switch",
}
HABITS = {
    r"stands?": "is",
    r"says?": "prints, reports, defines",
    r"nobody": "no process, no thread",
    r"whom": "name the actor",
}

ABBREVIATION = re.compile(r"(?:\be\.g|\bi\.e|\bet al|\bcf|\bvs)\.$")
INITIAL = re.compile(r"\b[A-Z]\.$")
# What follows a single letter that ends a sentence, as opposed to the initial of a name.
STARTERS = set("A An As At By Each For From If In It Its No Of On That The Then They This Where".split())
FENCE = re.compile(r"^\s*(```|~~~)")
# What a test's source tells the script that runs it.
DIRECTIVE = re.compile(r"\s*(?:expect|usage): ")
ITEM = re.compile(r"^\s*(?:[*+-]|\d+\.)\s+")


def code_lines(lines):
    """For each line whether it is code: between fences, or indented by four columns after an empty line."""
    fenced = indented = False
    for number, line in enumerate(lines):
        if FENCE.match(line):
            fenced = not fenced
            yield True
            continue
        if line.strip():
            indented = line.startswith("    ") and (indented or number == 0 or not lines[number - 1].strip())
        yield fenced or indented


def plain(text):
    """Markdown without targets of links, pictures and marks; a code span becomes one word."""
    text = re.sub(r"``.+?``|`[^`]+`", "CODE", text)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"<?https?://[^\s>]+>?", "LINK", text)
    return text.replace("**", "").replace("*", "")


def paragraphs(text):
    """(number of the first line, prose) of each paragraph and list item of a document."""
    lines = text.splitlines()
    start, held = 0, []
    for number, (line, is_code) in enumerate(zip(lines, code_lines(lines)), 1):
        is_prose = bool(line.strip()) and not is_code and not line.lstrip().startswith(("|", "#", "!["))
        if held and (not is_prose or ITEM.match(line)):
            yield start, plain(" ".join(held))
            held = []
        if is_prose:
            if not held:
                start = number
            held.append(ITEM.sub("", line).strip())
    if held:
        yield start, plain(" ".join(held))


def sentences(prose):
    """Splits at full stops, question and exclamation marks in front of white space."""
    start = 0
    for mark in re.finditer(r"[.!?][)\"]?(?=\s)", prose):
        sentence, follower = prose[start:mark.end()], (prose[mark.end():].split(None, 1) or [""])[0]
        if not ABBREVIATION.search(sentence) and (not INITIAL.search(sentence) or follower in STARTERS):
            yield sentence.strip()
            start = mark.end()
    if prose[start:].strip():
        yield prose[start:].strip()


def words_of(sentence):
    return [word for word in sentence.split() if re.search(r"\w", word)]


def matches(words, text):
    for pattern, better in words.items():
        for match in re.finditer(rf"\b(?:{pattern})\b", text, re.I):
            yield match.group(), better


def check_banned(name, text):
    lines = text.splitlines()
    for number, (line, is_code) in enumerate(zip(lines, code_lines(lines)), 1):
        if not is_code:
            for found, better in matches(BANNED, plain(line)):
                yield f"{name}:{number}: \"{found}\": write {better}"


def check_habits(name, text):
    """Titles of sections are names, also where another section quotes them."""
    found, total = [], 0
    for start, prose in paragraphs(text):
        total += len(words_of(prose))
        found += [(start, *match) for match in matches(HABITS, re.sub(r"\"[^\"]*\"", "TITLE", prose))]
    if len(found) > 1 + total // WORDS_PER_HABIT:
        for start, word, better in found:
            yield f"{name}:{start}: \"{word}\" is a habit: {better}"


def check_sentences(name, text):
    for start, prose in paragraphs(text):
        for sentence in sentences(prose):
            count = len(words_of(sentence))
            if count > MAX_WORDS:
                yield f"{name}:{start}: {count} words: {sentence[:60]}..."


def check_lines(name, text):
    lines = text.splitlines()
    for number, (line, is_code) in enumerate(zip(lines, code_lines(lines)), 1):
        visible = re.sub(r"\]\([^)]*\)", "]", line)
        if len(visible) > MAX_COLUMNS and not is_code and not line.lstrip().startswith("|"):
            yield f"{name}:{number}: {len(visible)} columns"


def complaints(name, text):
    yield from check_banned(name, text)
    yield from check_habits(name, text)
    yield from check_sentences(name, text)
    yield from check_lines(name, text)


def statistics_of(name, text):
    lengths = [len(words_of(s)) for _, prose in paragraphs(text) for s in sentences(prose) if words_of(s)]
    long = sum(length > MAX_WORDS for length in lengths)
    median = statistics.median(lengths) if lengths else 0
    return f"{name}: {len(lengths)} sentences, median {median:g}, longest {max(lengths, default=0)}, {long} too long"


def documents():
    return [str(path) for path in sorted(pathlib.Path(".").glob("*.md")) + sorted(pathlib.Path("docs").glob("*.md"))]


def help_of(*command):
    shown = subprocess.run([*command, "--help"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    return shown.stdout


def help_texts(folder):
    """(name, text) of what each tool and each of its operations print with --help."""
    for tool in sorted(pathlib.Path(folder).glob("tarry-*")):
        if tool.suffix or tool.name in HELP_NOT_YET or tool.name in ("tarry-cc", "tarry-cxx", "tarry-fc"):
            continue
        text = help_of(tool)
        yield tool.name, text
        operations = re.search(r"^Operations:\n((?:  .*\n)*)", text, re.M)
        for operation in re.findall(r"^  (\S+)", operations.group(1), re.M) if operations else []:
            yield f"{tool.name} {operation}", help_of(tool, operation)


def help_paragraphs(text):
    """A help text as the other checks take it: without examples; each option and each section is a paragraph."""
    text = re.sub(r"\nExamples?:\n(?:  .*\n|\n(?=  ))*", "\n", text)
    text = re.sub(r"^ {2}(?=-|\S.*? {2,}\S).*?(?: {2,}|\n {8,})", "\n", text, flags=re.M)
    return re.sub(r"^(?=[A-Z][A-Za-z ]*:)", "\n", text, flags=re.M)


def check_help(folder):
    for name, text in help_texts(folder):
        yield from check_banned(name, text)
        yield from check_sentences(name, help_paragraphs(text))


def is_drawing(line, in_item):
    """Lines of a comment that are indented draw or list something, unless they continue an item."""
    return line.startswith("  ") and not in_item


def comments_of(source):
    """(number of the first line, prose) of each paragraph and item of // comments; also of those behind code."""
    start, column, held = 0, 0, []
    for number, line in enumerate(source.splitlines() + [""], 1):
        alone = re.match(r"^\s*//+<?(?: (.*))?$", line)
        behind = None if alone else re.search(r"\s//+<? ([^\"]*)$", line)
        text = (alone.group(1) or "") if alone else behind.group(1) if behind else ""
        in_item = bool(held and ITEM.match(held[0]))
        is_prose = bool(text.strip()) and not is_drawing(text, in_item) and not DIRECTIVE.match(text)
        if held and (not is_prose or behind or line.find("//") != column or ITEM.match(text)):
            yield start, plain(ITEM.sub("", " ".join(line.strip() for line in held)))
            held = []
        if is_prose:
            if not held:
                start, column = number, behind.start() + 1 if behind else line.find("//")
            held.append(text)


def words_of_names(line):
    """A line of code with the words of its names apart: kFoldedCalls and folded_calls become "folded calls"."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", line).replace("_", " ")


def check_source(path):
    source = path.read_text()
    for number, line in enumerate(source.splitlines(), 1):
        if len(line) > MAX_COLUMNS:
            yield f"{path}:{number}: {len(line)} columns"
        for found, better in matches(BANNED, words_of_names(line)):
            yield f"{path}:{number}: \"{found}\": write {better}"
    for start, text in comments_of(source):
        for sentence in sentences(text):
            if len(words_of(sentence)) > MAX_WORDS:
                yield f"{path}:{start}: {len(words_of(sentence))} words: {sentence[:60]}..."


def check_code(folders, left_out):
    for folder in folders:
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if path.suffix in (".cpp", ".hpp", ".h", ".c") and path.is_file() and str(path) not in left_out:
                yield from check_source(path)


def main():
    parser = argparse.ArgumentParser(description="Checks words, sentences and lines of documents.")
    parser.add_argument("files", nargs="*", metavar="FILE.md")
    parser.add_argument("--statistics", action="store_true", help="print the lengths of sentences of each document")
    parser.add_argument("--all", action="store_true", help="check what is not done yet, too")
    parser.add_argument("--help-texts", metavar="FOLDER", help="check what the tools of this folder print with --help")
    parser.add_argument("--code", action="store_true", help="check C++ sources")
    options = parser.parse_args()

    names = options.files or [name for name in documents() if options.all or name not in NOT_YET]
    if options.statistics:
        for name in options.files or documents():
            print(statistics_of(name, pathlib.Path(name).read_text()))
        return 0
    if options.code:
        found = list(check_code(ALL_CODE, set()) if options.all else check_code(CODE_FOLDERS, CODE_NOT_YET))
    elif options.help_texts:
        found = list(check_help(options.help_texts))
    else:
        found = [line for name in names for line in complaints(name, pathlib.Path(name).read_text())]
    print("\n".join(found) if found else "words: ok")
    return 1 if found else 0


sys.exit(main())
