# sampling.sh -- samples of programs without MPI: exclusive times of functions whose shares are known, also on threads.
# no-san
# timeout 300
set -euo pipefail
apps=$TARRY_ROOT/tests/apps
g++ -O2 -o known_shares "$apps/known_shares.cpp" -lpthread

# measure NAME HERTZ COMMAND...: records and analyses; the samples that were taken are in $samples.
measure() {
  tarry measure --sample "$2" -s -t -o "$1" -- "${@:3}" >truth 2>said
  cat said
  samples=$(sed -nE 's/^tarry-measure: ([0-9]+) samples? cost.*/\1/p' said)
  tarry replay -q --strict "$1"
  tarry cube dump --csv "$1/summary.cubex" >values
  tarry cube dump --csv "$1/analysis.cubex" | grep ^visits, | sort >analysed
  grep ^visits, values | sort | diff - analysed
}

# compare NAME HERTZ "FUNCTIONS" COMMAND...: measures, and compares the shares of FUNCTIONS (of all where it is empty).
# One share in 370 lies beyond three standard errors by chance, so one bad measurement is repeated; two are no chance.
compare() {
  local trial
  for trial in first second; do
    measure "$1.$trial" "$2" "${@:4}"
    # shellcheck disable=SC2086
    if python3 "$TARRY_ROOT/tests/pipeline/check_shares.py" truth values "$samples" $3; then return; fi
  done
  return 1
}

compare serial 97 "" ./known_shares 0 20
grep -q '/main/run(long)/fifth(long),' values

compare threads 997 "" ./known_shares 8 5

echo "beside functions that are instrumented:"
tarry instrument g++ -O2 -DKNOWN_PART='__attribute__((noinline, no_instrument_function))' -o beside \
  "$apps/known_shares.cpp" -lpthread
compare beside 997 "tenth fifth three_tenths three_twentieths" ./beside 0 20
