# kill_random.sh -- jobs killed at random moments lose nothing of what they had recorded.
# no-san
# mpich-long
# timeout 300
"$MPICC" -O1 -Wall -Werror -o progress "$TARRY_ROOT/tests/apps/progress.c" || exit 1
# MPICH's ranks spin while they wait: a job takes ten times as long where there are more of them than cores.
[ "$TARRY_TEST_MPI" = mpich ] && times=9 || times=24
"$PYTHON" "$TARRY_ROOT/tests/pipeline/kill_random.py" ./progress $times
