# pthreads_valgrind.sh -- recording a program with threads makes no errors that valgrind sees.
# no-san
set -eu
command -v valgrind >/dev/null || { echo "valgrind is not installed"; exit 77; }
gcc -std=gnu11 -O1 -g -DWITHOUT_MPI -finstrument-functions -pthread -o alone "$TARRY_ROOT/tests/apps/pthread_many.c"
tarry measure -q -t -s -o valgrind -- valgrind -q --error-exitcode=99 ./alone 4 600 >alone.txt 2>valgrind.txt ||
  { cat valgrind.txt; exit 1; }
tarry archive verify valgrind
test "$(cat alone.txt)" = 400 || { cat alone.txt valgrind.txt; exit 1; }
