# real_program.bash -- runs a program nobody here wrote, plain and measured, and compares; sourced by hpcc.sh, lammps.sh.

# compare_measured FILTER OUTPUT COMMAND...: COMMAND writes to stdout and perhaps to file OUTPUT ("" if not). FILTER
# prints of its stdin what must not depend on timing. Leaves archive ./run, replays it and expects MPI time in the report.
compare_measured() {
  local filter=$1 output=$2 stream
  shift 2
  "$@" >plain.stdout 2>plain.stderr || { echo "the plain run fails"; cat plain.stderr; return 1; }
  if [ -n "$output" ]; then mv "$output" plain.output; fi
  # The end of our own report goes to stderr, so that stdout is the program's.
  tarry measure -s -t -o run -- "$@" >measured.stdout 2>measured.stderr ||
    { echo "the measured run gives status $?"; cat measured.stderr; return 1; }
  if [ -n "$output" ]; then mv "$output" measured.output; fi
  for stream in stdout output; do
    [ -e plain.$stream ] || continue
    "$filter" <plain.$stream >plain.$stream.kept
    "$filter" <measured.$stream >measured.$stream.kept
    diff -u plain.$stream.kept measured.$stream.kept || { echo "$stream differs"; return 1; }
  done
  wc -l plain.*.kept
  test -s run/summary.cubex || { echo "no summary"; return 1; }
  tarry archive verify run && tarry replay run && tarry cube dump --csv run/analysis.cubex >analysis.csv || return 1
  for rank in 0 1 2 3; do
    grep -q "^mpi,[^,]*/MPI_[A-Za-z]*,$rank,0," analysis.csv || { echo "rank $rank: no MPI time in the report"; return 1; }
  done
  tarry report run || return 1
  "$PYTHON" "$TARRY_ROOT/tests/report/check_ideal.py" run &&
    "$PYTHON" "$TARRY_ROOT/tests/report/check_pop.py" run || return 1
  tarry report --json run >found.json
  /usr/bin/python3 "$TARRY_ROOT/tests/report/check_findings.py" found.json analysis.csv --merged-sites run/analysis.cubex
}
