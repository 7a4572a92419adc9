#!/bin/sh
# abinit.sh STEPS CUT -- ABINIT: two atoms of silicon; at most so many steps, and a plane-wave cut-off.
cat >si.abi <<INPUT
acell 3*10.18
rprim 0.0 0.5 0.5  0.5 0.0 0.5  0.5 0.5 0.0
ntypat 1  znucl 14  natom 2  typat 1 1
xred 0.0 0.0 0.0  0.25 0.25 0.25
pp_dirpath "/usr/share/abinit/psp"
pseudos "14si.pspnc"
ecut $2
kptopt 1  ngkpt 2 2 2  nshiftk 4
shiftk 0.5 0.5 0.5  0.5 0.0 0.0  0.0 0.5 0.0  0.0 0.0 0.5
nstep $1  toldfe 1.0d-6  diemac 12.0  prtgkk 0
INPUT
