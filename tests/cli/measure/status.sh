# status.sh -- the command's status is passed on, also of one that was killed.
run() { tarry measure -q -o "a$1" -- sh -c "$2"; echo "status $?"; }
run 1 'exit 0'
run 2 'exit 3'
run 3 'kill -KILL $$'
