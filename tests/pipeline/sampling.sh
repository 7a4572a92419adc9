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

measure serial 97 ./known_shares 0 20
python3 "$TARRY_ROOT/tests/pipeline/check_shares.py" truth values "$samples"
grep -q '/main/run(long)/fifth(long),' values

measure threads 997 ./known_shares 8 5
python3 "$TARRY_ROOT/tests/pipeline/check_shares.py" truth values "$samples"

echo "beside functions that are instrumented:"
tarry instrument g++ -O2 -DKNOWN_PART='__attribute__((noinline, no_instrument_function))' -o beside \
  "$apps/known_shares.cpp" -lpthread
measure beside.run 997 ./beside 0 20
python3 "$TARRY_ROOT/tests/pipeline/check_shares.py" truth values "$samples" tenth fifth three_tenths three_twentieths
