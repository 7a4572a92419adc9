# thread_multiple.sh -- threads that call MPI at the same time have locations of their own with the right records.
# no-san
# timeout 180
# mpich-long
set -eu
"$MPICC" -std=gnu11 -O1 -Wall -Werror -pthread -o threads "$TARRY_ROOT/tests/apps/thread_multiple.c"
tarry measure -s -t -o run -- mpirun -np 2 "$TARRY_ROOT/tests/apps/own_output.sh" threads
cat threads.output.* >expected.txt
tarry archive verify run
tarry archive dump run | awk '
  FILENAME == "-" { ++count[$1, $2, $4]; next }
  $1 == "EXPECT" {
    ++threads
    if (count[$2, $3, "ENTER"] != count[$2, $3, "LEAVE"]) { print "rank " $2 " thread " $3 ": enter and leave differ"; failed = 1 }
    for (i = 4; i <= NF; ++i) {
      split($i, part, "=")
      if (count[$2, $3, part[1]] + 0 != part[2]) {
        print "rank " $2 ", thread " $3 ": " part[1] ": issued " part[2] ", recorded " count[$2, $3, part[1]] + 0
        failed = 1
      }
    }
  }
  END { print threads " threads compared"; exit failed || threads != 8 }' - expected.txt
# All messages find their partner: no fault on the last line.
tarry replay run 2>faults.txt || { cat faults.txt; exit 1; }
! grep -E 'unmatched|skipped' faults.txt
