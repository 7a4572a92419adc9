#!/bin/sh
# own_output.sh -- runs a program of a job with a standard output of its own: launchers may mix the lines of several.
#
# usage: mpirun -np N own_output.sh PROGRAM     its lines are in ./PROGRAM.output.PID
exec "./$1" >"$1.output.$$"
