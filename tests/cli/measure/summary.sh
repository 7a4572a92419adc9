# summary.sh -- an MPI program that knows nothing of us: its output is unchanged, its calls are counted.
$MPICC -o app "$TARRY_ROOT/tests/apps/halo_exchange.c" -lm || exit 1
mpirun -np 3 ./app 10 > expected.txt
tarry measure -o run -- mpirun -np 3 ./app 10 > output.txt 2> closing.txt; echo "status $?"
cmp output.txt expected.txt
sed -E 's/[0-9][0-9.]* [mu]?s\b/TIME/g; s/[0-9.]+%/SHARE/g; s/, SHARE blocked//; s/most in MPI_[A-Za-z]*/most in CALL/' closing.txt
ls run
tarry cube dump --csv -m visits run/summary.cubex | grep -E 'Isend|Allreduce|app,|Waitall'
