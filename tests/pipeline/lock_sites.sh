# lock_sites.sh -- a signal at every lock of the recorder, right before it is taken, while it is held and right behind it.
# Its handler is instrumented, allocates, writes files, calls MPI and now and then jumps out: no hang, no crash, and
# what is not recorded is counted.
# no-san
# timeout 600
set -u
failed=0
complain() { echo "FAILED: $*"; failed=1; }
apps=$TARRY_ROOT/tests/apps
. "$TARRY_ROOT/tests/pipeline/lock_sites.bash"
prepare_lock_sites

tarry instrument "$MPICC" -std=gnu11 -O1 -w -o sites "$apps/lock_sites.c" -L. -lsignals -Wl,-rpath,"$PWD" -lpthread -ldl || exit 1
tarry instrument "$MPICC" -std=gnu11 -O1 -fPIC -shared -o plugin.so "$apps/lock_sites_plugin.c" || exit 1

for mode in single multiple; do
  measure $mode -s -t --memory 1M --io --metrics task-clock -- mpirun -np 1 ./sites $mode
  check_counts $mode
done
LOCK_SITES_GENTLE=1 measure sampled -s -t --memory 1M --sample 997 -- mpirun -np 1 ./sites multiple
check_counts sampled

# The control: were signals not blocked, a jump would leave a lock taken, and the program would wait for ever.
LOCK_SITES_UNBLOCKED=1 timeout 10 tarry measure -q -o unblocked -s -t --memory 1M -- mpirun -np 1 ./sites single \
  >unblocked.out 2>unblocked.err && complain "handlers that run while a lock is held are not noticed"

# Each lock in the source is reached, or it is known why not.
unreached <<'END'
define_at_line              only in Python
describe_constructs         only with OpenMP
region_at                   only with OpenMP
pomp_place                  only with OpenMP
pomp_region                 only with OpenMP
mark_outlined               only with OpenMP
throttle_key                only where a short function is called very often
queue_of                    only with OpenMP
define_shmem_region         only with OpenSHMEM, which takes the signal of this test for itself
define_set                  only with OpenSHMEM
members_of                  only with teams of OpenSHMEM 1.5
remember_team               only with teams of OpenSHMEM 1.5
forget_team                 only with teams of OpenSHMEM 1.5
open_queue                  only with OpenCL
open_device_queue           only with OpenCL
record_done_work            only with OpenCL
run_with_devices            only with OpenCL
BlockPool::try_exchange     only where a sample finds its block full
BlockPool::failure          only where events are lost
BlockPool::keep_latest      only with --select region:lastN
LocalDefinitions::add_clock_offset    only with several processes
visit_threads               only where the program takes the signal of the samples
numbers_of                  only with processes of other worlds
note_remote_numbers         only with processes of other worlds
END
[ $failed = 0 ]
