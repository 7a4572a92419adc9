# replay_memory.sh -- the analysis keeps below --memory with any number of workers and processes, and finds the same.
# no-san
set -u
fail() { echo "FAILED: $*"; exit 1; }
limit=$((64 * 1024))  # KiB

# replay OPTION...: the most memory in KiB is in `most` then.
replay() {
  python3 - tarry replay -q run -o other.cubex "$@" <<'PROGRAM' >most
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=sys.stderr)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
PROGRAM
  test $? -eq 0 || fail "replay $*"
  most=$(cat most)
}

"$TARRY_BUILD/bench/make_trace" halo 16 6000000 trace archive || fail 'no trace'
mv trace/archive run
replay --workers 2
test "$most" -gt $((limit * 3 / 2)) || fail "without a limit, $most KiB are enough"
mv other.cubex whole.cubex
for workers in 1 2 4 16; do
  replay --memory 64M --workers $workers
  test "$most" -le $limit || fail "$workers workers take $most KiB of $limit"
  cmp whole.cubex other.cubex || fail "$workers workers find something else"
done

# A limit is one of each process.
if command -v mpirun >/dev/null; then
  replay_all() { timeout 60 mpirun -np 2 tarry replay -q run -o other.cubex --memory 64M --workers 2; }
  replay_all || fail 'two processes'
  cmp whole.cubex other.cubex || fail 'two processes find something else'
fi

# Where there is no room for the pages: one line, and no report.
ran_out() {
  rm -f other.cubex
  "$@" >out 2>&1
  test $? -eq 1 || { cat out; fail "status with $*"; }
  test "$(wc -l <out)" -eq 1 || { cat out; fail "lines with $*"; }
  test ! -e other.cubex || fail "a report with $*"
}
ran_out bash -c 'ulimit -f 20000; exec tarry replay -q run -o other.cubex --memory 64M'
grep -q '^tarry-replay: .*: File too large' out || { cat out; fail 'no word of the file'; }
ran_out env TMPDIR=/nowhere tarry replay -q run -o other.cubex --memory 64M
grep -q '^tarry-replay: /nowhere: ' out || { cat out; fail 'no word of the folder'; }
