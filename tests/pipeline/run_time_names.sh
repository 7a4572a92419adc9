# run_time_names.sh -- code made at run time has the names that its runtime tells profilers, and no others.
# no-san
# serial
set -euo pipefail
fail() { echo "$1"; exit 1; }
[ "$(uname -m)" = x86_64 ] || { echo "the program makes code for x86-64"; exit 77; }
gcc -std=gnu11 -g -O2 -Wall -Werror -o made "$TARRY_ROOT/tests/apps/named_run_time_code.c"

# measure KIND OPTION..: the program's own times are in `told`, values of the recording in values.csv.
measure() {
  local kind=$1 status=0
  shift
  rm -rf run
  told=$(timeout 60 tarry measure -q "$@" --sample 499 -o run -- ./made "$kind") || status=$?
  rm -f "/tmp/perf-${told%% *}.map"
  [ $status = 0 ] || fail "$kind: status $status"
  tarry cube dump --csv run/summary.cubex >values.csv
}

# check KIND FIRST SECOND: the two functions have these names and their time; nothing else is below compute().
check() {
  python3 - "$@" $told <<'PYTHON' || fail "$1: see above"
import collections, csv, sys
kind, first, second, _, first_time, second_time, whole = sys.argv[1:]
wanted = collections.Counter()
wanted[first] += float(first_time)
wanted[second] += float(second_time)
time = collections.Counter()
for row in csv.DictReader(open("values.csv")):
    if row["metric"] == "comp":
        time[row["callpath"]] += float(row["value"])
found = collections.Counter()
for path, value in time.items():
    if "/compute/" in path:
        found[path.split("/compute/")[1]] += value
all_time = sum(time.values())
print(kind, {name: f"{value:.3f}" for name, value in found.items()}, f"of {all_time:.3f};",
      {name: f"{value:.3f}" for name, value in wanted.items()}, f"of {whole}")
is_right = found.keys() == wanted.keys() and all(
    abs(found[name] / all_time - wanted[name] / float(whole)) < 0.1 * wanted[name] / float(whole) for name in wanted)
sys.exit(not is_right)
PYTHON
}

for kind in map spoiled dump moved spoiled-dump; do
  measure $kind -s
  check $kind first_made second_made
done
measure reused -s
check reused first_made 'second_made or late'
for kind in none link pipe; do
  measure $kind -s
  check $kind '[unknown code]' '[unknown code]'
done

# Traces and both at once say the same.
measure map -s -t
check map first_made second_made
tarry replay -q run >/dev/null
tarry cube dump --csv run/analysis.cubex >values.csv
check map first_made second_made
