#!/usr/bin/env python3
"""wrapped_table.py -- makes the code of a library that stands in front of functions of another one, from a table.

A line of a table is NAME(ARGUMENTS)=SIZES:

  {s,d}gemm_(,,m,n,k,,,,,,,,,+2)=*m,*n,*k      sgemm_ and dgemm_; three sizes, which are given by address; two lengths
  cblas_dgemm(,,,m,n,k,alpha:f,,,,,:f,,)=m,n,k
  fftw_plan_dft(rank,n,,,,)=n[rank]            a size of several numbers

An argument has a name if it is a size, and a kind: none (an integer of 32 bits, or an address), `:l` (an integer of 64
bits), `:f` (a floating-point register), `:sN` (N words on the stack). `+N`: N more that are integers or addresses. The
call is handed on with the arguments as they are, so the table says how many may lie on the stack, and no more of them.
Where that is not exact it has to be too large.

usage: wrapped_table.py TABLE PROCESSOR NAME > NAME.s     (x86_64 or aarch64; NAME is that of the library)
"""
import re
import sys

# Registers for integers and floating-point numbers.
REGISTERS = {"x86_64": (6, 8), "aarch64": (8, 8)}

# What stands in front of the call; the record of the function is in a register that holds no argument.
ENTRIES = {
    "x86_64": "  endbr64\n  leaq {record}(%rip), %r11\n  jmp *tarry_wrapped_call@GOTPCREL(%rip)\n",
    "aarch64": "  hint #34\n  adrp x16, {record}\n  add x16, x16, #:lo12:{record}\n"
               "  adrp x17, :got:tarry_wrapped_call\n  ldr x17, [x17, #:got_lo12:tarry_wrapped_call]\n  br x17\n",
}
CONSTRUCTORS = {
    "x86_64": "  leaq tarry_records(%rip), %rdi\n  leaq tarry_records_end(%rip), %rsi\n"
              "  jmp *tarry_note_wrapped_functions@GOTPCREL(%rip)\n",
    "aarch64": "  adrp x0, tarry_records\n  add x0, x0, #:lo12:tarry_records\n"
               "  adrp x1, tarry_records_end\n  add x1, x1, #:lo12:tarry_records_end\n"
               "  adrp x17, :got:tarry_note_wrapped_functions\n"
               "  ldr x17, [x17, #:got_lo12:tarry_note_wrapped_functions]\n  br x17\n",
}

MOST_STACK_WORDS = 512  # as in wrapped_function.hpp
MOST_SIZES = 6
BY_VALUE, BY_ADDRESS, ARRAY = 0, 1, 2  # WrappedSize::Kind


class WrongLine(Exception):
    """A line of a table that cannot be used."""


class Function:
    """One function: its name, what it has on the stack, and its sizes."""

    def __init__(self, name, arguments, sizes):
        self.name = name
        self.integers = self.floats = self.memory_words = 0
        self.places = {}
        self.knows_places = True
        for text in arguments:
            self.add_argument(text)
        self.sizes = [self.size(text) for text in sizes]

    def add_argument(self, text):
        if re.fullmatch(r"\+\d+", text):
            self.integers += int(text)
            return
        name, _, kind = text.partition(":")
        if kind == "f":
            self.floats += 1
        elif re.fullmatch(r"s\d+", kind):
            words = int(kind[1:])
            self.memory_words += words
            self.integers += words
            self.floats += words
            self.knows_places = False  # what follows may lie anywhere
        elif kind in ("", "l"):
            if name and self.knows_places:
                self.places[name] = (self.integers, 8 if kind == "l" else 4)
            self.integers += 1
        else:
            raise WrongLine(f"argument '{text}'")

    def size(self, text):
        array = re.fullmatch(r"(\w+)\[(\w+)\]", text)
        name = array[1] if array else text.lstrip("*")
        count = array[2] if array else name
        if name not in self.places or count not in self.places or self.places[name][0] > 255:
            raise WrongLine(f"size '{text}'")
        kind = ARRAY if array else BY_ADDRESS if text.startswith("*") else BY_VALUE
        return name, kind, self.places[name][1], self.places[name][0], self.places[count][0]

    def stack_words(self, processor):
        integers, floats = REGISTERS[processor]
        return max(0, self.integers - integers) + max(0, self.floats - floats) + self.memory_words


