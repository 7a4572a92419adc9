#!/bin/sh
# compile.sh SOURCE FLAGS... -- a program beside this script, compiled into $BIN with debug information.
source=$(dirname "$0")/$1
program=$BIN/${1%.*}
shift
case $source in
  *.cpp) compiler=mpic++.openmpi ;;
  *.f90) compiler=mpif90.openmpi ;;
  *) compiler=mpicc.openmpi ;;
esac
$compiler -O2 -g -w -o "$program" "$source" "$@"
