# efficiency_bounds.sh -- no efficiency of a run with threads is more than 100 %, whether idle threads are known or not.
# no-san
# timeout 120
set -euo pipefail
"$MPICC" -O1 -g -Wall -Werror -fopenmp -o plain "$TARRY_ROOT/tests/apps/uneven_team.c"
tarry instrument "$MPICC" -O1 -g -Wall -Werror -fopenmp -o instrumented "$TARRY_ROOT/tests/apps/uneven_team.c"
for program in plain instrumented; do
  tarry measure -q -t --sample 499 -o run-$program -- mpirun -np 2 ./$program
  tarry replay -q run-$program
  for run in run-$program run-$program/analysis.cubex; do
    tarry report --efficiency --csv "$run" >table.csv
    awk -F, 'NR > 1 && $7 != "" { ++values; if ($7 > 1 + 1e-9) { print "more than 100 %: " $0; bad = 1 } }
             END { if (values < 10) print "only " values + 0 " values"; exit bad || values < 10 }' table.csv ||
      { cat table.csv; exit 1; }
  done
done
