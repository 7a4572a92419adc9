# list.sh -- `tarry` alone lists the tools that are there.
. "$TARRY_ROOT/tests/cli/tarry/tools_here.bash"
bin/tarry
