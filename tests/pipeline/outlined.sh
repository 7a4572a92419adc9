# outlined.sh -- compilers make functions of parallel regions and tasks. Reports do not show them: master and workers
# have one path, that of the construct. OMPT (clang) and OPARI2 (GCC), with and without hooks, walks and samples.
# timed
# no-san
# timeout 240
set -u
failed=0
apps=$TARRY_ROOT/tests/apps

# check NAME REPORT [EXPECTED]: visits as the program says; each path is one node; no function of a compiler or runtime.
check() {
  tarry cube sanity "$2.cubex" >"$2.sane" 2>&1 || { cat "$2.sane"; failed=1; }
  tarry cube dump --csv "$2.cubex" | grep -E '^(metric|visits|blocked),' >"$2.csv"
  "$PYTHON" - "$1" "$2.csv" "${3:-/dev/null}" <<'PYTHON' || failed=1
import collections, csv, re, sys
name, report, expected = sys.argv[1:]
sums, nodes, problems, taskloops = collections.Counter(), collections.Counter(), [], set()
for row in csv.DictReader(open(report)):
    path = row["callpath"]
    nodes[tuple(row.values())[:-1]] += 1
    sums[row["metric"], re.sub(r"!\$omp | @[^/]*", "", path.split("/", 1)[-1])] += float(row["value"])
    taskloops.update(re.findall(r"/taskloops/.*/(\S* ?task @\S*?:\d+)$", path))
    if re.search(r"omp_outlined|_omp_(fn|cpyfn)|task_entry|captured_stmt|GOMP_|__kmp|lib[gi]?omp|\+0x", path):
        problems.append(f"a function of the compiler or the runtime: {path}")
problems += [f"{count} nodes: {node}" for node, count in nodes.items() if count > 1]
lines = [line.strip().split(" ", 2) for line in open(expected)]
for word, number, path in lines:
    found, least = sums["visits" if word == "EXPECT" else "blocked", path], float(number)
    if found != least if word == "EXPECT" else found < 0.5 * least:
        problems.append(f"{path}: {word} {number}, found {found}")
if len(taskloops) != (2 if len(lines) > 12 else 0):
    problems.append(f"tasks of two loops are at {taskloops}")
print(*(f"{name}: {problem}" for problem in problems[:20]), sep="\n", end="\n" if problems else "")
sys.exit(bool(problems) or (expected != "/dev/null" and len(lines) not in (12, 15)))
PYTHON
}

run() {
  local name=$1 program=$2
  shift 2
  tarry measure -q "$@" -o "$name" -- "./$program" >"$name.txt" || { echo "$name: status $?"; failed=1; }
  local expected=$name.txt
  grep -q "^EXPECT [0-9]" "$name.txt" || expected=
  case " $* " in *" -s "*) check "$name" "$name/summary" "$expected" ;; esac
  case " $* " in *" -t "*) tarry replay -q --strict "$name" || failed=1; check "$name" "$name/analysis" "$expected" ;; esac
}

# build PROGRAM COMMAND...
build() {
  local program=$1
  shift
  "$@" -g -fopenmp -o "$program" "$source_file" || exit 1
}
source_file=$apps/outlined.c
build clang_plain clang -O0 -DTASKLOOPS
build clang_fast clang -O2 -DTASKLOOPS
build clang_hooks tarry instrument clang -O0 -DTASKLOOPS
build gcc_constructs tarry instrument --user gcc -O2 -DTASKLOOPS
build gcc_hooks tarry instrument gcc -O0 -DTASKLOOPS
for program in clang_plain clang_fast clang_hooks gcc_constructs gcc_hooks; do
  run $program-both $program -s -t
  run $program-sampled $program -s -t --sample 997
done
run gcc_constructs-s gcc_constructs -s

source_file=$apps/openmp_fortran.f90
build fortran tarry instrument --user gfortran -O1
run fortran-both fortran -s -t
exit $failed
