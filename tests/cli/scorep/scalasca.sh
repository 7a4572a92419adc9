# scalasca.sh -- scan, square and scalasca: what their options and Score-P's environment become.
. "$TARRY_ROOT/tests/cli/expect.bash"
home=$(dirname "$(command -v tarry-scalasca)")

# becomes EXPECTED COMMAND...: prints the command it would run.
becomes() {
  local expected=$1 said
  shift
  said=$("$@" 2>&1)
  [ "$said" = "$home/$expected" ] || complain "$*: $said"
}
becomes "tarry-measure -s -- mpirun -np 2 ./app -t" tarry-scan -n mpirun -np 2 ./app -t
becomes "tarry-measure --analyze -o run --filter rules -- ./app" tarry-scan -n -t -e run -f rules ./app
becomes "tarry-measure --analyze -v -- ./app" tarry-scalasca -analyze -vn -t ./app
becomes "tarry-measure -s --analyze -- ./app" tarry-scan -n -st ./app
becomes "tarry-replay run" tarry-scan -n -a -e run
becomes "tarry-report run" tarry-square -n run
becomes "tarry-score -f rules run" tarry-scalasca -examine -n -s -f rules run
SCOREP_ENABLE_TRACING=true SCOREP_EXPERIMENT_DIRECTORY=here SCOREP_FILTERING_FILE=rules SCOREP_TOTAL_MEMORY=32M \
  SCOREP_METRIC_PAPI=PAPI_TOT_INS becomes \
  "tarry-measure --analyze -o here --filter rules --memory 32M --metrics PAPI_TOT_INS -- ./app" tarry-scan -n ./app
SCOREP_ENABLE_TRACING=1 SCOREP_EXPERIMENT_DIRECTORY=here becomes "tarry-measure -s -o there -- ./app" \
  tarry-scan -n -s -e there ./app
SCOREP_ENABLE_TRACING=false becomes "tarry-measure -s -- ./app" tarry-scan -n ./app
[ "$(tarry-scan -q echo as it is)" = "as it is" ] || complain "-q"
[ "$(tarry-scalasca -instrument --dry-run --user gcc -c a.c)" = "$(tarry-scorep --dry-run --user gcc -c a.c)" ] ||
  complain "-instrument"

for wrong_use in "tarry-scan" "tarry-scan -e" "tarry-scan -R 3 ./app" "tarry-square" "tarry-square a b" "tarry-scalasca -x" \
  "tarry-scalasca" "tarry-square -f rules run" "tarry-scan -a"; do
  $wrong_use >out 2>err
  [ $? = 2 ] && [ "$(wc -l <err)" = 1 ] && [ ! -s out ] || complain "$wrong_use: $(cat out err)"
done

# In earnest.
tarry instrument gcc -x c -o app - <<<'void f(void) {} int main(void) { f(); return 3; }' || complain "no program"
tarry-scan -e run ./app 2>err
[ $? = 3 ] || complain "the status of the program: $(cat err)"
tarry-square -s run >out 2>err && grep -q ' USR ' out || complain "square -s: $(cat out err)"
exit $wrong
