# polled_collectives.sh -- a non-blocking collective that a program polls for is waited for, and the last has the delay.
# no-san
set -euo pipefail
. "$TARRY_ROOT/tests/pipeline/checked_screen.bash"
fail() { echo "$1"; exit 1; }
mpicc -std=gnu11 -g -O1 -fno-inline -Wall -Werror -o polls "$TARRY_ROOT/tests/apps/polled_collectives.c"
tarry measure -q -t -o run -- mpirun -np 2 ./polls >truth || fail "the program fails"
tarry replay -q --strict run
check_screen run run/analysis.cubex
tarry replay -q --strict --compat -o compat.cubex run
tarry cube dump --csv compat.cubex >compat.csv
! grep -q '^mpi_icoll\|^delay_icoll' compat.csv || fail "the reference analyser has no such wait"
python3 - <<'PYTHON' || fail "see above"
import collections, csv, sys
found, costs = collections.Counter(), collections.Counter()
for row in csv.DictReader(open("dump.csv")):
    for step in set(row["callpath"].split("/")):
        found[row["metric"], step] += float(row["value"])
    costs[row["rank"]] += float(row["value"]) if row["metric"] == "delay_icoll" else 0
truth = {name: (float(wall), float(cpu)) for name, wall, cpu in map(str.split, open("truth"))}
problems = []
for way, (wall, cpu) in truth.items():
    waits, polled = found["mpi_icoll_wait", way], found["mpi_icoll_wait_polled", way]
    print(f"{way:18} waits {waits:.4f} s, the program says {wall:.4f}, {cpu:.4f} of them on a processor or asleep")
    if not 0.9 * min(cpu, wall) - 0.001 <= waits <= 1.05 * wall + 0.001:
        problems.append(f"{way}: {waits} instead of {wall}")
    if way != "waiting" and abs(polled - waits) > 0.001:
        problems.append(f"{way}: only {polled} of {waits} is polled")
if costs["0"] < 0.95 * found["mpi_icoll_wait", "main"]:
    problems.append(f"rank 0 has {costs['0']} of {found['mpi_icoll_wait', 'main']} s of the costs")
sys.exit("\n".join(problems) or 0)
PYTHON
