# overheads.sh -- programs that make each class of overhead on purpose: tarry report --overheads finds as much as they
# measure themselves, and all classes add up to the allocation time exactly, here and in reports of other tools.
# mpich-long
# timed
# no-san
# timeout 300
#
# The outermost functions of OpenMP's tasks are found on the stack, which gives them time that is the barrier's: so
# --callpaths off where tasks are counted with the time around them.
#
# On a busy machine something else may come late, so each class must be right in one of three runs.
set -u
. "$TARRY_ROOT/tests/peer/unpack.bash"
failed=0
apps=$TARRY_ROOT/tests/apps
check() { "$PYTHON" "$TARRY_ROOT/tests/pipeline/check_overheads.py" "$@"; }
flags="-std=gnu11 -O1 -g -Wall -Werror"

# is_right NAME CLASSES: run_NAME N makes NAME-N.json and NAME-N.txt. CLASSES: empty for all that the program tells of.
is_right() {
  local pairs=
  echo "== $1"
  for attempt in 1 2 3; do
    "run_$1" $attempt || { echo "FAILED: $1: status $?"; failed=1; return; }
    pairs="$pairs $1-$attempt.json $1-$attempt.txt"
    check --only "$2" $pairs >"$1.result" && { cat "$1.result"; return; }
  done
  cat "$1.result"
  echo "FAILED: $1"
  failed=1
}

# measure_told TOLD ARGUMENTS OF MEASURE...: what the processes tell goes to the file TOLD.
measure_told() {
  local told=$1
  shift
  rm -f overheads.told
  tarry measure -q "$@" && mv overheads.told "$told"
}

# analyse NAME N OPTIONS OF MEASURE... -- COMMAND...
analyse() {
  local run=$1-$2
  shift 2
  measure_told "$run.txt" -t -o "run-$run" "$@" && tarry replay -q --strict "run-$run" &&
    tarry report --overheads --json "run-$run" >"$run.json"
}

run_mpi() { rm -f overheads.pipe; analyse mpi $1 --io -- mpirun -np 2 ./overheads_mpi ${spawn:-}; }
run_ompt() { analyse ompt $1 -- ./ompt; }
run_opari2() { analyse opari2 $1 --callpaths off -- ./opari2; }
run_teams_ompt() { analyse teams_ompt $1 --callpaths off -- ./teams_ompt; }
run_teams_opari2() { analyse teams_opari2 $1 --callpaths off -- ./teams_opari2; }
run_pthread() { analyse pthread $1 -- ./pthread; }
run_pages() {
  measure_told pages-$1.txt -s -o run-pages-$1 --metrics ru_minflt -- ./pages &&
    tarry report --overheads --json --cost ru_minflt="$(awk '/^cost/ { print $2 }' pages-$1.txt)ns" run-pages-$1 \
      >pages-$1.json
}
run_lost() {
  measure_told serial-$1.txt -s -o run-serial-$1 -- mpirun -np 1 ./lost &&
    measure_told lost-$1.txt -s -o run-lost-$1 -- mpirun -np 2 ./lost &&
    tarry report --overheads --json --reference run-serial-$1 run-lost-$1 >lost-$1.json
}

"$MPICC" $flags -o overheads_mpi "$apps/overheads_mpi.c" &&
  OMPI_CC=clang "${CLANG:-clang}" $flags -fopenmp -o ompt "$apps/overheads_openmp.c" &&
  tarry instrument --user gcc $flags -fopenmp -o opari2 "$apps/overheads_openmp.c" &&
  OMPI_CC=clang "${CLANG:-clang}" $flags -fopenmp -o teams_ompt "$apps/overheads_teams.c" -ldl &&
  tarry instrument --user gcc $flags -fopenmp -o teams_opari2 "$apps/overheads_teams.c" -ldl &&
  "${CC:-cc}" $flags -pthread -o pthread "$apps/overheads_pthread.c" &&
  tarry instrument --user gcc $flags -o pages "$apps/overheads_pages.c" &&
  tarry instrument --user "$MPICC" $flags -o lost "$apps/overheads_lost.c" || exit 1

[ "$TARRY_TEST_MPI" = openmpi ] && spawn=spawn
is_right mpi ""
is_right ompt OLOP_PART,OLOP_UNPAR,OSYN_TASK,OSYN_TBAR,OSYN_TLOCK # to OMPT, making a task takes no time
is_right opari2 ""
is_right teams_ompt OCTRL_FORK # nor a flush
is_right teams_opari2 "$([ "$(uname -m)" = x86_64 ] || echo OCTRL_FORK)"
is_right pthread ""
is_right pages ""
is_right lost ""

# What the source asks for is there, and names that are none; in Fortran, too.
cat >asks.F90 <<'END'
#include <tarry/user.inc>
program asks
  TARRY_REGION_OVERHEADS("first touch", "ODATA_PAGE,COMP,OWRONG")
  call sleep(1)
  TARRY_REGION_END("first touch")
end program
END
tarry instrument --user gfortran -cpp -o asks asks.F90 && tarry measure -q -s -o run-asks -- ./asks &&
  tarry report --overheads --json run-asks >asks.json || failed=1
for report in pages-1 asks; do
  "$PYTHON" - $report.json <<'END' || { echo "FAILED: TARRY_REGION_OVERHEADS: $report"; failed=1; }
import json, sys
found = json.load(open(sys.argv[1]))
wanted, = found["wanted"]
region, = (region for region in found["regions"] if region["region"] == "first touch")
print(wanted["region"], list(wanted["classes"]), wanted["unknown"])
expected = {name: region["classes"].get(name, 0) for name in ("ODATA_PAGE", "COMP")}
sys.exit(wanted["classes"] != expected or wanted["unknown"] != "OWRONG" or not expected["COMP"] > 0)
END
done

# Sums of other tools' reports, and of ours of their traces.
for case in $(unpack_peer_cases zoo-4 sweep3d-4 npb-lu-S-4 npb-cg-S-4 sp-mz-S-2x2 bt-mz-S-2x2); do
  tarry replay -q "$case/traces.otf2" -o "$case/replayed.cubex" || failed=1
  for report in replayed scout profile; do
    tarry report --overheads --json "$case/$report.cubex" >"$case/$report.json" || failed=1
  done
done
check --sums peer/*/*.json || failed=1
exit $failed