def expand(text):
    """All texts that {a,b} in it stands for."""
    found = re.search(r"\{([^{}]*)\}", text)
    if not found:
        return [text]
    return [each for part in found[1].split(",") for each in expand(text[:found.start()] + part + text[found.end():])]


def read_line(line):
    found = re.fullmatch(r"([\w{},]+)\(([^()]*)\)(?:=([\w*,\[\]]+))?", line)
    if not found:
        raise WrongLine(line)
    arguments = found[2].split(",") if found[2] else []
    sizes = found[3].split(",") if found[3] else []
    functions = [Function(name, arguments, sizes[:MOST_SIZES]) for name in expand(found[1])]
    if any(each.stack_words("x86_64") > MOST_STACK_WORDS for each in functions):
        raise WrongLine(f"{found[1]}: too much on the stack")
    return functions


def read_table(lines):
    functions = {}
    for number, line in enumerate(lines, 1):
        text = re.sub(r"#.*|\s", "", line)
        try:
            for function in read_line(text) if text else []:
                functions.setdefault(function.name, function)
        except WrongLine as error:
            raise WrongLine(f"line {number}: {error}") from None
    return list(functions.values())


def entry_code(function, number, processor):
    code = ENTRIES[processor].format(record=f"tarry_record_{number}")
    return (f".p2align 4\n.globl {function.name}\n.type {function.name}, %function\n{function.name}:\n"
            f".Lentry{number}:\n  .cfi_startproc\n{code}  .cfi_endproc\n.size {function.name}, . - {function.name}\n")


def record_data(function, number, processor):
    """WrappedFunction of wrapped_function.hpp."""
    words = function.stack_words(processor)
    return (f"tarry_record_{number}:\n  .quad .Lentry{number}, .Lname{number}, .Llibrary, .Lsizes{number}\n"
            f"  .long {len(function.sizes)}, {words}\n  .zero 32\n")


def size_data(function, number):
    """The WrappedSize of a function, and texts."""
    data = f".Lsizes{number}:\n"
    texts = f".Lname{number}: .asciz \"{function.name}\"\n"
    for at, (name, kind, width, argument, count) in enumerate(function.sizes):
        data += f"  .quad .Lsize{number}_{at}\n  .byte {kind}, {width}, {argument}, {count}\n  .zero 4\n"
        texts += f".Lsize{number}_{at}: .asciz \"{name}\"\n"
    return data, texts


def library_code(functions, processor, library):
    """The assembler text of the library."""
    parts = [".text\n"]
    parts += [entry_code(each, number, processor) for number, each in enumerate(functions)]
    parts += ["tarry_begin:\n  .cfi_startproc\n", CONSTRUCTORS[processor], "  .cfi_endproc\n",
              ".section .init_array, \"aw\", %init_array\n.p2align 3\n.quad tarry_begin\n",
              ".data\n.p2align 4\ntarry_records:\n"]
    parts += [record_data(each, number, processor) for number, each in enumerate(functions)]
    described = [size_data(each, number) for number, each in enumerate(functions)]
    parts += ["tarry_records_end:\n.section .data.rel.ro, \"aw\"\n.p2align 3\n"]
    parts += [data for data, _ in described]
    parts += [".section .rodata\n", f".Llibrary: .asciz \"{library}\"\n"]
    parts += [texts for _, texts in described]
    parts += [".section .note.GNU-stack, \"\", %progbits\n"]
    return "".join(parts)


def main():
    _, table, processor, library = sys.argv
    with open(table, encoding="utf-8") as file:
        try:
            functions = read_table(file)
        except WrongLine as error:
            sys.exit(f"{table}: {error}")
    sys.stdout.write(library_code(functions, processor, library))


if __name__ == "__main__":
    main()
