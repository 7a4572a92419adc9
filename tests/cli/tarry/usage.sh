# usage.sh -- `tarry --help` and `tarry help` say the same.
. "$TARRY_ROOT/tests/cli/tarry/tools_here.bash"
bin/tarry --help
bin/tarry help | cmp - <(bin/tarry --help)
