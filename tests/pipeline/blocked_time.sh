# blocked_time.sh -- time without a processor outside recorded calls is blocked time, not computation of some function.
# no-san
# timed
# timeout 240
set -euo pipefail
fail() { echo "$1"; exit 1; }
apps=$TARRY_ROOT/tests/apps
gcc -std=gnu11 -g -O1 -Wall -Werror -pthread -o plain "$apps/blocked_known.c"
tarry instrument gcc -std=gnu11 -g -O1 -pthread -o instrumented "$apps/blocked_known.c"

# check NAME REPORT SECONDS: the metrics of time add up, and the blocked time is that which the program knows.
check() {
  tarry cube dump --csv "$2" >values.csv
  python3 - "$1" "$3" <<'PYTHON' || fail "$1: see above"
import collections, csv, sys
name, known = sys.argv[1], float(sys.argv[2])
sums, paths = collections.Counter(), collections.Counter()
for row in csv.DictReader(open("values.csv")):
    sums[row["metric"]] += float(row["value"])
    if row["metric"] in ("blocked", "comp"):
        paths[row["metric"], row["callpath"].split("/")[-1]] += float(row["value"])
parts = sum(sums[part] for part in ("comp", "blocked", "mpi", "omp_time", "pthread_time", "io_time"))
problems = []
if abs(sums["blocked"] - known) > 0.1 * known:
    problems.append(f"blocked: {sums['blocked']} s, the program was so for {known} s")
if abs(parts - sums["execution"]) > 1e-6:
    problems.append(f"the parts make {parts} s of {sums['execution']} s")
for function in ("compute", "finish", "use_processor", "heavy"):
    if paths["blocked", function] > 0.1 * known:
        problems.append(f"{function} is blocked for {paths['blocked', function]} s")
print(*(f"{name}: {problem}" for problem in problems), sep="\n", end="")
sys.exit(bool(problems))
PYTHON
}

# run PROGRAM SCENE OPTIONS: all reports of a measured run.
number=0
run() {
  local program=$1 scene=$2
  shift 2
  number=$((number + 1))
  local known
  known=$(tarry measure -q -o run.$number "$@" -- ./$program "$scene" 2>run.err)
  [ ! -e run.$number/summary.cubex ] || check "$program $scene $* (summary)" run.$number/summary.cubex "$known"
  case " $* " in *" -t "*)
    tarry replay -q --strict run.$number
    check "$program $scene $* (replay)" run.$number/analysis.cubex "$known" ;;
  esac
}
for scene in process threads; do
  run plain $scene -s --sample
  run plain $scene -s -t --sample=997
  run instrumented $scene -s -t
done
run plain threads -s -t
run plain threads -t --callpaths off

# POP counts it as computation. Whoever reads the efficiencies is told, of summaries and of traces.
for archive in run.1 run.2; do
  tarry report --efficiency $archive >efficiency
  grep -Eq 'BLOCKED: [0-9.]+% of the time' efficiency || { cat efficiency; fail "$archive: nothing of blocked time"; }
done
