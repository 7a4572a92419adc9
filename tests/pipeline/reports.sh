# reports.sh -- the reports of a real run are sound: an independent checker accepts them and reads the same values.
# no-san
# mpich-long
set -eu
"$MPICC" -O2 -o halo_exchange "$TARRY_ROOT/tests/apps/halo_exchange.c" -lm
tarry measure -s -t --callpaths off -o run -- mpirun -np 4 ./halo_exchange 50  # ours adds up call sites
tarry replay run
tarry replay -o single.cubex --workers 1 run
cmp run/analysis.cubex single.cubex
for report in summary analysis; do
  "$PYTHON" "$TARRY_ROOT/tests/report/check_cubex.py" run/$report.cubex
  "$PYTHON" "$TARRY_ROOT/tests/report/check_cubex.py" run/$report.cubex --dump >theirs.csv
  tarry cube dump --csv run/$report.cubex >ours.csv
  cmp theirs.csv ours.csv
  grep -q '/MPI_Waitall,3,0,' ours.csv
done
tarry measure -q -s -t -o sites -- mpirun -np 4 ./halo_exchange 50
tarry replay -q sites
for report in summary analysis; do "$PYTHON" "$TARRY_ROOT/tests/report/check_cubex.py" sites/$report.cubex; done

# Summary and trace are of one run: equal visits.
for report in summary analysis; do
  tarry cube dump --csv run/$report.cubex | grep '^visits,' >$report.visits
done
cmp summary.visits analysis.visits
