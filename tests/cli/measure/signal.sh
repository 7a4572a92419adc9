# signal.sh -- a signal reaches the command once, and the archive is finished.
tarry measure -q -o a -- sh -c 'trap "echo asked; exit 7" TERM; echo ready > started; while :; do sleep 0.05; done' &
while ! [ -e started ]; do sleep 0.05; done
kill -TERM $!
wait $!
echo "status $?"
ls a
