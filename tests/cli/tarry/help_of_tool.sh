# help_of_tool.sh -- `tarry help X` is `tarry-X --help`.
. "$TARRY_ROOT/tests/cli/tarry/tools_here.bash"
bin/tarry help replay
