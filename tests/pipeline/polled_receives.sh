# polled_receives.sh -- a receive that a program polls for is a Late Sender, and the sender has the delay.
# no-san
set -euo pipefail
. "$TARRY_ROOT/tests/pipeline/checked_screen.bash"
fail() { echo "$1"; exit 1; }
mpicc -std=gnu11 -g -O1 -fno-inline -Wall -Werror -o polls "$TARRY_ROOT/tests/apps/polled_receives.c"
tarry measure -q -t -o run -- mpirun -np 2 ./polls >truth || fail "the program fails"
tarry replay -q --strict run
check_screen run run/analysis.cubex
tarry replay -q --strict --compat -o compat.cubex run
tarry cube dump --csv compat.cubex >compat.csv
python3 - <<'PYTHON' || fail "see above"
import collections, csv, sys
def sums(table):
    found = collections.Counter()
    for row in csv.DictReader(open(table)):
        for step in set(row["callpath"].split("/")):
            found[row["metric"], step] += float(row["value"])
    return found
found, compat = sums("dump.csv"), sums("compat.csv")
truth = {name: (float(wall), float(cpu)) for name, wall, cpu in map(str.split, open("truth"))}
problems = []
for way, (wall, cpu) in truth.items():
    late, polled = found["mpi_latesender", way], found["mpi_latesender_polled", way]
    print(f"{way:17} waits {late:.4f} s, the program says {wall:.4f}, {cpu:.4f} of them on a processor or asleep")
    if not 0.9 * min(cpu, wall) - 0.001 <= late <= 1.05 * wall + 0.001:
        problems.append(f"{way}: {late} instead of {wall}")
    if way not in ("blocking", "iprobe", "iprobe_count", "iprobe_sleeping") and abs(polled - late) > 0.001:
        problems.append(f"{way}: only {polled} of {late} is polled")
    if way not in ("blocking", "iprobe", "iprobe_count", "iprobe_sleeping") and compat["mpi_latesender", way] > 0.003:
        problems.append(f"{way}: the reference analyser has no such wait")
costs = collections.Counter()
for row in csv.DictReader(open("dump.csv")):
    costs[row["rank"]] += float(row["value"]) if row["metric"] == "delay_latesender" else 0
if costs["0"] < 0.95 * found["mpi_latesender", "main"]:
    problems.append(f"rank 0 has {costs['0']} of {found['mpi_latesender', 'main']} s of the costs")
sys.exit("\n".join(problems) or 0)
PYTHON
