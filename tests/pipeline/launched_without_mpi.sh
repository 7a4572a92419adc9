# launched_without_mpi.sh -- a launcher starts several processes of a program without MPI: all of them are recorded into
# one archive, with the launcher's numbers.
# no-san
# mpich-long
set -u
failed=0
complain() { echo "FAILED: $*"; failed=1; }
export OMP_NUM_THREADS=2
tarry instrument gcc -O1 -fopenmp -o teams "$TARRY_ROOT/tests/apps/many_teams.c" || exit 1

# visits RUN FUNCTION: of all processes and threads.
visits() { tarry cube dump --csv "$1/summary.cubex" | awk -F, -v f="/$2\$" '$1 == "visits" && $2 ~ f { n += $5 } END { print n + 0 }'; }

mpirun -np 3 ./teams >bare || exit 1
tarry measure -s -t -o run -- mpirun -np 3 ./teams >out 2>err || complain "status $?: $(cat err)"
diff bare out || complain "another output"
grep -q 'of 3 processes with 6 threads' err || complain "$(cat err)"
tarry archive verify run >verify || complain "$(cat verify)"
[ "$(visits run work)" = 1200 ] || complain "$(visits run work) visits, not 3 processes * 2 threads * 200"
tarry replay -q --strict run && tarry cube sanity run/analysis.cubex >sanity || complain "$(cat sanity)"
# Not one launcher after another.
tarry measure -o both -- sh -c 'mpirun -np 2 ./teams && mpirun -np 2 ./teams' >out 2>err || complain "$(cat err)"
grep -q 'holds another MPI job or program already' err || complain "two jobs in one archive: $(cat err)"
[ "$(visits both work)" = 800 ] || complain "$(visits both work) visits of one job of two"

# One of them is killed. What the others have recorded is there.
cat >one_dies <<'END'
case ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} in 1) exec ./teams 100 ;; *) ./teams && sleep 1 ;; esac
END
tarry measure -s -t -o killed -- mpirun -np 2 sh one_dies >out 2>err
tarry archive verify killed >verify && complain "complete without a process"
grep -q 'incomplete' verify && grep -q '2 processes' verify || complain "$(cat verify)"
grep -q '^ranks *2$' <(tarry archive info killed) || complain "$(tarry archive info killed)"

# An interpreter may load MPI later, so it waits. It does not, and is recorded when it ends.
cat >plain.py <<'END'
print("done")
END
tarry measure -q -s -o python -- mpirun -np 2 python3 plain.py >out 2>err || complain "$(cat err)"
[ "$(tr -d '\n' <out)" = donedone ] || complain "$(cat out)"
grep -q 'another MPI job' err && complain "$(cat err)"
[ $failed = 0 ]
