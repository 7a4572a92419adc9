"""Builds small OpenMP programs with GCC, bare and with `tarry instrument`: the same output, whatever OPARI2 makes of them.

Each case says whether its constructs are recorded. Where OPARI2 cannot read a source, misreads it, or writes what does
not compile, one line says so, and the program is built from the source itself."""
import os
import subprocess
import sys

RECORDED, REFUSED = "recorded", "refused"

C = "#include <stdio.h>\n#include <omp.h>\nint main(void) {\n  int sum = 0;\n%s\n  printf(\"%%d\\n\", sum);\n  return 0;\n}\n"
ADD = "#pragma omp atomic\nsum += %s;\n"


def team(pragma, body):
    return "#pragma omp %s num_threads(2)\n{\n%s}\n" % (pragma, body)


def tasks(clauses, before=""):
    body = "%s#pragma omp single\nfor (int i = 0; i < 4; i++)\n#pragma omp task %s\n{\n%s}\n" % (before, clauses, ADD % "i")
    return team("parallel", body)


# name: (suffix, source, sum, what happens)
CASES = {
    "untied_priority": ("c", C % tasks("untied priority(i)"), 6, RECORDED),
    "priority_untied": ("c", C % tasks("priority(i), untied, final(i > 1)"), 6, RECORDED),
    "untied_depend": ("c", C % tasks("firstprivate(i) untied depend(inout: sum) mergeable"), 6, RECORDED),
    "if_modifier": ("c", C % (team("parallel if(parallel: 1)", "#pragma omp single\n{\n#pragma omp task if(task: 0)\nsum += 5;\n#pragma omp taskwait\n}\n")), 5, RECORDED),
    "iterator": ("c", C % ("int a[4] = {0};\n" + team("parallel", "#pragma omp single\n{\nfor (int k = 0; k < 4; k++)\n#pragma omp task depend(out: a[k]) firstprivate(k)\na[k] = k;\n#pragma omp task depend(iterator(int i = 0:4), in: a[i])\nfor (int k = 0; k < 4; k++) sum += a[k];\n}\n")), 6, RECORDED),
    "in_reduction": ("c", C % team("parallel", "#pragma omp single\n#pragma omp taskgroup task_reduction(+: sum)\n{\nfor (int i = 0; i < 4; i++)\n#pragma omp task in_reduction(+: sum) firstprivate(i)\nsum += i;\n}\n"), 6, RECORDED),
    "masked": ("c", C % team("parallel", "#pragma omp masked filter(1)\nsum += 7;\n#pragma omp barrier\n#pragma omp scope reduction(+: sum)\nsum += 1;\n#pragma omp error at(execution) severity(warning) message(\"so\")\n").replace("#pragma omp error", "#pragma omp nothing\n//"), 9, RECORDED),
    "continued": ("c", C % "#pragma omp parallel \\\n  num_threads(2) \\\n  reduction(+ : sum)\nsum += 1;\n", 2, RECORDED),
    "operator": ("c", C % "_Pragma(\"omp parallel num_threads(2)\")\n{\n_Pragma(\"omp critical\")\nsum += 1;\n}\n" + "", 2, None),
    "feature_macro": ("c", "#define _GNU_SOURCE\n#include <sched.h>\n" + C % ("cpu_set_t set;\nCPU_ZERO(&set);\nsum = sched_getcpu() < 0;\n" + team("parallel", ADD % 1)), 2, RECORDED),
    "file_and_line": ("c", C % ("printf(\"%s %d\\n\", __FILE__, __LINE__);\n" + team("parallel", ADD % 1) + "printf(\"%s %d\\n\", __FILE__, __LINE__);\n#line 7 \"other.y\"\n" + team("parallel", ADD % 1) + "printf(\"%s %d\\n\", __FILE__, __LINE__);\n"), 4, RECORDED),
    "crlf": ("c", (C % team("parallel", ADD % 1)).replace("\n", "\r\n"), 2, RECORDED),
    "strict_flags": ("c", C % team("parallel", ADD % 1), 2, RECORDED),
    "brace_in_line": ("c", C % "#pragma omp parallel num_threads(2)\n{\n#pragma omp critical\nsum += 1; }\n", 2, REFUSED),
    "macro_loop": ("c", C % ("#define LOOP(n) for (int i = 0; i < (n); i++)\n#pragma omp parallel for reduction(+ : sum)\nLOOP(10) sum += i;\n#pragma omp parallel num_threads(2)\n#pragma omp for\nLOOP(10) {\n" + ADD % "i" + "}\n"), 90, REFUSED),
    "macro_statement": ("c", C % "#define INC(x) x++;\nint last = 0;\n#pragma omp parallel num_threads(2)\n#pragma omp master\nINC(sum)\nlast++;\nsum += last;\n", 2, REFUSED),
    "if_else": ("c", C % "#pragma omp parallel num_threads(2)\n#pragma omp critical\nif (sum)\nsum++;\nelse\nsum += 10;\nsum *= 2;\n", 22, REFUSED),
    "loop": ("c", C % "#pragma omp parallel loop num_threads(2) reduction(+ : sum)\nfor (int i = 0; i < 10; i++) sum += i;\n", 45, REFUSED),
    "taskloop": ("c", C % "#pragma omp parallel masked taskloop num_threads(2) reduction(+ : sum)\nfor (int i = 0; i < 10; i++) sum += i;\n", 45, REFUSED),
    "ordered_depend": ("c", C % "#pragma omp parallel for ordered(1) num_threads(2)\nfor (int i = 1; i < 4; i++) {\n#pragma omp ordered depend(sink : i - 1)\nsum += i;\n#pragma omp ordered depend(source)\n}\n", 6, REFUSED),
    "scan": ("c", C % "int a[4];\n#pragma omp parallel for reduction(inscan, + : sum)\nfor (int i = 0; i < 4; i++) {\nsum += i;\n#pragma omp scan inclusive(sum)\na[i] = sum;\n}\nsum += a[3];\n", 12, REFUSED),
    "cancel": ("c", C % ("#pragma omp parallel num_threads(2)\n#pragma omp for\nfor (int i = 0; i < 4; i++) {\n#pragma omp cancel for if (i > 9)\n" + ADD % "i" + "}\n"), 6, REFUSED),
    "own_names": ("c", C % ("int pomp2_num_threads = 3;\n" + team("parallel", ADD % "pomp2_num_threads")), 6, REFUSED),
    "raw_string": ("cpp", C % ("const char* text = R\"x(\n#pragma omp parallel\n{ \" ' // /*\n)x\";\nsum += text[0] == '\\n';\n" + team("parallel", ADD % 1)), 3, REFUSED),
    "separators": ("cpp", C % ("int big = 1'000'000, odd = 1'0;\nsum += big / 100'000 + odd;\n" + team("parallel", ADD % 1)), 22, REFUSED),
    "lambda": ("cpp", C % "auto run = [&](int n) {\n#pragma omp parallel for reduction(+ : sum)\nfor (int i = 0; i < n; i++) sum += [](int x) { return x; }(i);\n};\nrun(10);\n", 45, REFUSED),
    "range_for": ("cpp", C % ("int a[4] = {1, 2, 3, 4};\n#pragma omp parallel for\nfor (int& x : a) {\n" + ADD % "x" + "}\n"), 10, RECORDED),
    "attributes": ("cpp", C % "[[omp::directive(parallel num_threads(2))]]\n{\n[[omp::directive(critical)]]\nsum += 1;\n}\n", 2, None),
    "template_member": ("cpp", "template <int N> struct S {\n  int v = 0;\n  int run() {\n    #pragma omp parallel num_threads(N)\n    {\n      #pragma omp critical\n      { v += N; }\n    }\n    return v;\n  }\n};\n" + C % "sum = S<3>{}.run();\n", 9, RECORDED),
    "try_catch": ("cpp", C % "#pragma omp parallel num_threads(2)\ntry { throw 1; } catch (int x) {\n#pragma omp atomic\nsum += x;\n}\n", 2, REFUSED),
}
FORTRAN = """program p
implicit none
integer :: s, i
s = 0
!$omp parallel num_threads(2)
!$omp single
do i = 1, 4
!$omp task firstprivate(i) shared(s) untied priority(i)
!$omp atomic
s = s + i
!$omp end task
end do
!$omp end single
!$omp end parallel
print '(i0)', s
end program
"""
SUBMODULE = """module a
 interface
  module subroutine s(x)
   integer, intent(inout) :: x
  end subroutine
 end interface
end module
submodule (a) b
contains
 module procedure s
 !$omp parallel num_threads(2)
 !$omp critical
 x = x + 1
 !$omp end critical
 !$omp end parallel
 end procedure
end submodule
program p
 use a
 integer :: x = 0
 call s(x)
 print '(i0)', x
end program
"""
CASES["fortran_untied"] = ("f90", FORTRAN, 10, RECORDED)
CASES["submodule"] = ("f90", SUBMODULE, 2, REFUSED)
# Nothing here makes the compiler complain that OPARI2's variables are not declared.
CASES["submodule_alone"] = ("f90", SUBMODULE.replace(" !$omp parallel num_threads(2)\n", "").replace(" !$omp end parallel\n", ""), 1, REFUSED)

