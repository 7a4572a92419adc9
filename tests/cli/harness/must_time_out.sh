# must_time_out.sh -- control: proves that the harness ends a test that hangs, and what it started.
# timeout 1
set -m
sleep 600 &
sleep 600
