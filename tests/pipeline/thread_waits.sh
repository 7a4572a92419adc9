# thread_waits.sh -- waits at barriers, for semaphores and for signals of conditions are wait states; the thread that
# is waited for has the costs, and no lock is held.
# timed
# no-san
set -euo pipefail
fail() { echo "$1"; exit 1; }
check() {  # FUNCTION OPTION...: the one that makes threads wait, if it is known
  gcc -std=gnu11 -g -O1 -Wall -Werror -pthread "${@:2}" -o waits "$TARRY_ROOT/tests/apps/thread_waits.c"
  tarry measure -q -t -o "run$1" -- ./waits >truth || fail "the program fails"
  tarry replay -q --strict "run$1"
  tarry cube dump --csv "run$1/analysis.cubex" >values.csv
  tarry report "run$1" >report
  "$PYTHON" "$TARRY_ROOT/tests/pipeline/thread_waits.py" truth values.csv report $1
}
check ""
check compute -finstrument-functions -finstrument-functions-exclude-function-list=now
tarry replay -q --compat -o compat.cubex run
! tarry cube dump --csv compat.cubex | grep -q 'pthread_wait_\|threadsignal' || fail "--compat has waits for signals"
tarry measure -q -s -o summary -- ./waits >/dev/null && tarry report summary >/dev/null || fail "no summary"
