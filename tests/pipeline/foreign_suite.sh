# foreign_suite.sh -- tests/foreign/mpich_suite.py finds what fails measured only, and no more.
# no-san
#
# A suite of a few programs takes the place of MPICH's.
for command in mpicc.mpich mpiexec.mpich; do
  command -v $command >/dev/null || { echo "$command is not installed"; exit 77; }
done
set -eu
mkdir -p suite/util suite/include suite/dtpools suite/coll suite/errhan suite/topo
cat >suite/include/mpitest.h <<'END'
#include <mpi.h>
#include <mpitestconf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void finish(int errors);
END
cat >suite/util/mtest.c <<'END'
#include "mpitest.h"
void finish(int errors) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Finalize();
  if (rank == 0 && !errors) puts(" No Errors");
  exit(errors != 0);
}
END
# program FOLDER/NAME ERRORS: its main program initialises MPI, runs what stdin holds, and fails if ERRORS is not zero.
program() {
  { printf '#include "mpitest.h"\nint main(int argc, char **argv) {\n  MPI_Init(&argc, &argv);\n'
    cat
    printf '  finish(%s);\n}\n' "$2"; } >suite/$1.c
}
program coll/good 0 </dev/null
program coll/broken 1 </dev/null
program coll/measured '!!strstr(getenv("LD_PRELOAD"), "libtarry")' </dev/null
right='FROM_MAKEFILE && argc == 2 && !strcmp(argv[1], "-x=1") && !strcmp(getenv("WANTED"), "a=b")'
program coll/given "!($right)" </dev/null
program coll/silent 0 <<<'fclose(stdout);'
program coll/status 3 </dev/null
program topo/hangs 0 <<<'for (;;) MPI_Barrier(MPI_COMM_SELF);'
# A collective operation of nothing does not wait for the other process, which takes no part.
wrong='int rank; MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Bcast(&rank, 0, MPI_INT, 0, MPI_COMM_WORLD);'
program coll/alone 0 <<<"$wrong"
program errhan/errfatal 0 <<<"$wrong"
cat >suite/coll/Makefile.am <<'END'
flags_SOURCES = \
  given.c
flags_CPPFLAGS = -DFROM_MAKEFILE $(AM_CPPFLAGS)
END
cat >suite/coll/testlist.in <<'END'
good 2
broken 1
measured 2
flags 1 arg=-x=1 env=WANTED=a=b
silent 1
silent 1 resultTest=TestStatusNoErrors
status 1 resultTest=TestStatus
alone 2
absent 1
END
echo "errfatal 2" >suite/errhan/testlist
echo "hangs 1" >suite/topo/testlist

# suite STATUS [OPTION...]: runs it, and checks its status.
suite() {
  local expected=$1 status=0
  shift
  "${PYTHON:-python3}" -B "$TARRY_ROOT/tests/foreign/mpich_suite.py" suite --tools "$(dirname "$(command -v tarry)")" \
    "$@" >said || status=$?
  sed 's/ (see .*)$//' said | sort >verdicts
  [ $status = $expected ] || { echo "status $status instead of $expected"; cat said; exit 1; }
}
{
  printf '10 lines, 4 passes, 1 passes, wrong on purpose, 2 fails without Tarry too, 1 not built, '
  printf '1 FAILS MEASURED ONLY, 1 RECORDING NOT ACCEPTED\n'
  cat <<'END'
FAILS MEASURED ONLY: coll/measured 2
RECORDING NOT ACCEPTED: coll/alone 2
fails without Tarry too: coll/broken 1
fails without Tarry too: coll/silent 1
not built: coll/absent 1
passes, wrong on purpose: errhan/errfatal 2
END
} >expected
export LC_ALL=C
suite 1 --only '^(coll|errhan)/'
diff expected verdicts
echo "what has run does not run again"
cp results.jsonl first.jsonl
suite 1 --only '^(coll|errhan)/'
diff expected verdicts
cmp first.jsonl results.jsonl
echo "what others fail is no failure, one bad line is"
suite 0 --only 'good|broken|absent|errfatal' --results some.jsonl
suite 1 --only 'measured' --results one.jsonl
suite 0 --only hangs --limit 3 --results hangs.jsonl
grep 'fails without Tarry too: topo/hangs 1' verdicts
suite 1 --only 'no such line' --results none.jsonl
