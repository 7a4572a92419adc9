#!/bin/sh
# lammps.sh -- a small Lennard-Jones liquid.
cat >in.liquid <<'INPUT'
units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 8 0 8 0 8
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify every 10 delay 0 check no
fix 1 all nve
thermo 20
run 100
write_data atoms.data
INPUT
