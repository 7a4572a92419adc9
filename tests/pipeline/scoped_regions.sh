# scoped_regions.sh -- guards of tarry/user.h in C++ last until the end of their block, with each compiler and level.
# no-san
set -eu
source=$TARRY_ROOT/tests/apps/instrumented/scoped.cpp
fail() { echo "FAILED: $*"; exit 1; }

# Visits of each region of the user, below the last of them; functions of the program and of lambdas left out.
visits() {
  tarry cube dump --csv "$1/summary.cubex" | "$PYTHON" -c '
import csv, re, sys
marked = re.compile(r"block|step=N|work|branch|lambda|twice|thrown|early|inner\(\)")
sums = {}
for row in csv.DictReader(sys.stdin):
    if row["metric"] != "visits": continue
    names = [re.sub(r"=\d+", "=N", name) for name in row["callpath"].split("/")]
    names = [name for name in names if marked.fullmatch(name)]
    last = row["callpath"].split("/")[-1]
    if names and marked.fullmatch(re.sub(r"=\d+", "=N", last)):
        path = "/".join(names).replace("()", "")
        sums[path] = sums.get(path, 0) + int(row["value"])
for path in sorted(sums): print(sums[path], path)
'
}
cat >functions.paths <<'PATHS'
1 block
1 block/inner
2 branch
1 early
1 early/inner
2 inner
1 lambda
1 lambda/inner
3 step=N
3 step=N/work
3 step=N/work/inner
1 thrown
1 thrown/inner
2 twice
2 twice/inner
PATHS
grep -v inner functions.paths >user.paths

try() {  # try NAME EXPECTED OPTIONS COMPILER FLAGS...
  name=$1 expected=$2 options=$3
  shift 3
  tarry instrument $options "$@" -o "$name" "$source" || fail "$name does not build"
  [ "$("./$name")" = "scoped 11" ] || fail "$name alone"
  tarry measure -q -s -t -o "run-$name" -- "./$name" >out
  tarry archive verify "run-$name" >/dev/null
  ! tarry cube dump --csv "run-$name/summary.cubex" | grep -q tarry_detail || fail "$name: a guard is in call paths"
  visits "run-$name" | diff "$expected" - || fail "$name: these visits are wrong"
}

for level in 0 1 2 3 s; do try gcc-O$level functions.paths "" g++ -O$level; done
try gcc-user user.paths --user g++ -O0
try gcc-apart functions.paths "" g++ -O2 -fno-inline
try gcc-11 functions.paths "" g++ -O0 -std=gnu++11
if command -v clang++ >/dev/null; then
  for level in 0 2; do
    try clang-O$level functions.paths "" clang++ -O$level
    try clang-inlined-O$level functions.paths --inlined clang++ -O$level
  done
  try clang-user user.paths --user clang++ -O0
fi
