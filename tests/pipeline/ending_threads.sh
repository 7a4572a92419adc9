# ending_threads.sh -- what a thread calls in the destructors of its own data is recorded, or counted as missed.
set -u
failed=0
complain() { echo "FAILED: $*"; failed=1; }
tarry instrument "$MPICC" -O1 -o ending "$TARRY_ROOT/tests/apps/ending_threads.c" -lpthread || exit 1
tarry measure -q -s -t --io -o run -- mpirun -np 1 ./ending 5 >out 2>err || complain "status $?: $(cat err)"
tarry archive verify run >verify 2>&1 || complain "$(cat verify)"
read -r _ calls _ rounds _ destructors <out
[ "$destructors" = 40 ] || complain "$destructors destructors ran, not two of five threads in four rounds"

# visits PATTERN: of call paths that end so.
visits() { tarry cube dump --csv run/summary.cubex |
  awk -F, -v pattern="$1\$" '$1 == "visits" && $2 ~ pattern { sum += $5 } END { print sum + 0 }'; }
missed=$(tarry archive info run | sed -n 's/^not recorded *\([0-9]*\) calls of threads whose .*/\1/p')
recorded=0
for name in called_at_the_end MPI_Comm_size pthread_mutex_lock write; do
  found=$(visits "$name")
  echo "$name: $found of $calls"
  # All rounds but the last one, and of the last but one what comes before the recorder's own.
  [ "$found" -ge $((calls * 2 / 3)) ] || complain "$name is recorded $found times only, of $calls"
  recorded=$((recorded + found))
done
recorded=$((recorded + $(visits call_all) + $(visits destroy)))
made=$((4 * calls + rounds + destructors))
[ $((recorded + ${missed:-0})) = $made ] ||
  complain "$made calls were made; $recorded are recorded, ${missed:-0} counted as missed"
# A release is recorded with its acquisition.
[ "$(visits pthread_mutex_unlock)" = "$(visits pthread_mutex_lock)" ] || complain "locks are acquired and released differently"
[ $failed = 0 ]
