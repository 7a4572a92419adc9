#!/bin/sh
# demo.sh -- `make demo`: measures an imbalanced halo exchange on 8 ranks, replays its trace, prints the findings. Makes a
# page of them where that tool is built.
set -eu
cd "$(dirname "$0")/../.."
folder=build/demo
mkdir -p "$folder"

# Shows a command and runs it.
step() {
  printf '\n$ %s\n' "$*"
  "$@"
}

n=1
while [ -e "$folder/tarry-halo-$n" ]; do n=$((n + 1)); done
archive=$folder/tarry-halo-$n

echo "A Jacobi solver on 8 ranks. One of them has half as much work again: who waits for it, and where?"
if [ "$(id -u)" -eq 0 ]; then
  # Open MPI refuses to run as root (as in a container) unless told twice.
  printf '\n$ %s\n' "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi
step "${MPICC:-mpicc}" -O2 -g -o "$folder/halo_exchange" tests/apps/halo_exchange.c -lm
step bin/tarry measure -t -o "$archive" -- mpirun --oversubscribe -np 8 "$folder/halo_exchange"
step bin/tarry replay "$archive"
step bin/tarry report "$archive"
if [ -x bin/tarry-explore ]; then
  step bin/tarry explore "$archive" -o "$archive.html"
  printf '\nTo look around in a browser, open %s\n' "$PWD/$archive.html"
else
  printf '\nNext: `make` builds all other tools. Then this makes a page to look around in a browser:\n%s\n' \
    "bin/tarry explore $archive"
fi
