# init_alone.sh -- the time of MPI_Init is its own, also where samples or functions are recorded before it.
# no-san
# mpich-long
# timeout 120
set -euo pipefail
app=$TARRY_ROOT/tests/apps/init_alone.c
"$MPICC" -std=gnu11 -g -O1 -Wall -Werror -o plain "$app"
tarry instrument "$MPICC" -std=gnu11 -g -O1 -o instrumented "$app"

# check NAME REPORT SECONDS: MPI_Init takes that long, and main hardly anything.
check() {
  tarry cube dump --csv -m time "$2" >values.csv
  "$PYTHON" - "$1" "$3" <<'PYTHON'
import collections, csv, sys
name, known = sys.argv[1], float(sys.argv[2])
times = collections.Counter()
for row in csv.DictReader(open("values.csv")):
    times[row["callpath"].split("/")[-1]] += float(row["value"])
if abs(times["MPI_Init"] - known) > 0.02 + 0.05 * known:
    sys.exit(f"{name}: MPI_Init took {known} s, of which {times['MPI_Init']} s are its own and {times['main']} s main's")
if times["main"] > 0.05:
    sys.exit(f"{name}: main itself takes {times['main']} s")
PYTHON
}

for way in "plain --sample" "plain --sample=1000" "plain -t --sample=1000" "instrumented" "instrumented -t"; do
  # shellcheck disable=SC2086  # a program and options
  set -- $way
  program=$1
  shift
  rm -rf run
  known=$(tarry measure -q -s "$@" -o run -- ./$program 2>err) || { cat err; exit 1; }
  check "$way (summary)" run/summary.cubex "$known"
  case $way in *-t*)
    tarry replay -q --strict run
    check "$way (replay)" run/analysis.cubex "$known" ;;
  esac
done
