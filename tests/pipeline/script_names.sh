# script_names.sh -- JavaScript that V8 has compiled: its functions have names, lines and their time, by both files.
# no-san
# timed
set -euo pipefail
fail() { echo "$1"; exit 1; }
case $(uname -m) in x86_64 | aarch64) ;; *) echo "stacks are not walked on this processor" && exit 77 ;; esac
command -v node >/dev/null || { echo "node is not installed"; exit 77; }
for option in --perf-basic-prof --perf-prof; do
  rm -rf run
  told=$(tarry measure -q -s --sample 499 -o run -- node $option "$TARRY_ROOT/tests/apps/two_scripts.js" 1.5) ||
    fail "$option: status $?"
  rm -f "/tmp/perf-${told%% *}.map"
  tarry cube dump --csv run/summary.cubex >values.csv
  tar -xOf run/summary.cubex anchor.xml | grep -B 1 '<name>hot</name>' | grep -q 'mod=".*two_scripts.js" begin="4"' ||
    fail "$option: hot() has another place"
  python3 - $option ${told#* } <<'PYTHON' || fail "$option: see above"
import collections, csv, sys
option, share = sys.argv[1], float(sys.argv[2])
time = collections.Counter()
for row in csv.DictReader(open("values.csv")):
    if row["metric"] == "comp":
        time[row["callpath"].split("/")[-1]] += float(row["value"])
found = time["hot"] / (time["hot"] + time["cold"])
named = (time["hot"] + time["cold"]) / sum(time.values())
print(f"{option}: hot() has {found:.3f} of both, its program says {share:.3f}; both have {named:.3f} of all;",
      f"{time['[unknown code]']:.3f} s without a name")
sys.exit(not (abs(found - share) < 0.1 * share and named > 0.4 and time["[unknown code]"] < 0.1 * time["hot"]))
PYTHON
done
