# wrong_usage.sh -- options that make no sense are refused with 2 before anything is touched.
. "$TARRY_ROOT/tests/cli/expect.bash"

# refuses PATTERN COMMAND...: status 2, one line on stderr that matches PATTERN, nothing on stdout.
refuses() {
  local pattern=$1
  shift
  run_it "$@"
  if [ "$status" -ne 2 ] || [ "$(wc -l <err)" -ne 1 ] || [ -s out ] || ! grep -Eq "^tarry-replay: .*$pattern" err; then
    complain "'$*' is not refused with '$pattern'"
  else echo "refuses: $*"
  fi
}
refuses 'instances' tarry replay nowhere --instances 0
refuses 'instances' tarry replay nowhere --instances -1
refuses 'instances' tarry replay nowhere --instances many
refuses 'no input' tarry replay --instances 3
exit $wrong
