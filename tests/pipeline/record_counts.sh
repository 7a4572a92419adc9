# record_counts.sh -- programs that know how many operations of each kind they issued find as many records, and as many
# bytes in them: in C and in each of the three Fortran interfaces. Tests in vain are recorded one by one.
# no-san
# mpich-long
# timeout 240
set -eu
failed=0
# In MPICH 4.0, MPI_Waitany of mpi_f08 says 0 for the first request.
mpirun --version | grep -q 'Version: *4\.0' && f08_flags=-DWAITANY_COUNTS_FROM_0 || f08_flags=

compare() {
  TARRY_TESTS=each tarry measure -t -o "run-$1" -- mpirun -np 4 "$TARRY_ROOT/tests/apps/own_output.sh" "$1"
  cat "$1".output.* >"$1.txt"
  tarry archive verify "run-$1"
  tarry archive dump "run-$1" | awk -v name="$1" '
    FILENAME == "-" {
      ++count[$1, $4]
      for (i = 5; i <= NF; ++i)
        if (split($i, part, "=") == 2) count[$1, $4 "." part[1]] += part[2]
      next
    }
    $1 == "EXPECT" {
      ++ranks
      if (count[$2, "ENTER"] != count[$2, "LEAVE"]) { print "rank " $2 ": enter and leave differ"; failed = 1 }
      for (i = 3; i <= NF; ++i) {
        split($i, part, "=")
        if (count[$2, part[1]] + 0 != part[2]) {
          print name ", rank " $2 ": " part[1] ": issued " part[2] ", recorded " count[$2, part[1]] + 0
          failed = 1
        }
      }
    }
    END { print name ": " ranks " ranks compared"; exit failed || ranks != 4 }' - "$1.txt" || failed=1
}

for app in record_counts window_and_file_counts; do
  "$MPICC" -std=gnu11 -O1 -Wall -Werror -o c-$app "$TARRY_ROOT/tests/apps/$app.c"
  compare c-$app
  for interface in MPIF_H USE_MPI USE_MPI_F08; do
    [ $interface = USE_MPI_F08 ] && flags=$f08_flags || flags=
    "${MPIFORT:-mpifort}" -O1 -fallow-argument-mismatch -D$interface $flags -o $interface-$app "$TARRY_ROOT/tests/apps/$app.F90" 2>$interface.log ||
      { cat $interface.log; exit 1; }
    compare $interface-$app
  done
done
exit $failed