COMPILERS = {"c": ["gcc"], "cpp": ["g++", "-std=c++20"], "f90": ["gfortran"]}
FLAGS = {"strict_flags": "-std=c11 -pedantic -Wall -Wextra -Werror -Wmissing-prototypes -Wstrict-prototypes".split()}


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **more)


def check(name):
    suffix, source, total, happens = CASES[name]
    with open("src/%s.%s" % (name, suffix), "w", newline="") as file:
        file.write(source)
    compiler = COMPILERS[suffix] + FLAGS.get(name, []) + ["-fopenmp"]
    words = ["src/%s.%s" % (name, suffix), "-o"]
    bare = run(compiler + words + [name + ".bare"])
    if bare.returncode:
        return "this compiler does not know it"
    built = run(["tarry", "instrument", "--user"] + compiler + words + [name])
    if built.returncode:
        return "FAILED: does not build: " + built.stderr[:500]
    lines = [line for line in built.stderr.splitlines() if line not in bare.stderr.splitlines()]
    if len(lines) != (1 if happens == REFUSED else 0) or any("tarry-instrument: warning: src/" not in x for x in lines):
        return "FAILED: other messages: %r" % lines
    wanted, alone = run(["./%s.bare" % name]), run(["./" + name])
    measured = run(["tarry", "measure", "-q", "-s", "-t", "-o", "run-" + name, "--", "./" + name])
    if wanted.stdout.split()[-1] != str(total):
        return "FAILED: the case is wrong: " + wanted.stdout
    for what, got in (("alone", alone), ("measured", measured)):
        if (got.returncode, got.stdout) != (wanted.returncode, wanted.stdout):
            return "FAILED: %s: %d %r instead of %r" % (what, got.returncode, got.stdout, wanted.stdout)
    if happens == RECORDED and "!$omp" not in run(["tarry", "cube", "calltree", "run-" + name]).stdout:
        return "FAILED: no construct is recorded"
    return "ok"


def main():
    os.mkdir("src")
    results = {name: check(name) for name in (sys.argv[1:] or CASES)}
    for name, result in results.items():
        if result != "ok":
            print("%s: %s" % (name, result))
    compiled = sum(result == "ok" for result in results.values())
    sys.exit(any("FAILED" in result for result in results.values()) or compiled < 20)


main()
