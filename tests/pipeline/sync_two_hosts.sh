# sync_two_hosts.sh -- a real job on two nodes, one of whose clocks is wrong by an hour: after `tarry sync` the wait states are those of
# the same job with right clocks.
# timeout 400
#
# Two network namespaces play the nodes; a time namespace gives the second one another clock. The remote shell starts with an
# empty environment, as ssh does. The program makes 40 late senders of 20 ms in each direction, and barriers; pauses take longer on a
# busy machine, so waits are compared as fractions of the time in the calls, which one clock measures. Noise: 10 % of that time.
. "$TARRY_ROOT/tests/pipeline/two_nodes.bash" 9 390
unshare --time --monotonic 3600 true 2>/dev/null || skip "no time namespaces here"

$MPICC -o app "$TARRY_ROOT/tests/apps/two_hosts.c" || exit 1

# run NAME OFFSET: records a run whose second node is OFFSET seconds ahead.
run() {
  cat > "shell_$1" <<SHELL
#!/bin/bash
shift
exec $on_second unshare -u sh -c 'hostname other; exec "\$@"' sh unshare --time --fork --monotonic $2 env -i $root bash -c "\$*"
SHELL
  chmod +x "shell_$1"
  $on_first env TARRY_CLOCK=monotonic tarry measure -t --clock-every 1s -o "$1" -- mpirun --mca plm_rsh_agent "$PWD/shell_$1" \
    --mca oob_tcp_if_include 10.213.9.0/24 --mca btl_tcp_if_include 10.213.9.0/24 -x TARRY_CLOCK \
    --host 10.213.9.1:1,10.213.9.2:1 --map-by node -np 2 "$PWD/app" > "$1.txt" 2>&1 || { cat "$1.txt"; exit 1; }
  [ "$(grep -c '<host ' "$1/manifest.xml")" -eq 2 ] || { echo "$1: not both nodes were recorded"; cat "$1.txt"; exit 1; }
  tarry replay "$1" -o "$1.cubex" 2>&1 | grep -q 'tarry sync' || { echo "$1: no warning that 'tarry sync' is due"; exit 1; }
  tarry sync "$1" || exit 1
  tarry sync --check "$1" | grep -q '^0 ' || { echo "$1: violations remain"; exit 1; }
  tarry replay "$1" -o "$1.cubex" 2>&1 | grep -q 'tarry sync' && { echo "$1: warns still"; exit 1; }
  tarry cube dump --csv "$1.cubex" > "$1.csv"
}

# compare: the waits of the two runs.
compare() {
  "$PYTHON" - <<'CHECK'
import csv
def fractions(name):
    """Of the time that a rank spends in a function: how much is waiting."""
    totals = {}
    with open(name, newline="") as file:
        for row in csv.DictReader(file):
            key = row["metric"], row["callpath"].split("/")[-1], row["rank"]
            totals[key] = totals.get(key, 0) + float(row["value"])
    return {(function, rank): totals.get((metric, function, rank), 0) / totals["time", function, rank]
            for metric, function in (("mpi_latesender", "MPI_Recv"),) for rank in "01"}
right, wrong = fractions("right.csv"), fractions("wrong.csv")
failed = 0
for key in sorted(right):
    print(*key, f"waits {right[key]:.1%} of its time with right clocks, {wrong[key]:.1%} with a wrong one")
    failed += abs(right[key] - wrong[key]) > 0.1
failed += sum(right[key] < 0.5 for key in right)
raise SystemExit(min(1, failed))
CHECK
}

# What another load of the machine makes of the pauses differs from run to run; a wrong correction does so each time.
for attempt in 1 2 3; do
  rm -rf right wrong
  run right 0
  run wrong 3600
  compare && exit 0
done
exit 1
