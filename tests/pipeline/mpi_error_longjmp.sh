# mpi_error_longjmp.sh -- MPI calls that an error handler leaves by longjmp are over then, with functions or without.
# no-san
set -eu
rounds=5 ranks=2
source=$TARRY_ROOT/tests/apps/mpi_error_longjmp.c
"$MPICC" -std=gnu11 -O1 -Wall -Werror -o plain "$source"
tarry instrument "$MPICC" -std=gnu11 -O1 -o functions "$source"

# run_and_check PROGRAM MODE: MODE is what of -s, -t is recorded. Leaves events in PROGRAM.events if there is a trace.
run_and_check() {
  local archive=$1$2
  tarry measure -q $2 -o "$archive" -- mpirun -np $ranks "./$1" $rounds >out
  [ "$(sort -u out)" = $((4 * rounds)) ] || { cat out; echo "$1: not all errors were handled"; exit 1; }
  tarry archive verify "$archive"
  case $2 in *t*) ;; *) return 0 ;; esac
  tarry replay -q --strict "$archive"
  tarry archive dump "$archive" >"$1.events"
  awk '/ ENTER / { ++depth[$1] } / LEAVE / { if (--depth[$1] < 0) bad = 1 } END { exit bad || depth[0] || depth[1] }' \
    "$1.events" ||
    { echo "$1: enters and leaves do not match"; exit 1; }
}

# expect REPORT: the tree on stdin, `visits path` in each line.
expect() {
  tarry cube dump --csv "$1" |
    awk -F, '$1 == "visits" { visits[$2] += $5 } END { for (path in visits) print visits[path], path }' | sort >found
  sort | diff -u - found || { echo "$1: not the call paths that the program has"; exit 1; }
}

errors=$((ranks * rounds)) good=$((ranks * rounds * 4)) settings=$((2 * ranks))
run_and_check plain -st
run_and_check plain -s
TARRY_METRICS=ru_utime run_and_check plain -ts
run_and_check functions -st
for report in plain-st/summary.cubex plain-st/analysis.cubex plain-s/summary.cubex plain-ts/summary.cubex \
  functions-st/summary.cubex functions-st/analysis.cubex; do
  program=${report%%-*}
  around=$program/main/make_rounds
  expect $report <<TREE
$ranks $program
$ranks $program/main
$ranks $program/main/MPI_Init
$ranks $program/main/MPI_Comm_create_errhandler
$settings $program/main/MPI_Comm_set_errhandler
$ranks $around
$errors $around/MPI_Recv
$errors $around/MPI_Recv/jump_away
$errors $around/MPI_Recv/jump_away/MPI_Comm_rank
$errors $around/MPI_Probe
$errors $around/MPI_Probe/jump_away
$errors $around/MPI_Probe/jump_away/MPI_Comm_rank
$errors $around/MPI_Reduce
$errors $around/MPI_Reduce/jump_away
$errors $around/MPI_Reduce/jump_away/MPI_Comm_rank
$errors $around/fail_inside
$errors $around/fail_inside/MPI_Bcast
$errors $around/fail_inside/MPI_Bcast/jump_away
$errors $around/fail_inside/MPI_Bcast/jump_away/MPI_Comm_rank
$good $around/MPI_Allreduce
$ranks $program/main/MPI_Errhandler_free
$ranks $program/main/MPI_Finalize
TREE
done
