#!/bin/sh
# gdb_backtraces.bash -- runs a program below gdb on rank BACKTRACES_RANK, and as it is on the others.
# usage: gdb_backtraces.bash PROGRAM ARGUMENT...      (within `tarry measure`; see gdb_backtraces.py)
if [ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}" != "${BACKTRACES_RANK:-0}" ]; then exec "$@"; fi
BACKTRACES_PRELOAD=$LD_PRELOAD
unset LD_PRELOAD
export BACKTRACES_PRELOAD
exec gdb -batch -nx -x "$(dirname "$0")/gdb_backtraces.py" --args "$@" 2>gdb.err >gdb.out
