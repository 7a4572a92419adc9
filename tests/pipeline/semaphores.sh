# semaphores.sh -- waits for semaphores are recorded calls, and no computation; errno stays the program's.
# no-san
set -euo pipefail
fail() { echo "$1"; exit 1; }
gcc -std=gnu11 -g -O1 -Wall -Werror -pthread -o waits "$TARRY_ROOT/tests/apps/semaphore_waits.c"
told=$(tarry measure -q -s -t -o run -- ./waits) || fail "the program fails"
read -r plain timed <<<"$told"
tarry replay -q --strict run
for report in summary analysis; do
  tarry cube dump --csv run/$report.cubex >values.csv
  python3 - $report "$plain" "$timed" <<'PYTHON' || fail "$report: see above"
import collections, csv, sys
report, known = sys.argv[1], {"sem_wait": float(sys.argv[2]), "sem_timedwait": float(sys.argv[3])}
found = collections.Counter()
for row in csv.DictReader(open("values.csv")):
    found[row["metric"], row["callpath"].split("/")[-1]] += float(row["value"])
for function, seconds in known.items():
    print(report, function, found["pthread_synchronization", function], "the program says", seconds)
    if abs(found["pthread_synchronization", function] - seconds) > 0.1 * seconds:
        sys.exit(1)
    if found["comp", function] or found["blocked", function]:
        sys.exit(f"{function} is also something else")
# The other thread sleeps, which nothing records.
print(report, "blocked", sum(value for (metric, _), value in found.items() if metric == "blocked"))
sys.exit(not 0.36 <= sum(value for (metric, _), value in found.items() if metric == "blocked"))
PYTHON
done
