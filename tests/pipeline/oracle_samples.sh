# oracle_samples.sh -- on traces with call paths and samples, the tool finds what the slow analyser finds.
# no-san
# timeout 200
set -euo pipefail
/usr/bin/python3 -B -c 'import otf2' 2>/dev/null ||
  { echo 'no Python module otf2: the numbers cannot be checked (Debian: python3-otf2, which forgets python3-six)'; exit 1; }
apps=$TARRY_ROOT/tests/apps
"${MPICC%cc}cxx" -O2 -o blast_wave "$apps/blast_wave.cpp"
"$MPICC" -O2 -o halo_exchange "$apps/halo_exchange.c" -lm
"$MPICC" -O2 -fopenmp -o openmp_calls "$apps/openmp_calls.c"
g++ -O2 -o known_shares "$apps/known_shares.cpp" -lpthread

# record NAME COMMAND...: a trace with samples, as OTF2 with calling contexts.
record() {
  tarry measure --sample 1999 -t -o "$1.run" -- "${@:2}" >/dev/null 2>said
  grep -Eq '^tarry-measure: [1-9][0-9]* samples? cost' said || { cat said; exit 1; }
  tarry merge -q --strict "$1.run" -o "$1" --to otf2
}
export OMP_NUM_THREADS=2
record blast mpirun -np 3 ./blast_wave 50
record halo mpirun -np 4 ./halo_exchange 60
# The slow analyser knows no waits for locks of POSIX threads.
TARRY_PTHREADS=0 record threads mpirun -np 2 ./openmp_calls 20
record alone ./known_shares 0 3
/usr/bin/python3 -B "$TARRY_ROOT/tests/oracle/compare_recorded.py" {blast,halo,threads,alone}/traces.otf2
