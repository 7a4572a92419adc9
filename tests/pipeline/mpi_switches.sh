# mpi_switches.sh -- what a recording leaves out of MPI: between MPI_Pcontrol(0) and (1), by filter rules, by groups.
# mpich
set -u
failed=0
fail() { echo "FAILED: $1"; failed=1; }
. "$TARRY_ROOT/tests/pipeline/checked_screen.bash"
apps=$TARRY_ROOT/tests/apps

# visits RUN FUNCTION: of all ranks.
visits() { tarry cube dump --csv "$1" -m visits | awk -F, -v end="/$2\$" '$2 ~ end {sum += $5} END {print sum + 0}'; }
# expect WHAT FOUND EXPECTED
expect() { [ "$2" = "$3" ] || fail "$1: $2, and not $3"; }

"$MPICC" -O1 -g -o pcontrol "$apps/pcontrol.c" && "$MPICC" -O1 -g -DTOOL -o with_tool "$apps/pcontrol.c" || exit 1
mpirun -np 2 ./with_tool >bare.out 2>bare.err || fail "status of the bare run: $?"
tarry measure -q -t -o off -- mpirun -np 2 ./pcontrol >off.out || fail "status $?"
tarry measure -q -s -o summary -- mpirun -np 2 ./pcontrol >/dev/null || fail "status of the summary: $?"
tarry measure -q -t --pcontrol off -o ignored -- mpirun -np 2 ./pcontrol >/dev/null || fail "status of --pcontrol off: $?"
tarry measure -q -t -o tool -- mpirun -np 2 ./with_tool >tool.out 2>tool.err || fail "status with a tool: $?"
for run in off ignored tool; do tarry replay -q --strict $run || fail "$run is not analysed"; done
expect "barriers of a trace" "$(visits off/analysis.cubex MPI_Barrier)" 10
expect "barriers of a summary" "$(visits summary/summary.cubex MPI_Barrier)" 10
expect "barriers with --pcontrol off" "$(visits ignored/analysis.cubex MPI_Barrier)" 70
expect "barriers beside a tool" "$(visits tool/analysis.cubex MPI_Barrier)" 10
expect "what the tool is told" "$(cat tool.err)" "$(cat bare.err)"
tarry archive dump --rank 0 off | grep -c MEASUREMENT_ON_OFF >switches; expect "switches" "$(cat switches)" 4

# The first screen tells for how long nothing is known.
check_screen off off/analysis.cubex || fail "the first screen is not so"
told=$(tarry cube dump --csv off/analysis.cubex -m time | awk -F, '$2 ~ /MEASUREMENT OFF$/ && $3 == 0 {sum += $5} END {print sum + 0}')
awk -v told="$told" -v measured="$(sed -n 's/^off //p' off.out)" \
  'BEGIN {exit !(told > 0.9 * measured && told < 1.1 * measured)}' || fail "off for $told s, the program says $(cat off.out)"
tarry report off | tr -s ' \n' ' ' | grep -q 'of it while the program had the recording switched off' || fail "the screen says nothing"

if "${MPIFORT:-mpifort}" -O1 -g -o fortran "$apps/pcontrol.f90" 2>fortran.err; then
  tarry measure -q -s -o fortran.run -- mpirun -np 2 ./fortran || fail "Fortran: status $?"
  expect "barriers of Fortran" "$(visits fortran.run/summary.cubex MPI_Barrier)" 6
fi

# Filters and groups. All ranks print what they print without us.
"$MPICC" -O1 -g -o mix "$apps/mpi_mix.c" || exit 1
mpirun -np 3 ./mix | sort >mix.out
# mixed NAME OPTION...: a trace and a summary of the program. Where sends alone are left out, their receives are counted.
mixed() {
  tarry measure -q -t -s -o "$1" "${@:2}" -- mpirun -np 3 ./mix | sort >"$1.out" || fail "$1: status $?"
  cmp -s mix.out "$1.out" || fail "$1 prints something else"
  tarry replay --strict "$1" 2>"$1.err" || grep -q ': 24 records skipped: 24 unmatched receives' "$1.err" ||
    fail "$1 is not analysed"
  check_screen "$1" "$1/analysis.cubex" || fail "the first screen of $1 is not so"
}
# left_out NAME TEXT: what both reports say.
left_out() {
  for report in "$1/analysis.cubex" "$1/summary.cubex"; do
    tarry report "$report" | tr -s ' \n' ' ' | grep -qF "LEFT OUT: calls of MPI, $2:" || fail "$report does not say $2"
  done
}
# calls NAME FUNCTION=VISITS...
calls() {
  for call in "${@:2}"; do expect "$1, ${call%=*}" "$(visits "$1/analysis.cubex" "${call%=*}")" "${call#*=}"; done
}

printf 'SCOREP_REGION_NAMES_BEGIN\nEXCLUDE *\nSCOREP_REGION_NAMES_END\n' >all.filter
printf 'SCOREP_REGION_NAMES_BEGIN\nEXCLUDE MPI_Barrier MPI_*send\nSCOREP_REGION_NAMES_END\n' >some.filter
printf 'SCOREP_REGION_NAMES_BEGIN\nEXCLUDE MPI_*\nINCLUDE MPI_Barrier\nSCOREP_REGION_NAMES_END\n' >one.filter
mixed functions -f all.filter
calls functions MPI_Barrier=24 MPI_Isend=24 MPI_Sendrecv=24
tarry report functions | grep -q 'LEFT OUT' && fail "a filter of functions leaves MPI out"
mixed some -f some.filter
calls some MPI_Barrier=0 MPI_Isend=0 MPI_Irecv=24 MPI_Sendrecv=24 MPI_Waitall=24
left_out some "MPI_Barrier MPI_*send"
mixed one -f one.filter
calls one MPI_Barrier=24 MPI_Irecv=0 MPI_Sendrecv=0 MPI_Iallreduce=0 MPI_Put=0 MPI_Comm_dup=3 MPI_Win_create=3
left_out one "MPI_*"
mixed collective --events mpi:coll
calls collective MPI_Barrier=24 MPI_Iallreduce=24 MPI_Isend=0 MPI_Sendrecv=0 MPI_Put=0 MPI_Comm_size=0 MPI_Wait=24
left_out collective "mpi:p2p mpi:rma mpi:io mpi:other"
tarry measure --events mpi:col -o wrong -- mpirun -np 1 ./mix >wrong.out 2>&1
grep -q "^tarry-measure: --events: 'mpi:col' is not a valid value (all, or lists like mpi:p2p,coll,rma,io,other openmp:" wrong.out || { cat wrong.out; fail "a wrong group"; }
exit $failed
