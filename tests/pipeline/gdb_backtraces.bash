#!/bin/sh
# gdb_backtraces.bash -- runs a program below gdb on rank BACKTRACES_RANK, and as it is on the others.
# usage: gdb_backtraces.bash PROGRAM ARGUMENT...      (within `tarry measure`; see gdb_backtraces.py)
#
# Below QEMU's user mode gdb can trace no program, but it can talk to the emulator at port BACKTRACES_PORT. That hides
# how return addresses are signed: the program gets a processor that signs none.
if [ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}" != "${BACKTRACES_RANK:-0}" ]; then exec "$@"; fi
BACKTRACES_PRELOAD=$LD_PRELOAD
unset LD_PRELOAD TARRY_PARENT # the program is a child of gdb
export BACKTRACES_PRELOAD
debug() { gdb -batch -nx -x "$(dirname "$0")/gdb_backtraces.py" "$@" 2>gdb.err >gdb.out </dev/null; }
if [ -z "${BACKTRACES_PORT:-}" ]; then
  debug --args "$@"
else
  env LD_PRELOAD="$BACKTRACES_PRELOAD" QEMU_GDB="$BACKTRACES_PORT" QEMU_CPU=cortex-a72 "$@" &
  export BACKTRACES_PID=$! BACKTRACES_SOCKET="localhost:$BACKTRACES_PORT"
  sleep 3
  debug "$1" && wait $BACKTRACES_PID
fi
