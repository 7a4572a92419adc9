# archives.sh -- an archive or a foreign folder is never overwritten, and two runs never share one.
. "$TARRY_ROOT/tests/cli/expect.bash"
record run 5
cp -r run before
mkdir foreign && echo mine >foreign/mine
echo text >file
for there in run foreign file; do
  fails "$there: exists already and is never overwritten" tarry measure -t -o $there -- touch ran
done
holds "the archive is as it was" diff -r run before
[ "$(cat foreign/mine)" = mine ] && [ "$(ls foreign)" = mine ] || complain "the folder was touched"
fails 'missing/run: No such file' tarry measure -t -o missing/run -- touch ran
fails 'file/run: Not a directory' tarry measure -t -o file/run -- touch ran
[ -e ran ] && complain "the command was run without an archive"

# Runs that start at the same moment: each with an archive of its own, or none. Each program has a folder of its own, as each maps
# and truncates a file of one name: in a shared one they kill each other (SIGBUS).
jobs=()
for i in 1 2 3 4 5; do
  mkdir folder.$i
  tarry measure -q -t -- mpirun -np 1 -wdir folder.$i "$PWD/progress" 5 2>said.$i &
  jobs+=($!)
done
for i in 1 2 3 4 5; do wait "${jobs[i - 1]}" || complain "a run among others fails: $(tail -n 20 said.$i)"; done
[ "$(echo tarry-progress-*)" = "$(echo tarry-progress-{1,2,3,4,5})" ] ||
  complain "there are $(echo tarry-*)"
for archive in tarry-progress-*; do works tarry archive verify "$archive"; done
jobs=()
for i in 1 2 3; do
  tarry measure -q -t -o same -- sh -c "echo $i >>winners; exec mpirun -np 1 ./progress 5" 2>said.$i &
  jobs+=($!)
done
winners=0
for job in "${jobs[@]}"; do wait "$job" && winners=$((winners + 1)); done
[ $winners -eq 1 ] && [ "$(wc -l <winners)" -eq 1 ] || complain "$winners of three runs got the same folder"
[ "$(cat said.* | grep -c 'same: exists already')" -eq 2 ] || complain "the others do not say why"
works tarry archive verify same

# A job that records into the archive of another one is refused, and goes on.
TARRY_ARCHIVE=$PWD/run TARRY_TRACE=1 LD_PRELOAD="$TARRY_BUILD/lib/libtarry-mpi.so" mpirun -np 1 ./progress 5 >out 2>err
status=$?
[ $status -eq 0 ] && grep -q 'run: holds another MPI job' err || complain "a second job in one archive"
works tarry archive verify run
exit $wrong

# Without `tarry measure`, the variable alone names the folder; the program may go elsewhere meanwhile.
TARRY_ARCHIVE=by-name TARRY_TRACE=1 LD_PRELOAD="$TARRY_BUILD/lib/libtarry-mpi.so" mpirun -np 2 ./progress 5 >out 2>err
works tarry unify by-name
works tarry archive verify by-name
