# event_groups.sh -- what a recording leaves out of OpenMP, POSIX threads and files: by groups, and by rules of a filter.
# timeout 180
set -u
failed=0
fail() { echo "FAILED: $*"; failed=1; }
app=$TARRY_ROOT/tests/apps/event_groups.c

# visits REPORT NAME: of all call paths whose last region begins so.
visits() {
  tarry cube dump --csv "$1" -m visits | awk -F, -v name="$2" '
    NR > 1 { n = split($2, path, "/"); if (index(path[n], name) == 1) sum += $5 } END { print sum + 0 }'
}
# recorded RUN NAME=VISITS...: in the summary and in the analysis.
recorded() {
  for report in "$1/summary.cubex" "$1/analysis.cubex"; do
    for call in "${@:2}"; do
      [ "$(visits "$report" "${call%=*}")" = "${call#*=}" ] ||
        fail "$report: $(visits "$report" "${call%=*}") visits of ${call%=*}, and not ${call#*=}"
    done
  done
}
# run NAME OPTION...
run() {
  tarry measure -q -t -s --io -o "$1" "${@:2}" -- "./$program" >"$1.out" || fail "$1: status $?"
  cmp -s bare.out "$1.out" || fail "$1 prints something else"
  tarry replay -q --strict "$1" || fail "$1 is not analysed"
  tarry archive verify -q "$1" >/dev/null || fail "$1 is not whole"
}
# left_out RUN TEXT: what both reports say.
left_out() {
  for report in "$1/analysis.cubex" "$1/summary.cubex"; do
    tarry report "$report" | tr -s ' \n' ' ' | grep -qF "LEFT OUT: $2:" ||
      fail "$report does not say $2, but $(tarry report "$report" | grep 'LEFT OUT')"
  done
}

# By the calls that OPARI2 inserts; and by those of the runtime.
programs=
tarry instrument cc -O1 -fopenmp -pthread -o pomp "$app" 2>pomp.err && nm pomp | grep -q POMP2 && programs="pomp"
echo '#include <omp.h>
int main(void) { return omp_get_max_threads() < 1; }' >has_omp.c
"${CLANG:-clang}" -fopenmp -o has_omp has_omp.c 2>/dev/null && ./has_omp && "${CLANG:-clang}" -g -O1 -fopenmp -pthread -o ompt "$app" &&
  programs="$programs ompt"
[ -n "$programs" ] || { echo "neither OPARI2 nor clang with OpenMP is here"; cc -O1 -w -pthread -fopenmp -o plain "$app" && programs=plain; }
for program in $programs; do
  "./$program" >bare.out || exit 1
  has_omp=1
  [ "$program" = plain ] && has_omp=0
  run $program.all
  tarry report $program.all | grep -q 'LEFT OUT' && fail "all is recorded, and something is left out"
  recorded $program.all pthread_mutex_lock=61 pthread_create=2 fread=4 fwrite=5 stat=3 fopen=1 fclose=1
  [ $has_omp = 0 ] || recorded $program.all omp_set_lock=30 omp_unset_lock=30 '!$omp task=10' '!$omp create task=10' '!$omp parallel=2'
  for_loops=$(visits $program.all/summary.cubex '!$omp for')
  critical=$(visits $program.all/summary.cubex '!$omp critical')

  run $program.teams --events openmp:teams
  recorded $program.teams omp_set_lock=0 omp_unset_lock=0 '!$omp task=0' '!$omp create task=0' '!$omp critical=0' \
    "!\$omp for=$for_loops" pthread_mutex_lock=61 fread=4
  [ $has_omp = 0 ] || recorded $program.teams '!$omp parallel=2'
  [ $has_omp = 0 ] || left_out $program.teams "openmp:tasks openmp:locks openmp:target"

  run $program.locks --events openmp:locks,threads:create,waits,files:data
  recorded $program.locks '!$omp for=0' '!$omp task=0' "!\$omp critical=$critical" pthread_mutex_lock=0 pthread_mutex_unlock=0 \
    pthread_create=2 pthread_join=2 fread=4 fopen=1 fclose=1 stat=0 unlink=0
  [ $has_omp = 0 ] || recorded $program.locks '!$omp parallel=2' omp_set_lock=30
  tarry archive dump $program.locks | grep 'THREAD_ACQUIRE_LOCK.*paradigm=pthread' | grep -c . >waits
  left_out_text=$(tarry report $program.locks | tr -s ' \n' ' ')
  for word in threads:locks files:metadata; do case $left_out_text in *$word*) ;; *) fail "$word is not told" ;; esac; done

  run $program.none --events openmp:,threads:,files:
  recorded $program.none '!$omp for=0' '!$omp critical=0' omp_set_lock=0 pthread_mutex_lock=0 pthread_create=0 pthread_cond_wait=0 \
    fread=0 fwrite=0 stat=0

  printf 'SCOREP_REGION_NAMES_BEGIN\nEXCLUDE pthread_mutex_lock omp_* fread\nSCOREP_REGION_NAMES_END\n' >some.filter
  run $program.some -f some.filter
  # An unlock without its lock tells nothing.
  recorded $program.some pthread_mutex_lock=0 pthread_mutex_unlock=0 omp_set_lock=0 omp_unset_lock=0 fread=0 fwrite=5 stat=3 pthread_create=2
  [ $has_omp = 0 ] || left_out $program.some "omp_* pthread_mutex_lock fread"
  printf 'SCOREP_REGION_NAMES_BEGIN\nEXCLUDE *\nSCOREP_REGION_NAMES_END\n' >functions.filter
  run $program.functions -f functions.filter
  recorded $program.functions pthread_mutex_lock=61 fread=4
  tarry report $program.functions | grep -q 'LEFT OUT' && fail "a filter of functions leaves calls out"
done
for wrong in openmp:team threads:,x files:data, opnmp:teams teams; do
  tarry measure --events $wrong -o wrong -- true >wrong.out 2>&1 && fail "--events $wrong is taken"
  grep -q "^tarry-measure: --events: '$wrong' is not a valid value" wrong.out || { cat wrong.out; fail "$wrong: another message"; }
done
exit $failed
