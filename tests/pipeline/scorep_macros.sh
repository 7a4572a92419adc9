# scorep_macros.sh -- programs with the macros of Score-P, built by tarry-scorep: what each macro records, in C, C++ and
# Fortran; without --user they are as if they had none.
# no-san
# timeout 240
set -eu
fail() { echo "FAILED: $*"; exit 1; }
apps=$TARRY_ROOT/tests/apps/scorep
headers=$(tarry-scorep-config --headers)

# Compiled as strictly as programs are, without the macros and with them.
for use in "" -DSCOREP_USER_ENABLE; do
  for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    for standard in c99 gnu17; do
      for source in marks marks_more; do
        $compiler -std=$standard -Wall -Wextra -Werror -O1 $use -I"$headers" -c "$apps/$source.c" -o strict.o
      done
    done
  done
  for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    for standard in c++11 c++20; do
      $compiler -std=$standard -Wall -Wextra -Werror -O1 $use -I"$headers" -c "$apps/marks.cpp" -o strict.o
    done
  done
  for source in marks.F90 fixed.F; do
    gfortran -Wall -Wextra -Werror -O1 $use -I"$headers" -c "$apps/$source" -o strict.o
  done
done

# build NAME OPTION... -- COMPILER SOURCE...
build() {
  name=$1
  shift
  tarry-scorep "$@" -O1 -g -o "$name"
}
# visits ARCHIVE: of each call path, instances of a region summed, without the program and without functions of libraries.
visits() {
  tarry cube dump --csv "$1/summary.cubex" | "$PYTHON" -c '
import csv, re, sys
sums = {}
for row in csv.DictReader(sys.stdin):
    if row["metric"] != "visits": continue
    path = re.sub(r"(step|pass|timestep)=(\d+)", r"\1=N", row["callpath"]).partition("/")[2]
    sums[path] = sums.get(path, 0) + int(row["value"])
for path in sorted(sums):
    if path and "pthread" not in path and "std::" not in path: print(sums[path], path)
'
}
expect() {  # expect ARCHIVE <<EXPECTED
  cat >"$1.expected"
  visits "$1" >"$1.visits"
  diff "$1.expected" "$1.visits" || fail "$1: these visits are wrong"
}

# Without --user: no region of the macros, and no need of the recorder for them.
build bare --nouser --nocompiler gcc "$apps/marks.c" "$apps/marks_more.c"
[ "$(tarry measure -q -o bare_run -- ./bare)" = "45 000 1" ] || fail "bare"
! visits bare_run | grep -q . || fail "bare records: $(visits bare_run)"

build marks --user --nocompiler gcc "$apps/marks.c" "$apps/marks_more.c"
[ "$(./marks)" = "45 000 1" ] || fail "marks alone"
[ -z "$(find . -name 'tarry-*')" ] || fail "marks alone has recorded"
[ "$(tarry measure -q -s -t --callpaths off -o marks_run -- ./marks)" = "45 101 1" ] || fail "marks measured"
tarry archive verify marks_run
sized='run/sized/n=512/many=18446744073709551615/layout=blocked'
expect marks_run <<VISITS
1 run
2 run/everywhere
4 run/everywhere/step=N
4 run/everywhere/step=N/inner
4 run/everywhere/step=N/inner/assemble
1 run/part 1
1 run/part 2
1 run/sized
1 run/sized/n=512
1 run/sized/n=512/many=18446744073709551615
1 $sized
1 $sized/assemble
1 run/tried
1 run/tried/assemble
VISITS
tarry cube dump --csv marks_run/summary.cubex | grep -c '^visits,.*/step=[0-3],0,0,1$' | grep -qx 4 || fail "numbers of the steps"
tarry archive info marks_run | grep '^not recorded ' >left_out || fail "nothing is said of topologies"
for one in "topology plane" "topology world" "rewinding tried"; do
  grep -q "$one" left_out || { cat left_out; fail "$one"; }
done
tarry archive info marks_run | grep '^counters .*residual' | grep -q heat || fail "metrics"
tarry replay -q marks_run
tarry report --iterations step marks_run | grep -q step || fail "steps are no iterations"

# With the functions around them.
build functions --user gcc "$apps/marks.c" "$apps/marks_more.c"
[ "$(tarry measure -q -o functions_run -- ./functions)" = "45 101 1" ] || fail "functions"
visits functions_run >all
grep -qx '4 main/run/everywhere/iterate/step=N/inner/assemble/assemble' all || { cat all; fail "functions around regions"; }

# C++: every way out of a scope; each thread counts its passes.
build plus --user --nocompiler g++ "$apps/marks.cpp" -pthread
[ "$(tarry measure -q --callpaths off -o plus_run -- ./plus)" = 45 ] || fail "plus"
visits plus_run >all
for line in '1 main/mode=fast/sum' '1 main/mode=fast/sum/sum' '1 main/mode=fast/fail' '1 main/mode=fast/made here' \
  '3 main/mode=fast/pass=N' '3 main/mode=fast/pass=N/work' '3 pass=N' '3 pass=N/work'; do
  grep -qxF "$line" all || { cat all; fail "C++: no '$line'"; }
done

build ocean --user --nocompiler gfortran "$apps/marks.F90"
[ "$(./ocean)" = "45 FFF" ] || fail "ocean alone"
[ "$(tarry measure -q --callpaths off -o ocean_run -- ./ocean)" = "45 TFT" ] || fail "ocean measured"
expect ocean_run <<'VISITS'
1 run
2 run/everywhere
4 run/everywhere/step=N
4 run/everywhere/step=N/inner
4 run/everywhere/step=N/inner/assemble
1 run/part 1
1 run/sized
1 run/sized/n=512
1 run/sized/n=512/many=1024
1 run/sized/n=512/many=1024/layout=blocked
1 run/sized/n=512/many=1024/layout=blocked/assemble
1 run/tried
1 run/tried/assemble
VISITS
tarry archive info ocean_run | grep '^not recorded ' | grep -q 'rewinding tried' || fail "left out"
tarry archive info ocean_run | grep -q '^counters .*residual' || fail "metrics of Fortran"
build fixed --user --nocompiler gfortran "$apps/fixed.F"
[ "$(tarry measure -q --callpaths off -o fixed_run -- ./fixed)" = 6 ] || fail "fixed"
expect fixed_run <<'VISITS'
1 fixed
3 fixed/timestep=N
VISITS
