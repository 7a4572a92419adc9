# parallel_tools.sh -- tools on many processes: under the launchers of both MPI libraries, and where MPI is missing.
# mpich-long
set -u
. "$TARRY_ROOT/tests/peer/unpack.bash"
unpack_peer_cases zoo-4 >cases || exit 1
case=peer/zoo-4
failed=0

fail() {
  echo "FAILED: $1"
  failed=1
}

# Nobody needs an MPI library to look at reports.
for tool in "$(dirname "$(command -v tarry-replay)")"/tarry-*; do
  case $(ldd "$tool" 2>/dev/null) in *libmpi*) fail "$tool links MPI" ;; esac
done

tarry replay -q "$case/traces.otf2" -o one.cubex || exit 1
mpirun -np 3 tarry replay -q "$case/traces.otf2" -o three.cubex || fail "replay on three processes"
cmp one.cubex three.cubex || fail "three processes find something else than one"
tarry sync -q "$case/traces.otf2" -o one || fail "sync"
mpirun -np 3 tarry sync -q "$case/traces.otf2" -o three || fail "sync on three processes"
tarry merge -q one --to csv -o one.csv && tarry merge -q three --to csv -o three.csv && cmp one.csv three.csv ||
  fail "three processes correct other time stamps than one"

# A launcher of a single process needs no MPI, whatever it is.
mpirun -np 1 tarry replay -q "$case/traces.otf2" -o single.cubex && cmp one.cubex single.cubex || fail "a single process"

# refused WHAT TEXT COMMAND...: COMMAND fails with a line that contains TEXT, and one process says it.
refused() {
  local what=$1 text=$2
  shift 2
  "$@" >refused.out 2>refused.err && fail "$what: status 0"
  [ "$(grep -c "tarry-replay: $text" refused.err)" = 1 ] || { cat refused.err; fail "$what: not said once: $text"; }
}

mkdir broken
touch broken/libmpi.so.40 broken/libmpich.so.12 broken/libmpi.so.12
empty_library() { env -u LD_PRELOAD LD_LIBRARY_PATH="$PWD/broken" PATH="$(dirname "$(command -v tarry)"):/bin" "$@"; }
refused "no Open MPI" "Open MPI: the library of the launcher that started 2 processes cannot be loaded" \
  empty_library OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 tarry replay "$case/traces.otf2" -o none.cubex
refused "no MPICH" "MPICH: the library of the launcher that started 2 processes cannot be loaded" \
  empty_library PMI_RANK=0 PMI_SIZE=2 tarry replay "$case/traces.otf2" -o none.cubex
refused "another launcher's processes" "MPI: the launcher started 2 processes, but the MPI library finds 1" \
  env PMI_RANK=0 PMI_SIZE=2 tarry replay "$case/traces.otf2" -o none.cubex
[ ! -e none.cubex ] || fail "a report was written"
exit $failed
