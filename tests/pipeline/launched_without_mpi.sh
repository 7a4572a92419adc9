# launched_without_mpi.sh -- a launcher starts several processes of a program without MPI: all of them are recorded into
# one archive, with the launcher's numbers.
# no-san
# mpich
# timeout 120
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

# Threads of its own: each process that the launcher runs is recorded from its first thread on.
cat >threads.c <<'END'
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
static void* work(void* argument) { return argument; }
int main(int count, char** arguments) {
  pthread_t thread;
  for (int i = 0; i < 3; ++i)
    if (pthread_create(&thread, NULL, work, NULL) != 0 || pthread_join(thread, NULL) != 0) return 1;
  puts("done");
  fflush(stdout);
  pid_t child;
  int status = 0;
  extern char** environ;
  if (count > 1 && (posix_spawn(&child, arguments[1], NULL, NULL, arguments + 1, environ) || wait(&status) < 0)) return 1;
  return status != 0;
}
END
gcc -std=gnu11 -O1 -Wall -Werror -pthread -o threads threads.c || exit 1
"$MPICC" -std=gnu11 -O1 -Wall -Werror -DROUNDS=5 -o end "$TARRY_ROOT/tests/apps/end.c" || exit 1
mpirun -np 2 ./threads >bare || exit 1

# has_two RUN: both processes, each with its three threads; said.
has_two() {
  diff bare out || complain "$1: another output"
  grep -q 'of 2 processes with 8 threads' err || complain "$1: $(cat err)"
  tarry archive verify "$1" >verify || complain "$1: $(cat verify)"
  [ "$(visits "$1" pthread_create)" = 6 ] || complain "$1: $(visits "$1" pthread_create) threads are created"
  tarry replay -q --strict "$1" || complain "$1: cannot be analysed"
}
tarry measure -s -t -o threads_of_two -- mpirun -np 2 ./threads >out 2>err || complain "status $?: $(cat err)"
has_two threads_of_two
mpirun -np 2 tarry measure -s -t -o inside -- ./threads >out 2>err || complain "status $?: $(cat err)"
has_two inside

# What it runs may call MPI, and is what is recorded. Behind a script nobody knows.
tarry measure -s -t -o wrapped -- mpirun -np 2 ./threads ./end return 0 >out 2>err || complain "status $?: $(cat err)"
grep -q 'of 2 processes$' err || grep -q 'of 2 processes with 2 threads' err || complain "wrapped: $(cat err)"
[ "$(visits wrapped MPI_Barrier)" = 10 ] || complain "wrapped: $(visits wrapped MPI_Barrier) rounds"
printf '#!/bin/sh\n./threads\n./end return 0\nexit $?\n' >script.sh && chmod +x script.sh
tarry measure -s -t -o scripted -- mpirun -np 2 ./script.sh >out 2>err || complain "status $?: $(cat err)"
[ "$(visits scripted MPI_Barrier)" = 10 ] || complain "scripted: $(visits scripted MPI_Barrier) rounds"
tarry measure -s -t -o nothing -- mpirun -np 2 sh -c './threads; :' >out 2>err || complain "status $?: $(cat err)"
grep -q 'nothing was recorded' err || complain "nothing: $(cat err)"
[ $failed = 0 ]
