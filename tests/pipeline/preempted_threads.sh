# preempted_threads.sh -- threads wait for a processor no longer than they are there, each by its own time.
# no-san
# timeout 60
set -euo pipefail
processors=$("$PYTHON" -c 'import os; print(",".join(map(str, sorted(os.sched_getaffinity(0))[:2])))')
[ "$processors" != "${processors#*,}" ] || { echo 'needs two processors'; exit 77; }
"$MPICC" -O1 -g -Wall -Werror -o two_burners "$TARRY_ROOT/tests/apps/two_burners.c" -lpthread
# Others on the same processors, until the program is done.
others=
for _ in 1 2 3; do
  taskset -c "$processors" timeout 20 "$PYTHON" -c 'while True: pass' &
  others="$others $!"
done
status=0
taskset -c "$processors" tarry measure -q -t -o run -- ./two_burners || status=$?
kill $others
[ $status = 0 ]
tarry replay -q run
tarry report run >screen
tarry report --json run >found.json
tarry cube dump --csv run/analysis.cubex >dump.csv
/usr/bin/python3 "$TARRY_ROOT/tests/report/check_screen.py" screen found.json dump.csv
grep 'PREEMPTED' screen || { cat screen; tarry report --json run | jq -c .processors; exit 1; }
"$PYTHON" - "$(grep PREEMPTED screen)" <<'CHECK'
import re, sys
units = {"us": 1e-6, "ms": 1e-3, "s": 1}
pairs = [(float(a) * units[b], float(c) * units[d])
         for a, b, c, d in re.findall(r"([0-9.]+) (us|ms|s) of ([0-9.]+) (us|ms|s)", sys.argv[1])]
assert len(pairs) == 2, "all threads together, and the one that waits longest"
(all_delay, all_time), (delay, time) = pairs
assert delay <= time and all_delay <= all_time, "longer than there is"
assert delay <= all_delay * 1.001 and time <= all_time * 1.001, "one is a part of all"
assert all_delay <= 2 * delay * 1.001, "the longest of two is half of both or more"
CHECK
