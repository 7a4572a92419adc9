#!/bin/sh
# water.sh -- GROMACS: a box of water.
set -e
gmx_mpi solvate -cs spc216.gro -box 2 2 2 -o water.gro >solvate.log 2>&1
count=$(grep -c OW water.gro)
cat >topol.top <<INPUT
#include "oplsaa.ff/forcefield.itp"
#include "oplsaa.ff/spc.itp"
[ system ]
water
[ molecules ]
SOL $count
INPUT
cat >run.mdp <<'INPUT'
integrator = md
nsteps = 60
dt = 0.001
nstlog = 20
nstenergy = 20
coulombtype = PME
rvdw = 0.8
rcoulomb = 0.8
rlist = 0.8
gen_vel = yes
gen_seed = 5
tcoupl = no
INPUT
gmx_mpi grompp -f run.mdp -c water.gro -p topol.top -o water.tpr -maxwarn 5 >grompp.log 2>&1
rm -f solvate.log grompp.log mdout.mdp
