# poll_error_longjmp.sh -- a jump out of a call that was to be recorded with others: its frame is gone, times and visits are right.
# no-san
# mpich-long
set -eu
rounds=20 questions=100 ranks=2

# check_report REPORT: all questions were counted, and no call path has more time than the program took beside MPI_Init.
check_report() {
  tarry cube dump --csv "$1" >values
  awk -F, -v visits=$((ranks * rounds * (questions + 1))) -v barriers=$((ranks * rounds)) -v most="$(cat seconds)" '
    $1 == "visits" && $2 ~ "/MPI_Iprobe$" { visits -= $5 }
    $1 == "visits" && $2 ~ "/MPI_Barrier$" { barriers -= $5 }
    $1 == "time" && $2 !~ /MPI_Init|MPI_Finalize/ { time[$3] += $5 }
    END {
      if (visits || barriers) { print visits " visits are missing, and " barriers " barriers"; exit 1 }
      for (rank in time) if (time[rank] > most + 1 || time[rank] < 0) { print time[rank] " seconds of " most; exit 1 }
    }' values || { echo "poll_error_longjmp.sh: $1"; exit 1; }
}

for jump in WITH_THE_LIBRARY PAST_THE_LIBRARY; do
  "$MPICC" -D$jump -std=gnu11 -O1 -Wall -Werror -o poll "$TARRY_ROOT/tests/apps/poll_error_longjmp.c"
  for mode in -st -s; do
    archive=$jump$mode
    tarry measure -q $mode -o $archive -- mpirun -np $ranks ./poll $rounds $questions >seconds
    tarry archive verify $archive
    check_report $archive/summary.cubex
    case $mode in *t*) ;; *) continue ;; esac
    tarry replay -q --strict $archive
    check_report $archive/analysis.cubex
  done
done
