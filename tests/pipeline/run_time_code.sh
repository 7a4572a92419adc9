# run_time_code.sh -- code without a module (made at run time) is a function of its own, not part of its caller.
# no-san
# timed
set -euo pipefail
fail() { echo "$1"; exit 1; }
[ "$(uname -m)" = x86_64 ] || { echo "the program makes code for x86-64"; exit 77; }
for flags in "-O1" "-O2 -fno-omit-frame-pointer"; do
  gcc -std=gnu11 -g $flags -Wall -Werror -o made "$TARRY_ROOT/tests/apps/run_time_code.c"
  rm -rf run
  told=$(tarry measure -q -s --sample 199 -o run -- ./made) || fail "status $?"
  tarry cube dump --csv run/summary.cubex >values.csv
  python3 - "$flags" $told <<'PYTHON' || fail "$flags: see above"
import collections, csv, sys
flags, known, whole = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
time = collections.Counter()
for row in csv.DictReader(open("values.csv")):
    if row["metric"] == "comp":
        time[row["callpath"]] += float(row["value"])
share = sum(value for path, value in time.items() if path.endswith("/[unknown code]")) / sum(time.values())
print(f"{flags}: {share:.3f} of the time, the program says {known / whole:.3f}")
for path, value in sorted(time.items()):
    print(f"  {path} {value:.3f}")
callers = {path.split("/")[-2] for path in time if path.endswith("/[unknown code]")}
sys.exit(not (abs(share - known / whole) < 0.1 * known / whole and callers >= {"call_plain", "call_framed"}))
PYTHON
done
