# standard_abi.sh -- a program of the standard ABI of MPI 5.0 has the same records as the same program of the own ABI of
# the library, of each kind and with as many bytes.
# timed
# no-san
# mpich
# timeout 120
set -eu
fail() { echo "standard_abi.sh: $1"; exit 1; }
skip() { echo "$1" >&2; exit 77; }

# first_of LETTER COMMAND...: the first folder that the command names behind -LETTER.
first_of() {
  local letter=$1
  shift
  "$@" | tr ' ' '\n' | sed -n "s/^-$letter//p" | head -n 1
}
if [ "$TARRY_TEST_MPI" = mpich ]; then
  include=$(first_of I mpicc -show) libraries=$(first_of L mpicc -show) header=$include/mpi_abi.h
else
  include=$(first_of I mpicc --showme:compile)/standard_abi libraries=$(first_of L mpicc --showme:link) header=$include/mpi.h
fi
[ -e "$header" ] && [ -e "$libraries/libmpi_abi.so" ] || skip "this MPI has no standard ABI"
grep -qw standard "$TARRY_BUILD/generated/mpi-abis" || skip "tarry was built without the mpi.h of the standard ABI"

# Each library has the same name.
mkdir library
ln -s "$libraries/libmpi_abi.so" library/libmpi_abi.so.1
source=$TARRY_ROOT/tests/apps/record_counts.c
"$MPICC" -O1 -o own "$source"
gcc -O1 -DMPI_ABI -I"$include" -o standard "$source" library/libmpi_abi.so.1 -Wl,-rpath,"$PWD/library"
! ldd standard | grep -E 'libmpi\.so|libmpich\.so' || fail "the program has another MPI library"

# How often a program polls, and the locks and attributes of the library itself, are up to time.
counts_of() {
  tarry archive dump "$1" | awk '
    $4 ~ /^(ENTER|LEAVE|MPI_REQUEST_TEST|ATTRIBUTE|THREAD_.*)$/ { next }
    $4 ~ /^[A-Z_]+$/ {
      ++count[$1 " " $4]
      for (i = 5; i <= NF; ++i)
        if (split($i, part, "=") == 2 && part[1] ~ /^bytes/) count[$1 " " $4 " " part[1]] += part[2]
    }
    END { for (what in count) print what, count[what] }' | sort
}
for program in own standard; do
  tarry measure -q -s -t -o run-$program -- mpirun -np 4 ./$program >$program.out 2>$program.err || fail "$(cat $program.err)"
  tarry replay -q run-$program
  counts_of run-$program >$program.counts
done
[ "$(wc -l <own.counts)" -ge 60 ] || fail "few records: $(cat own.counts)"
diff <(sort own.out) <(sort standard.out)
diff own.counts standard.counts
for call in MPI_Send MPI_Allreduce MPI_Comm_dup; do
  tarry cube dump --csv -m visits run-standard/summary.cubex | grep -q "/$call," || fail "no $call in the summary"
done
