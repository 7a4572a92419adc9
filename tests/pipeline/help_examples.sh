# help_examples.sh -- every example in the help of a tool or operation works as it is printed.
# timed
# no-san
# timeout 300
set -u
failed=0

# A program with what the examples name: regions, a marked loop, files.
mkdir base stand_ins
cat >base/app.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <tarry/user.h>
#include <unistd.h>
void log_message(int i) { printf("%d\n", i); }
void assert(int is_true) { if (!is_true) log_message(0); }
void solve(int rank, int size, int i) {
  double in = i, out;
  int token = 0;
  usleep(rank == 0 ? 2000 : 1000);
  if (size > 1 && rank == 0) MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 5; ++i) {
    TARRY_ITERATION_BEGIN("step", i);
    solve(rank, size, i);
    TARRY_ITERATION_END("step");
  }
  if (rank == 0) log_message(5);
  assert(size > 0);
  MPI_Finalize();
  return 0;
}
END
# What need not be installed, or is far away: srun starts what mpirun would, ssh runs its command here.
stand_in() { printf '#!/bin/sh\n%s\n' "$2" >"stand_ins/$1" && chmod 755 "stand_ins/$1"; }
stand_in srun 'shift 2; exec mpirun -np 4 "$@"'
stand_in ssh 'shift; exec "$@"'
stand_in flamegraph.pl 'exec cat'
stand_in jq 'exec cat'
PATH=$PWD/stand_ins:$PATH
(
  set -e
  cd base
  tarry instrument "$MPICC" -O1 -g -o app app.c
  tarry measure -q -s -t --io -o run -- mpirun -np 4 ./app >out
  tarry replay -q --strict --instances 10 run
  for copy in tarry-app-1 tarry-lmp-1 before after run1 run2 a1 a2 a3 b1 b2 b3 run-1 run-2 run-4 run-8 serial; do cp -r run $copy; done
  for copy in analysis profile scout before after a new old new_version old_version part1 part2 time counters base \
    run1 run2 run3 least most damaged faster; do
    cp run/analysis.cubex $copy.cubex
  done
  tar -xJf "$TARRY_ROOT/tests/data/peer/sp-mz-S-2x2.tar.xz"
  cp sp-mz-S-2x2/profile.cubex sp-mz-S-2x2/scout.cubex .  # the reference tools' have specifications in them
  cp sp-mz-S-2x2/profile.cubex time.cubex
  tarry cube convert -q run/summary.cubex -o old.cube
  tarry merge -q run -o scorep --to otf2
  cp -r scorep/. .
  printf 'SCOREP_REGION_NAMES_BEGIN\n  EXCLUDE log_message\nSCOREP_REGION_NAMES_END\n' | tee rules.filter >score.filter
  cat >my.spec <<'END'
<metrics><metric type="POSTDERIVED"><uniq_name>twice</uniq_name><disp_name>Twice</disp_name><dtype>DOUBLE</dtype>
<uom>sec</uom><cubepl>2 * metric::time()</cubepl></metric></metrics>
END
  for store in tarry runs; do tarry store add -q --store $store.db --param n=512 run1 run2; done
  mkdir programs && cp app programs/heat
  for ranks in 1 2 4; do
    tarry measure -q -o heat-$ranks -- mpirun -np $ranks programs/heat >out
    tarry store add -q --store study.db heat-$ranks
  done
  { echo 'callpath,metric,p,value'; for p in 2 4 8 16 32; do echo "main,time,$p,$((3 * p + 1))"; done; } >times.csv
  cp app.c solve.c
  "$MPICC" -c -o solve.o -x c - <<<'int unused;'
  tarry instrument "$MPICC" -c -o main.o app.c
  printf 'app.o: app.c\n\t$(CC) -c -o app.o app.c\n' >Makefile
  printf 'cmake_minimum_required(VERSION 3.13)\nproject(app C)\n' >CMakeLists.txt
  mkdir -p heat/src sub
) >preparing 2>&1 || { cat preparing; exit 1; }

# examples: the commands in a help text, without what stands behind them.
examples() { sed -n '/^[Ee]xamples:/,/^$/s/^  \([^ ].*\)/\1/p' | sed 's/  .*//'; }
{
  for tool in $(tarry help | awk '/^  [a-z]+  +/ { print $1 }'); do
    tarry help "$tool" | examples
    for operation in $(tarry help "$tool" | sed -n '/^Operations:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
      tarry help "$tool" "$operation" | examples
    done
  done
} | sort -u >commands
[ "$(wc -l <commands)" -gt 90 ] || { cat commands; echo "FAILED: only $(wc -l <commands) examples"; exit 1; }

while IFS= read -r command; do
  rm -rf case
  cp -rl base case
  folder=case
  # Where a folder is made, it must not be there yet; the run is shorter than a minute.
  case $command in
    *'cmake ..') folder=case/sub ;;
    *'-o run -- '* | *'-o run ./app') rm -r case/run ;;
    *'-o app') rm case/app ;;
  esac
  command=${command/ 30:60/ 0:60}
  (cd $folder && HOME=$PWD timeout 60 bash -o pipefail -c "$command") >said 2>&1 </dev/null
  status=$?
  # These compare: 1 says that something differs, or that grep has found nothing.
  case $command in *'cube cmp '* | *'cube test '* | *'| grep '*) [ $status -ne 1 ] || status=0 ;; esac
  [ $status -eq 0 ] || { echo "FAILED: status $status: $command"; tail -3 said; failed=1; }
done <commands
exit $failed
