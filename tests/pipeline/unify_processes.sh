# unify_processes.sh -- however many processes unify an archive, the definitions are the same to the last byte.
# timeout 120
# no-san
# mpich-long
set -u
"$MPICC" -O1 -o late_sender "$TARRY_ROOT/tests/apps/late_sender.c" || exit 1
tarry measure -q -t -s -o run -- mpirun -np 4 ./late_sender >out 2>&1 || { cat out; exit 1; }
failed=0

# unify_with N: what N processes make of ./run without its definitions, and what they say.
unify_with() {
  rm -rf again
  cp -r run again
  rm again/definitions.tdef
  if [ "$1" = 1 ]; then tarry unify again; else mpirun -np "$1" tarry unify again; fi >out 2>&1
}

for processes in 1 2 3 6; do
  unify_with $processes && cmp run/definitions.tdef again/definitions.tdef && tarry archive verify again >out 2>&1 && continue
  cat out
  echo "FAILED: on $processes processes"
  failed=1
done

# A process whose definitions are damaged is named, whoever reads it.
"$PYTHON" - run/events/*.tev <<'END'
import sys
sys.path.insert(0, __import__("os").environ["TARRY_ROOT"] + "/tests/oracle")
import read_archive
bytes_ = bytearray(open(sys.argv[1], "rb").read())
for chunk in read_archive.read_container(bytes(bytes_)):
    if chunk.kind == 2 and chunk.process == 3:
        payload = bytes_.find(bytes(chunk.data))
        bytes_[payload + 5] ^= 0xff
open(sys.argv[1], "wb").write(bytes_)
END
for processes in 1 3; do
  unify_with $processes && cp again/definitions.tdef damaged.$processes && grep -q 'first: .*events' out && continue
  cat out
  echo "FAILED: damaged, on $processes processes"
  failed=1
done
cmp damaged.1 damaged.3 || failed=1

# What is not there is an error, and keeps nobody waiting.
mpirun -np 3 tarry unify nowhere >out 2>&1 && { echo "FAILED: nowhere was unified"; failed=1; }
grep -q 'tarry-unify: nowhere: no such file' out || { cat out; failed=1; }
exit $failed
