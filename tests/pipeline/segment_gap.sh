# segment_gap.sh -- a program with gaps between its segments, as linkers lay it out for large pages, has its call paths:
# in summaries, traces and samples, with its thread and the lines of its functions.
set -u
failed=0
complain() { echo "FAILED: $*"; failed=1; }

# paths RUN PROGRAM: those of the summary, as if the program were called P.
paths() {
  tarry cube dump --csv -m visits "$1/summary.cubex" | awk -F, 'NR > 1 && $5 > 0 { print $2 }' | sed "s#^$2#P#" | sort -u
}

line=$(grep -n "double exchange" "$TARRY_ROOT/tests/apps/two_threads.c" | cut -d: -f1)
for way in dense "gap -Wl,-z,max-page-size=0x200000" "fixed -no-pie -Wl,-z,max-page-size=0x200000"; do
  read -r name flags <<<"$way"
  "$MPICC" -O2 -g $flags -o "$name" "$TARRY_ROOT/tests/apps/two_threads.c" -lpthread || exit 1
  tarry measure -q -s -t -o "$name.run" -- mpirun -np 1 "./$name" || complain "$name: status $?"
  tarry measure -q -s -t --sample 997 -o "$name.samples" -- mpirun -np 1 "./$name" || complain "$name: status $? with samples"
  paths "$name.run" "$name" >"$name.paths"
  paths "$name.samples" "$name" >"$name.sampled"
  grep -qx 'P/main/exchange/MPI_Sendrecv' "$name.paths" || complain "$name: the path of a call is missing: $(cat "$name.paths")"
  grep -q 'run_beside/exchange/MPI_Sendrecv' "$name.paths" || complain "$name: the thread's path is missing: $(cat "$name.paths")"
  grep -q 'main/exchange/compute' "$name.sampled" || complain "$name: no sample has its path: $(cat "$name.sampled")"
  grep -q 'run_beside/exchange/compute' "$name.sampled" || complain "$name: no sample of the thread has its path"
  tar -xOf "$name.run/summary.cubex" anchor.xml | grep -B1 '<name>exchange' | grep -q "two_threads.c\" begin=\"$line\"" ||
    complain "$name: exchange() has no line"
  cmp -s dense.paths "$name.paths" || complain "$name: other paths: $(diff dense.paths "$name.paths")"
done

# A program may be called as a library of MPI is.
cp dense libmpi_program
tarry measure -q -s --sample 997 -o called.run -- mpirun -np 1 ./libmpi_program || complain "called as a library: status $?"
paths called.run libmpi_program >called.paths
grep -qx 'P/main/exchange/MPI_Sendrecv' called.paths || complain "called as a library: $(cat called.paths)"

readelf -lW gap | grep -q 'LOAD .* R E 0x200000$' || complain "the program has no gap"
[ $failed = 0 ]
