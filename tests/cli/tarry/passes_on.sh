# passes_on.sh -- arguments and status go through untouched.
. "$TARRY_ROOT/tests/cli/tarry/tools_here.bash"
STATUS=7 bin/tarry report --all 'two words' -- x
