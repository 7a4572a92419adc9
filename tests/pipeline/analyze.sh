# analyze.sh -- `tarry measure --analyze`: one command from a run to its findings; the program's output and status remain.
# timeout 120
set -u
failed=0
"$MPICC" -std=gnu11 -O1 -g -Wall -Werror -o app "$TARRY_ROOT/tests/apps/halo_exchange.c" -lm || exit 1
"$MPICC" -std=gnu11 -O1 -g -Wall -Werror -DROUNDS=20 -o end "$TARRY_ROOT/tests/apps/end.c" || exit 1
complain() { echo "$1: $2"; cat "$1.err"; failed=1; }

# finds NAME STATUS TEXT: this was the program's status; the findings were printed once, on stderr, and tell TEXT.
finds() {
  [ "$status" = "$2" ] || complain "$1" "status $status"
  [ "$(grep -c '^Where the time goes$' "$1.err")" = 1 ] || complain "$1" "no findings, or several"
  grep -q "$3" "$1.err" || complain "$1" "does not tell: $3"
  grep -q 'Where the time goes' "$1.out" && complain "$1" "findings in the program's output"
  [ -s "$1/analysis.cubex" ] || complain "$1" "no analysis"
}

mpirun -np 3 ./app 10 >bare.out
tarry measure --analyze -o whole -- mpirun -np 3 ./app 10 >whole.out 2>whole.err; status=$?
finds whole 0 'MPI_Waitall'
cmp bare.out whole.out || complain whole "other output"
[ ! -e whole/summary.cubex ] || complain whole "a summary nobody asked for"

tarry measure -s --analyze -o both -- mpirun -np 2 ./end return 7 >both.out 2>both.err; status=$?
finds both 7 'end/main/'
[ -s both/summary.cubex ] || complain both "no summary"

# In the launcher's job, where one of the processes analyses alone.
mpirun -np 3 tarry measure --analyze -o inside -- ./end return 0 >inside.out 2>inside.err; status=$?
finds inside 0 '3 processes'

# A process that is killed: what was recorded is analysed, and the report tells that it is not all.
tarry measure --analyze -o killed -- mpirun -np 2 ./end signal 9 >killed.out 2>killed.err; status=$?
finds killed 137 'not complete\|incomplete\|INCOMPLETE\|missing'

tarry measure -q --analyze -o quiet -- mpirun -np 2 ./end return 0 >quiet.out 2>quiet.err || complain quiet "status $?"
[ ! -s quiet.err ] && [ -s quiet/analysis.cubex ] || complain quiet "not quiet, or no analysis"

# A page beside the findings; what cannot be written is known before the run.
if command -v tarry-explore >/dev/null; then
  tarry measure --analyze --html page.html -o shown -- mpirun -np 2 ./end return 7 >shown.out 2>shown.err; status=$?
  finds shown 7 'end/main/'
  "$PYTHON" "$TARRY_ROOT/tests/explorer/check_blocks.py" page.html || complain shown "no page"
  grep -q 'page.html: written' shown.err || complain shown "does not tell where the page is"
  tarry measure --analyze --html none/page.html -o unshown -- touch ran 2>unshown.err && complain unshown "status 0"
  grep -q 'none/page.html: its folder is not there' unshown.err || complain unshown "does not tell what is missing"
  [ ! -e ran ] && [ ! -e unshown ] || complain unshown "the command was run"
fi

# A program in which nothing was recorded.
tarry measure --analyze -o nothing -- true >nothing.out 2>nothing.err || complain nothing "status $?"
grep -q 'Where the time goes' nothing.err && complain nothing "findings of nothing"
exit $failed
