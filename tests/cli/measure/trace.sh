# trace.sh -- from measurement to findings; arguments are recorded unless they are to be kept private.
$MPICC -o app "$TARRY_ROOT/tests/apps/halo_exchange.c" -lm || exit 1
tarry measure -t -o run -- mpirun -np 3 ./app 10 > output.txt 2> closing.txt; echo "status $?"
sed -E 's|[0-9.]+ (events|bytes each)|N \1|g' closing.txt
grep -o 'command="mpirun[^"]*"' run/manifest.xml
tarry replay -q run && tarry report run | sed -n '1p;$p'
TARRY_REDACT=1 tarry measure -q -s -t -o private -- mpirun -np 2 ./app 2 > output.txt
grep -c mpirun private/manifest.xml
ls private
