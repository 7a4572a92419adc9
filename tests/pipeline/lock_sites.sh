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

# visits RUN: how often functions of the handler were entered, by the summary.
visits() {
  tarry cube dump --csv "$1/summary.cubex" |
    awk -F, '$1 == "visits" && $2 ~ /\/in_handler_[0-9]*$/ { sum += $5 } END { print sum + 0 }'
}
missed() { tarry archive info "$1" | sed -n 's/^not recorded *\([0-9]*\) calls of signal handlers.*/\1/p'; }

# check_counts RUN: what the handler has entered is recorded, or counted as missed.
check_counts() {
  local in_handler recorded missed
  in_handler=$(sed -n 's/.* entered \([0-9]*\) .*/\1/p' lock_sites.counts)
  recorded=$(visits "$1") missed=$(missed "$1")
  [ "${in_handler:-0}" -gt 50 ] || complain "$1: the handler was called $in_handler times only"
  [ $((recorded + ${missed:-0})) -ge "${in_handler:-1}" ] ||
    complain "$1: the handler entered $in_handler functions; $recorded are recorded, ${missed:-0} counted as missed"
}

for mode in single multiple; do
  measure $mode -s -t --memory 1M --io --metrics task-clock -- mpirun -np 1 ./sites $mode
  check_counts $mode
done
LOCK_SITES_GENTLE=1 measure sampled -s -t --memory 1M --sample 997 -- mpirun -np 1 ./sites multiple
check_counts sampled

# Each lock in the source is reached, or it is known why not.
unreached <<'END'
define_at_line              only in Python
describe_constructs         only with OpenMP
region_at                   only with OpenMP
place_of                    only with OpenMP
region_of                   only with OpenMP
BlockPool::try_exchange     only where a sample finds its block full
BlockPool::failure          only where events are lost
BlockPool::keep_latest      only with --select region:lastN
LocalDefinitions::add_clock_offset    only with several processes
visit_threads               only where the program takes the signal of the samples
numbers_of                  only with processes of other worlds
note_remote_numbers         only with processes of other worlds
END
[ $failed = 0 ]
