# damaged.sh -- a damaged trace is predicted as far as it goes, with a last line; --strict makes that a failure.
. "$TARRY_ROOT/tests/cli/expect.bash"
record good
works tarry predict good --network ideal

# bad HOW WHERE: a copy of the archive with a damaged container.
bad() {
  rm -rf bad && cp -r good bad
  damage "$1" "$(container bad)" "$2"
  for options in '' '--network ideal' '--cpu 2 --balance' '--rank-delays 3'; do skips 'skipped' tarry predict bad $options; done
  run_it tarry predict --strict bad
  [ $status -eq 1 ] || complain "--strict passes"
}
bad flip-event 100
bad cut 0.6
bad drop 1
rm -rf bad && cp -r good bad && damage cut "$(container bad)" 20
fails 'bad: ' tarry predict bad
tarry measure -q -s -o summary -- mpirun -np 2 ./progress 5
fails 'summary: holds no events' tarry predict summary
exit $wrong
